import { NOW } from '../database/time';
import { GIVE_UP_AT } from '../runtime/fulfilment.entity';

/** How long an attempt may take. Then its process is taken for dead, and another begins the next one. */
const LEASE = `interval '100 seconds'`;

/** In SQL: whether a job comes after another of the same subscription. */
const follows = (job: string, other: string) => `
  ${other}.workspace_id = ${job}.workspace_id AND ${other}.subscription_id = ${job}.subscription_id
  AND (${other}.created_at, ${other}.flow_session_id) < (${job}.created_at, ${job}.flow_session_id)`;

/**
 * In SQL: a job that may be attempted now. A job waits for the earlier jobs of its subscription, so that a later decision of a customer
 * is the last that is carried out.
 */
const IS_DUE = `job.state = 'pending' AND job.next_attempt_at <= ${NOW}
  AND NOT EXISTS (SELECT FROM fulfilments AS earlier WHERE ${follows('job', 'earlier')} AND earlier.state = 'pending')`;

/** The workspaces with something to do, and for how many seconds the oldest job of each is due. */
export const DUE = `
  SELECT workspace_id, extract(epoch FROM ${NOW} - min(next_attempt_at))::float AS seconds
  FROM fulfilments AS job WHERE ${IS_DUE} GROUP BY workspace_id`;

/** $1: workspace, $2: how many. Begins attempts, for those that have waited longest. */
export const CLAIM = `
  WITH due AS (
    SELECT flow_session_id FROM fulfilments AS job WHERE workspace_id = $1 AND ${IS_DUE}
    ORDER BY next_attempt_at LIMIT $2 FOR UPDATE SKIP LOCKED
  )
  UPDATE fulfilments AS job SET attempts = attempts + 1, next_attempt_at = ${NOW} + ${LEASE}
  FROM due WHERE job.workspace_id = $1 AND job.flow_session_id = due.flow_session_id
  RETURNING job.*, EXISTS (
    SELECT FROM fulfilments AS later WHERE ${follows('later', 'job')}
      AND (later.state = 'applied' OR later.state = 'pending' AND later.attempts > 0)
  ) AS is_superseded, job.give_up_at <= ${NOW} AS is_last`;

/** In SQL: an attempt that nobody has taken for dead. $1: workspace, $2: session, $3: number of the attempt. */
const UNDER_WAY = `workspace_id = $1 AND flow_session_id = $2 AND attempts = $3 AND state = 'pending'`;

/** $4: a request. Another one than before has another number, and so another key. None is stored once the customer is erased. */
export const RECORD = `
  UPDATE fulfilments SET request = $4, request_number = request_number + (request IS NOT NULL AND request <> $4::jsonb)::integer
  WHERE ${UNDER_WAY} AND next_attempt_at > ${NOW} AND subscription_id IS NOT NULL RETURNING request_number`;

/** In SQL: a detail, unless the customer was erased meanwhile. $4: the detail, $5: the subscription of the claimed job. */
const DETAIL = 'CASE WHEN subscription_id IS NOT DISTINCT FROM $5::text THEN $4::text END';

/** $4 and $5 as above, $6: seconds until the next attempt, $7: whether the next one is another request. */
export const RETRY = `
  UPDATE fulfilments SET detail = ${DETAIL}, next_attempt_at = ${NOW} + $6 * interval '1 second', request_number = request_number + $7::boolean::integer
  WHERE ${UNDER_WAY} RETURNING flow_session_id`;

/** $4 and $5 as above, $6: a state. */
export const END = `
  UPDATE fulfilments SET state = $6, detail = ${DETAIL}, next_attempt_at = NULL, updated_at = ${NOW}
  WHERE ${UNDER_WAY} RETURNING flow_session_id`;

/** $1: workspace, $2: session, $3: mode. A person lets it be tried from the beginning. */
export const RESTART = `
  UPDATE fulfilments SET state = 'pending', mode = $3, attempts = 0, next_attempt_at = ${NOW}, give_up_at = ${GIVE_UP_AT},
    request = NULL, request_number = request_number + 1, detail = NULL, updated_at = ${NOW}
  WHERE workspace_id = $1 AND flow_session_id = $2`;
