import type { EntityManager } from 'typeorm';
import { Reading } from './changes';
import { customersSql } from './customers';
import { ANY_FLOW } from './daily-repeat.entity';
import type { StepKind, SumKind } from './daily-sum.entity';
import { sessionSums, stepSums } from './facts';
import { Parameters } from './parameters';
import type { Span, VersionSpan } from './span';

export type { Span, VersionSpan } from './span';

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

/** How many sessions of a version have something in common that tells of a node. */
export interface NodeCount {
  kind: SumKind;
  /** '' of the kind `session`. */
  node_key: string;
  /** '' where there is none. */
  value: string;
  sessions: number;
  /** Only of the kind `reached`: those that stand at the node now; otherwise 0. */
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

const SESSION = `session.workspace_id, session.id, flow_id, flow_version, status, presented_offer, accepted_offer, current_node_key, created_at, updated_at`;

/** Expects a snapshot (`Transactions.runOnSnapshot`), as the others do. */
export async function countFacts(span: Span, manager: EntityManager): Promise<FactCount[]> {
  const reading = await Reading.begin(span, manager);
  const parameters = new Parameters();
  const columns = 'flow_id, flow_version, kind, node_key, value, sessions, accepted, kept, canceled';
  return manager.query(
    `WITH ${summed(reading, columns, ['answer', 'offer', 'way'], parameters)},
      in_progress AS (${reading.inProgress('session.workspace_id, session.id, flow_id, flow_version', parameters)}),
      counted AS (
        SELECT *, 0 AS in_progress FROM summed
        UNION ALL SELECT flow_id, flow_version, 'session', '', '', 0, 0, 0, 0, 1 FROM in_progress
        UNION ALL SELECT flow_id, flow_version, 'way', key, value, 0, 0, 0, 0, 1
          FROM in_progress AS session CROSS JOIN LATERAL (
            SELECT ways FROM session_steps WHERE workspace_id = ${reading.workspace(parameters)} AND flow_session_id = session.id OFFSET 0
          ) AS step CROSS JOIN jsonb_each_text(ways)
          WHERE EXISTS (SELECT FROM summed WHERE kind = 'way')
      )
    SELECT flow_id, flow_version AS version, kind, node_key, value, sum(sessions)::integer AS sessions,
      sum(accepted)::integer AS accepted, sum(kept)::integer AS kept, sum(canceled)::integer AS canceled,
      sum(in_progress)::integer AS in_progress
    FROM counted GROUP BY 1, 2, 3, 4, 5 HAVING sum(sessions) <> 0`,
    parameters.values,
  );
}

/** What the numbers of nodes are made of. */
export async function countNodes(span: VersionSpan, manager: EntityManager): Promise<NodeCount[]> {
  const reading = await Reading.begin(span, manager);
  const parameters = new Parameters();
  const columns = 'kind, node_key, value, sessions';
  return manager.query(
    `WITH ${summed(reading, columns, ['answer', 'way', 'reached', 'step'], parameters)},
      counted AS (
        SELECT *, 0 AS in_progress FROM summed
        UNION ALL SELECT 'reached', current_node_key, '', 0, 1
          FROM (${reading.inProgress('current_node_key', parameters)}) AS session
      )
    SELECT kind, node_key, value, sum(sessions)::integer AS sessions, sum(in_progress)::integer AS in_progress
    FROM counted GROUP BY 1, 2, 3 HAVING sum(sessions) <> 0`,
    parameters.values,
  );
}

/** In SQL: the sums of the kind `session` and of these, and what they lack, as `summed`. */
function summed(reading: Reading, columns: string, kinds: StepKind[], parameters: Parameters): string {
  const known = ['session', ...kinds].map((kind) => `'${kind}'`).join(', ');
  return `uncounted AS (${reading.uncounted(SESSION, parameters)}),
    summed AS (
      ${reading.sums('daily_sums', columns, parameters)} AND kind IN (${known})
      UNION ALL SELECT ${columns} FROM (${sessionSums('uncounted')}) AS added
      UNION ALL SELECT ${columns} FROM (${stepSums('uncounted', reading.workspace(parameters), kinds)}) AS added
    )`;
}

/** Only days that had sessions. */
export async function countDays(span: Span, manager: EntityManager): Promise<DayCount[]> {
  const reading = await Reading.begin(span, manager);
  const parameters = new Parameters();
  const columns = 'day, flow_id, sessions, accepted, kept, canceled';
  return manager.query(
    `WITH uncounted AS (${reading.uncounted(SESSION, parameters)}),
      summed AS (
        ${reading.sums('daily_sums', columns, parameters)} AND kind = 'session'
        UNION ALL SELECT ${columns} FROM (${sessionSums('uncounted')}) AS added
      )
    SELECT day::text AS day, flow_id, sum(sessions)::integer AS sessions, sum(accepted + kept)::integer AS saved,
      sum(canceled)::integer AS canceled
    FROM summed GROUP BY 1, 2 HAVING sum(sessions) <> 0 ORDER BY 1, 2`,
    parameters.values,
  );
}

/** Of a span of one flow one row, otherwise one for each flow and one for the workspace. */
export async function countCustomers(span: Span, manager: EntityManager): Promise<CustomerCount[]> {
  const reading = await Reading.begin(span, manager);
  const parameters = new Parameters();
  const counted = await manager.query<(CustomerCount & { flow_id: string })[]>(
    customersSql(reading, span, parameters),
    parameters.values,
  );
  const scope = span.flowId ?? ANY_FLOW;
  const none = { flow_id: scope, total: 0, saved: 0, canceled: 0, in_progress: 0, abandoned: 0 };
  const rows = counted.some(({ flow_id }) => flow_id === scope) ? counted : [none];
  return rows.map((row) => ({ ...row, flow_id: row.flow_id === ANY_FLOW ? null : row.flow_id }));
}
