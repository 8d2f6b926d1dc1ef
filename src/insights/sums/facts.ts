/**
 * How statistics are counted, exactly and fast. Each fact that is counted about a session holds from some time on, for ever: it
 * began, an option was answered, it ended so. So what a session added to the sums at any time in the past follows from its
 * rows as they are now, and nothing has to note that a session has changed.
 *
 * - `daily_sums` contains each session as it was at the time in `sum_cursors`, some minutes ago (`SummingService`).
 * - A reader adds what came to hold since then. Only sessions whose last step is later can have anything (`changes.ts`).
 * - Days that the span cuts in two are counted from their sessions.
 *
 * Customers of a span are its sessions less the repeated ones: `daily_repeats` counts those of a customer who had one before,
 * by the day of that one. See docs/decisions/0020-daily-sums.md.
 */

/** In SQL: by how much it counts that something holds since a time: 1 if it does so since `after`, and before `until`. */
const counts = (since: string) => `((${since} < until)::integer - (${since} < after)::integer)`;

const ended = (outcome: string) =>
  `coalesce(sum(${counts('ended_at')}) FILTER (WHERE outcome = '${outcome}'), 0)::integer AS ${outcome}`;

const KEY = 'day, flow_id, flow_version, kind, node_key, value';

const sumOf = (facts: string) => `
  SELECT ${KEY}, sum(${counts('since')})::integer AS sessions, ${ended('accepted')}, ${ended('kept')}, ${ended('canceled')}
  FROM (${facts}) AS fact GROUP BY ${KEY}`;

/** When a session ended, if it did, and how. */
const END = `CASE WHEN status <> 'in_progress' THEN updated_at END AS ended_at, CASE WHEN accepted_offer IS NOT NULL THEN 'accepted'
      WHEN status = 'saved' THEN 'kept' WHEN status = 'canceled' THEN 'canceled' END AS outcome`;

/** In SQL: the day (UTC) of a time. */
export const dayOf = (time: string) => `(${time} AT TIME ZONE 'UTC')::date`;

const DAY = dayOf('created_at');

/**
 * In SQL: what sessions add to `daily_sums`. `sessions` is the name of a relation with the columns of `flow_sessions` and two
 * more: `after` and `until` are the times before which, and since which, nothing is counted.
 */
export const sessionSums = (sessions: string) =>
  sumOf(`SELECT ${DAY} AS day, flow_id, flow_version, 'session' AS kind, '' AS node_key, '' AS value, created_at AS since,
      after, until, ${END} FROM ${sessions}`);

/**
 * The same for what happened in the sessions, each once for a session. An offer was presented when the step before was taken;
 * of an offer, only sessions that accepted this one have accepted.
 */
export const stepSums = (sessions: string) =>
  sumOf(`SELECT ${KEY}, min(since) AS since, after, until, ended_at,
      CASE WHEN outcome = 'accepted' AND kind = 'offer' AND value <> accepted_id THEN 'accepted another' ELSE outcome END AS outcome
    FROM (
      SELECT id, ${DAY} AS day, flow_id, flow_version, after, until, ${END}, accepted_offer ->> 'id' AS accepted_id, fact.*
      FROM ${sessions} AS session CROSS JOIN LATERAL (
        SELECT 'offer' AS kind, '' AS node_key, presented_offer ->> 'id' AS value, session.updated_at AS since
        WHERE presented_offer IS NOT NULL
        UNION ALL
        SELECT fact.* FROM (
          SELECT node_key, action, option, offer, ways, created_at AS taken_at,
            lag(created_at, 1, session.created_at) OVER (ORDER BY position) AS reached_at
          FROM session_steps WHERE workspace_id = session.workspace_id AND flow_session_id = session.id
        ) AS step CROSS JOIN LATERAL (
          SELECT 'answer', node_key, option, taken_at WHERE action = 'answer'
          UNION ALL SELECT 'offer', '', offer ->> 'id', reached_at WHERE offer IS NOT NULL
          UNION ALL SELECT 'way', key, value, taken_at FROM jsonb_each_text(ways)
        ) AS fact
      ) AS fact
    ) AS seen GROUP BY id, ${KEY}, after, until, ended_at, outcome, accepted_id`);
