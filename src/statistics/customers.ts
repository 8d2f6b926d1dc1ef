import { statement } from '../platform/database/transaction/statement';
import type { Reader } from '../tenancy/work/work';
import { firstAliveAt, LAST_DECISION_FIRST } from '../sessions/session-status';
import type { CustomersDto } from './dto/counts.dto';
import type { ValueDto } from './dto/lasting.dto';
import { idsOf, type Span } from './sums/span';

/** The monthly value of customers in one currency. Without a currency it is an estimate. */
export type ValueCount = Omit<ValueDto, 'paid_since'>;

/** The payments of saved customers since, in one currency. */
export interface PaidCount {
  currency: string;
  verified: boolean;
  paid: number;
}

/** How many customers had sessions, by what they decided last. Sessions without a customer are not in it. */
export interface CustomerCount extends CustomersDto {
  /** null: of the workspace, over all its flows. */
  flow_id: string | null;
  /** Only currencies that they are worth something in. */
  value: ValueCount[];
  /** Until now, in the currencies that they paid in. */
  paid: PaidCount[];
}

/** The columns that may name a customer. A session has one of them at most. */
export const CUSTOMER_COLUMNS = ['customer_id', 'erased_customer'];

/**
 * SQL for the session that each customer of a span counts with in each flow. For one flow, the indexes of customers
 * have them together; for all, they are sorted.
 *
 * @param isLast in SQL, whether it is also the one that the customer counts with in the workspace
 */
const chosen = (isLast: string) =>
  CUSTOMER_COLUMNS.map(
    (customer) => `
    SELECT *, ${isLast} AS is_last FROM (
      SELECT DISTINCT ON (${customer}, flow_id) ${customer}::text AS customer, flow_id, id, status, saved_by_offer,
        ended_at, currency, amount_verified AS verified, coalesce(monthly_amount, estimated_monthly_value) AS amount
      FROM flow_sessions
      WHERE workspace_id = :workspace AND (:flow::uuid IS NULL OR flow_id = :flow) AND id >= :first::uuid AND id < :end::uuid AND ${customer} IS NOT NULL
      ORDER BY ${customer} DESC, flow_id DESC, ${LAST_DECISION_FIRST}
    ) AS of_flow`,
  ).join(' UNION ALL ');

/**
 * SQL for the decision of the customer of a chosen session at `:now`. The first id is worked out once, not for each
 * session.
 */
const DECISION = `CASE WHEN saved_by_offer THEN 'accepted' WHEN status = 'saved' THEN 'kept'
      WHEN status = 'in_progress' AND id < (SELECT ${firstAliveAt(':now::timestamptz')}) THEN 'abandoned' ELSE status END`;

/** SQL that is true if a customer with a decision was saved. */
export const SAVED = `decided IN ('accepted', 'kept')`;

const numberOf = (condition: string) => `coalesce(sum(customers) FILTER (WHERE ${condition}), 0)::integer`;
/** SQL that adds up the amounts of rows. */
export const amountOf = (condition: string) => `coalesce(sum(amount) FILTER (WHERE ${condition}), 0)::float`;

/** SQL for the fields of `CustomersDto`, from rows of customers with the same decision. */
export const TOTALS = `sum(customers)::integer AS total, ${numberOf(SAVED)} AS saved,
    ${numberOf(`decided = 'accepted'`)} AS saved_by_offer, ${numberOf(`decided = 'canceled'`)} AS canceled,
    ${numberOf(`decided = 'in_progress'`)} AS in_progress, ${numberOf(`decided = 'abandoned'`)} AS abandoned`;

/** SQL that is true if an outcome is a payment since a time. */
const paidSince = (time: string) =>
  `workspace_id = :workspace AND at >= ${time} AND type = 'paid' AND amount IS NOT NULL`;

/** SQL for a flow, and the workspace if the customers count there too. */
const SCOPES = 'CROSS JOIN LATERAL (SELECT grouped.flow_id UNION ALL SELECT NULL WHERE is_last) AS scope (scope)';

/** SQL for the rows of a table that are of the same flow, as JSON. */
const rowsOf = (table: string) => `coalesce((SELECT json_agg(to_jsonb(found) - 'scope') FROM ${table} AS found
      WHERE found.scope IS NOT DISTINCT FROM counted.scope), '[]')`;

/**
 * Rows are grouped before they count in the workspace a second time. Payments are read once, not for each flow. Without
 * payments, the chosen sessions are read once and need not be kept.
 *
 * `:flow` may be null, `:first` and `:end` are ids of the sessions of the span, and statuses are those of `:now`.
 */
const customersOf = (isLast: string, havePaid: boolean) =>
  statement(`
  WITH chosen AS ${havePaid ? '' : 'NOT'} MATERIALIZED (${chosen(isLast)}), counted AS (
    SELECT scope, decided, currency, verified, is_worth, customers, amount
    FROM (
      SELECT flow_id, is_last, ${DECISION} AS decided, currency, verified, amount IS NOT NULL AS is_worth,
        count(*) AS customers, sum(amount) AS amount
      FROM chosen GROUP BY 1, 2, 3, 4, 5, 6
    ) AS grouped ${SCOPES}
  ), value AS (
    SELECT scope, currency, verified, sum(customers)::integer AS customers, sum(amount)::float AS at_risk,
      ${amountOf(SAVED)} AS saved, ${amountOf(`decided = 'canceled'`)} AS canceled
    FROM counted WHERE is_worth GROUP BY 1, 2, 3
  ), paid AS MATERIALIZED (
    SELECT scope, currency, verified, sum(amount)::float AS paid
    FROM (
      SELECT flow_id, is_last, payment.currency, verified, sum(payment.amount) AS amount
      FROM chosen JOIN (
        SELECT coalesce(customer_id, erased_customer::text) AS customer, at, amount, currency FROM outcomes
        WHERE ${paidSince(':from')}
      ) AS payment USING (customer)
      WHERE status = 'saved' AND payment.at > ended_at GROUP BY 1, 2, 3, 4
    ) AS grouped ${SCOPES}
    GROUP BY 1, 2, 3
  )
  SELECT scope AS flow_id, ${TOTALS}, ${rowsOf('value')} AS value, ${rowsOf('paid')} AS paid FROM counted GROUP BY scope`);

const IN_FLOW = 'false';
const IN_WORKSPACE = `row_number() OVER (PARTITION BY customer ORDER BY customer DESC, ${LAST_DECISION_FIRST}) = 1`;

const HAVE_PAID = statement(`SELECT EXISTS (SELECT FROM outcomes WHERE ${paidSince(':from')}) AS have_paid`);

/** Only those of flows that had customers, and those of the workspace unless the span is of one flow. */
export async function countCustomers(span: Span, reader: Reader): Promise<CustomerCount[]> {
  const { flowId = null, from, now } = span;
  const found = await reader.row<{ have_paid: boolean }>(HAVE_PAID, { from });
  const customers = customersOf(flowId ? IN_FLOW : IN_WORKSPACE, found!.have_paid);
  return reader.rows(customers, { flow: flowId, ...idsOf(span), from, now });
}
