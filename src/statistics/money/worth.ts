import { statement } from '../../platform/database/transaction/statement';

/** What a customer decided last; undecided, whether a session is in progress. */
export type Decision = 'accepted' | 'kept' | 'canceled' | 'in_progress' | 'abandoned';

/** What customers with the same decision are worth a month, in one currency. Without a currency it is an estimate. */
export interface WorthCount {
  decided: Decision;
  currency: string | null;
  verified: boolean;
  customers: number;
  /** Null if they have none, not even an estimate. */
  amount: number | null;
  /** Of saved customers: what is left of it on average in the year from the save; null if that is unknown of one. */
  net: number | null;
}

/** The payments of saved customers since, in one currency. */
export interface PaidCount {
  currency: string;
  verified: boolean;
  paid: number;
}

/** SQL that is true if a customer with a decision was saved. */
export const SAVED = `decided IN ('accepted', 'kept')`;

/** SQL for the monthly amount of a session. */
export const AMOUNT = 'coalesce(monthly_amount, estimated_monthly_value)';

/**
 * SQL that adds to people what billing left of the price of those who accepted an offer, in the session `id`. All
 * sessions are between `:first` and `:end`.
 */
export const WITH_PART_LEFT = `LEFT JOIN (
      SELECT flow_session_id AS id, part_left FROM fulfilments
      WHERE workspace_id = :workspace AND flow_session_id >= :first::uuid AND flow_session_id < :end::uuid AND action = 'apply'
    ) AS applying USING (id)`;

/** SQL for what is left of the `amount` of people. */
export const NET = `CASE WHEN decided = 'kept' THEN amount WHEN decided = 'accepted' THEN amount * part_left END AS net`;

/**
 * SQL that adds up the amounts of people with the same `groups`, decision, currency and `traits`. Several booleans
 * would each double the groups that Postgres expects, and it would sort a million people to group them.
 */
export const worthBy = (groups: string[], people: string) => `
  SELECT ${groups.join(', ')}, decided, currency, traits, count(*)::integer AS customers, sum(amount)::float AS amount,
    CASE WHEN count(net) = count(*) THEN sum(net)::float END AS net
  FROM ${people} AS person GROUP BY ${upTo(groups.length)}, decided, currency, traits`;

const VERIFIED = 1;
const WITH_AMOUNT = 2;
const IS_LAST = 4;

/** SQL for whether a person has an amount, whether it is verified, and whether they count in the workspace. */
export const traitsOf = (isLast: string) =>
  `verified::integer * ${VERIFIED} + (amount IS NOT NULL)::integer * ${WITH_AMOUNT} + (${isLast})::integer * ${IS_LAST} AS traits`;

const has = (trait: number) => `traits & ${trait} <> 0`;
/** SQL for these, of people with the same traits. */
export const VERIFIED_OF_TRAITS = `${has(VERIFIED)} AS verified`;
export const IS_LAST_OF_TRAITS = `${has(IS_LAST)} AS is_last`;

/** SQL for the numbers of the columns that come first, up to one. */
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1).join(', ');

/** SQL that is true if an outcome is a payment since the beginning of a span. */
const IS_PAYMENT = `workspace_id = :workspace AND at >= :from AND type = 'paid' AND amount IS NOT NULL`;

/** SQL that says whether there is any. */
export const HAVE_PAID = statement(`SELECT EXISTS (SELECT FROM outcomes WHERE ${IS_PAYMENT}) AS have_paid`);

/** SQL for what saved people have paid since they decided (`ended_at`), by `groups`. Each outcome is read once. */
export const paidBy = (groups: string[], people: string) => `
  SELECT ${groups.join(', ')}, payment.currency, verified, sum(payment.amount)::float AS paid
  FROM ${people} AS person JOIN (
    SELECT coalesce(customer_id, erased_customer::text) AS customer, at, amount, currency FROM outcomes WHERE ${IS_PAYMENT}
  ) AS payment USING (customer)
  WHERE ${SAVED} AND payment.at > ended_at GROUP BY ${upTo(groups.length)}, payment.currency, verified`;
