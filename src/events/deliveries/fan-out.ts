import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { ConnectionPool } from '../../platform/database/connection/connection-pool';
import { Config } from '../../settings/config';
import { type Job, Jobs } from '../../platform/database/queue/jobs.service';
import { Pipeline } from '../../platform/database/transaction/pipeline.service';
import { bound, prepared, statement } from '../../platform/database/transaction/statement';
import { Outbox } from '../../outbox/outbox.service';
import { type Conditions, UNCONDITIONAL, type Wanted, wantedBy } from '../conditions';
import { DELIVERY_COLUMNS, due, isFor } from './delivery-statements';
import { DeliveryWorker } from './delivery-worker';
import type { Recipient } from './attempt-rules';

/** How often the outbox is searched for what was not announced in this process. */
const POLL_MS = 1000;
/** Announcements within this time are fanned out together. */
const GATHER_MS = 20;
/**
 * How many entries of a workspace are looked at, and after how many events no further one is taken: an entry may be 500
 * sessions.
 */
const ENTRIES = 50;
const EVENTS = 500;
/** How many workspaces are fanned out at a time, each on a connection. */
const AT_A_TIME = 2;

/**
 * Entries are locked in the order of their ids, so of two processes one waits for the other, and the later event of a
 * session never has a delivery before the earlier one. The webhooks are locked, so that none is deleted at the same
 * moment. They get what happened since they were created. A saved or canceled session, and an offer that ends, is also
 * mailed to the address of its flow, a declaration to the team. A receipt has the id of its event as `recipient_id`,
 * because a customer has no row. The LIMITs make Postgres look up each session, and not read all of the workspace.
 *
 * Where webhooks have conditions that the statement was not made for, it does nothing but to say them.
 *
 * The id of each event follows from the entry and the session, so that it stays the same if Postgres loses this
 * transaction.
 */
const fanOut = (wanted: Wanted['sql']): string => `
  WITH webhook AS (
    SELECT id, event_types, "when", test_events, created_at FROM webhooks
    WHERE workspace_id = :workspace AND status = 'enabled' FOR KEY SHARE
  ), stale AS (
    SELECT FROM webhook WHERE "when" IS DISTINCT FROM (:known::jsonb -> id::text) LIMIT 1
  ), locked AS (
    SELECT id, coalesce(cardinality(flow_session_ids), 1) AS events FROM outbox
    WHERE workspace_id = :workspace ORDER BY id LIMIT ${ENTRIES} FOR UPDATE
  ), numbered AS (
    SELECT id, count(*) OVER () AS entries, sum(events) OVER (ORDER BY id) - events AS before FROM locked
  ), entry AS (
    DELETE FROM outbox USING numbered
    WHERE workspace_id = :workspace AND outbox.id = numbered.id AND before < ${EVENTS} AND NOT EXISTS (SELECT FROM stale)
    RETURNING outbox.*
  ), event AS (
    INSERT INTO events (workspace_id, id, type, flow_session_id, data, created_at)
    SELECT workspace_id,
      CASE WHEN cardinality(flow_session_ids) > 1 THEN (left(id::text, 18) || right(session::text, 18))::uuid ELSE id END,
      type, session, data, created_at
    FROM entry LEFT JOIN LATERAL unnest(flow_session_ids) AS session ON true
    RETURNING *
  ), delivery AS (
    INSERT INTO deliveries (${DELIVERY_COLUMNS})
    SELECT ${due('event', 'webhook', 'webhook')}
    FROM event JOIN webhook ON ${isFor(wanted)} AND webhook.created_at <= event.created_at
    UNION ALL
    SELECT ${due('event', 'flow', 'mail')}
    FROM event
    CROSS JOIN LATERAL (
      SELECT flow_id FROM flow_sessions WHERE workspace_id = :workspace AND id = event.flow_session_id LIMIT 1
    ) AS session
    CROSS JOIN LATERAL (
      SELECT id, notification_email FROM flows WHERE workspace_id = :workspace AND id = session.flow_id LIMIT 1
    ) AS flow
    WHERE :has_mail AND event.type IN ('session.saved', 'session.canceled', 'session.contacted', 'offer.ending') AND flow.notification_email IS NOT NULL
    UNION ALL
    SELECT ${due('event', 'declaration', 'mail')}
    FROM event
    CROSS JOIN LATERAL (
      SELECT id FROM declarations
      WHERE workspace_id = :workspace AND id = (event.data ->> 'declaration_id')::uuid AND team_email IS NOT NULL LIMIT 1
    ) AS declaration
    WHERE :has_mail AND event.type = 'cancellation.declared'
    UNION ALL
    SELECT ${due('event', 'event', 'mail')}
    FROM event WHERE :has_mail AND event.type = 'cancellation.declared'
    UNION ALL
    SELECT ${due('event', 'event', 'mail')}
    FROM event
    CROSS JOIN LATERAL (
      SELECT flow_id, customer_verified, customer ->> 'email' AS email FROM flow_sessions
      WHERE workspace_id = :workspace AND id = event.flow_session_id LIMIT 1
    ) AS session
    CROSS JOIN LATERAL (SELECT exit FROM flows WHERE workspace_id = :workspace AND id = session.flow_id LIMIT 1) AS flow
    WHERE :has_mail AND event.type = 'session.canceled' AND session.customer_verified AND session.email IS NOT NULL
      AND flow.exit @> '{"session_receipts": true}'
    RETURNING recipient_id, transport
  )
  SELECT
    (SELECT jsonb_agg(DISTINCT jsonb_build_object('workspace_id', :workspace::uuid, 'id', recipient_id, 'transport', transport)) FROM delivery)
      AS recipients,
    (SELECT bool_or(entries = ${ENTRIES} OR before >= ${EVENTS}) FROM numbered) AS is_full,
    CASE WHEN EXISTS (SELECT FROM stale) THEN
      (SELECT coalesce(jsonb_object_agg(id, "when") FILTER (WHERE "when" IS NOT NULL), '{}') FROM webhook) END AS conditions`;

const FAN_OUT = prepared('fan-out', fanOut(UNCONDITIONAL.sql));

const FILLED = statement('SELECT DISTINCT workspace_id FROM outbox');

/** Makes events of outbox entries, and a delivery for each webhook and each address that gets them. */
@Injectable()
export class FanOut implements OnApplicationBootstrap {
  private readonly job: Job;
  /** Workspaces with entries in the outbox. */
  private readonly announced = new Set<string>();
  private gathering?: NodeJS.Timeout;

  constructor(
    private readonly config: Config,
    private readonly connections: ConnectionPool,
    private readonly pipeline: Pipeline,
    private readonly outbox: Outbox,
    private readonly worker: DeliveryWorker,
    jobs: Jobs,
  ) {
    this.job = jobs.add({ name: 'Fan-out', everyMs: POLL_MS, goesByTime: true, run: (isDue) => this.run(isDue) });
  }

  onApplicationBootstrap(): void {
    if (this.config.backgroundJobs) this.outbox.onAppended((workspaceId) => this.gather(workspaceId));
  }

  /** Empties the outbox of a workspace, and says which recipients have got deliveries. Returns whether it has more. */
  async empty(workspaceId: string): Promise<boolean> {
    for (let wanted = UNCONDITIONAL; ;) {
      type Row = { recipients: Recipient[] | null; is_full: boolean | null; conditions: Conditions | null };
      const fanOutTo = wanted === UNCONDITIONAL ? FAN_OUT : statement(fanOut(wanted.sql));
      const values = { has_mail: this.config.mail !== undefined, ...wanted.values };
      const [{ recipients, is_full, conditions }] = await this.pipeline.send<Row>(bound(fanOutTo, workspaceId, values));
      if (!conditions) {
        this.worker.wake(recipients ?? []);
        return is_full ?? false;
      }
      wanted = wantedBy(conditions);
    }
  }

  private gather(workspaceId: string): void {
    this.announced.add(workspaceId);
    this.gathering ??= setTimeout(() => {
      this.gathering = undefined;
      this.job.wake();
    }, GATHER_MS).unref();
  }

  /** Fans out what was announced, and once a second what the outbox has. */
  private async run(isDue: boolean): Promise<boolean> {
    if (isDue) {
      const rows = await this.connections.rows<{ workspace_id: string }>(FILLED);
      for (const { workspace_id } of rows) this.announced.add(workspace_id);
    }
    const workspaces = [...this.announced].map((workspace_id) => ({ workspace_id }));
    this.announced.clear();
    let hasMore = false;
    // One that fails is found again within a second.
    const empty = async ({ workspace_id }: { workspace_id: string }) => {
      if (!(await this.empty(workspace_id))) return;
      this.announced.add(workspace_id);
      hasMore = true;
    };
    await this.job.forEach(workspaces, empty, AT_A_TIME);
    return hasMore;
  }
}
