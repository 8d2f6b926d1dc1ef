import { WATCHED_DAYS } from '../../billing/outcomes/outcome.entity';
import { groupBy } from '../../platform/common/group-by';
import { DAY_MS } from '../../platform/common/days';
import { firstIdAt } from '../../platform/api/ids';
import { statement } from '../../platform/database/transaction/statement';
import type { Reader } from '../../tenancy/work/work';
import type { LastingDto } from '../dto/lasting.dto';
import { experimentsIn, type ExperimentScope } from '../experiments/arm-customers';
import { stayAt } from './kaplan-meier';
import { passes, type Span, valuesOf } from '../sums/span';

export const LASTING_DAYS = [30, 60, 90, WATCHED_DAYS];

/**
 * The scope in which customers are counted: the workspace (`flow_id` is null), a flow, an offer that was accepted in
 * it, or the arm of an experiment.
 */
export interface Scope {
  flow_id: string | null;
  node_key: string | null;
  from_version: number | null;
  arm: string | null;
  offer: string | null;
}

/** How many customers were saved at least `days` days ago, and how many of them have not canceled since. */
export type LastingCount = Scope & { days: number; customers: number; still_there: number };

/** How many customers were watched for `days` whole days since their newest save, and left within the next day. */
export type WatchedCount = Scope & { days: number; left: number; watched: number };

/** What is known of saves, in each scope. */
export interface Lasting {
  counts: LastingCount[];
  watched: WatchedCount[];
}

const CUSTOMER = 'coalesce(customer_id, erased_customer::text)';

/** SQL for all sessions that customers ended in this way since the beginning of the span. */
const endedAs = (status: 'saved' | 'canceled', more = '') => `
  SELECT id, flow_id, flow_version, ended_at AS at, ${CUSTOMER} COLLATE "C" AS customer${more}
  FROM flow_sessions
  WHERE workspace_id = :workspace AND status = '${status}' AND id >= :first::uuid AND ${CUSTOMER} IS NOT NULL`;

const IN_FLOW = '(:flow::uuid IS NULL OR flow_id = :flow) AND id < :end::uuid AND passes';
const COLUMNS_OF_SAVES = [0, ...LASTING_DAYS].map((days) => `at_${days}`);

/** SQL for the newest save of a customer in a scope, and for each number of days the newest that is old enough. */
const NEWEST = [0, ...LASTING_DAYS]
  .map((days) => `max(at) FILTER (WHERE at <= :now::timestamptz - interval '${days} days') AS at_${days}`)
  .join(', ');

/** The same of several scopes. When a customer left is the same in all. */
const NEWEST_OF_ALL = [...COLUMNS_OF_SAVES, 'gone_at', 'left_at']
  .map((column) => `max(${column}) AS ${column}`)
  .join(', ');

/** SQL that counts, in customers with their newest saves, who was saved so long ago, and who of them is still there. */
const COUNTS = LASTING_DAYS.map(
  (days) => `count(at_${days})::integer AS customers_${days},
    count(*) FILTER (WHERE at_${days} IS NOT NULL AND (gone_at IS NULL OR gone_at <= at_${days}))::integer AS still_there_${days}`,
).join(', ');

/** SQL for how many whole days a customer was watched. */
const DAYS = `greatest(0, least(floor(date_part('epoch', coalesce(left_at, :now::timestamptz) - at_0) / 86400), ${WATCHED_DAYS}))::integer`;

/** SQL that counts the customers of rows by the days that they were watched, in each scope. */
function counted(scope: Partial<Record<keyof Scope, string>>, from: string): string {
  const keys = Object.values(scope);
  const {
    flow_id = 'NULL::uuid',
    node_key = 'NULL',
    from_version = 'NULL::integer',
    arm = 'NULL',
    offer = 'NULL',
  } = scope;
  return `SELECT ${flow_id} AS flow_id, ${node_key} AS node_key, ${from_version} AS from_version, ${arm} AS arm, ${offer} AS offer,
    ${DAYS} AS days, (count(left_at) FILTER (WHERE left_at < at_0 + interval '${WATCHED_DAYS} days'))::integer AS left,
    count(*)::integer AS watched, ${COUNTS}
    FROM ${from} GROUP BY ${[...keys, DAYS].join(', ')}`;
}

/**
 * Of each customer in each scope, the newest save counts, and the newest that is old enough. One scan finds what they
 * canceled since: to look up the sessions of each would take longer. Only a cancellation that no save anywhere follows
 * is an end.
 *
 * `:flow` may be null; `:first` is the first id of all, and `:first_of_span` that of the span, before which experiments
 * may have begun. The filter of the span is for the saves: a customer leaves wherever it happens.
 */
const lastingIn = (span: Span) =>
  statement(`
  WITH ended AS MATERIALIZED (${endedAs('saved', `, accepted_offer ->> 'id' AS offer, ${passes(span)} AS passes`)}), gone AS (
    SELECT customer, at FROM (${endedAs('canceled')}) AS left_flow
    UNION ALL
    SELECT ${CUSTOMER}, at FROM outcomes WHERE workspace_id = :workspace AND at >= :from AND type = 'canceled'
  ), departure AS MATERIALIZED (
    SELECT customer, max(gone.at) AS gone_at, min(gone.at) FILTER (WHERE gone.at > last_at) AS left_at
    FROM (SELECT customer, max(at) AS last_at FROM ended GROUP BY customer) AS last JOIN gone USING (customer) GROUP BY customer
  ), of_offer AS MATERIALIZED (
    SELECT saved.*, gone_at, left_at FROM (
      SELECT flow_id, offer, customer, ${NEWEST} FROM ended WHERE ${IN_FLOW} AND id >= :first_of_span::uuid GROUP BY flow_id, offer, customer
    ) AS saved LEFT JOIN departure USING (customer)
  ), of_flow AS MATERIALIZED (
    SELECT flow_id, customer, ${NEWEST_OF_ALL} FROM of_offer GROUP BY flow_id, customer
  ), split AS (
    SELECT * FROM ${experimentsIn(':experiments::jsonb')}
  ), of_arm AS (
    SELECT saved.*, gone_at, left_at FROM (
      SELECT split.flow_id, split.node_key, from_version, step.arm, customer, ${NEWEST}
      FROM (SELECT * FROM ended WHERE ${IN_FLOW}) AS ended
        JOIN split ON split.flow_id = ended.flow_id AND flow_version BETWEEN from_version AND to_version
        CROSS JOIN LATERAL (SELECT ways ->> split.node_key AS arm FROM session_steps
          WHERE workspace_id = :workspace AND flow_session_id = ended.id AND ways ? split.node_key LIMIT 1) AS step
      GROUP BY split.flow_id, split.node_key, from_version, step.arm, customer
    ) AS saved LEFT JOIN departure USING (customer)
  )
  ${counted({}, `(SELECT ${NEWEST_OF_ALL} FROM of_flow WHERE :flow::uuid IS NULL GROUP BY customer) AS of_workspace`)}
  UNION ALL
  ${counted({ flow_id: 'flow_id' }, 'of_flow')}
  UNION ALL
  ${counted({ flow_id: 'flow_id', offer: 'offer' }, 'of_offer WHERE offer IS NOT NULL')}
  UNION ALL
  ${counted({ flow_id: 'flow_id', node_key: 'node_key', from_version: 'from_version', arm: 'arm' }, 'of_arm')}`);

/** Those of one scope that were watched for so many whole days, with the counts of each number of days. */
type Row = WatchedCount & Record<`customers_${number}` | `still_there_${number}`, number>;

/**
 * Counts how many of the customers saved in a span are still there, now, and how long each was watched.
 *
 * @param from since when the arms of experiments are counted: that of the span, or before
 */
export async function countLasting(
  span: Span,
  experiments: ExperimentScope[],
  from: Date,
  reader: Reader,
): Promise<Lasting> {
  const { now } = span;
  // An hour later, for sessions whose clock was ahead. Nobody was watched for long enough.
  if (from.getTime() >= now.getTime() - (Math.min(...LASTING_DAYS) - 1 / 24) * DAY_MS)
    return { counts: [], watched: [] };
  const values = { ...valuesOf({ ...span, from }), first_of_span: firstIdAt(span.from), from };
  const rows = await reader.rows<Row>(lastingIn(span), { ...values, experiments: JSON.stringify(experiments) });
  const scopeIn = ({ flow_id, node_key, from_version, arm, offer }: Row) => ({
    flow_id,
    node_key,
    from_version,
    arm,
    offer,
  });
  return {
    watched: rows.map((row) => ({ ...scopeIn(row), days: row.days, left: row.left, watched: row.watched })),
    counts: [...groupBy(rows, (row) => JSON.stringify(scopeIn(row))).values()].flatMap((ofScope) =>
      LASTING_DAYS.map((days) => {
        const sum = (name: 'customers' | 'still_there') =>
          ofScope.reduce((all, row) => all + row[`${name}_${days}`], 0);
        return { ...scopeIn(ofScope[0]), days, customers: sum('customers'), still_there: sum('still_there') };
      }).filter(({ customers }) => customers > 0),
    ),
  };
}

/** What is known of the saves of one scope, for each number of days. */
export function lastingOf({ counts, watched }: Lasting): LastingDto[] {
  return LASTING_DAYS.map((days) => {
    const { customers, still_there } = counts.find((count) => count.days === days) ?? { customers: 0, still_there: 0 };
    const rate = customers === 0 ? null : still_there / customers;
    return { days, customers, still_there, rate, ...stayAt(days, watched) };
  });
}

/** Those of one scope. */
export function ofScope({ counts, watched }: Lasting, isIn: (scope: Scope) => boolean): Lasting {
  return { counts: counts.filter(isIn), watched: watched.filter(isIn) };
}
