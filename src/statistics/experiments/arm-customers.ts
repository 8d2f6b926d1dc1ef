import { jsonRows } from '../../platform/database/transaction/json-rows';
import { statement } from '../../platform/database/transaction/statement';
import type { Reader } from '../../tenancy/work/work';
import { amountOf, CUSTOMER_COLUMNS, SAVED, TOTALS } from '../customers';
import type { CustomersDto } from '../dto/counts.dto';
import type { ArmValueDto } from '../dto/lasting.dto';
import { dayOf, DECIDED, DECIDED_IN, LAST_DECISION, OUTCOME } from '../sums/facts';
import { idsOf, type Span } from '../sums/span';

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

/** How many customers came to an arm of a split, by what they decided last while the arms stayed as they are. */
export interface ArmCustomers extends CustomersDto {
  flow_id: string;
  node_key: string;
  from_version: number;
  /** The name. */
  arm: string;
  /** Customers who had one session only, and no customer token in it. */
  seen_once: number;
  /** What those who decided are worth a month: currencies first, estimates last. */
  value: ArmValueDto[];
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
const LIVED = CUSTOMER_COLUMNS.map(
  (customer) => `
    SELECT experiment, ${customer}::text COLLATE "C" AS customer, id, ended_at, customer_verified, ${OUTCOME} AS outcome
    FROM split JOIN flow_sessions ON flow_sessions.flow_id = split.flow_id AND flow_version BETWEEN from_version AND to_version
    WHERE workspace_id = :workspace AND ${customer} IS NOT NULL AND id >= :first::uuid AND id < :end::uuid`,
).join(' UNION ALL ');

/**
 * A customer keeps their arm while the arms stay as they are. They count by their last decision in these versions of
 * the flow, even in sessions that did not come to the split: whoever closes the window there and cancels elsewhere the
 * next day has canceled. Their worth is that of the session with this decision. A customer comes on the day of the
 * first step that led through the split; what they decided before counts from then on.
 *
 * `:first` and `:end` are ids of the sessions of the span, and statuses are those of `:now`.
 */
const CUSTOMERS_OF_ARMS = statement(`
  WITH split AS (
    SELECT row_number() OVER ()::integer AS experiment, given.* FROM ${experimentsIn(':experiments::jsonb')}
  ), came AS (
    SELECT flow_session_id, experiment, ways ->> split.node_key AS arm, created_at AS came_at FROM session_steps JOIN split ON ways ? split.node_key
    WHERE workspace_id = :workspace AND ways IS NOT NULL AND flow_session_id >= :first::uuid AND flow_session_id < :end::uuid
  ), customer AS (
    SELECT lived.experiment, lived.customer, max(arm) AS arm, bool_or(outcome = 'in_progress') AS is_in_progress,
      count(*) = 1 AND NOT bool_or(customer_verified) AS is_seen_once, ${LAST_DECISION},
      ${dayOf('min(came_at)')} AS came_on,
      array_agg((date_part('epoch', ended_at) * 1000)::bigint * 4 + ${CODE}) FILTER (WHERE ${CODE} IS NOT NULL AND ended_at IS NOT NULL) AS decisions
    FROM (${LIVED}) AS lived LEFT JOIN came ON flow_session_id = id AND came.experiment = lived.experiment
    GROUP BY lived.experiment, lived.customer
  ), counted AS (
    SELECT experiment, arm, coalesce(${DECIDED}, CASE WHEN is_in_progress THEN 'in_progress' ELSE 'abandoned' END) AS decided,
      count(*) AS customers, count(*) FILTER (WHERE is_seen_once) AS seen_once
    FROM customer WHERE arm IS NOT NULL GROUP BY 1, 2, 3
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
  ), worth AS MATERIALIZED (
    SELECT experiment, arm, currency, amount_verified AS verified, ${amountOf(SAVED)} AS saved, ${amountOf(`decided = 'canceled'`)} AS canceled
    FROM (
      SELECT experiment, arm, ${DECIDED} AS decided, currency, amount_verified,
        coalesce(monthly_amount, estimated_monthly_value) AS amount
      FROM customer JOIN flow_sessions ON id = (${DECIDED_IN})::uuid
      WHERE arm IS NOT NULL AND workspace_id = :workspace AND id >= :first::uuid AND id < :end::uuid
    ) AS decision WHERE amount IS NOT NULL GROUP BY 1, 2, 3, 4
  )
  SELECT flow_id, node_key, from_version, arm, sum(seen_once)::integer AS seen_once, ${TOTALS},
    coalesce((SELECT json_agg(to_jsonb(worth) - 'experiment' - 'arm' ORDER BY currency NULLS LAST, verified)
      FROM worth WHERE worth.experiment = counted.experiment AND worth.arm = counted.arm), '[]') AS value,
    (SELECT changes FROM change WHERE change.experiment = counted.experiment AND change.arm = counted.arm) AS changes
  FROM counted JOIN split USING (experiment)
  GROUP BY experiment, flow_id, node_key, from_version, arm`);

/** Only those of arms that customers came to. */
export async function countCustomersOfArms(
  span: Span,
  experiments: ExperimentScope[],
  reader: Reader,
): Promise<ArmCustomers[]> {
  if (experiments.length === 0) return [];
  const { now } = span;
  return reader.rows(CUSTOMERS_OF_ARMS, { ...idsOf(span), now, experiments: JSON.stringify(experiments) });
}
