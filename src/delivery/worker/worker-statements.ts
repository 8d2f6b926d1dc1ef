import { Injectable } from '@nestjs/common';
import type { QueryResultRow } from 'pg';
import { DataSource } from 'typeorm';
import { jsonRows } from '../../database/json-rows';
import { Pooler } from '../../database/pooler';
import { NOW } from '../../database/time';
import { Transactions } from '../../database/transactions';
import type { Event } from '../../events/event.entity';
import { DUE_FIRST } from '../delivery-statements';
import type { DeliveryStatus } from '../delivery.entity';
import type { Webhook } from '../webhook.entity';

/** After this time an attempt counts as lost, and another process makes the next one. Longer than an attempt can take. */
const LEASE = `interval '60 seconds'`;
/** The time between two attempts at a webhook that fails all the time. */
const PROBE_PAUSE = `interval '30 seconds'`;
/** How many deliveries of a disabled webhook fail at once. */
const FAILED_AT_ONCE = 1000;

export interface WebhookKey {
  workspace_id: string;
  id: string;
}

/** What an attempt needs to know of a webhook. */
export type Target = WebhookKey &
  Pick<Webhook, 'url' | 'status' | 'failures'> & {
    /** The newest first. */
    secrets: string[];
  };

/** A delivery whose attempt has begun. */
export interface Claim {
  event: Event;
  /** Attempts so far, this one included. */
  attempts: number;
  /** When it began: seconds since 1970. */
  begun_at: number;
  /** When the event happened, as `performance.now()`, for the first attempt; null after that, and if it is sent again on request. */
  happened_at: number | null;
}

/** The result of an attempt. */
export interface Result {
  webhook_id: string;
  event_id: string;
  attempts: number;
  status: DeliveryStatus;
  /** Seconds until the next attempt; null unless it is pending. */
  delay: number | null;
  last_status: number | null;
  last_error: string | null;
}

const nameOf = ({ webhook_id, event_id }: Pick<Result, 'webhook_id' | 'event_id'>): string =>
  `${webhook_id} ${event_id}`;

interface Statement {
  name: string;
  text: string;
}

/** In SQL: whether an earlier event of the same session is pending. A delivery waits for it. */
export const waits = (delivery: string): string => `EXISTS (
  SELECT FROM deliveries AS earlier WHERE earlier.workspace_id = ${delivery}.workspace_id
    AND earlier.webhook_id = ${delivery}.webhook_id AND earlier.status = 'pending'
    AND earlier.flow_session_id = ${delivery}.flow_session_id AND earlier.event_id < ${delivery}.event_id)`;

const RESULTS = jsonRows(
  '$1',
  `webhook_id uuid, event_id uuid, attempts integer, status text, delay double precision, last_status integer,
    last_error text`,
);

/**
 * $1 results, $2 workspace. Waits for customers who are being erased (FOR UPDATE), but not for steps (FOR NO KEY UPDATE). What a
 * response said of an erased customer is not kept.
 */
const LOCK_QUOTED = {
  name: 'deliveries-lock-quoted',
  text: `SELECT FROM ${RESULTS} AS result
    JOIN deliveries USING (webhook_id, event_id)
    JOIN flow_sessions AS session ON session.workspace_id = $2 AND session.id = flow_session_id
    WHERE deliveries.workspace_id = $2
    ORDER BY session.id FOR KEY SHARE OF session`,
};

const CLOSE = {
  name: 'deliveries-close',
  text: `UPDATE deliveries SET status = result.status, last_status = result.last_status, updated_at = ${NOW},
      next_attempt_at = to_timestamp(extract(epoch FROM ${NOW})::float + result.delay),
      last_error = CASE WHEN (SELECT erased_at FROM flow_sessions AS session WHERE session.workspace_id = $2
        AND session.id = deliveries.flow_session_id) IS NULL THEN result.last_error END
    FROM ${RESULTS} AS result
    WHERE workspace_id = $2 AND deliveries.webhook_id = result.webhook_id AND deliveries.event_id = result.event_id
      AND deliveries.attempts = result.attempts
      AND (deliveries.status = 'pending' OR (deliveries.status = 'failed' AND result.status = 'delivered'))
    RETURNING deliveries.webhook_id, deliveries.event_id`,
};

/**
 * The statements of the worker, each about one workspace but for `due`. They are written by hand, because entities can't claim rows.
 */
@Injectable()
export class WorkerStatements {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly pooler: Pooler,
  ) {}

  /** The webhooks with deliveries that are due. It reads all webhooks, so it is planned for as many as there are. */
  due(): Promise<WebhookKey[]> {
    // The LIMIT makes Postgres look for one delivery of each webhook, however many it has.
    return this.dataSource.query(
      `SELECT workspace_id, id FROM webhooks WHERE (
        SELECT true FROM deliveries WHERE deliveries.workspace_id = webhooks.workspace_id AND webhook_id = webhooks.id
          AND deliveries.status = 'pending' AND next_attempt_at <= CASE
            WHEN webhooks.status = 'disabled' THEN 'infinity' WHEN next_probe_at > ${NOW} THEN ${DUE_FIRST} ELSE ${NOW} END
        LIMIT 1)`,
    );
  }

  async target({ workspace_id, id }: WebhookKey): Promise<Target | undefined> {
    const [target] = await this.send<Target>(
      'deliveries-target',
      `SELECT workspace_id, id, url, status, failures, array_remove(
          ARRAY[secret, CASE WHEN previous_secret_expires_at > ${NOW} THEN previous_secret END], NULL) AS secrets
        FROM webhooks WHERE workspace_id = $1 AND id = $2`,
      [workspace_id, id],
    );
    return target;
  }

  /** Whether a webhook that fails all the time may be tried now, and something is due. Of all processes one may. */
  async mayProbe({ workspace_id, id }: WebhookKey): Promise<boolean> {
    const rows = await this.send(
      'deliveries-probe',
      `UPDATE webhooks SET next_probe_at = ${NOW} + ${PROBE_PAUSE}
        WHERE workspace_id = $1 AND id = $2 AND (next_probe_at > ${NOW}) IS NOT TRUE AND EXISTS (
          SELECT FROM deliveries AS delivery WHERE workspace_id = $1 AND webhook_id = $2
            AND delivery.status = 'pending' AND next_attempt_at > ${DUE_FIRST} AND next_attempt_at <= ${NOW} AND NOT ${waits('delivery')})
        RETURNING id`,
      [workspace_id, id],
    );
    return rows.length > 0;
  }

  /**
   * Begins attempts: of the deliveries that are due, those due first. A delivery of a session waits while an earlier one of
   * the same session is pending.
   *
   * @param which all deliveries, or only tests
   */
  async claim({ workspace_id, id }: WebhookKey, room: number, which: 'all' | 'tests'): Promise<Claim[]> {
    const until = which === 'tests' ? DUE_FIRST : NOW;
    const rows = await this.send<Event & { attempts: number; begun_at: number; age: number | null }>(
      `deliveries-claim-${which}`,
      `WITH due AS (
        SELECT event_id, attempts = 0 AND updated_at = created_at AS is_new FROM deliveries AS delivery
        WHERE workspace_id = $1 AND webhook_id = $2 AND status = 'pending' AND next_attempt_at <= ${until}
          AND NOT ${waits('delivery')}
        ORDER BY next_attempt_at LIMIT $3 FOR UPDATE SKIP LOCKED
      ), claimed AS (
        UPDATE deliveries SET attempts = attempts + 1, next_attempt_at = ${NOW} + ${LEASE}, updated_at = ${NOW}
        FROM due WHERE workspace_id = $1 AND webhook_id = $2 AND deliveries.event_id = due.event_id
        RETURNING deliveries.event_id, attempts, is_new
      )
      SELECT event.*, attempts, floor(extract(epoch FROM ${NOW}))::integer AS begun_at,
        CASE WHEN is_new THEN extract(epoch FROM ${NOW} - event.created_at)::float END AS age
      FROM claimed CROSS JOIN LATERAL (SELECT * FROM events WHERE workspace_id = $1 AND id = event_id LIMIT 1) AS event
      ORDER BY id`,
      [workspace_id, id, room],
    );
    return rows.map(({ attempts, begun_at, age, ...event }) => {
      const happened_at = age === null ? null : performance.now() - age * 1000;
      return { event, attempts, begun_at, happened_at };
    });
  }

  /** Fails deliveries of a disabled webhook, except of tests that wait or are under way. Returns whether more may be left. */
  async failPending({ workspace_id, id }: WebhookKey, error: string): Promise<boolean> {
    const rows = await this.send(
      'deliveries-fail',
      `UPDATE deliveries SET status = 'failed', next_attempt_at = NULL, last_error = $3, updated_at = ${NOW}
        WHERE workspace_id = $1 AND webhook_id = $2 AND event_id IN (
          SELECT event_id FROM deliveries WHERE workspace_id = $1 AND webhook_id = $2 AND status = 'pending'
            AND ((next_attempt_at > ${DUE_FIRST} AND next_attempt_at <= ${NOW})
              OR (SELECT type FROM events WHERE workspace_id = $1 AND id = event_id) <> 'test')
          LIMIT ${FAILED_AT_ONCE} FOR UPDATE SKIP LOCKED)
        RETURNING event_id`,
      [workspace_id, id, error],
    );
    return rows.length === FAILED_AT_ONCE;
  }

  /**
   * Stores results, except of attempts that were taken for lost and made again. A success counts also for a webhook that was
   * disabled meanwhile. Returns the results that were stored.
   */
  async close<R extends Result>(workspaceId: string, results: R[]): Promise<R[]> {
    const quoting = results.filter(({ last_error }) => last_error !== null);
    let closed: Pick<Result, 'webhook_id' | 'event_id'>[] = [];
    await this.transactions.runPipelined((client) => {
      const send = (statement: Statement, about: Result[]) =>
        client.query<(typeof closed)[0]>(
          this.pooler.prepared({ ...statement, values: [JSON.stringify(about), workspaceId] }),
        );
      const last = async () => {
        const locked = quoting.length > 0 ? send(LOCK_QUOTED, quoting) : undefined;
        const [{ rows }] = await Promise.all([send(CLOSE, results), locked]);
        closed = rows;
      };
      return Promise.resolve({ result: undefined, last });
    });
    const names = new Set(closed.map(nameOf));
    return results.filter((result) => names.has(nameOf(result)));
  }

  private send<Row extends QueryResultRow>(name: string, text: string, values: unknown[]): Promise<Row[]> {
    return this.transactions.runStatement(async (client) => {
      return (await client.query<Row>(this.pooler.prepared({ name, text, values }))).rows;
    });
  }
}
