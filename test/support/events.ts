import { randomUUID } from 'node:crypto';
import { idFrom, idTime } from '../../src/platform/api/ids';
import type { EventType } from '../../src/outbox/event-types';
import type { Service, Tenant } from './service';

interface Recorded {
  type?: EventType;
  /** In SQL. */
  at?: string;
  flow_session_id?: string | null;
  data?: object | null;
}

interface Outcome {
  status?: 'delivered' | 'failed';
  last_status?: number | null;
  last_error?: string | null;
}

/** Records an event as the worker does, without deliveries: by default, of a session that is gone. Answers its id. */
export async function record(
  service: Service,
  { id }: Tenant,
  {
    type = 'session.saved',
    at = 'statement_timestamp()',
    flow_session_id = type.startsWith('session.') ? randomUUID() : null,
    data = null,
  }: Recorded = {},
): Promise<string> {
  const time = `date_trunc('milliseconds', ${at})`;
  const [event] = await service.database.query<{ id: string }[]>(
    `INSERT INTO events (workspace_id, id, type, flow_session_id, data, created_at)
    VALUES ($1, ${idFrom(idTime(time), 'gen_random_uuid()::text')}, $2, $3, $4, ${time}) RETURNING id`,
    [id, type, flow_session_id, data],
  );
  return event.id;
}

/** Lets a delivery have ended. */
export async function deliver(
  service: Service,
  tenant: Tenant,
  eventId: string,
  webhookId: string,
  { status = 'delivered', last_status = 204, last_error = null }: Outcome = {},
): Promise<void> {
  await service.database.query(
    `INSERT INTO deliveries (workspace_id, event_id, recipient_id, transport, flow_session_id, status, attempts, last_status,
      last_error, created_at, updated_at)
    SELECT workspace_id, id, $3, 'webhook', flow_session_id, $4, 1, $5, $6, created_at, created_at FROM events
      WHERE workspace_id = $1 AND id = $2
    ON CONFLICT (workspace_id, event_id, recipient_id) DO UPDATE
      SET status = $4, attempts = 1, next_attempt_at = NULL, last_status = $5, last_error = $6`,
    [tenant.id, eventId, webhookId, status, last_status, last_error],
  );
}
