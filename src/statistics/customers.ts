import { statement } from '../platform/database/transaction/statement';
import type { Reader } from '../tenancy/work/work';
import { firstAliveAt, LAST_DECISION_FIRST } from '../sessions/session-status';
import { firstIdAt } from '../platform/api/ids';
import {
  AMOUNT,
  HAVE_PAID,
  IS_LAST_OF_TRAITS,
  NET,
  type PaidCount,
  paidBy,
  traitsOf,
  VERIFIED_OF_TRAITS,
  WITH_PART_LEFT,
  type WorthCount,
  worthBy,
} from './money/worth';
import { passes, type Span, valuesOf } from './sums/span';

/** A group of customers: all of a flow or a period, those who accepted an offer, or those who gave an answer. */
interface Group {
  /** The id of the flow, the number of the period from 1 on, or the plan. */
  key: string;
  /** Whether they count with this flow in the workspace, too. */
  is_last: boolean;
  /** The survey, with an answer. */
  node_key: string | null;
  /** The id of the offer, or the option. Null: all. */
  value: string | null;
}

/** Customers by what they decided last, and what the saved ones have paid since. Each has an id. */
export interface CustomerCounts {
  worth: (Group & WorthCount)[];
  paid: (Group & PaidCount)[];
}

/** The columns that may name a customer. A session has one of them at most. */
export const CUSTOMER_COLUMNS = ['customer_id', 'erased_customer'];

/** What customers are counted by. Each has one decision in each flow, or each period. */
interface Grouping {
  /** SQL for the flow, the period or the plan of a session. */
  key: string;
  /** SQL that says whether the session is also the one that the customer counts with in the workspace. */
  isLast: string;
}

/**
 * SQL for the session that each customer of a span counts with. For one flow, the indexes of customers have them
 * together; for all, they are sorted.
 */
const chosenBy = ({ key, isLast }: Grouping, span: Span) =>
  CUSTOMER_COLUMNS.map(
    (customer) => `
    SELECT *, ${isLast} AS is_last FROM (
      SELECT DISTINCT ON (${customer}, ${key}) ${customer}::text AS customer, ${key} AS key, id, status, saved_by_offer,
        ended_at, currency, amount_verified AS verified, ${AMOUNT} AS amount, (accepted_offer ->> 'id')::uuid AS offer
      FROM flow_sessions
      WHERE workspace_id = :workspace AND (:flow::uuid IS NULL OR flow_id = :flow) AND id >= :first::uuid AND id < :end::uuid
        AND ${customer} IS NOT NULL AND ${passes(span)}
      ORDER BY ${customer} DESC, ${key} DESC, ${LAST_DECISION_FIRST}
    ) AS of_key`,
  ).join(' UNION ALL ');

/**
 * SQL for the decision of the customer of a chosen session at `:now`. The first id is worked out once, not for each
 * session.
 */
const DECISION = `CASE WHEN status = 'contacted' THEN 'abandoned' WHEN saved_by_offer THEN 'accepted' WHEN status = 'saved' THEN 'kept'
      WHEN status = 'in_progress' AND id < (SELECT ${firstAliveAt(':now::timestamptz')}) THEN 'abandoned' ELSE status END`;

/** SQL for people who accepted an offer, with its id as `value`, and for the answers that they gave. */
const ACCEPTED = `(SELECT * FROM person WHERE decided = 'accepted')`;
const ANSWERED = `(SELECT key, decided, currency, traits, amount, net, node_key, option, options
    FROM person JOIN session_steps ON flow_session_id = id
    WHERE workspace_id = :workspace AND flow_session_id >= :first::uuid AND flow_session_id < :end::uuid AND option IS NOT NULL
      AND amount IS NOT NULL OFFSET 0)`;

/** People with the same set of answers are added up first; then they count for each answer of the set. */
const OF_REASONS = `
  SELECT key, node_key, given.value, decided, currency, traits, customers, amount, net
  FROM (${worthBy(['key', 'node_key', 'option', 'options'], ANSWERED)}) AS answer CROSS JOIN LATERAL (
    SELECT option AS value WHERE options IS NULL UNION ALL SELECT jsonb_array_elements_text(options)
  ) AS given`;

/**
 * `:first` and `:end` are ids of the sessions of the span, and statuses are those of `:now`.
 *
 * @param isInDetail whether to count those of offers and of reasons, too
 */
const customersBy = (by: Grouping, span: Span, havePaid: boolean, isInDetail: boolean) =>
  statement(`
  WITH person AS MATERIALIZED (
    SELECT customer, key, is_last, id, ended_at, decided, currency, verified, amount, ${NET}, ${traitsOf('is_last')}, offer
    FROM (SELECT chosen.*, ${DECISION} AS decided FROM (${chosenBy(by, span)}) AS chosen OFFSET 0) AS deciding
      ${WITH_PART_LEFT}
  ), worth AS (
    ${worthBy(['key', 'NULL AS node_key', 'NULL AS value'], 'person')}
    ${isInDetail ? `UNION ALL ${worthBy(['key', 'NULL', 'offer::text'], ACCEPTED)} UNION ALL ${OF_REASONS}` : ''}
  ), paid AS (
    ${paidBy(['key', 'is_last', 'NULL AS value'], 'person')}
    ${isInDetail ? `UNION ALL ${paidBy(['key', 'is_last', 'offer::text'], ACCEPTED)}` : ''}
  )
  SELECT key, ${IS_LAST_OF_TRAITS}, node_key, value, decided, currency, ${VERIFIED_OF_TRAITS}, customers, amount, net, NULL::float AS paid
  FROM worth
  ${havePaid ? 'UNION ALL SELECT key, is_last, NULL, value, NULL, currency, verified, 0, NULL, NULL, paid FROM paid' : ''}`);

const IN_FLOW: Grouping = { key: 'flow_id', isLast: 'true' };
const IN_WORKSPACE: Grouping = {
  key: 'flow_id',
  isLast: `row_number() OVER (PARTITION BY customer ORDER BY customer DESC, ${LAST_DECISION_FIRST}) = 1`,
};
const IN_PLAN: Grouping = {
  key: `coalesce(facts ->> 'plan', customer -> 'attributes' ->> 'plan', '')`,
  isLast: 'true',
};
const IN_PERIOD: Grouping = { key: 'width_bucket(id, :starts::uuid[])', isLast: 'true' };

/**
 * By flow; those who accepted each offer, and who gave each answer, apart as well.
 *
 * @param isOneFlow whether the sessions of the span are of one flow: what is decided last in it is decided last of all
 * @param isInDetail whether those of offers and answers are counted, too
 */
export function countCustomers(
  span: Span,
  isOneFlow: boolean,
  reader: Reader,
  isInDetail = true,
): Promise<CustomerCounts> {
  return count(isOneFlow ? IN_FLOW : IN_WORKSPACE, span, isInDetail, {}, reader);
}

/** By the periods of a span that begin at these times. A customer counts in each that they came in. */
export function countCustomersOfPeriods(span: Span, starts: Date[], reader: Reader): Promise<CustomerCounts> {
  return count(IN_PERIOD, span, false, { starts: starts.map(firstIdAt) }, reader);
}

/** By the plan that billing or a token named, or the page as the attribute `plan`; '' for none. */
export function countCustomersOfPlans(span: Span, reader: Reader): Promise<CustomerCounts> {
  return count(IN_PLAN, span, false, {}, reader);
}

async function count(
  by: Grouping,
  span: Span,
  isInDetail: boolean,
  values: object,
  reader: Reader,
): Promise<CustomerCounts> {
  const { from } = span;
  const { have_paid } = (await reader.row<{ have_paid: boolean }>(HAVE_PAID, { from }))!;
  type Row = Group & WorthCount & { paid: number | null };
  const rows = await reader.rows<Row>(customersBy(by, span, have_paid, isInDetail), {
    ...valuesOf(span),
    from,
    ...values,
  });
  return {
    worth: rows.filter(({ paid }) => paid === null),
    paid: rows.flatMap(({ paid, currency, ...row }) => (paid === null ? [] : { ...row, currency: currency!, paid })),
  };
}
