/** In SQL: by how much it counts that something holds since a time: see `factsOf`. */
const gained = (since: string) => `((${since} < until)::integer - (${since} < after)::integer)`;

const total = (condition: string) => `coalesce(sum(${gained('ended_at')}) FILTER (WHERE ${condition}), 0)::integer`;

const COUNTS = `sum(${gained('since')})::integer AS sessions,
  ${total(`outcome = 'accepted'`)} AS accepted, ${total(`outcome = 'kept'`)} AS kept, ${total(`outcome = 'canceled'`)} AS canceled`;

const DAY = `(created_at AT TIME ZONE 'UTC')::date`;

const KEY = 'day, flow_id, flow_version, kind, node_key, value';

/** In SQL: when a session ended, if it did, and how. */
const END = `CASE WHEN status <> 'in_progress' THEN updated_at END AS ended_at,
  CASE WHEN accepted_offer IS NOT NULL THEN 'accepted' WHEN status = 'saved' THEN 'kept' WHEN status = 'canceled' THEN 'canceled' END AS outcome`;

/**
 * In SQL: the sums of sessions, as they are in `daily_sums`. `sessions` is the name of a relation with the columns of
 * `flow_sessions` and two times: what held before `after` is not counted, and neither is what holds only since `until`.
 */
export const sessionFactsOf = (sessions: string) => `
  SELECT ${KEY}, ${COUNTS} FROM (
    SELECT ${DAY} AS day, flow_id, flow_version, 'session' AS kind, '' AS node_key, '' AS value, created_at AS since,
      ${END}, after, until FROM ${sessions}
  ) AS fact GROUP BY ${KEY}`;

/** The same for what happened in the sessions: answers, offers that were presented, ways of splits. */
export const stepFactsOf = (sessions: string) => `
  SELECT ${KEY}, ${COUNTS} FROM (
    SELECT day, flow_id, flow_version, kind, node_key, value, min(since) AS since, ended_at, after, until,
      CASE WHEN kind = 'offer' AND outcome = 'accepted' AND accepted_id <> value THEN 'other' ELSE outcome END AS outcome
    FROM (
      SELECT session.id, ${DAY} AS day, flow_id, flow_version, ${END}, after, until, accepted_offer ->> 'id' AS accepted_id, fact.*
      FROM ${sessions} AS session CROSS JOIN LATERAL (
        SELECT 'offer' AS kind, '' AS node_key, presented_offer ->> 'id' AS value, session.updated_at AS since
        WHERE presented_offer IS NOT NULL
      ) AS fact
      UNION ALL
      SELECT step.id, ${DAY}, flow_id, flow_version, ended_at, outcome, after, until, accepted_id, fact.*
      FROM (
        SELECT session.id, session.created_at, flow_id, flow_version, ${END}, after, until, accepted_offer ->> 'id' AS accepted_id,
          step.node_key, action, option, offer, ways, step.created_at AS taken_at,
          lag(step.created_at, 1, session.created_at) OVER (PARTITION BY session.id ORDER BY position) AS reached_at
        FROM ${sessions} AS session JOIN session_steps AS step
          ON step.workspace_id = session.workspace_id AND step.flow_session_id = session.id
      ) AS step CROSS JOIN LATERAL (
        SELECT 'answer' AS kind, step.node_key, option AS value, taken_at AS since WHERE action = 'answer'
        UNION ALL SELECT 'offer', '', offer ->> 'id', reached_at WHERE offer IS NOT NULL
        UNION ALL SELECT 'way', key, value, taken_at FROM jsonb_each_text(ways)
      ) AS fact
    ) AS seen GROUP BY id, day, flow_id, flow_version, kind, node_key, value, ended_at, outcome, after, until, accepted_id
  ) AS fact GROUP BY ${KEY}`;
