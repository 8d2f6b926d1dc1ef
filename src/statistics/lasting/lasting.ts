import { WATCHED_DAYS } from '../../billing/outcomes/outcome.entity';
import { firstIdAt } from '../../platform/api/ids';
import { statement } from '../../platform/database/transaction/statement';
import type { Reader } from '../../tenancy/work/work';
import type { LastingDto } from '../dto/lasting.dto';
import { experimentsIn, type ExperimentScope } from '../experiments/arm-customers';
import { stayAt } from './kaplan-meier';
import { idsOf, type Span } from '../sums/span';

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

const IN_FLOW = '(:flow::uuid IS NULL OR flow_id = :flow) AND id < :end::uuid';
const SCOPE = 'flow_id, node_key, from_version, arm, offer';

/**
 * Of each customer in each scope, the newest save counts, and the newest that is old enough. One scan finds what they
 * canceled since: to look up the sessions of each would take longer. Only a cancellation that no save anywhere follows
 * is an end.
 *
 * `:flow` may be null; `:first` is the first id of all, and `:first_of_span` that of the span, before which experiments
 * may have begun.
 */
const LASTING = statement(`
  WITH ended AS MATERIALIZED (${endedAs('saved', `, accepted_offer ->> 'id' AS offer`)}), saved AS (
    SELECT * FROM ended WHERE ${IN_FLOW}
  ), split AS (
    SELECT * FROM ${experimentsIn(':experiments::jsonb')}
  ), scoped AS MATERIALIZED (
    SELECT NULL::uuid AS flow_id, NULL AS node_key, NULL::integer AS from_version, NULL AS arm, NULL AS offer, customer, at
    FROM saved WHERE :flow::uuid IS NULL AND id >= :first_of_span::uuid
    UNION ALL
    SELECT flow_id, NULL, NULL, NULL, NULL, customer, at FROM saved WHERE id >= :first_of_span::uuid
    UNION ALL
    SELECT flow_id, NULL, NULL, NULL, offer, customer, at FROM saved WHERE id >= :first_of_span::uuid AND offer IS NOT NULL
    UNION ALL
    SELECT split.flow_id, split.node_key, from_version, step.arm, NULL, customer, at
    FROM saved JOIN split ON split.flow_id = saved.flow_id AND flow_version BETWEEN from_version AND to_version
      CROSS JOIN LATERAL (SELECT ways ->> split.node_key AS arm FROM session_steps
        WHERE workspace_id = :workspace AND flow_session_id = saved.id AND ways ? split.node_key LIMIT 1) AS step
  ), gone AS MATERIALIZED (
    SELECT customer, at FROM (
      SELECT customer, at FROM (${endedAs('canceled')}) AS left_flow
      UNION ALL
      SELECT ${CUSTOMER}, at FROM outcomes WHERE workspace_id = :workspace AND at >= :from AND type = 'canceled'
    ) AS canceled WHERE customer IN (SELECT customer FROM saved)
  ), departure AS (
    SELECT customer, min(gone.at) AS at FROM gone JOIN (SELECT customer, max(at) AS at FROM ended GROUP BY customer) AS last USING (customer)
    WHERE gone.at > last.at GROUP BY customer
  ), old_enough AS (
    SELECT ${SCOPE}, days, customer, max(at) AS at
    FROM scoped JOIN unnest(:days::integer[]) AS days ON at <= :now::timestamptz - days * interval '1 day'
    GROUP BY ${SCOPE}, days, customer
  ), watched AS (
    SELECT ${SCOPE}, extract(epoch FROM coalesce(departure.at, :now::timestamptz) - newest.at) / 86400 AS days, departure.at IS NOT NULL AS has_left
    FROM (SELECT ${SCOPE}, customer, max(at) AS at FROM scoped GROUP BY ${SCOPE}, customer) AS newest LEFT JOIN departure USING (customer)
  )
  SELECT ${SCOPE}, false AS is_watched, days, count(*)::integer AS customers,
    (count(*) FILTER (WHERE canceled.at IS NULL OR canceled.at <= old_enough.at))::integer AS part
  FROM old_enough LEFT JOIN (SELECT customer, max(at) AS at FROM gone GROUP BY customer) AS canceled USING (customer)
  GROUP BY ${SCOPE}, days
  UNION ALL
  SELECT ${SCOPE}, true, greatest(0, least(floor(days), ${WATCHED_DAYS}))::integer, count(*)::integer,
    (count(*) FILTER (WHERE has_left AND days < ${WATCHED_DAYS}))::integer
  FROM watched GROUP BY 1, 2, 3, 4, 5, 7`);

/** Counts how many of the customers saved in a span are still there, now, and how long each was watched. */
export async function countLasting(
  span: Span,
  experiments: (ExperimentScope & { since: Date })[],
  reader: Reader,
): Promise<Lasting> {
  const { flowId: flow = null, now } = span;
  const from = new Date(Math.min(span.from.getTime(), ...experiments.map(({ since }) => since.getTime())));
  const values = { flow, ...idsOf({ ...span, from }), first_of_span: firstIdAt(span.from), from, now };
  type Row = Scope & { is_watched: boolean; days: number; customers: number; part: number };
  const rows = await reader.rows<Row>(LASTING, {
    ...values,
    days: LASTING_DAYS,
    experiments: JSON.stringify(experiments),
  });
  const scopeIn = ({ flow_id, node_key, from_version, arm, offer }: Row) => ({
    flow_id,
    node_key,
    from_version,
    arm,
    offer,
  });
  return {
    counts: rows
      .filter(({ is_watched }) => !is_watched)
      .map((row) => ({ ...scopeIn(row), days: row.days, customers: row.customers, still_there: row.part })),
    watched: rows
      .filter(({ is_watched }) => is_watched)
      .map((row) => ({ ...scopeIn(row), days: row.days, left: row.part, watched: row.customers })),
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
