import type { EntityManager } from 'typeorm';
import { parametersOf, sessionsWith } from './customers';
import { ANY_FLOW } from './daily-sum.entity';
import { dayOf } from './facts';
import type { Span } from './span';

/** What the customers of a flow, or of the workspace, are worth a month, in one currency. */
export interface ValueCount {
  /** null: of the workspace, over all its flows. */
  flow_id: string | null;
  /** null: estimated. */
  currency: string | null;
  verified: boolean;
  customers: number;
  at_risk: number;
  saved: number;
  canceled: number;
}

const COLUMNS = 'monthly_amount, currency, amount_verified, estimated_monthly_value';

/** In SQL: what a session is worth. */
const worthOf = (session: string) =>
  `coalesce(${session}.currency, '') AS currency, ${session}.amount_verified AS verified,
      coalesce(${session}.monthly_amount, ${session}.estimated_monthly_value) AS amount, ${session}.status`;

/** In SQL: rows that have what a session is worth and a sign, added up. */
const ADDED = `sum(sign) AS customers, sum(sign * amount) AS at_risk,
    coalesce(sum(sign * amount) FILTER (WHERE status = 'saved'), 0) AS saved,
    coalesce(sum(sign * amount) FILTER (WHERE status = 'canceled'), 0) AS canceled`;

/** In SQL: a session of the same customer before `session`, in the same flow or in any. */
const newestBefore = (condition: string) =>
  ['customer_id', 'erased_customer']
    .map(
      (customer) => `(
      SELECT ${dayOf('created_at')} AS day, ${worthOf('earlier')} FROM flow_sessions AS earlier
      WHERE workspace_id = $1 AND ${customer} = session.${customer} AND id < session.id AND ${condition}
        AND (scope.flow_id = '${ANY_FLOW}' OR earlier.flow_id = scope.flow_id)
      ORDER BY id DESC LIMIT 1)`,
    )
    .join(' UNION ALL ');

/**
 * In SQL: adds sessions to the rows of their days. With the last session before that ended in the span, a session counts instead of it if it ended,
 * and not at all otherwise. With the session before in the span, that one doesn't count any more if it did not end, unless it does not
 * count already.
 *
 * $1: workspace, $2 and $3: ids of sessions
 */
export const INSERT_VALUES = `
  INSERT INTO daily_values (workspace_id, day, flow_id, earlier_day, currency, verified, customers, at_risk, saved, canceled)
  SELECT $1::uuid, day, flow_id, earlier_day, currency, verified, ${ADDED}
  FROM (
    SELECT ${dayOf('session.created_at')} AS day, scope.flow_id, part.*
    FROM flow_sessions AS session
      CROSS JOIN LATERAL (VALUES (session.flow_id), ('${ANY_FLOW}'::uuid)) AS scope (flow_id)
      CROSS JOIN LATERAL (SELECT ${dayOf('session.created_at')} AS day, ${worthOf('session')}) AS own
      LEFT JOIN LATERAL (${newestBefore(`status <> 'in_progress'`)}) AS ended ON true
      LEFT JOIN LATERAL (${newestBefore('true')}) AS before ON true
      CROSS JOIN LATERAL (
        SELECT own.day AS earlier_day, 1 AS sign, own.currency, own.verified, own.amount, own.status
        UNION ALL
        SELECT ended.day, -1, ended.currency, ended.verified, ended.amount, ended.status WHERE own.status <> 'in_progress'
        UNION ALL
        SELECT ended.day, -1, own.currency, own.verified, own.amount, own.status WHERE own.status = 'in_progress'
        UNION ALL
        SELECT before.day, -1, before.currency, before.verified, before.amount, before.status WHERE before.status = 'in_progress'
        UNION ALL
        SELECT ended.day, 1, before.currency, before.verified, before.amount, before.status WHERE before.status = 'in_progress'
      ) AS part
    WHERE session.workspace_id = $1 AND session.id >= $2::uuid AND session.id < $3::uuid
      AND (session.customer_id IS NOT NULL OR session.erased_customer IS NOT NULL)
  ) AS part WHERE amount IS NOT NULL AND earlier_day IS NOT NULL GROUP BY 2, 3, 4, 5, 6
  ON CONFLICT ON CONSTRAINT daily_values_pkey DO UPDATE SET ${['customers', 'at_risk', 'saved', 'canceled']
    .map((column) => `${column} = daily_values.${column} + excluded.${column}`)
    .join(', ')}`;

/** In SQL: the id of the session that a customer counts with. Ids are as long and sort as text. */
const chosen = (filter: string) =>
  `substr(max((CASE status WHEN 'in_progress' THEN '0' ELSE '1' END || id) COLLATE "C") ${filter}, 2)::uuid`;

/** In SQL: whether any session of a span is worth something. If not, no customers are looked up. */
const HAS_VALUE = `(EXISTS (SELECT FROM daily_values WHERE workspace_id = $1 AND day >= $4::date AND day < $5::date)
      OR EXISTS (SELECT FROM recent WHERE coalesce(monthly_amount, estimated_monthly_value) IS NOT NULL))`;

/** In SQL: what the customers of a span are worth; parameters as in `sessionsWith`. Days that have sums are added up, and the other sessions correct them. */
const VALUES = `
  WITH ${sessionsWith(COLUMNS, HAS_VALUE)}, customer AS (
    SELECT coalesce(flow_id, '${ANY_FLOW}') AS flow_id, ${chosen('')} AS now_id, ${chosen('FILTER (WHERE is_summed)')} AS summed_id
    FROM session WHERE customer IS NOT NULL GROUP BY GROUPING SETS ((customer, session.flow_id), (customer))
  ), part AS (
    SELECT flow_id, now_id AS id, 1 AS sign FROM customer
    UNION ALL
    SELECT flow_id, summed_id, -1 FROM customer WHERE summed_id IS NOT NULL
  ), worth AS (
    SELECT part.flow_id, sign, ${worthOf('session')} FROM part JOIN session USING (id)
  ), counted AS (
    SELECT flow_id, currency, verified, customers, at_risk, saved, canceled FROM daily_values
    WHERE workspace_id = $1 AND day >= $4::date AND day < $5::date AND earlier_day >= $4::date
    UNION ALL
    SELECT flow_id, currency, verified, ${ADDED} FROM worth WHERE amount IS NOT NULL GROUP BY 1, 2, 3
  )
  SELECT nullif(flow_id, '${ANY_FLOW}') AS flow_id, nullif(currency, '') AS currency, verified, sum(customers)::integer AS customers,
    sum(at_risk)::float AS at_risk, sum(saved)::float AS saved, sum(canceled)::float AS canceled
  FROM counted WHERE $2::uuid IS NULL OR flow_id = $2
  GROUP BY 1, 2, 3 HAVING sum(customers) > 0 ORDER BY currency, verified`;

/** Only those that customers are worth something in. */
export async function countValue(span: Span, manager: EntityManager): Promise<ValueCount[]> {
  return manager.query(VALUES, await parametersOf(span, manager));
}
