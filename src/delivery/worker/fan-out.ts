import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Citus } from '../../database/citus';
import { Pooler } from '../../database/pooler';
import { groupBy } from '../../common/group-by';
import { jsonRows } from '../../database/json-rows';
import { Transactions } from '../../database/transactions';
import type { EventType } from '../../events/event-types';
import { MailQueue } from '../mail/mail-queue.service';
import { DELIVERY_COLUMNS, due } from '../delivery-statements';
import { isFor } from '../subscription';
import type { WebhookKey } from './worker-statements';

/** How many entries of a workspace are looked at, and after how many events no further one is taken: an entry may be 500 sessions. */
const ENTRIES = 50;
const EVENTS = 500;
/** Workspaces that are fanned out in one transaction: most have a single event at a time. If Citus spreads them, it is one. */
const WORKSPACES = 32;

export interface FannedOut {
  /** The webhooks that got deliveries. */
  webhooks: WebhookKey[];
  /** Whether the outbox may have more entries of these workspaces. */
  isFull: boolean;
}

interface EventRow {
  workspace_id: string;
  id: string;
  type: EventType;
  flow_session_id: string | null;
  webhooks: WebhookKey[] | null;
  is_full: boolean;
}

/**
 * $1 workspaces, sorted. Their entries are locked in the order of their ids, so of two processes one waits for the other, and
 * the later event of a session never has a delivery before the earlier one. The webhooks are locked because a delivery to one
 * that is deleted at the same moment would break its foreign key. They get what happened since they were created.
 *
 * The id of each event follows from the entry and the session, so that it stays the same if Postgres loses this transaction.
 */
const fanOut = (ofEach: (select: (workspaceId: string) => string) => string, ofOne = 'true') => `
  WITH locked AS (
    ${ofEach(
      (workspaceId) => `SELECT workspace_id, id, coalesce(cardinality(flow_session_ids), 1) AS events FROM outbox
      WHERE workspace_id = ${workspaceId} ORDER BY id LIMIT ${ENTRIES} FOR UPDATE`,
    )}
  ), numbered AS (
    SELECT workspace_id, id, count(*) OVER (PARTITION BY workspace_id) AS entries,
      sum(events) OVER (ORDER BY workspace_id, id) - events AS before
    FROM locked
  ), entry AS (
    DELETE FROM outbox USING numbered
    WHERE ${ofOne} AND outbox.workspace_id = numbered.workspace_id AND outbox.id = numbered.id AND before < ${EVENTS}
    RETURNING outbox.*
  ), webhook AS (
    ${ofEach(
      (workspaceId) => `SELECT workspace_id, id, event_types, created_at FROM webhooks
      WHERE workspace_id = ${workspaceId} AND status = 'enabled' FOR KEY SHARE`,
    )}
  ), event AS (
    INSERT INTO events (workspace_id, id, type, flow_session_id, data, created_at)
    SELECT workspace_id,
      CASE WHEN cardinality(flow_session_ids) > 1 THEN (left(id::text, 18) || right(session::text, 18))::uuid ELSE id END,
      type, session, data, created_at
    FROM entry LEFT JOIN LATERAL unnest(flow_session_ids) AS session ON true
    RETURNING *
  ), delivery AS (
    INSERT INTO deliveries (${DELIVERY_COLUMNS})
    SELECT ${due('event', 'webhook')}
    FROM event JOIN webhook ON webhook.workspace_id = event.workspace_id
      AND ${isFor('webhook', 'event')} AND webhook.created_at <= event.created_at
    RETURNING workspace_id, webhook_id
  )
  SELECT workspace_id, id, type, flow_session_id,
    (SELECT jsonb_agg(DISTINCT jsonb_build_object('workspace_id', workspace_id, 'id', webhook_id)) FROM delivery) AS webhooks,
    (SELECT bool_or(entries = ${ENTRIES} OR before >= ${EVENTS}) FROM numbered) AS is_full
  FROM event`;

const FAN_OUT = {
  name: 'fan-out',
  text: fanOut(
    (select) => `SELECT own.* FROM ${jsonRows('$1', 'workspace_id uuid')} AS workspace
      CROSS JOIN LATERAL (${select('workspace.workspace_id')}) AS own`,
  ),
};

/** $1: the workspace. */
const FAN_OUT_ONE = { name: 'fan-out-one', text: fanOut((select) => select('$1'), 'outbox.workspace_id = $1') };

/** Makes events of what happened, a delivery for each webhook that asks for them, and mails. */
@Injectable()
export class FanOut {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly pooler: Pooler,
    private readonly citus: Citus,
    private readonly mails: MailQueue,
  ) {}

  /** The workspaces that have something in the outbox. */
  async workspaces(): Promise<string[]> {
    const rows = await this.dataSource.query<{ workspace_id: string }[]>('SELECT DISTINCT workspace_id FROM outbox');
    return rows.map(({ workspace_id }) => workspace_id);
  }

  /** The most workspaces that one call takes. */
  get most(): number {
    return this.citus.isPresent ? 1 : WORKSPACES;
  }

  /** Empties the outbox of workspaces, unless it is full. */
  run(workspaceIds: string[]): Promise<FannedOut> {
    const workspaces = workspaceIds.toSorted().map((workspace_id) => ({ workspace_id }));
    return this.transactions.runPipelined(async (client, manager) => {
      const query = this.pooler.prepared(
        this.citus.isPresent
          ? { ...FAN_OUT_ONE, values: workspaceIds }
          : { ...FAN_OUT, values: [JSON.stringify(workspaces)] },
      );
      const { rows: events } = await client.query<EventRow>(query);
      for (const [workspaceId, own] of groupBy(events, ({ workspace_id }) => workspace_id)) {
        await this.mails.enqueue(workspaceId, own, manager);
      }
      const [first] = events;
      const result = { webhooks: first?.webhooks ?? [], isFull: first?.is_full ?? false };
      return { result, last: () => undefined };
    });
  }
}
