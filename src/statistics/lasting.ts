import { DAY_MS } from '../platform/common/days';
import { statement } from '../platform/database/transaction/statement';
import type { Reader } from '../tenancy/work/work';
import type { LastingDto } from './dto/lasting.dto';
import { experimentsIn, type ExperimentScope } from './experiments/arm-customers';
import { idsOf, type Span } from './sums/span';

export const LASTING_DAYS = [30, 60, 90];

/**
 * The scope in which customers are counted: the workspace (`flow_id` is null), a flow (no `arm`), or the arm of an
 * experiment.
 */
export interface Scope {
  flow_id: string | null;
  node_key: string | null;
  from_version: number | null;
  arm: string | null;
}

/** How many customers were saved at least `days` days ago, and how many of them have not canceled since. */
export type LastingCount = Scope & { days: number; customers: number; still_there: number };

const CUSTOMER = 'coalesce(customer_id, erased_customer::text)';

/** SQL for all sessions that customers ended in this way since the beginning of the span. An index has all columns. */
const endedAs = (status: 'saved' | 'canceled') => `
  SELECT id, flow_id, flow_version, ended_at AS at, ${CUSTOMER} COLLATE "C" AS customer
  FROM flow_sessions
  WHERE workspace_id = :workspace AND status = '${status}' AND id >= :first::uuid AND ${CUSTOMER} IS NOT NULL`;

const IN_SPAN = '(:flow::uuid IS NULL OR flow_id = :flow) AND id < :end::uuid';

/**
 * Of each customer in each scope, the newest save that is old enough counts. One scan finds what they canceled since:
 * to look up the sessions of each would take longer.
 *
 * `:flow` may be null; `:first` and `:end` are ids of the sessions of the span that are old enough.
 */
const LASTING = statement(`
  WITH saved AS MATERIALIZED (
    SELECT * FROM (${endedAs('saved')}) AS ended
    WHERE ${IN_SPAN} AND at <= :now::timestamptz - interval '${Math.min(...LASTING_DAYS)} days'
  ), split AS (
    SELECT * FROM ${experimentsIn(':experiments::jsonb')}
  ), scoped AS (
    SELECT NULL::uuid AS flow_id, NULL AS node_key, NULL::integer AS from_version, NULL AS arm, customer, at FROM saved
    WHERE :flow::uuid IS NULL
    UNION ALL
    SELECT flow_id, NULL, NULL, NULL, customer, at FROM saved
    UNION ALL
    SELECT split.flow_id, split.node_key, from_version, step.arm, customer, at
    FROM saved JOIN split ON split.flow_id = saved.flow_id AND flow_version BETWEEN from_version AND to_version
      CROSS JOIN LATERAL (SELECT ways ->> split.node_key AS arm FROM session_steps
        WHERE workspace_id = :workspace AND flow_session_id = saved.id AND ways ? split.node_key LIMIT 1) AS step
  ), newest AS (
    SELECT flow_id, node_key, from_version, arm, days, customer, max(at) AS at
    FROM scoped JOIN unnest(:days::integer[]) AS days ON at <= :now::timestamptz - days * interval '1 day'
    GROUP BY 1, 2, 3, 4, 5, 6
  ), canceled AS (
    SELECT customer, max(at) AS at FROM (
      SELECT customer, at FROM (${endedAs('canceled')}) AS ended
      UNION ALL
      SELECT ${CUSTOMER}, at FROM outcomes WHERE workspace_id = :workspace AND at >= :from AND type = 'canceled'
    ) AS canceled WHERE customer IN (SELECT customer FROM saved) GROUP BY customer
  )
  SELECT flow_id, node_key, from_version, arm, days, count(*)::integer AS customers,
    (count(*) FILTER (WHERE canceled.at IS NULL OR canceled.at <= newest.at))::integer AS still_there
  FROM newest LEFT JOIN canceled USING (customer) GROUP BY 1, 2, 3, 4, 5`);

/** Counts how many of the customers saved in a span are still there, now. */
export async function countLasting(
  span: Span,
  experiments: ExperimentScope[],
  reader: Reader,
): Promise<LastingCount[]> {
  const { flowId: flow = null, from, to, now } = span;
  // An hour later, for sessions whose clock was ahead.
  const oldEnough = new Date(now.getTime() - (Math.min(...LASTING_DAYS) - 1 / 24) * DAY_MS);
  if (from >= oldEnough) return [];
  const ids = idsOf({ ...span, to: to < oldEnough ? to : oldEnough });
  const scopes = JSON.stringify(experiments);
  return reader.rows(LASTING, { flow, ...ids, from, now, days: LASTING_DAYS, experiments: scopes });
}

/** The counts of a scope, for each number of days. */
export function lastingOf(counts: Omit<LastingCount, 'flow_id'>[]): LastingDto[] {
  return LASTING_DAYS.map((days) => {
    const { customers, still_there } = counts.find((count) => count.days === days) ?? { customers: 0, still_there: 0 };
    return { days, customers, still_there, rate: customers === 0 ? null : still_there / customers };
  });
}
