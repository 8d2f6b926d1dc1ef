import { Injectable } from '@nestjs/common';
import { jsonRows } from '../../platform/database/transaction/json-rows';
import { Pipeline } from '../../platform/database/transaction/pipeline.service';
import { bound, prepared } from '../../platform/database/transaction/statement';
import { NOW } from '../../platform/database/time';
import type { Work } from '../../tenancy/work/work';
import type { Event } from '../event.entity';
import { DUE_FIRST } from './delivery-statements';
import type { Claim, Claimed, Recipient, Result, Target } from './attempt-rules';

/**
 * After this time an attempt counts as lost, and another process makes the next one. Longer than an attempt can take.
 */
const LEASE = `interval '60 seconds'`;
/** How many deliveries to a recipient that is off fail at once. */
const FAILED_AT_ONCE = 1000;

export interface ClaimOptions {
  /** The most attempts. */
  most: number;
  /** `retries`: only deliveries that had an attempt before. */
  which: 'all' | 'tests' | 'retries';
  /** How many are looked at; as many as `most`, if left out. */
  looked?: number;
}

/**
 * SQL for the earliest pending event of the same session, which a delivery waits for; null if there is none. As a value
 * with a LIMIT it is looked up for each delivery: Postgres would turn EXISTS into a join with everything that is
 * pending.
 */
export const waitsFor = (delivery: string): string => `(
  SELECT earlier.event_id FROM deliveries AS earlier WHERE earlier.workspace_id = ${delivery}.workspace_id
    AND earlier.recipient_id = ${delivery}.recipient_id AND earlier.status = 'pending'
    AND earlier.flow_session_id = ${delivery}.flow_session_id AND earlier.event_id < ${delivery}.event_id
  ORDER BY earlier.event_id LIMIT 1)`;

/**
 * Looks at the `:looked` deliveries that have been due for longest, and begins `:most` attempts. `:which` is one of
 * `ClaimOptions`, and `:address` is where a mail goes. If an earlier event of the session is still pending, the
 * delivery gets the `next_attempt_at` of the earlier one: it becomes due when that one ends, or at that time. So a
 * delivery that waits is looked at once for each attempt at the earlier one.
 *
 * The earlier one is locked meanwhile, so it can't end unnoticed. If somebody else holds it, both stay as they are.
 */
const CLAIM = prepared(
  'deliveries-claim',
  `
  WITH due AS (
    SELECT event_id, attempts = 0 AND updated_at = created_at AS is_new, ${waitsFor('delivery')} AS waits_for
    FROM deliveries AS delivery
    WHERE workspace_id = :workspace AND recipient_id = :recipient AND status = 'pending'
      AND next_attempt_at <= CASE WHEN :which::text = 'tests' THEN ${DUE_FIRST} ELSE ${NOW} END AND (:which <> 'retries' OR attempts > 0)
    ORDER BY next_attempt_at LIMIT :looked FOR UPDATE SKIP LOCKED
  ), put_off AS (
    UPDATE deliveries SET next_attempt_at = greatest(${NOW},
      CASE WHEN attempts = 0 THEN earlier_at ELSE least(earlier_at, ${NOW} + ${LEASE}) END)
    FROM due CROSS JOIN LATERAL (
      SELECT next_attempt_at AS earlier_at FROM deliveries AS earlier
      WHERE workspace_id = :workspace AND recipient_id = :recipient AND earlier.event_id = waits_for AND status = 'pending'
      LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED
    ) AS earlier
    WHERE workspace_id = :workspace AND recipient_id = :recipient AND deliveries.event_id = due.event_id
    RETURNING deliveries.event_id, NULL::integer AS attempts, is_new, false AS is_summary
  ), claimed AS (
    UPDATE deliveries SET attempts = attempts + 1, next_attempt_at = ${NOW} + ${LEASE}, updated_at = ${NOW}, address = :address::text
    FROM (SELECT event_id, is_new FROM due WHERE waits_for IS NULL LIMIT :most) AS next
    WHERE workspace_id = :workspace AND recipient_id = :recipient AND deliveries.event_id = next.event_id
    RETURNING deliveries.event_id, attempts, is_new, summary_id IS NOT NULL AS is_summary
  )
  SELECT event.workspace_id, id, type, event.flow_session_id, data, event.created_at, attempts, is_summary,
    floor(extract(epoch FROM ${NOW}))::integer AS begun_at,
    CASE WHEN is_new THEN extract(epoch FROM ${NOW} - event.created_at)::float END AS age
  FROM (SELECT * FROM claimed UNION ALL SELECT * FROM put_off) AS changed
  CROSS JOIN LATERAL (SELECT * FROM events WHERE workspace_id = :workspace AND id = event_id LIMIT 1) AS event
  ORDER BY id`,
);
type ClaimRow = Event & { attempts: number | null; is_summary: boolean; begun_at: number; age: number | null };

/** Leaves out tests that wait or are under way. */
const FAIL_PENDING = prepared(
  'deliveries-fail',
  `
  UPDATE deliveries SET status = 'failed', next_attempt_at = NULL, last_error = :error, updated_at = ${NOW}
  WHERE workspace_id = :workspace AND recipient_id = :recipient AND event_id = ANY (ARRAY(
    SELECT event_id FROM deliveries WHERE workspace_id = :workspace AND recipient_id = :recipient AND status = 'pending'
      AND ((next_attempt_at > ${DUE_FIRST} AND next_attempt_at <= ${NOW})
        OR (SELECT type FROM events WHERE workspace_id = :workspace AND id = event_id) <> 'test')
    LIMIT ${FAILED_AT_ONCE} FOR UPDATE SKIP LOCKED))
  RETURNING event_id`,
);

const RESULTS = jsonRows(
  ':results',
  `n integer, recipient_id uuid, event_id uuid, flow_session_id uuid, attempts integer, outcome text, delay double precision,
    last_status integer, last_error text`,
);

const isRetried = `outcome IN ('retried', 'limited')`;

/**
 * Waits for customers who are being erased (FOR UPDATE), but not for steps (FOR NO KEY UPDATE). What a
 * response said of an erased customer is not kept.
 */
const LOCK_QUOTED = prepared(
  'deliveries-lock-quoted',
  `
  SELECT FROM (
    SELECT DISTINCT flow_session_id FROM ${RESULTS} AS result WHERE last_error IS NOT NULL ORDER BY flow_session_id
  ) AS quoted
  CROSS JOIN LATERAL (SELECT FROM flow_sessions WHERE workspace_id = :workspace AND id = flow_session_id LIMIT 1 FOR KEY SHARE) AS session`,
);

const CLOSE = prepared(
  'deliveries-close',
  `
  UPDATE deliveries SET last_status = result.last_status, updated_at = ${NOW},
    status = CASE WHEN outcome = 'delivered' THEN 'delivered' WHEN ${isRetried} THEN 'pending' ELSE 'failed' END,
    attempts = CASE WHEN outcome = 'limited' THEN deliveries.attempts - 1 ELSE deliveries.attempts END,
    next_attempt_at = to_timestamp(extract(epoch FROM ${NOW})::float + delay),
    address = CASE WHEN outcome <> 'dropped' THEN address END,
    last_error = CASE WHEN (SELECT erased_at FROM flow_sessions AS session WHERE session.workspace_id = :workspace
      AND session.id = deliveries.flow_session_id) IS NULL THEN result.last_error END
  FROM ${RESULTS} AS result
  WHERE workspace_id = :workspace AND deliveries.recipient_id = result.recipient_id AND deliveries.event_id = result.event_id
    AND deliveries.attempts = result.attempts
    AND (deliveries.status = 'pending' OR (deliveries.status = 'failed' AND outcome = 'delivered'))
  RETURNING n`,
);

/**
 * Deliveries that waited for an earlier event of their session are due now. A statement after
 * CLOSE, because it has to see those that began to wait while CLOSE waited for the lock of the earlier one.
 */
const LET_FOLLOW = prepared(
  'deliveries-let-follow',
  `
  UPDATE deliveries SET next_attempt_at = ${NOW} FROM ${RESULTS} AS result
  WHERE NOT ${isRetried} AND workspace_id = :workspace AND deliveries.recipient_id = result.recipient_id
    AND deliveries.status = 'pending' AND deliveries.flow_session_id = result.flow_session_id
    AND deliveries.event_id > result.event_id AND deliveries.attempts = 0 AND next_attempt_at > ${NOW}`,
);

/** Claims waiting deliveries, and stores their results. Each statement is about one workspace. */
@Injectable()
export class DeliveryQueue {
  constructor(private readonly pipeline: Pipeline) {}

  /**
   * Begins attempts, in a unit of work if one is given. There is more to claim if others were looked at that were put
   * off.
   */
  async claim<T extends Target>(
    target: T,
    { most, which, looked = most }: ClaimOptions,
    work?: Work,
  ): Promise<Claimed<T>> {
    const address = target.transport === 'mail' ? target.address : null;
    const values = { recipient: target.id, most, looked, address, which };
    const rows = work
      ? await work.rows<ClaimRow>(CLAIM, values)
      : await this.pipeline.send<ClaimRow>(bound(CLAIM, target.workspace_id, values));
    const claims = rows.flatMap(({ attempts, is_summary, begun_at, age, ...event }): Claim<T>[] => {
      const happened_at = age === null ? null : performance.now() - age * 1000;
      return attempts === null ? [] : [{ target, event, attempts, is_summary, begun_at, happened_at }];
    });
    return { claims, hasMore: rows.length === looked && claims.length < rows.length };
  }

  /** Fails what waits for a recipient that is off. Returns whether more may be left. */
  async failPending({ workspace_id, id }: Recipient, error: string): Promise<boolean> {
    const rows = await this.pipeline.send(bound(FAIL_PENDING, workspace_id, { recipient: id, error }));
    return rows.length === FAILED_AT_ONCE;
  }

  /**
   * Stores results, except of attempts that were taken for lost and made again. A success counts also for a recipient
   * that was turned off meanwhile. Returns the results that were stored.
   */
  async storeResults(workspaceId: string, results: Result[]): Promise<Result[]> {
    const rows = results.map(({ claim: { target, event, attempts }, ...result }, n) => {
      const { id: event_id, flow_session_id } = event;
      return { n, recipient_id: target.id, event_id, flow_session_id, attempts, ...result };
    });
    const values = { results: JSON.stringify(rows) };
    const closed = await this.pipeline.run((send) =>
      Promise.resolve(async () => {
        const [, { rows: stored }] = await Promise.all([
          send(bound(LOCK_QUOTED, workspaceId, values)),
          send<{ n: number }>(bound(CLOSE, workspaceId, values)),
          send(bound(LET_FOLLOW, workspaceId, values)),
        ]);
        return stored;
      }),
    );
    return closed.map(({ n }) => results[n]);
  }
}
