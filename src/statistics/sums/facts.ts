import { statement } from '../../platform/database/transaction/statement';
import type { Reader } from '../../tenancy/work/work';
import type { SessionCount } from '../session-counts';
import type { SumKind } from './daily-sum.entity';
import { IS_CUSTOMERS } from '../../sessions/session-source';
import { isAbandonedAt } from '../../sessions/session-status';
import { partsOf, passes, type Span, valuesOf } from './span';

/** The number of sessions of a version of a flow that have something in common, and their results. */
export interface FactCount extends SessionCount {
  flow_id: string;
  version: number;
  kind: SumKind;
  /** '' where there is none. */
  node_key: string;
  /** '' where there is none. */
  value: string;
}

/** The sessions of a workspace or a flow that began on a day and have something in common. */
export interface DayCount extends SessionCount {
  kind: SumKind;
  /** UTC, such as 2026-11-21. */
  day: string;
}

/** SQL for the day (UTC) of a time. */
export const dayOf = (time: string) => `(${time} AT TIME ZONE 'UTC')::date`;

/** SQL for the result of a session at `:now`. */
export const OUTCOME = `CASE WHEN status = 'contacted' THEN status WHEN accepted_offer IS NOT NULL THEN 'accepted' WHEN status = 'saved' THEN 'kept'
        WHEN ${isAbandonedAt(':now::timestamptz', 'flow_sessions')} THEN 'abandoned' ELSE status END`;

/**
 * SQL for the end and the id of the last session that ended, followed by its outcome; null if none did. The order is
 * that of `LAST_DECISION_FIRST`: times and ids are as long and sort as text. Needs `ended_at`.
 */
export const LAST_DECISION = `max((lpad(to_hex((date_part('epoch', ended_at) * 1000)::bigint), 12, '0') || id || outcome) COLLATE "C") FILTER (WHERE outcome IN ('accepted', 'kept', 'canceled')) AS last_decision`;

/** SQL for the outcome in it. */
export const DECIDED = 'substr(last_decision, 49)';

/** SQL for the id of the session in it. */
export const DECIDED_IN = 'substr(last_decision, 13, 36)';

/** SQL that counts sessions by their results, in rows that have an outcome. */
const COUNTS = `sum(sessions) AS sessions,
    coalesce(sum(sessions) FILTER (WHERE outcome = 'accepted'), 0) AS accepted,
    coalesce(sum(sessions) FILTER (WHERE outcome = 'kept'), 0) AS kept,
    coalesce(sum(sessions) FILTER (WHERE outcome = 'canceled'), 0) AS canceled,
    coalesce(sum(sessions) FILTER (WHERE outcome = 'contacted'), 0) AS contacted,
    coalesce(sum(sessions) FILTER (WHERE outcome = 'in_progress'), 0) AS in_progress`;

/** SQL that adds up rows with such counts. */
export const ADDED = `sum(sessions)::integer AS sessions, sum(accepted)::integer AS accepted, sum(kept)::integer AS kept,
    sum(canceled)::integer AS canceled, sum(contacted)::integer AS contacted, sum(in_progress)::integer AS in_progress`;

/** SQL that is true if the node of a row is a split, not a branch. */
const isSplit = (
  row: string,
) => `EXISTS (SELECT FROM flow_versions WHERE workspace_id = :workspace AND flow_id = ${row}.flow_id
    AND version = ${row}.flow_version AND jsonb_path_exists(definition, '$.nodes[*] ? (@.type == "split" && @.key == $key)',
      jsonb_build_object('key', ${row}.node_key)))`;

/** SQL that is true for a step that answers a survey which takes one option. */
const IS_ONE_ANSWER = `(option IS NOT NULL AND options IS NULL)`;

/**
 * SQL for the facts of sessions: for writing the sums of hours that are over, and for reading sessions that are in no
 * sum.
 *
 * No way through a graph passes a node twice, so steps are counted without looking at their sessions. Only an offer may
 * be at two nodes: it counts once for a session, and is accepted only in the sessions that accepted this one. `:flow`
 * and `:version` may be null, and statuses are those of `:now`.
 *
 * @param isIn in SQL, whether the id of a session is one of those that are counted
 * @param passing in SQL, whether its row counts in a span
 */
export const factsOf = (isIn: (id: string) => string, passing = IS_CUSTOMERS) => `
  WITH session AS (
    SELECT id, ${dayOf('created_at')} AS day, flow_id, flow_version, current_node_key, presented_offer ->> 'id' AS presented_id,
      accepted_offer ->> 'id' AS accepted_id, customer_id IS NOT NULL OR erased_customer IS NOT NULL AS has_customer,
      ${OUTCOME} AS outcome
    FROM flow_sessions WHERE workspace_id = :workspace AND (${isIn('id')})
      AND (:flow::uuid IS NULL OR flow_id = :flow) AND (:version::integer IS NULL OR flow_version = :version) AND ${passing}
  ), taken AS (
    SELECT id, day, flow_id, flow_version, outcome, accepted_id, has_customer, node_key, action, option, options, offer ->> 'id' AS offer_id, ways,
      withheld, withheld_reasons
    FROM session JOIN session_steps ON workspace_id = :workspace AND flow_session_id = session.id AND (${isIn('flow_session_id')})
    -- What is left out counts only as a step.
    WHERE 'step' = ANY (:kinds) OR option IS NOT NULL OR offer IS NOT NULL OR ways IS NOT NULL OR withheld IS NOT NULL
  ), stop AS (
    SELECT day, flow_id, flow_version, outcome, current_node_key, has_customer, count(*) AS sessions
    FROM session GROUP BY 1, 2, 3, 4, 5, 6
  ), step AS (
    SELECT day, flow_id, flow_version, outcome, node_key, action, option, options, ways, has_customer, count(*) AS sessions
    FROM taken GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
  ), offer AS (
    SELECT id, day, flow_id, flow_version, outcome, accepted_id, offer_id FROM taken WHERE offer_id IS NOT NULL
    UNION
    SELECT id, day, flow_id, flow_version, outcome, accepted_id, presented_id FROM session WHERE presented_id IS NOT NULL
  ), withheld AS (
    SELECT DISTINCT id, day, flow_id, flow_version, outcome, value, coalesce(withheld_reasons ->> value, 'limit') AS reason
    -- NULL has no elements, but Postgres would call the function for each step to find out.
    FROM taken CROSS JOIN jsonb_array_elements_text(taken.withheld) AS value WHERE withheld IS NOT NULL
  ), fact AS (
    SELECT day, flow_id, flow_version, outcome, 'session' AS kind, '' AS node_key, '' AS value, sessions FROM stop
    UNION ALL
    SELECT day, flow_id, flow_version, outcome, 'anonymous', '', '', sessions FROM stop WHERE NOT has_customer
    UNION ALL
    SELECT day, flow_id, flow_version, outcome, 'stopped', current_node_key, '', sessions
    FROM stop WHERE outcome IN ('in_progress', 'abandoned')
    UNION ALL
    SELECT day, flow_id, flow_version, outcome, 'answer', node_key, option, sessions FROM step WHERE ${IS_ONE_ANSWER}
    UNION ALL
    SELECT day, flow_id, flow_version, outcome, 'answer', node_key, value, sessions
    FROM step CROSS JOIN jsonb_array_elements_text(options) AS value WHERE options IS NOT NULL
    UNION ALL
    SELECT day, flow_id, flow_version, outcome, 'step', node_key, action, sessions FROM step WHERE NOT ${IS_ONE_ANSWER}
    UNION ALL
    SELECT day, flow_id, flow_version, outcome, 'way', key, value, sessions FROM step CROSS JOIN jsonb_each_text(ways)
    UNION ALL
    SELECT day, flow_id, flow_version, outcome, 'arm', key, value, sessions
    FROM step CROSS JOIN jsonb_each_text(ways) WHERE has_customer
    UNION ALL
    SELECT day, flow_id, flow_version, CASE WHEN outcome IN ('accepted', 'contacted') AND accepted_id <> offer_id THEN 'another' ELSE outcome END,
      'offer', '', offer_id, count(*)
    FROM offer GROUP BY 1, 2, 3, 4, offer_id
    UNION ALL
    SELECT day, flow_id, flow_version, outcome, 'withheld', reason, value, count(*) FROM withheld GROUP BY 1, 2, 3, 4, reason, value
  )
  SELECT day, flow_id, flow_version, kind, node_key, value, ${COUNTS}
  FROM fact WHERE kind = ANY (:kinds) GROUP BY day, flow_id, flow_version, kind, node_key, value
  HAVING kind <> 'arm' OR ${isSplit('fact')}`;

/** Expects a snapshot: see `Transactions.runLong`. */
export function countFacts(span: Span, kinds: SumKind[], reader: Reader): Promise<FactCount[]> {
  return count('flow_id, flow_version AS version, kind, node_key, value', '1, 2, 3, 4, 5', span, kinds, reader);
}

/** The flows that had sessions in a span, of which these are facts, whether they pass its filter or not. */
export async function flowsOf(span: Span, facts: FactCount[], reader: Reader): Promise<string[]> {
  const others = span.filter ? await countFacts({ ...span, filter: undefined }, ['session'], reader) : [];
  return [...new Set([...others, ...facts].map(({ flow_id }) => flow_id))];
}

/** Only days that had sessions. Expects a snapshot, too. */
export function countDays(span: Span, kinds: SumKind[], reader: Reader): Promise<DayCount[]> {
  return count('day::text, kind', '1, 2', span, kinds, reader);
}

async function count<Row extends object>(
  columns: string,
  groups: string,
  span: Span,
  kinds: SumKind[],
  reader: Reader,
): Promise<Row[]> {
  const { version = null } = span;
  const { days, before, behind } = await partsOf(span, reader);
  const counts = statement(`
    SELECT ${columns}, ${ADDED}
    FROM (
      SELECT day, flow_id, flow_version, kind, node_key, value, sessions, accepted, kept, canceled, contacted, 0 AS in_progress
      FROM daily_sums WHERE workspace_id = :workspace AND (:flow::uuid IS NULL OR flow_id = :flow)
        AND (:version::integer IS NULL OR flow_version = :version) AND day >= :first_day::date AND day < :end_day::date AND kind = ANY (:kinds)
      UNION ALL (${factsOf((id) => `${id} >= :before_first::uuid AND ${id} < :before_end::uuid OR ${id} >= :behind_first::uuid AND ${id} < :behind_end::uuid`, passes(span))})
    ) AS fact GROUP BY ${groups}`);
  return reader.rows(counts, {
    ...valuesOf(span),
    version,
    kinds,
    first_day: days.first,
    end_day: days.end,
    before_first: before.first,
    before_end: before.end,
    behind_first: behind.first,
    behind_end: behind.end,
  });
}
