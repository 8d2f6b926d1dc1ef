import { query } from './postgres';
import { ADMIN_API_KEY } from './service-fixture';

const WORKSPACES = 100;
/** In a thousand sessions of a workspace, about as many as this customer of its has in them: five. */
export const A_CUSTOMER = 'cus_8';

/** The workspace that is measured. */
export interface Reader {
  workspaceId: string;
  key: string;
  flowId: string;
}

/** Makes workspaces with an offer and a published flow each, and answers the one to measure. */
export async function createReader(url: string): Promise<Reader> {
  const readers: Reader[] = [];
  for (let number = 0; number < WORKSPACES; number++) readers.push(await createWorkspace(url, `Workspace ${number}`));
  // One in the middle, so that its rows have neighbours on both sides.
  return readers[WORKSPACES / 2];
}

async function createWorkspace(url: string, name: string): Promise<Reader> {
  const send = async <Answer>(method: string, path: string, key: string, body: object): Promise<Answer> => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
    const response = await fetch(url + path, { method, headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json() as Promise<Answer>;
  };
  const path = '/api/v1/admin/workspaces';
  const workspace = await send<{ id: string; api_key: { key: string } }>('POST', path, ADMIN_API_KEY, { name });
  const { key } = workspace.api_key;
  const offer = await send<{ id: string }>('POST', '/api/v1/public/offers', key, OFFER);
  const fields = { ...FLOW, offer_ids: [offer.id] };
  const { id: flowId } = await send<{ id: string }>('POST', '/api/v1/public/flows', key, fields);
  await send('PUT', `/api/v1/public/flows/${flowId}`, key, { status: 'published' });
  return { workspaceId: workspace.id, key, flowId };
}

const OFFER = {
  name: '30 % off',
  offer_type: 'discount_percentage',
  offer_value: '30%',
  offer_duration: '3 months',
  heading: 'Stay for 30 % less',
  body: 'Keep everything you have, for 30 % less over the next three months.',
  cta_accept: 'Take 30 % off',
  cta_decline: 'No thanks',
};

const FLOW = {
  name: 'Leaving Acme Pro',
  product_name: 'Acme Pro',
  cancellation_url: 'https://acme.example/bye',
  estimated_monthly_value: 9,
};

/**
 * Adds sessions until the table has so many: the first ones to all workspaces alike, so that the reader's lie among those
 * of others, as they do when customers come at random; later ones to all but the reader.
 */
export async function growTo(databaseUrl: string, { workspaceId }: Reader, total: number): Promise<void> {
  const count = 'SELECT count(*)::integer AS sessions FROM flow_sessions';
  const [{ sessions }] = await query<{ sessions: number }>(databaseUrl, count);
  const whose = sessions === 0 ? 'true' : `flow.workspace_id <> '${workspaceId}'`;
  await insertSessions(databaseUrl, whose, total - sessions);
  // VACUUM as well: as autovacuum would, only not in the middle of a measurement.
  await query(databaseUrl, 'VACUUM ANALYZE flow_sessions, session_steps');
}

/**
 * Sessions of the last 90 days, oldest first, of the workspaces in turn. Of those of each workspace, the k-th has a status by
 * k % 4, names a customer when k / 4 is even, and took three steps when k is a multiple of 3.
 */
async function insertSessions(databaseUrl: string, whose: string, count: number): Promise<void> {
  await query(
    databaseUrl,
    `WITH flow AS (
       SELECT flow.workspace_id, flow.id, row_number() OVER (ORDER BY flow.id) - 1 AS number, count(*) OVER () AS flows,
         to_jsonb(offer) - ARRAY['workspace_id', 'status', 'created_at', 'updated_at'] AS offer
       FROM flows flow JOIN offers offer USING (workspace_id) WHERE ${whose}
     ), planned AS MATERIALIZED (
       SELECT gen_random_uuid() AS id, workspace_id, flow.id AS flow_id, offer, n / flows AS k,
         (ARRAY['canceled', 'saved', 'in_progress', 'canceled'])[1 + n / flows % 4] AS status,
         now() - interval '90 days' * (1 - n::float8 / ${count}) AS at
       FROM generate_series(0, ${count - 1}) n JOIN flow ON flow.number = n % flows
       ORDER BY n
     ), session AS (
       INSERT INTO flow_sessions (id, workspace_id, flow_id, flow_version, status, current_node_key, accepted_offer,
         customer_id, customer, created_at, updated_at)
       SELECT id, workspace_id, flow_id, 1, status, CASE status WHEN 'saved' THEN 'offer_1' ELSE 'confirm' END,
         CASE status WHEN 'saved' THEN offer END,
         CASE WHEN k / 4 % 2 = 0 THEN 'cus_' || k % ${count / WORKSPACES / 10} END,
         CASE WHEN k / 4 % 2 = 0 THEN '{"email": "ada@example.com", "attributes": {"plan": "pro"}}'::jsonb END, at, at
       FROM planned
     )
     INSERT INTO session_steps (workspace_id, session_id, position, node_key, node_type, action, option, offer, created_at)
     SELECT workspace_id, id, position, node_key, node_type,
       CASE WHEN step.action = 'decline' AND status = 'saved' THEN 'accept' ELSE step.action END,
       CASE node_type WHEN 'survey' THEN (ARRAY['too_expensive', 'not_using', 'other'])[1 + k % 7 % 3] END,
       CASE node_type WHEN 'offer' THEN planned.offer END, at
     FROM planned CROSS JOIN (VALUES
       (1, 'start', 'start', 'continue'), (2, 'reason', 'survey', 'answer'), (3, 'offer_1', 'offer', 'decline')
     ) step (position, node_key, node_type, action)
     WHERE k % 3 = 0`,
  );
}
