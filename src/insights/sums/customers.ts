import type { EntityManager } from 'typeorm';
import { jsonRows } from '../../database/json-rows';
import { isAbandonedAt } from '../../runtime/session-status';
import type { CustomersDto } from '../dto/counts.dto';
import { ANY_FLOW } from './daily-sum.entity';
import { partsOf, type Span } from './span';

/** How many customers had sessions, by what they decided last. */
export interface CustomerCount extends CustomersDto {
  /** null: of the workspace, over all its flows. */
  flow_id: string | null;
}

/** How many customers came to an arm of a split, by what they decided last while the arms stayed as they are. */
export interface ArmCustomers extends CustomersDto {
  flow_id: string;
  node_key: string;
  from_version: number;
  /** The name. */
  arm: string;
}

/** The versions of a flow, from one to another, until the arms of a split change. */
export interface ExperimentScope {
  flow_id: string;
  node_key: string;
  from_version: number;
  to_version: number;
}

/** In SQL: experiments that are given as JSON. */
export const experimentsIn = (parameter: string) =>
  `${jsonRows(parameter, 'flow_id uuid, node_key text, from_version integer, to_version integer')} AS given`;

const IN_SPAN = 'workspace_id = $1 AND ($2::uuid IS NULL OR flow_id = $2)';
const OUTCOMES = ['total', 'saved', 'saved_by_offer', 'canceled', 'in_progress'];

/**
 * In SQL: the sessions that customers are counted from. Customers = (sessions − repeats) of the days that have sums, plus a correction
 * for each customer of the other sessions: what they are in the whole span, less what those days count them as. So of the days
 * that have sums, only sessions of these customers are read. OFFSET 0 keeps other conditions out of a lookup: Postgres might
 * read all sessions for each customer, by their ids.
 *
 * $1: workspace, $2: flow or null, $3: the time for which statuses are worked out, $4 and $5: the days that have sums,
 * $6 and $7: ids of their sessions, $8 to $11: ids of the sessions before and behind
 *
 * @param column of sessions, besides those that the index of customers has
 * @param isVisitor in SQL, which of the sessions make their customers count
 */
export const sessionsWith = (column = '', isVisitor = 'true') => {
  const columns = ['id', 'flow_id', 'status', 'saved_by_offer', ...(column ? [column] : [])].join(', ');
  return `recent AS (
    SELECT ${columns}, customer_id, erased_customer, NOT ${isAbandonedAt('$3::timestamptz', 'flow_sessions')} AS is_alive
    FROM flow_sessions WHERE ${IN_SPAN} AND (id >= $8::uuid AND id < $9::uuid OR id >= $10::uuid AND id < $11::uuid)
  ), visitor AS (
    SELECT DISTINCT customer_id, erased_customer FROM recent
    WHERE $4::date < $5::date AND (customer_id IS NOT NULL OR erased_customer IS NOT NULL) AND ${isVisitor}
  ), session AS (
    SELECT ${columns}, coalesce(customer_id, erased_customer::text) AS customer, false AS is_summed, is_alive FROM recent
    UNION ALL
    SELECT ${columns}, customer, true, false
    FROM visitor CROSS JOIN LATERAL (
      (SELECT customer_id AS customer, ${columns} FROM flow_sessions
        WHERE workspace_id = $1 AND customer_id = visitor.customer_id OFFSET 0)
      UNION ALL
      (SELECT erased_customer::text, ${columns} FROM flow_sessions
        WHERE workspace_id = $1 AND erased_customer = visitor.erased_customer OFFSET 0)
    ) AS summed WHERE ($2::uuid IS NULL OR summed.flow_id = $2) AND id >= $6::uuid AND id < $7::uuid
  )`;
};

/**
 * In SQL: the id of the newest of the sessions that ended, and behind it how: 'accepted' an offer, 'saved' without one, 'canceled'; null
 * if none did. Ids are as long and sort as text.
 */
const decision = (filter = '') =>
  `max((id || CASE WHEN saved_by_offer THEN 'accepted' ELSE status END) COLLATE "C") FILTER (WHERE status <> 'in_progress' ${filter})`;
export const DECISION = decision();

/** In SQL: what a customer is, grouped from sessions, and what they had decided in those that the sums count. */
const customerOf = (isCounted = 'is_summed') => `substr(${decision(`AND ${isCounted}`)}, 37) AS had_decided,
      substr(${DECISION}, 37) AS has_decided, bool_or(status = 'in_progress' AND is_alive) AS is_in_progress`;

/** In SQL: how many customers more there are of an outcome than the sums have. */
const more = (outcomes: string) =>
  `count(*) FILTER (WHERE has_decided IN (${outcomes})) - count(*) FILTER (WHERE had_decided IN (${outcomes}))`;

/** In SQL: the outcomes of customers that the sums don't have. */
const MORE = `count(*) FILTER (WHERE NOT was_there), ${more(`'accepted', 'saved'`)}, ${more(`'accepted'`)}, ${more(`'canceled'`)},
      count(*) FILTER (WHERE has_decided IS NULL AND is_in_progress)`;

/** In SQL: the outcomes of the sessions that sums have, and of the repeats among them. */
const SUMMED = 'sessions AS total, accepted + kept AS saved, accepted AS saved_by_offer, canceled, 0 AS in_progress';
const REPEATED = '-sessions, -saved, -saved_by_offer, -canceled, 0';

/** In SQL: the outcomes of customers, added up. */
const TOTALS = `${OUTCOMES.map((outcome) => `sum(${outcome})::integer AS ${outcome}`).join(', ')},
    sum(total - saved - canceled - in_progress)::integer AS abandoned`;

/** In SQL: the customers of a span, of each flow and of the workspace. A session without a customer is one of its own. */
const CUSTOMERS = `
  WITH ${sessionsWith()}, customer AS (
    SELECT coalesce(flow_id, '${ANY_FLOW}') AS flow_id, bool_or(is_summed) AS was_there, ${customerOf()}
    FROM (SELECT *, coalesce(customer, id::text) AS person FROM session) AS session
    GROUP BY GROUPING SETS ((person, session.flow_id), (person))
  ), counted AS (
    SELECT scope.flow_id, ${SUMMED}
    FROM daily_sums CROSS JOIN LATERAL (VALUES (flow_id), ('${ANY_FLOW}'::uuid)) AS scope (flow_id)
    WHERE workspace_id = $1 AND ($2::uuid IS NULL OR daily_sums.flow_id = $2) AND day >= $4::date AND day < $5::date
      AND kind = 'session'
    UNION ALL
    SELECT flow_id, ${REPEATED} FROM daily_repeats
    WHERE ${IN_SPAN} AND node_key = '' AND day >= $4::date AND day < $5::date AND earlier_day >= $4::date
    UNION ALL
    SELECT flow_id, ${MORE} FROM customer GROUP BY 1
  )
  SELECT nullif(flow_id, '${ANY_FLOW}') AS flow_id, ${TOTALS} FROM counted
  WHERE $2::uuid IS NULL OR flow_id = $2 GROUP BY flow_id`;

/**
 * In SQL: the customers of a span who came to the arms of splits while the arms stayed as they are, when a customer gets the same one
 * each time. They count by what they decided last in these versions of the flow, also in sessions that did not come to the split:
 * who closes the window there and cancels elsewhere the next day has canceled. LIMIT and OFFSET look up the step of each session,
 * rather than read all steps of the workspace; no session passes a node twice.
 *
 * $12: experiments
 */
const CUSTOMERS_OF_ARMS = `
  WITH split AS (
    SELECT * FROM ${experimentsIn('$12::jsonb')}
  ), ${sessionsWith(
    'flow_version',
    `EXISTS (SELECT FROM split WHERE split.flow_id = recent.flow_id AND flow_version BETWEEN from_version AND to_version)`,
  )}, lived AS (
    SELECT split.node_key, split.from_version, session.*
    FROM split JOIN session ON session.flow_id = split.flow_id AND flow_version BETWEEN from_version AND to_version
    WHERE customer IS NOT NULL
  ), visit AS (
    SELECT flow_id, node_key, from_version, arm, customer, bool_or(is_summed) AS was_there
    FROM lived CROSS JOIN LATERAL (SELECT ways ->> lived.node_key AS arm FROM session_steps
      WHERE workspace_id = $1 AND flow_session_id = lived.id AND ways ? lived.node_key LIMIT 1) AS step
    GROUP BY 1, 2, 3, 4, 5
  ), arm_customer AS (
    SELECT flow_id, node_key, from_version, arm, was_there, ${customerOf('is_summed AND was_there')}
    FROM visit JOIN lived USING (flow_id, node_key, from_version, customer) GROUP BY 1, 2, 3, 4, customer, was_there
  ), counted AS (
    SELECT split.flow_id, split.node_key, from_version, value AS arm, ${SUMMED}
    FROM split JOIN daily_sums AS sum ON sum.flow_id = split.flow_id AND sum.node_key = split.node_key
      AND flow_version BETWEEN from_version AND to_version
    WHERE workspace_id = $1 AND day >= $4::date AND day < $5::date AND kind = 'arm'
    UNION ALL
    SELECT split.flow_id, split.node_key, from_version, value, ${REPEATED}
    FROM split JOIN daily_repeats AS repeat ON repeat.flow_id = split.flow_id AND repeat.node_key = split.node_key
      AND flow_version BETWEEN from_version AND to_version AND earlier_version BETWEEN from_version AND to_version
    WHERE workspace_id = $1 AND day >= $4::date AND day < $5::date AND earlier_day >= $4::date
    UNION ALL
    SELECT flow_id, node_key, from_version, arm, ${MORE} FROM arm_customer GROUP BY 1, 2, 3, 4
  )
  SELECT flow_id, node_key, from_version, arm, ${TOTALS} FROM counted GROUP BY 1, 2, 3, 4`;

/** Only those of flows that had sessions, and those of the workspace unless the span is of one flow. */
export async function countCustomers(span: Span, manager: EntityManager): Promise<CustomerCount[]> {
  return manager.query(CUSTOMERS, await parametersOf(span, manager));
}

/** Only those of arms that customers came to. */
export async function countCustomersOfArms(
  span: Span,
  experiments: ExperimentScope[],
  manager: EntityManager,
): Promise<ArmCustomers[]> {
  if (experiments.length === 0) return [];
  return manager.query(CUSTOMERS_OF_ARMS, [...(await parametersOf(span, manager)), JSON.stringify(experiments)]);
}

/** $1 to $11 of `sessionsWith`. */
export async function parametersOf(span: Span, manager: EntityManager): Promise<unknown[]> {
  const { days, summed, before, behind } = await partsOf(span, manager);
  const { workspaceId, flowId = null, now } = span;
  return [workspaceId, flowId, now, ...days, ...summed, ...before, ...behind];
}
