import type { EntityManager } from 'typeorm';
import { firstAliveAt } from '../runtime/session-status';
import type { CustomersDto } from './dto/counts.dto';
import type { ValueDto } from './dto/lasting.dto';
import { idsOf, type Span } from './sums/span';

/** What customers are worth a month, in one currency. Without one it is estimated. */
export type ValueCount = Omit<ValueDto, 'paid_since'>;

/** How many customers had sessions, by what they decided last. Sessions without a customer are not in it. */
export interface CustomerCount extends CustomersDto {
  /** null: of the workspace, over all its flows. */
  flow_id: string | null;
  /** Only currencies that they are worth something in. */
  value: ValueCount[];
}

/** What saved customers have paid since, in one currency. */
export interface PaidCount {
  /** null: of the workspace, over all its flows. */
  flow_id: string | null;
  currency: string;
  verified: boolean;
  paid: number;
}

const COLUMNS = `id, status, saved_by_offer, updated_at, monthly_amount, currency, amount_verified AS verified,
      estimated_monthly_value`;

/** In SQL: the session that a customer counts with: the last that ended, else the last. */
export const BEST_FIRST = `status <> 'in_progress' DESC, id DESC`;

/** In SQL: the columns that name a customer, one of them. */
export const CUSTOMER_COLUMNS = ['customer_id', 'erased_customer'];

/**
 * In SQL: of each customer of a span the session that they count with, in each flow and, where `flow_id` is null, in the workspace.
 * The indexes of customers have all columns: Postgres reads them in their order, and sorts only the sessions of one customer.
 *
 * $1: workspace, $2: flow, or null for all and the workspace, $3 and $4: ids of the sessions
 */
const CHOSEN = CUSTOMER_COLUMNS.flatMap((customer) =>
  [
    { scope: 'NULL::uuid', of: '', condition: '$2::uuid IS NULL' },
    { scope: 'flow_id', of: ', flow_id', condition: '($2::uuid IS NULL OR flow_id = $2)' },
  ].map(
    ({ scope, of, condition }) => `
    (SELECT DISTINCT ON (${customer}${of}) ${scope} AS flow_id, ${customer}::text AS customer, ${COLUMNS} FROM flow_sessions
      WHERE workspace_id = $1 AND ${customer} IS NOT NULL AND id >= $3::uuid AND id < $4::uuid AND ${condition}
      ORDER BY ${customer} DESC${of}, ${BEST_FIRST})`,
  ),
).join(' UNION ALL ');

/** In SQL: what a customer has decided, from the session that they count with. */
export const decidedAt = (time: string) => `CASE WHEN saved_by_offer THEN 'accepted' WHEN status = 'saved' THEN 'kept'
      WHEN status = 'in_progress' AND id < ${firstAliveAt(time)} THEN 'abandoned' ELSE status END`;

const SAVED = `decided IN ('accepted', 'kept')`;

const numberOf = (condition: string) => `coalesce(sum(customers) FILTER (WHERE ${condition}), 0)::integer`;
const amountOf = (condition: string) => `coalesce(sum(amount) FILTER (WHERE ${condition}), 0)::float`;

/** In SQL: the fields of `CustomersDto`, from rows of customers who have decided the same. */
export const TOTALS = `sum(customers)::integer AS total, ${numberOf(SAVED)} AS saved,
    ${numberOf(`decided = 'accepted'`)} AS saved_by_offer, ${numberOf(`decided = 'canceled'`)} AS canceled,
    ${numberOf(`decided = 'in_progress'`)} AS in_progress, ${numberOf(`decided = 'abandoned'`)} AS abandoned`;

/** $5: the time for which statuses are worked out. */
const CUSTOMERS = `
  WITH counted AS (
    SELECT flow_id, ${decidedAt('$5::timestamptz')} AS decided, currency, verified,
      coalesce(monthly_amount, estimated_monthly_value) IS NOT NULL AS is_worth, count(*) AS customers,
      sum(coalesce(monthly_amount, estimated_monthly_value)) AS amount
    FROM (${CHOSEN}) AS chosen GROUP BY 1, 2, 3, 4, 5
  ), valued AS (
    SELECT flow_id, currency, verified, sum(customers)::integer AS customers, sum(amount)::float AS at_risk,
      ${amountOf(SAVED)} AS saved, ${amountOf(`decided = 'canceled'`)} AS canceled
    FROM counted WHERE is_worth GROUP BY 1, 2, 3
  )
  SELECT flow_id, ${TOTALS}, coalesce((SELECT json_agg(to_jsonb(valued) - 'flow_id') FROM valued
      WHERE valued.flow_id IS NOT DISTINCT FROM counted.flow_id), '[]') AS value
  FROM counted GROUP BY flow_id`;

/** In SQL: payments of customers. No customers are read if there are none. */
const PAYMENTS = `outcomes WHERE workspace_id = $1 AND at >= $5 AND type = 'paid' AND amount IS NOT NULL`;

/** $5: the beginning of the span. */
const PAID = `
  SELECT chosen.flow_id, payment.currency, verified, sum(amount)::float AS paid
  FROM (SELECT * FROM (${CHOSEN}) AS chosen WHERE EXISTS (SELECT FROM ${PAYMENTS})) AS chosen
    JOIN (SELECT coalesce(customer_id, erased_customer::text) AS customer, at, amount, currency FROM ${PAYMENTS}) AS payment
      USING (customer)
  WHERE chosen.status = 'saved' AND payment.at > chosen.updated_at GROUP BY 1, 2, 3`;

/** Only those of flows that had customers, and those of the workspace unless the span is of one flow. */
export function countCustomers(span: Span, manager: EntityManager): Promise<CustomerCount[]> {
  return manager.query(CUSTOMERS, [...parametersOf(span), span.now]);
}

/** Of customers who were saved in a span, until now. */
export function countPaid(span: Span, manager: EntityManager): Promise<PaidCount[]> {
  return manager.query(PAID, [...parametersOf(span), span.from]);
}

const parametersOf = (span: Span) => [span.workspaceId, span.flowId ?? null, ...idsOf(span)];
