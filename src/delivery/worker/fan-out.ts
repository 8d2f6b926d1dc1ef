import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Pooler } from '../../database/pooler';
import { NOW } from '../../database/time';
import { Transactions } from '../../database/transactions';
import type { EventType } from '../../events/event-types';
import { MailQueue } from '../mail/mail-queue.service';
import { isFor } from '../subscription';

/** How many entries are looked at, and after how many events no further one is taken: an entry may be about 500 sessions. */
const ENTRIES = 50;
const EVENTS = 500;

export interface FannedOut {
  /** The webhooks that got deliveries. */
  webhookIds: string[];
  /** Whether the outbox may have more entries. */
  isFull: boolean;
}

interface EventRow {
  id: string;
  type: EventType;
  flow_session_id: string | null;
  webhook_ids: string[] | null;
  is_full: boolean;
}

/**
 * $1 workspace. The entries are locked in the order of their ids, so of two processes one waits for the other, and the later
 * event of a session never has a delivery before the earlier one. The webhooks are locked because a delivery to one that is
 * deleted at the same moment would break its foreign key.
 *
 * The id of each event follows from the entry and the session, so that it stays the same if Postgres loses this transaction.
 */
const FAN_OUT = {
  name: 'fan-out',
  text: `
  WITH locked AS (
    SELECT id, coalesce(cardinality(flow_session_ids), 1) AS events FROM outbox WHERE workspace_id = $1
    ORDER BY id LIMIT ${ENTRIES} FOR UPDATE
  ), numbered AS (
    SELECT id, sum(events) OVER (ORDER BY id) - events AS before FROM locked
  ), entry AS (
    DELETE FROM outbox WHERE workspace_id = $1 AND id IN (SELECT id FROM numbered WHERE before < ${EVENTS})
    RETURNING *
  ), webhook AS (
    SELECT id, event_types, created_at FROM webhooks WHERE workspace_id = $1 AND status = 'enabled' FOR KEY SHARE
  ), event AS (
    INSERT INTO events (workspace_id, id, type, flow_session_id, data, created_at)
    SELECT workspace_id,
      CASE WHEN cardinality(flow_session_ids) > 1 THEN (left(id::text, 18) || right(session::text, 18))::uuid ELSE id END,
      type, session, data, created_at
    FROM entry LEFT JOIN LATERAL unnest(flow_session_ids) AS session ON true
    RETURNING *
  ), delivery AS (
    INSERT INTO deliveries (workspace_id, event_id, webhook_id, flow_session_id, status, attempts, next_attempt_at,
      created_at, updated_at)
    SELECT $1, event.id, webhook.id, flow_session_id, 'pending', 0, ${NOW}, ${NOW}, ${NOW}
    FROM event JOIN webhook ON ${isFor('webhook', 'event')} AND webhook.created_at <= event.created_at
    RETURNING webhook_id
  )
  SELECT id, type, flow_session_id, (SELECT array_agg(DISTINCT webhook_id) FROM delivery) AS webhook_ids,
    (SELECT count(*) = ${ENTRIES} OR count(*) > (SELECT count(*) FROM entry) FROM locked) AS is_full
  FROM event`,
};

/** Makes events of what happened, a delivery for each webhook that asks for them, and mails. */
@Injectable()
export class FanOut {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly pooler: Pooler,
    private readonly mails: MailQueue,
  ) {}

  /** The workspaces that have something in the outbox. */
  async workspaces(): Promise<string[]> {
    const rows = await this.dataSource.query<{ workspace_id: string }[]>('SELECT DISTINCT workspace_id FROM outbox');
    return rows.map(({ workspace_id }) => workspace_id);
  }

  run(workspaceId: string): Promise<FannedOut> {
    return this.transactions.runPipelined(async (client, manager) => {
      const query = this.pooler.prepared({ ...FAN_OUT, values: [workspaceId] });
      const { rows: events } = await client.query<EventRow>(query);
      await this.mails.enqueue(workspaceId, events, manager);
      const [first] = events;
      const result = { webhookIds: first?.webhook_ids ?? [], isFull: first?.is_full ?? false };
      return { result, last: () => undefined };
    });
  }
}
