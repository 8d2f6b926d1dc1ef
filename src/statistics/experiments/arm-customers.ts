import { jsonRows } from '../../platform/database/transaction/json-rows';
import { statement } from '../../platform/database/transaction/statement';
import type { Reader } from '../../tenancy/work/work';
import { CUSTOMER_COLUMNS } from '../customers';
import type { CutWorth } from '../money/mean';
import {
  AMOUNT,
  NET,
  type PaidCount,
  paidBy,
  SAVED,
  traitsOf,
  VERIFIED_OF_TRAITS,
  WITH_PART_LEFT,
  type WorthCount,
  worthBy,
} from '../money/worth';
import { dayOf, DECIDED, DECIDED_IN, LAST_DECISION, OUTCOME } from '../sums/facts';
import { passes, type Span, valuesOf } from '../sums/span';

/** The versions of a flow, from one to another, until the arms of a split change. */
export interface ExperimentScope {
  flow_id: string;
  node_key: string;
  from_version: number;
  to_version: number;
}

/** What changed in an arm on a day (UTC): who came, and how many more or fewer are saved or canceled. */
export interface DayChange {
  /** Such as 2026-11-21. */
  day: string;
  customers: number;
  saved: number;
  canceled: number;
}

/** The customers who came to an arm of a split, by what they decided last while the arms stayed as they are. */
export interface ArmCustomers {
  flow_id: string;
  node_key: string;
  from_version: number;
  /** The name. */
  arm: string;
  /** Customers who had one session only, and no customer token in it. */
  seen_once: number;
  worth: WorthCount[];
  paid: PaidCount[];
  cut: CutWorth[];
  /** Only of days on which somebody came or decided, the oldest first. */
  changes: DayChange[];
}

/** SQL for experiments that are given as JSON. */
export const experimentsIn = (parameter: string) =>
  `${jsonRows(parameter, 'flow_id uuid, node_key text, from_version integer, to_version integer')} AS given`;

/** A decision as the last part of a number that begins with the millisecond of its time. */
const [SAVED_CODE, CANCELED_CODE] = [1, 2];
const CODE = `CASE WHEN outcome IN ('accepted', 'kept') THEN ${SAVED_CODE} WHEN outcome = 'canceled' THEN ${CANCELED_CODE} END`;
const changeOf = (code: number) =>
  `count(*) FILTER (WHERE at % 4 = ${code}) - count(*) FILTER (WHERE before = ${code})`;

/** The sessions of a span that customers had on the versions of an experiment. */
const livedIn = (passing: string) =>
  CUSTOMER_COLUMNS.map(
    (customer) => `
    SELECT experiment, ${customer}::text COLLATE "C" AS customer, id, ended_at, customer_verified, ${OUTCOME} AS outcome
    FROM split JOIN flow_sessions ON flow_sessions.flow_id = split.flow_id AND flow_version BETWEEN from_version AND to_version
    WHERE workspace_id = :workspace AND ${customer} IS NOT NULL AND id >= :first::uuid AND id < :end::uuid AND ${passing}`,
  ).join(' UNION ALL ');

const GROUPS = ['experiment', 'arm'];

/** SQL for the rows of a table that are of the same arm, as JSON. */
const rowsOf = (
  table: string,
) => `coalesce((SELECT json_agg(to_jsonb(found) - 'experiment' - 'arm') FROM ${table} AS found
      WHERE found.experiment = counted.experiment AND found.arm = counted.arm), '[]')`;

/**
 * A customer keeps their arm while the arms stay as they are. They count by their last decision in these versions of
 * the flow, even in sessions that did not come to the split: whoever closes the window there and cancels elsewhere the
 * next day has canceled. Their worth is that of the session with this decision. A customer comes on the day of the
 * first step that led through the split; what they decided before counts from then on.
 *
 * `:first` and `:end` are ids of the sessions of the span, and statuses are those of `:now`.
 */
const customersOfArms = (span: Span) =>
  statement(`
  WITH split AS (
    SELECT row_number() OVER ()::integer AS experiment, given.* FROM ${experimentsIn(':experiments::jsonb')}
  ), came AS (
    SELECT flow_session_id, experiment, ways ->> split.node_key AS arm, created_at AS came_at FROM session_steps JOIN split ON ways ? split.node_key
    WHERE workspace_id = :workspace AND ways IS NOT NULL AND flow_session_id >= :first::uuid AND flow_session_id < :end::uuid
  ), customer AS (
    SELECT lived.experiment, lived.customer, max(arm) AS arm, bool_or(outcome = 'in_progress') AS is_in_progress,
      count(*) = 1 AND NOT bool_or(customer_verified) AS is_seen_once, ${LAST_DECISION}, coalesce(max(id::text) FILTER (WHERE outcome <> 'contacted'), max(id::text)) AS newest,
      ${dayOf('min(came_at)')} AS came_on,
      array_agg((date_part('epoch', ended_at) * 1000)::bigint * 4 + ${CODE}) FILTER (WHERE ${CODE} IS NOT NULL AND ended_at IS NOT NULL) AS decisions
    FROM (${livedIn(passes(span))}) AS lived LEFT JOIN came ON flow_session_id = id AND came.experiment = lived.experiment
    GROUP BY lived.experiment, lived.customer
  ), counted AS (
    SELECT experiment, arm, count(*) FILTER (WHERE is_seen_once) AS seen_once FROM customer WHERE arm IS NOT NULL GROUP BY 1, 2
  ), decision AS (
    SELECT experiment, arm, came_on, decisions[1] AS at, 0::bigint AS before FROM customer WHERE cardinality(decisions) = 1
    UNION ALL
    SELECT experiment, arm, came_on, each.at AS at, lag(each.at % 4, 1, 0::bigint) OVER (PARTITION BY experiment, customer ORDER BY each.at)
    FROM customer CROSS JOIN LATERAL unnest(decisions) AS each (at) WHERE cardinality(decisions) > 1
  ), changed AS (
    SELECT experiment, arm, came_on AS day, count(*) AS customers, 0::bigint AS saved, 0::bigint AS canceled
    FROM customer WHERE arm IS NOT NULL GROUP BY 1, 2, 3
    UNION ALL
    SELECT experiment, arm, greatest(came_on, ${dayOf('to_timestamp(at / 4 / 1000)')}), 0, ${changeOf(SAVED_CODE)}, ${changeOf(CANCELED_CODE)}
    FROM decision WHERE arm IS NOT NULL GROUP BY 1, 2, 3
  ), change AS (
    SELECT experiment, arm, json_agg(of_day.day ORDER BY of_day.day ->> 'day') AS changes FROM (
      SELECT experiment, arm, jsonb_build_object('day', day, 'customers', sum(customers), 'saved', sum(saved), 'canceled', sum(canceled)) AS day
      FROM changed GROUP BY experiment, arm, changed.day
    ) AS of_day GROUP BY 1, 2
  ), person AS MATERIALIZED (
    SELECT experiment, arm, customer, decided, ended_at, currency, verified, amount, ${NET}, ${traitsOf('true')}
    FROM (
      SELECT experiment, arm, customer.customer, coalesce(${DECIDED}, CASE WHEN is_in_progress THEN 'in_progress' ELSE 'abandoned' END) AS decided,
        id, ended_at, currency, amount_verified AS verified, ${AMOUNT} AS amount
      FROM customer JOIN flow_sessions ON id = coalesce(${DECIDED_IN}, newest)::uuid
      WHERE arm IS NOT NULL AND workspace_id = :workspace AND id >= :first::uuid AND id < :end::uuid
    ) AS deciding ${WITH_PART_LEFT}
  ), worth AS (
    SELECT experiment, arm, decided, currency, ${VERIFIED_OF_TRAITS}, customers, amount, net FROM (${worthBy(GROUPS, 'person')}) AS counts
  ), paid AS (${paidBy(GROUPS, 'person')}), most AS (
    SELECT experiment, currency, percentile_disc(0.99) WITHIN GROUP (ORDER BY amount) AS amount FROM person WHERE amount IS NOT NULL GROUP BY 1, 2
  ), cut AS (
    SELECT experiment, arm, currency, verified, count(*) AS customers, sum(amount)::float AS sum, sum(amount * amount)::float AS squares
    FROM (
      SELECT experiment, arm, person.currency, verified, CASE WHEN ${SAVED} THEN least(person.amount, most.amount) ELSE 0 END AS amount
      FROM person JOIN most USING (experiment)
      WHERE person.currency IS NOT DISTINCT FROM most.currency AND person.amount IS NOT NULL
    ) AS kept GROUP BY 1, 2, 3, 4
  )
  SELECT flow_id, node_key, from_version, arm, seen_once::integer, ${['worth', 'paid', 'cut'].map((table) => `${rowsOf(table)} AS ${table}`).join(', ')},
    (SELECT changes FROM change WHERE change.experiment = counted.experiment AND change.arm = counted.arm) AS changes
  FROM counted JOIN split USING (experiment)`);

/** Only those of arms that customers came to. */
export async function countCustomersOfArms(
  span: Span,
  experiments: ExperimentScope[],
  reader: Reader,
): Promise<ArmCustomers[]> {
  if (experiments.length === 0) return [];
  return reader.rows(customersOfArms(span), {
    ...valuesOf(span),
    from: span.from,
    experiments: JSON.stringify(experiments),
  });
}
