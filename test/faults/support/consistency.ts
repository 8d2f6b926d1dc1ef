import { STEPS, type Start } from './load';
import type { PostgresServer } from './postgres-server';
import type { Tenant } from './tenants';

interface WorkspaceRow {
  id: string;
  sessions_used: number;
  session_limit: number;
  rows: number;
}

interface SessionRow {
  session_id: string;
  workspace_id: string;
  idempotency_key: string;
  steps: { position: number; action: string }[];
}

/** Compares the rows of the workspaces with the starts that were sent, and returns a line for each contradiction. */
export async function findInconsistencies(
  postgres: PostgresServer,
  database: string,
  tenants: Tenant[],
  starts: Start[],
): Promise<string[]> {
  const ids = tenants.map(({ id }) => id);
  const workspaces = await postgres.query<WorkspaceRow>(
    `SELECT id, sessions_used, session_limit, (SELECT count(*) FROM flow_sessions
        WHERE workspace_id = workspaces.id AND created_at >= usage_period)::integer AS rows
      FROM workspaces WHERE id = ANY ($1)`,
    [ids],
    database,
  );
  const sessions = await postgres.query<SessionRow>(
    `SELECT session_id, workspace_id, idempotency_key, coalesce((
        SELECT jsonb_agg(jsonb_build_object('position', position, 'action', action) ORDER BY position)
        FROM session_steps step WHERE step.workspace_id = flow_sessions.workspace_id
          AND step.flow_session_id = flow_sessions.id), '[]') AS steps
      FROM flow_sessions WHERE workspace_id = ANY ($1)`,
    [ids],
    database,
  );
  const events = await postgres.query<{ wrong: string }>(WRONG_EVENTS, [ids], database);
  return [
    ...workspaces.flatMap(checkWorkspace),
    ...checkSessions(sessions, starts),
    ...events.map(({ wrong }) => wrong),
  ];
}

/** Events that follow from the rows, and those that were recorded. The outbox holds what is not an event yet. */
const WRONG_EVENTS = `
  WITH expected AS (
    SELECT workspace_id, 'session.' || status AS type, id AS about FROM flow_sessions WHERE status <> 'in_progress'
    UNION ALL
    SELECT id, 'workspace.limit_approaching', id FROM workspaces
    WHERE session_limit >= 5 AND sessions_used >= ceil(session_limit * 0.8)
    UNION ALL
    SELECT id, 'workspace.limit_reached', id FROM workspaces WHERE sessions_used = session_limit
  ), recorded AS (
    SELECT workspace_id, type, unnest(coalesce(flow_session_ids, ARRAY[workspace_id])) AS about FROM outbox
    UNION ALL
    SELECT workspace_id, type, coalesce(flow_session_id, workspace_id) FROM events
  ), found AS (
    SELECT * FROM recorded WHERE type IN ('session.saved', 'session.canceled') OR type LIKE 'workspace.%'
  ), wrong AS (
    SELECT 'is missing' AS how, * FROM (TABLE expected EXCEPT ALL TABLE found) AS missing
    UNION ALL
    SELECT 'should not be there, or not twice', * FROM (TABLE found EXCEPT ALL TABLE expected) AS surplus
  )
  SELECT format('%s of %s %s', type, about, how) AS wrong FROM wrong WHERE workspace_id = ANY ($1)`;

function checkWorkspace({ id, sessions_used, session_limit, rows }: WorkspaceRow): string[] {
  const wrong: string[] = [];
  if (sessions_used !== rows) wrong.push(`workspace ${id} counts ${sessions_used} sessions and has ${rows}`);
  if (rows > session_limit) wrong.push(`workspace ${id} has ${rows} sessions, and its limit is ${session_limit}`);
  return wrong;
}

function checkSessions(sessions: SessionRow[], starts: Start[]): string[] {
  const wrong: string[] = [];
  const left = new Map(sessions.map((session) => [session.idempotency_key, session]));
  if (left.size !== sessions.length) wrong.push(`${sessions.length} sessions have ${left.size} keys`);
  for (const { tenant, key, session_id, stepsTaken, refused } of starts) {
    const stored = left.get(key);
    left.delete(key);
    if (!session_id && !refused) wrong.push(`the start ${key} was never decided`);
    if (stored?.session_id !== session_id) {
      wrong.push(`${key} was answered with ${session_id} and is stored as ${stored?.session_id}`);
    }
    if (stored && stored.workspace_id !== tenant.id) wrong.push(`${key} is stored for another workspace`);
    const expected = STEPS.slice(0, stepsTaken).map(({ action }, index) => ({ position: index + 1, action }));
    const steps = stored?.steps ?? [];
    if (JSON.stringify(steps.map(({ position, action }) => ({ position, action }))) !== JSON.stringify(expected)) {
      wrong.push(`session ${session_id} took ${stepsTaken} steps, and stored are ${JSON.stringify(steps)}`);
    }
  }
  for (const { session_id } of left.values()) wrong.push(`nobody asked for session ${session_id}`);
  return wrong;
}
