import { query } from './postgres';
import { ADMIN_API_KEY } from './service-fixture';

const WORKSPACES = 100;
/** Sessions of the workspace that is measured, at every size. */
const OWN_SESSIONS = 1000;

/** The workspace that is measured. */
export interface Reader {
  workspaceId: string;
  key: string;
  flowId: string;
}

/** Makes workspaces with a flow each, and the sessions of the first, which is the reader. */
export async function createReaders(url: string, databaseUrl: string): Promise<Reader> {
  const post = async <Answer>(path: string, key: string, body: object): Promise<Answer> => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
    const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json() as Promise<Answer>;
  };
  const readers: Reader[] = [];
  for (let number = 0; number < WORKSPACES; number++) {
    const workspace = await post<{ id: string; api_key: { key: string } }>('/api/v1/admin/workspaces', ADMIN_API_KEY, {
      name: `Workspace ${number}`,
    });
    const { key } = workspace.api_key;
    const flow = {
      name: 'Leaving',
      product_name: 'Acme',
      cancellation_url: 'https://acme.example',
      estimated_monthly_value: 9,
    };
    const { id: flowId } = await post<{ id: string }>('/api/v1/public/flows', key, flow);
    readers.push({ workspaceId: workspace.id, key, flowId });
  }
  const [reader] = readers;
  await insertSessions(databaseUrl, `workspace_id = '${reader.workspaceId}'`, OWN_SESSIONS);
  return reader;
}

/** Adds sessions to all workspaces but the reader's until the table has so many. */
export async function growTo(databaseUrl: string, { workspaceId }: Reader, total: number): Promise<void> {
  const [{ sessions }] = await query<{ sessions: number }>(
    databaseUrl,
    'SELECT count(*)::integer AS sessions FROM flow_sessions',
  );
  await insertSessions(databaseUrl, `workspace_id <> '${workspaceId}'`, total - sessions);
  await query(databaseUrl, 'VACUUM ANALYZE flow_sessions, session_steps');
}

/** Sessions of the last 90 days, spread over the flows that the condition names; a third of them took three steps. */
async function insertSessions(databaseUrl: string, condition: string, count: number): Promise<void> {
  await query(
    databaseUrl,
    `WITH flow AS (
       SELECT workspace_id, id, row_number() OVER () - 1 AS number, count(*) OVER () AS flows FROM flows WHERE ${condition}
     ), session AS (
       INSERT INTO flow_sessions (id, workspace_id, flow_id, flow_version, status, current_node_key, customer_id,
         created_at, updated_at)
       SELECT gen_random_uuid(), flow.workspace_id, flow.id, 1,
         (ARRAY['canceled', 'canceled', 'saved', 'in_progress'])[1 + n / flow.flows % 4], 'confirm',
         CASE WHEN n / flow.flows % 2 = 0 THEN 'cus_' || n / flow.flows % 100 END, at, at
       FROM generate_series(0, ${count - 1}) n
       JOIN flow ON flow.number = n % flow.flows
       CROSS JOIN LATERAL (SELECT now() - random() * interval '90 days' + n * interval '0' AS at) moment
       RETURNING id, workspace_id, created_at
     )
     INSERT INTO session_steps (workspace_id, session_id, position, node_key, node_type, action, option, created_at)
     SELECT workspace_id, session.id, position, node_key, node_type, action, option, created_at
     FROM session CROSS JOIN (VALUES
       (1, 'start', 'start', 'continue', NULL), (2, 'reason', 'survey', 'answer', 'other'),
       (3, 'confirm', 'confirm', 'confirm', NULL)
     ) step (position, node_key, node_type, action, option)
     WHERE hashtext(session.id::text) % 3 = 0`,
  );
}
