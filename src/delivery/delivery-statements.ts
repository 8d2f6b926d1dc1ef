import type { EntityManager } from 'typeorm';
import { NOW } from '../database/time';
import { EVENT_ID } from '../events/outbox.service';
import { isFor } from './subscription';

/** The most deliveries that are deleted at a time. */
export const DELETION_BATCH = 1000;
/** The most events that are looked through at a time. */
const RECOVERY_BATCH = 1000;

// Statements that insert deliveries lock the event and the webhook (FOR KEY SHARE): a delivery of one that is deleted at the
// same moment would break its foreign key.
export const DELIVERY_COLUMNS = `workspace_id, event_id, webhook_id, flow_session_id, status, attempts, next_attempt_at, last_status,
  last_error, created_at, updated_at`;

/** In SQL: when a test is due, so that it comes before everything else. */
export const DUE_FIRST = 'to_timestamp(0)';

/** In SQL: the values of a new delivery, which is due now. */
export const due = (event: string, webhook: string, time = NOW): string =>
  `${event}.workspace_id, ${event}.id, ${webhook}.id, ${event}.flow_session_id, 'pending', 0, ${time}, NULL::integer,
  NULL::text, ${NOW}, ${NOW}`;

/** Deletes a batch of a webhook's deliveries, and returns how many it deleted. */
export async function deleteDeliveries(
  workspaceId: string,
  webhookId: string,
  manager: EntityManager,
): Promise<number> {
  const [, deleted] = await manager.query<[unknown, number]>(
    `DELETE FROM deliveries WHERE workspace_id = $1 AND webhook_id = $2 AND event_id IN (
      SELECT event_id FROM deliveries WHERE workspace_id = $1 AND webhook_id = $2 ORDER BY event_id LIMIT $3)`,
    [workspaceId, webhookId, DELETION_BATCH],
  );
  return deleted;
}

/** Records a test event of a webhook with its delivery. Returns the event's id, or undefined if there is no such webhook. */
export async function insertTest(
  workspaceId: string,
  webhookId: string,
  manager: EntityManager,
): Promise<string | undefined> {
  const [test] = await manager.query<{ event_id: string }[]>(
    `WITH webhook AS (
      SELECT workspace_id, id FROM webhooks WHERE workspace_id = $1 AND id = $2 FOR KEY SHARE
    ), event AS (
      INSERT INTO events (workspace_id, id, type, data, created_at)
      SELECT workspace_id, ${EVENT_ID}, 'test', jsonb_build_object('webhook_id', id), ${NOW} FROM webhook
      RETURNING workspace_id, id, flow_session_id
    )
    INSERT INTO deliveries (${DELIVERY_COLUMNS}) SELECT ${due('event', 'webhook', DUE_FIRST)} FROM event, webhook RETURNING event_id`,
    [workspaceId, webhookId],
  );
  return test?.event_id;
}

/** Events by their ids: those behind `after` and before `end`. */
export interface Span {
  after: string;
  end: string;
}

/**
 * Queues what an enabled webhook asks for and was not delivered, of the first events of a span. Returns how many deliveries
 * that were, and the rest of the span if there is any.
 */
export async function recoverDeliveries(
  workspaceId: string,
  webhookId: string,
  { after, end }: Span,
  manager: EntityManager,
): Promise<{ queued: number; rest?: Span }> {
  const [{ queued, looked, last }] = await manager.query<{ queued: number; looked: number; last: string }[]>(
    `WITH batch AS MATERIALIZED (
      SELECT workspace_id, id FROM events
      WHERE workspace_id = $1 AND id > $3 AND id < $4 ORDER BY id LIMIT ${RECOVERY_BATCH}
    ), queued AS (
      INSERT INTO deliveries (${DELIVERY_COLUMNS})
      SELECT ${due('event', 'webhook')}
      FROM batch
      JOIN events event ON event.workspace_id = $1 AND event.id = batch.id
      JOIN webhooks webhook ON webhook.workspace_id = $1 AND webhook.id = $2
      LEFT JOIN deliveries delivery ON delivery.workspace_id = $1 AND delivery.event_id = event.id
        AND delivery.webhook_id = webhook.id
      WHERE webhook.status = 'enabled' AND event.type <> 'test' AND ${isFor('webhook', 'event')}
        AND coalesce(delivery.status, 'failed') = 'failed'
      ORDER BY event.id
      FOR KEY SHARE OF event, webhook SKIP LOCKED
      ON CONFLICT (workspace_id, event_id, webhook_id) DO UPDATE
        SET status = 'pending', attempts = 0, next_attempt_at = excluded.next_attempt_at, last_status = NULL,
          last_error = NULL, updated_at = excluded.updated_at
        WHERE deliveries.status = 'failed'
      RETURNING event_id
    )
    SELECT (SELECT count(*) FROM queued)::integer AS queued, count(*)::integer AS looked,
      (SELECT id FROM batch ORDER BY id DESC LIMIT 1) AS last
    FROM batch`,
    [workspaceId, webhookId, after, end],
  );
  return { queued, rest: looked === RECOVERY_BATCH ? { after: last, end } : undefined };
}

/**
 * Makes an event due now for every enabled webhook that asks for it, delivered or not, and a test for its own. Returns the
 * ids of the webhooks. A pending delivery keeps the number of its attempts, so that one that is under way can end it.
 */
export async function redeliver(workspaceId: string, eventId: string, manager: EntityManager): Promise<string[]> {
  const time = `CASE WHEN event.type = 'test' THEN ${DUE_FIRST} ELSE ${NOW} END`;
  const deliveries = await manager.query<{ webhook_id: string }[]>(
    `INSERT INTO deliveries (${DELIVERY_COLUMNS})
    SELECT ${due('event', 'webhook', time)}
    FROM events event JOIN webhooks webhook ON webhook.workspace_id = event.workspace_id
    WHERE event.workspace_id = $1 AND event.id = $2 AND ${isFor('webhook', 'event')}
      AND (webhook.status = 'enabled' OR event.type = 'test')
    ORDER BY webhook.id
    FOR KEY SHARE OF event, webhook
    ON CONFLICT (workspace_id, event_id, webhook_id) DO UPDATE
      SET status = 'pending', next_attempt_at = excluded.next_attempt_at, updated_at = excluded.updated_at,
        attempts = CASE WHEN deliveries.status = 'pending' THEN deliveries.attempts ELSE 0 END
    RETURNING webhook_id`,
    [workspaceId, eventId],
  );
  return deliveries.map(({ webhook_id }) => webhook_id);
}
