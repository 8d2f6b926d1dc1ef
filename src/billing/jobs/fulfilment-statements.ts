import { statement } from '../../platform/database/transaction/statement';
import { NOW } from '../../platform/database/time';
import { GIVE_UP_AT } from '../../billing-jobs/fulfilment.entity';

/** How long an attempt may take. Then its process is taken for dead, and another begins the next one. */
const LEASE = `interval '100 seconds'`;

/** The most decisions about one subscription that wait. If there are more, only the newest of them are carried out. */
export const MOST_WAITING = 100;

/** SQL that is true if a job comes after another of the same subscription. */
const follows = (job: string, other: string) => `
  ${other}.workspace_id = ${job}.workspace_id AND ${other}.subscription_id = ${job}.subscription_id
  AND (${other}.created_at, ${other}.flow_session_id) < (${job}.created_at, ${job}.flow_session_id)`;

const IS_DUE = `state = 'pending' AND next_attempt_at <= ${NOW}`;

/**
 * SQL for the jobs that may be attempted now. A job waits for the earlier jobs of its subscription, so that a later
 * decision of a customer is the last that is carried out. Only subscriptions with a job that is due are looked at:
 * there may be many whose jobs wait for a time.
 *
 * @param where in SQL, which workspaces
 */
const dueJobs = (where = '') => `(
    (SELECT DISTINCT ON (workspace_id, subscription_id) workspace_id, flow_session_id, next_attempt_at FROM fulfilments
      WHERE ${where} state = 'pending' AND (workspace_id, subscription_id) IN (
        SELECT workspace_id, subscription_id FROM fulfilments WHERE ${where} ${IS_DUE} AND subscription_id IS NOT NULL)
      ORDER BY workspace_id, subscription_id, created_at, flow_session_id)
    UNION ALL
    SELECT workspace_id, flow_session_id, next_attempt_at FROM fulfilments WHERE ${where} ${IS_DUE} AND subscription_id IS NULL
  ) AS first WHERE next_attempt_at <= ${NOW}`;

/** The workspaces with something to do, and for how many seconds the oldest job of each is due. */
export const DUE = statement(`
  SELECT workspace_id, extract(epoch FROM ${NOW} - min(next_attempt_at))::float AS seconds
  FROM ${dueJobs()} GROUP BY workspace_id`);

/**
 * Begins attempts, for those that have waited longest. A cancellation that was never sent is dropped if the customer
 * has decided to stay since. What was sent may be under way at the provider still: it is done, and the later decision
 * takes it back. `is_superseded`: a later decision was carried out, or is tried. `is_dropped`: the customer stays after
 * all. `is_crowded_out`: too many later ones wait. `was_canceled`: an earlier cancellation was carried out.
 */
export const CLAIM = statement(
  `WITH due AS (
    SELECT flow_session_id FROM fulfilments
    WHERE workspace_id = :workspace AND state = 'pending' AND next_attempt_at <= ${NOW} AND flow_session_id = ANY (ARRAY(
      SELECT flow_session_id FROM ${dueJobs('workspace_id = :workspace AND')} ORDER BY next_attempt_at LIMIT :most))
    FOR UPDATE SKIP LOCKED
  )
  UPDATE fulfilments AS job SET attempts = attempts + 1, next_attempt_at = ${NOW} + ${LEASE}
  FROM due WHERE job.workspace_id = :workspace AND job.flow_session_id = due.flow_session_id
  RETURNING job.*, EXISTS (
    SELECT FROM fulfilments AS later WHERE ${follows('later', 'job')}
      AND (later.state = 'applied' OR later.state = 'pending' AND later.attempts > 0)
  ) AS is_superseded, action = 'cancel' AND request IS NULL AND EXISTS (
    SELECT FROM fulfilments AS later WHERE ${follows('later', 'job')} AND later.action <> 'cancel'
  ) AS is_dropped, request IS NULL AND EXISTS (
    SELECT FROM fulfilments AS later WHERE ${follows('later', 'job')} AND later.state = 'pending' OFFSET ${MOST_WAITING - 1}
  ) AS is_crowded_out, action = 'apply' AND EXISTS (
    SELECT FROM fulfilments AS earlier WHERE ${follows('job', 'earlier')} AND earlier.action = 'cancel' AND earlier.state = 'applied'
  ) AS was_canceled, job.give_up_at <= ${NOW} AS is_last`,
);

/** SQL that is true if nobody has taken the attempt for dead. */
const UNDER_WAY = `workspace_id = :workspace AND flow_session_id = :session AND attempts = :attempt AND state = 'pending'`;

/** SQL that is true if the customer of a session was erased. */
const isErased = (session: string) =>
  `EXISTS (SELECT FROM flow_sessions WHERE workspace_id = :workspace AND id = ${session} AND erased_at IS NOT NULL)`;

/**
 * Stores a request before it is sent, with what it is to do. Another one than before has another number, and so
 * another key. `is_erased`: whether the customer was erased when it was made.
 */
export const RECORD = statement(
  `UPDATE fulfilments SET request = :request::jsonb, effect = :effect::jsonb,
    request_number = request_number + (request IS NOT NULL AND request <> :request::jsonb)::integer
  WHERE ${UNDER_WAY} AND next_attempt_at > ${NOW} AND ${isErased(':session')} = :is_erased RETURNING request_number`,
);

/**
 * `seconds`: until the next attempt. `is_answered`: the next one is another request. `is_refused`: it waits for another
 * key, without an end.
 */
export const RETRY = statement(
  `UPDATE fulfilments SET detail = :detail, next_attempt_at = ${NOW} + :seconds * interval '1 second',
    request_number = request_number + :is_answered::boolean::integer, give_up_at = CASE WHEN :is_refused THEN ${GIVE_UP_AT} ELSE give_up_at END
  WHERE ${UNDER_WAY}`,
);

export const END = statement(
  `UPDATE fulfilments SET state = :state, detail = :detail, effect = :effect::jsonb, part_left = :part_left::float,
    next_attempt_at = NULL, updated_at = ${NOW}
  WHERE ${UNDER_WAY}`,
);

/** The result of a job that had nothing to do. */
export const DROP = statement(`DELETE FROM fulfilments WHERE ${UNDER_WAY}`);

/** The customer stays: nobody has to cancel for what they decided before. */
export const DROP_EARLIER = statement(
  `DELETE FROM fulfilments AS job USING fulfilments AS later
  WHERE later.workspace_id = :workspace AND later.flow_session_id = :session AND ${follows('later', 'job')}
    AND job.action = 'cancel' AND job.state IN ('manual', 'failed', 'dry_run')`,
);

const IS_LEFT = `state IN ('pending', 'manual', 'failed')`;

/**
 * Erases customers from jobs, except for what an unfinished job still needs: the request that was sent must stay the
 * same.
 */
export const FORGET = statement(
  `UPDATE fulfilments SET request = CASE WHEN state = 'pending' AND request IS NOT NULL THEN '{}'::jsonb END, detail = CASE WHEN ${IS_LEFT} THEN detail END, subscription_id = CASE WHEN ${IS_LEFT} THEN subscription_id END,
    billing_customer_id = CASE WHEN ${IS_LEFT} THEN billing_customer_id END, effect = CASE WHEN state = 'pending' THEN effect END
  WHERE workspace_id = :workspace AND flow_session_id = ANY (:sessions) AND ${isErased('flow_session_id')}`,
);

/** Waiting jobs are tried at once: there is another key. Jobs under way have their lease. */
export const HURRY = statement(
  `UPDATE fulfilments SET next_attempt_at = ${NOW}
  WHERE workspace_id = :workspace AND state = 'pending' AND next_attempt_at > ${NOW} + ${LEASE}`,
);

const ITEM = `job.*, session.customer_id FROM fulfilments AS job
  JOIN flow_sessions AS session ON session.workspace_id = job.workspace_id AND session.id = job.flow_session_id
  WHERE job.workspace_id = :workspace AND (:state::text IS NULL OR job.state = :state)`;

/** Jobs in a state, or with null in any: the newest session first. */
export const LIST = statement(
  `SELECT ${ITEM} AND job.flow_session_id < :before ORDER BY job.flow_session_id DESC LIMIT :take`,
);

/** The oldest jobs in a state of customers who are not erased. They are locked, so that nobody else restarts them. */
export const LOCK_OLDEST = statement(
  `SELECT ${ITEM} AND session.erased_at IS NULL ORDER BY job.flow_session_id LIMIT :take FOR NO KEY UPDATE OF job`,
);

export const COUNT = statement(
  `SELECT count(*)::integer AS count FROM (SELECT ${ITEM} AND session.erased_at IS NULL) AS jobs`,
);

/**
 * SQL that is true for what was applied and ends, if the customer is still there: no later cancellation was carried
 * out that was not taken back, and the billing system told of none (`canceledId`).
 */
export const ENDS = `job.state = 'applied' AND job.effect ->> 'kind' IN ('discount', 'pause', 'extension')
    AND NOT EXISTS (
      SELECT FROM fulfilments AS later WHERE ${follows('later', 'job')} AND later.action = 'cancel' AND later.state = 'applied'
        AND NOT EXISTS (
          SELECT FROM fulfilments AS back WHERE ${follows('back', 'later')} AND back.action <> 'cancel' AND back.state = 'applied'))
    AND NOT EXISTS (
      SELECT FROM outcomes WHERE outcomes.workspace_id = job.workspace_id AND outcomes.id = job.subscription_id || ':' || 'canceled')`;

/** Jobs whose effect ends between two times, as ISO texts, behind a job: the first to end first. */
export const LIST_ENDING = statement(
  `SELECT ${ITEM} AND ${ENDS} AND job.effect ->> 'until' > :now AND job.effect ->> 'until' < :ending_before
    AND (job.effect ->> 'until', job.flow_session_id) > (:after, :id::uuid)
  ORDER BY job.effect ->> 'until', job.flow_session_id LIMIT :take`,
);

/** A person lets jobs be tried from the beginning. */
export const RESTART = statement(
  `UPDATE fulfilments SET state = 'pending', mode = :mode, attempts = 0, next_attempt_at = ${NOW}, give_up_at = ${GIVE_UP_AT},
    request = NULL, request_number = request_number + 1, detail = NULL, part_left = NULL, updated_at = ${NOW}
  WHERE workspace_id = :workspace AND flow_session_id = ANY (:sessions)`,
);
