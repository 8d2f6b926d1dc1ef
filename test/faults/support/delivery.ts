import { setTimeout as pause } from 'node:timers/promises';
import type { ErraticReceiver } from './erratic-receiver';
import type { PostgresServer } from './postgres-server';
import type { Tenant } from './tenants';
import { until } from './until';

const PAUSE_MS = 1000;

const LEFT = `
  SELECT (SELECT count(*) FROM outbox)::integer + count(*)::integer AS left FROM deliveries WHERE status = 'pending'`;

/**
 * Lets the time pass that deliveries wait for: their next attempt, the end of a lease that a killed process held, or
 * the next probe of their webhook. None of them keeps events in order, so all may end early. An attempt under way is
 * made twice then, as after a lease that ran out.
 */
const HURRY = `
  WITH waiting AS (
    SELECT workspace_id, event_id, recipient_id FROM deliveries WHERE status = 'pending' FOR UPDATE SKIP LOCKED
  ), probed AS (
    UPDATE webhooks SET next_probe_at = NULL WHERE next_probe_at IS NOT NULL
  )
  UPDATE deliveries SET next_attempt_at = statement_timestamp() FROM waiting
  WHERE deliveries.workspace_id = waiting.workspace_id AND deliveries.event_id = waiting.event_id
    AND deliveries.recipient_id = waiting.recipient_id`;

/** How many events wait to be delivered, or to become events. */
export async function deliveriesLeft(postgres: PostgresServer, database: string): Promise<number> {
  const [{ left }] = await postgres.query<{ left: number }>(LEFT, [], database);
  return left;
}

/** Waits until everything is delivered or given up, and returns the milliseconds it took. */
export function untilDelivered(postgres: PostgresServer, database: string): Promise<number> {
  return until('everything is delivered', async () => {
    if ((await deliveriesLeft(postgres, database)) === 0) return true;
    await postgres.query(HURRY, [], database);
    await pause(PAUSE_MS);
    return false;
  });
}

/** Compares what was received with the rows of sessions, and returns a line for each contradiction. */
export async function findUndelivered(
  postgres: PostgresServer,
  database: string,
  tenants: Tenant[],
  { events, violations }: ErraticReceiver,
): Promise<string[]> {
  const ids = tenants.map(({ id }) => id);
  const query = <Row extends object>(sql: string) => postgres.query<Row>(sql, [ids], database);
  const sessions = await query<{ id: string; status: string }>(
    'SELECT id, status FROM flow_sessions WHERE workspace_id = ANY ($1)',
  );
  const deliveries = await query<{ status: string; type: string; count: number }>(
    `SELECT deliveries.status, type, count(*)::integer AS count
      FROM deliveries JOIN events ON events.workspace_id = deliveries.workspace_id AND events.id = event_id
      WHERE events.workspace_id = ANY ($1) AND deliveries.status <> 'delivered' GROUP BY 1, 2`,
  );
  const wrong = [...violations, ...deliveries.map(({ status, type, count }) => `${count} of ${type} are ${status}`)];
  const left = new Map(events);
  for (const { id, status } of sessions) {
    const types = status === 'in_progress' ? ['started'] : ['started', status];
    for (const key of types.map((type) => `session.${type} ${id}`)) {
      if (!left.get(key)?.isAcknowledged) wrong.push(`${key} was never acknowledged`);
      left.delete(key);
    }
  }
  for (const key of left.keys()) wrong.push(`${key} never happened`);
  return wrong;
}
