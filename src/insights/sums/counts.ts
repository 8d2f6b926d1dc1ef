import type { EntityManager } from 'typeorm';
import type { SumKind } from './daily-sum.entity';
import { sessionFactsOf, stepFactsOf } from './facts';
import { ANY_FLOW } from './daily-repeat.entity';
import { idsOf, type Span } from './span';

export type { Span } from './span';

/** How many sessions of a version of a flow have something in common, and what became of them. */
export interface FactCount {
  flow_id: string;
  version: number;
  kind: SumKind;
  /** '' where there is none. */
  node_key: string;
  /** '' where there is none. */
  value: string;
  sessions: number;
  accepted: number;
  kept: number;
  canceled: number;
  /** Only of the kinds `session` and `way`; otherwise 0. */
  in_progress: number;
}

/** The sessions of a flow that began on a day. */
export interface DayCount {
  /** UTC, such as 2026-11-21. */
  day: string;
  flow_id: string;
  sessions: number;
  saved: number;
  canceled: number;
}

/** How many customers had sessions, by what they decided last. */
export interface CustomerCount {
  /** null: of the workspace, over all its flows. */
  flow_id: string | null;
  total: number;
  saved: number;
  canceled: number;
  in_progress: number;
  abandoned: number;
}

/** Expects a snapshot (`Transactions.runOnSnapshot`), as do the others. */
export function countFacts(span: Span, manager: EntityManager): Promise<FactCount[]> {
  return manager.query(
    `WITH session AS (${SESSIONS}),
      open AS (SELECT * FROM session WHERE status = 'in_progress' AND updated_at > $5::timestamptz - interval '24 hours'),
      counted AS (
        SELECT flow_id, flow_version, kind, node_key, value, sessions, accepted, kept, canceled, 0 AS in_progress
        FROM (${sessionFactsOf('session')} UNION ALL ${stepFactsOf('session')}) AS fact
        UNION ALL
        SELECT flow_id, flow_version, 'session', '', '', 0, 0, 0, 0, 1 FROM open
        UNION ALL
        SELECT flow_id, flow_version, 'way', key, value, 0, 0, 0, 0, 1
        FROM open JOIN session_steps AS step
          ON step.workspace_id = open.workspace_id AND step.flow_session_id = open.id, jsonb_each_text(ways)
      )
    SELECT flow_id, flow_version AS version, kind, node_key, value, sum(sessions)::integer AS sessions,
      sum(accepted)::integer AS accepted, sum(kept)::integer AS kept, sum(canceled)::integer AS canceled,
      sum(in_progress)::integer AS in_progress
    FROM counted GROUP BY 1, 2, 3, 4, 5`,
    [...parametersOf(span), span.now],
  );
}

/** Only days that had sessions. */
export function countDays(span: Span, manager: EntityManager): Promise<DayCount[]> {
  return manager.query(
    `WITH session AS (${SESSIONS})
    SELECT day::text AS day, flow_id, sum(sessions)::integer AS sessions, sum(accepted + kept)::integer AS saved,
      sum(canceled)::integer AS canceled
    FROM (${sessionFactsOf('session')}) AS fact GROUP BY 1, 2`,
    parametersOf(span),
  );
}

/** Of a span of one flow one row, otherwise one for each flow and one for the workspace. */
export async function countCustomers(span: Span, manager: EntityManager): Promise<CustomerCount[]> {
  const rows = await manager.query<(CustomerCount & { flow_id: string })[]>(
    `WITH session AS (${SESSIONS}),
      person AS (
        SELECT scope.flow_id, customer_id, erased_customer, CASE WHEN coalesce(customer_id, erased_customer::text) IS NULL THEN id END AS itself,
          (array_agg(status ORDER BY id DESC) FILTER (WHERE status <> 'in_progress'))[1] AS decided,
          bool_or(status = 'in_progress' AND updated_at > $5::timestamptz - interval '24 hours') AS is_in_progress
        FROM session CROSS JOIN LATERAL (VALUES (session.flow_id), ('${ANY_FLOW}'::uuid)) AS scope (flow_id)
        GROUP BY 1, 2, 3, 4
      )
    SELECT flow_id, count(*)::integer AS total, (count(*) FILTER (WHERE decided = 'saved'))::integer AS saved,
      (count(*) FILTER (WHERE decided = 'canceled'))::integer AS canceled,
      (count(*) FILTER (WHERE decided IS NULL AND is_in_progress))::integer AS in_progress,
      (count(*) FILTER (WHERE decided IS NULL AND NOT is_in_progress))::integer AS abandoned
    FROM person GROUP BY 1`,
    [...parametersOf(span), span.now],
  );
  const none = { total: 0, saved: 0, canceled: 0, in_progress: 0, abandoned: 0 };
  if (span.flowId) return [rows.find(({ flow_id }) => flow_id === span.flowId) ?? { flow_id: span.flowId, ...none }];
  if (rows.length === 0) return [{ flow_id: null, ...none }];
  return rows.map(({ flow_id, ...counts }) => ({ flow_id: flow_id === ANY_FLOW ? null : flow_id, ...counts }));
}

const SESSIONS = `SELECT *, '-infinity'::timestamptz AS after, 'infinity'::timestamptz AS until FROM flow_sessions
  WHERE workspace_id = $1 AND id >= $2 AND id < $3 AND ($4::uuid IS NULL OR flow_id = $4)`;

function parametersOf(span: Span): unknown[] {
  const { first, end } = idsOf(span);
  return [span.workspaceId, first, end, span.flowId ?? null];
}
