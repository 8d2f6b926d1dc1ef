import type { Client } from 'pg';
import { eventIdAt } from '../../../src/platform/api/ids';

type Sql = Pick<Client, 'query'> | { query: (text: string, values: unknown[]) => Promise<unknown> };

/** Sessions of a workspace's flow that were canceled, as rows. Nobody was told of them. */
export async function insertSessions(sql: Sql, workspaceId: string, sessions: number): Promise<void> {
  await sql.query(
    `INSERT INTO flow_sessions (workspace_id, id, session_id, flow_id, flow_version, status, current_node_key, customer_verified,
        created_at, updated_at)
      SELECT workspace_id, ${eventIdAt('clock_timestamp()')}, gen_random_uuid(), id, current_version, 'canceled', 'start', false, now(), now()
      FROM flows, generate_series(1, $2) WHERE workspace_id = $1`,
    [workspaceId, sessions],
  );
}

/** Lets the same happen to all sessions of a workspace, 100 at a time. */
export async function happenToAll(
  sql: Sql,
  workspaceId: string,
  type: 'session.started' | 'session.canceled',
): Promise<void> {
  await sql.query(
    `INSERT INTO outbox (workspace_id, id, type, flow_session_ids, created_at)
      SELECT workspace_id, ${eventIdAt('clock_timestamp()')}, $2, array_agg(id), date_trunc('milliseconds', now())
      FROM (SELECT *, row_number() OVER () / 100 AS entry FROM flow_sessions WHERE workspace_id = $1) AS session
      GROUP BY workspace_id, entry`,
    [workspaceId, type],
  );
}
