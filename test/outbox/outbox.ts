import { randomUUID } from 'node:crypto';
import type { OutboxEntry } from '../../src/outbox/outbox-entry.entity';
import type { SubscribableType } from '../../src/outbox/event-types';
import { Outbox } from '../../src/outbox/outbox.service';
import type { Service, Tenant } from '../support/service';

export type Entry = Pick<OutboxEntry, 'type' | 'flow_session_ids' | 'data'>;

type Topic = 'session' | 'workspace' | 'flow' | 'customer';

/** What the outbox holds of a workspace on a topic, oldest first. */
export function outboxOf(service: Service, { id }: { id: string }, topic: Topic): Promise<Entry[]> {
  return service.database.query(
    `SELECT type, flow_session_ids, data FROM outbox WHERE workspace_id = $1 AND split_part(type, '.', 1) = $2 ORDER BY id`,
    [id, topic],
  );
}

/** Makes starts of a workspace events, or no events. */
export async function setStartsAreEvents(service: Service, { id }: Tenant, are: boolean): Promise<void> {
  await service.database.query('UPDATE workspaces SET starts_are_events = $2 WHERE id = $1', [id, are]);
}

/** The records of sessions, in their order. */
export async function recordsOf(service: Service, sessionIds: string[]): Promise<string[]> {
  const rows: { id: string; session_id: string }[] = await service.database.query(
    'SELECT id, session_id FROM flow_sessions WHERE session_id = ANY ($1)',
    [sessionIds],
  );
  return sessionIds.map((sessionId) => rows.find(({ session_id }) => session_id === sessionId)!.id);
}

/** The workspaces that are announced from now on. */
export function announcements(service: Service): string[] {
  const announced: string[] = [];
  service.app.get(Outbox).onAppended((workspaceId) => announced.push(workspaceId));
  return announced;
}

/** Makes Postgres refuse the entries of a workspace while the work is under way. */
export async function withoutOutbox(service: Service, { id }: Tenant, work: () => Promise<unknown>): Promise<void> {
  await service.database.query(`ALTER TABLE outbox ADD CONSTRAINT poison CHECK (workspace_id <> '${id}') NOT VALID`);
  try {
    await work();
  } finally {
    await service.database.query('ALTER TABLE outbox DROP CONSTRAINT poison');
  }
}

/** Adds a webhook. Without types it asks for all but starts. */
export async function addWebhook(
  service: Service,
  tenant: Tenant,
  { types = [] as SubscribableType[], status = 'enabled' } = {},
): Promise<string> {
  const id = randomUUID();
  await service.database.query(
    `INSERT INTO webhooks (workspace_id, id, url, description, event_types, status, secret, failures, created_at, updated_at)
      VALUES ($1, $2, 'https://acme.example', '', $3, $4, '', 0, now(), now())`,
    [tenant.id, id, types, status],
  );
  return id;
}
