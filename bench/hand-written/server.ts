import { createHash, randomBytes, randomUUID } from 'node:crypto';
import fastify, { type FastifyRequest } from 'fastify';
import { Pool, type PoolClient } from 'pg';
import { v7 } from 'uuid';
import { composeDefinition, type FlowDefinition, nextNode, nodeOf, type Step, takesStep } from './flow';
import * as schemas from './schemas';
import * as sql from './statements';

/**
 * What an engineer writes in an afternoon: bare Fastify with schemas on both sides, a pool, prepared statements, one
 * transaction a request. DATABASE_URL is an empty database.
 */
const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
const app = fastify();

declare module 'fastify' {
  interface FastifyRequest {
    tenantId?: string;
  }
}

interface ById {
  Params: { id: string };
}

interface VersionKey {
  flow_id: string;
  flow_version: number;
}

interface Version {
  name: string;
  cancellation_url: string;
  definition: FlowDefinition;
}

/** Versions never change. */
const versions = new Map<string, Version>();

async function versionOf({ flow_id, flow_version }: VersionKey, client: PoolClient): Promise<Version> {
  const key = `${flow_id}:${flow_version}`;
  const known = versions.get(key);
  if (known) return known;
  const { rows } = await client.query<Version>({ ...sql.getVersion, values: [flow_id, flow_version] });
  versions.set(key, rows[0]);
  return rows[0];
}

interface StartableFlow extends VersionKey {
  workspace_id: string;
  status: string;
  primary_color: string;
  logo_url: string;
  session_limit: number;
  sessions_used: number;
}

app.post<{ Body: { flow_slug: string } }>(
  '/api/v1/runtime/session/init',
  { schema: schemas.startSession },
  (request, reply) =>
    inTransaction(async (client) => {
      const { rows } = await client.query<StartableFlow>({ ...sql.lockWorkspace, values: [request.body.flow_slug] });
      const [flow] = rows;
      if (flow?.status !== 'published') throw refusal(404, 'No such published flow');
      if (flow.sessions_used >= flow.session_limit) throw refusal(403, 'Session limit reached');
      const { workspace_id, flow_id, flow_version, primary_color, logo_url } = flow;
      const { name, definition } = await versionOf(flow, client);
      const session_id = randomUUID();
      const values = [session_id, workspace_id, flow_id, flow_version, definition.entry];
      await client.query({ ...sql.insertSession, values });
      await client.query({ ...sql.countSession, values: [workspace_id, flow.sessions_used + 1] });
      reply.code(201);
      const entry_node = nodeOf(definition, definition.entry);
      return { session_id, flow: { name, branding: { primary_color, logo_url }, entry_node } };
    }),
);

interface Session extends VersionKey {
  workspace_id: string;
  status: string;
  current_node_key: string;
  presented_offer: object | null;
  step_count: number;
}

app.post<ById & { Body: Step }>(
  '/api/v1/runtime/session/:id/step',
  { schema: schemas.takeStep },
  ({ params: { id }, body: step }) =>
    inTransaction(async (client) => {
      const { rows } = await client.query<Session>({ ...sql.lockSession, values: [id] });
      const [session] = rows;
      if (!session) throw refusal(404, 'No such session');
      const { definition, cancellation_url } = await versionOf(session, client);
      const from = nodeOf(definition, session.current_node_key);
      if (session.status !== 'in_progress' || !takesStep(from, step)) throw refusal(409, 'The step does not fit');

      const { action, option, comment } = step;
      const accepted_offer = action === 'accept' ? session.presented_offer : null;
      let status = 'in_progress';
      let node = from;
      let offer: object | undefined;
      if (action === 'cancel' || action === 'confirm') status = 'canceled';
      else if (action === 'keep' || action === 'accept') status = 'saved';
      else {
        do {
          node = nextNode(definition, node, step);
          if (node.type === 'offer') offer = await findOffer(session.workspace_id, node.config.offer_id!, client);
        } while (node.type === 'offer' && !offer);
      }
      const taken = [id, session.step_count + 1, from.key, action, option, comment, session.presented_offer];
      await client.query({ ...sql.insertStep, values: taken });
      await client.query({ ...sql.updateSession, values: [id, status, node.key, offer, accepted_offer] });
      return {
        session_id: id,
        status,
        node: status === 'in_progress' ? { ...node, config: offer ?? node.config } : null,
        redirect_url: status === 'canceled' ? cancellation_url : null,
        accepted_offer,
      };
    }),
);

async function findOffer(workspaceId: string, id: string, client: PoolClient): Promise<object | undefined> {
  const { rows } = await client.query<object>({ ...sql.getOffer, values: [workspaceId, id] });
  return rows[0];
}

app.get<{ Querystring: { limit: number } }>(
  '/api/v1/public/flows',
  { schema: schemas.listFlows, preHandler: requireKey },
  async ({ tenantId, query: { limit } }) => {
    const { rows } = await pool.query<{ id: string }>({ ...sql.listFlows, values: [tenantId, limit + 1] });
    const flows = rows.slice(0, limit);
    return { flows, next_cursor: rows.length > limit ? flows[limit - 1].id : null };
  },
);

app.get<ById>(
  '/api/v1/public/flows/:id',
  { schema: schemas.getFlow, preHandler: requireKey },
  async ({ tenantId, params: { id } }) => {
    const { rows } = await pool.query<object>({ ...sql.getFlow, values: [tenantId, id] });
    if (rows.length === 0) throw refusal(404, 'No such flow');
    return rows[0];
  },
);

app.post<{ Body: Record<string, string> }>(
  '/api/v1/public/offers',
  { schema: schemas.createOffer, preHandler: requireKey },
  async ({ tenantId, body }, reply) => {
    const id = v7();
    const { name, offer_type, offer_value, offer_duration, heading, cta_accept, cta_decline } = body;
    const content = [name, offer_type, offer_value, offer_duration, heading, body.body, cta_accept, cta_decline];
    await pool.query({ ...sql.insertOffer, values: [id, tenantId, ...content] });
    reply.code(201);
    return { id, name };
  },
);

// Not measured: the benchmark fills the database and checks the counts with what follows.

app.post<{ Body: { name: string; product_name: string; cancellation_url: string; offer_ids: string[] } }>(
  '/api/v1/public/flows',
  { preHandler: requireKey },
  ({ tenantId, body: { name, product_name, cancellation_url, offer_ids } }) =>
    inTransaction(async (client) => {
      const id = v7();
      const slug = `flow-${randomBytes(8).toString('hex')}`;
      const definition = composeDefinition(product_name, offer_ids);
      await client.query(sql.INSERT_FLOW, [id, tenantId, slug]);
      await client.query(sql.INSERT_VERSION, [id, name, product_name, cancellation_url, offer_ids, definition]);
      return { id, slug };
    }),
);

app.put<ById & { Body: { status: string } }>(
  '/api/v1/public/flows/:id',
  { preHandler: requireKey },
  async ({ tenantId, params: { id }, body: { status } }) => {
    await pool.query(sql.SET_FLOW_STATUS, [tenantId, id, status]);
    return { updated: true, id };
  },
);

app.post<{ Body: { name: string; session_limit: number } }>(
  '/api/v1/admin/workspaces',
  { preHandler: requireOperator },
  ({ body: { name, session_limit } }) =>
    inTransaction(async (client) => {
      const id = v7();
      const key = randomBytes(32).toString('hex');
      await client.query(sql.INSERT_WORKSPACE, [id, name, session_limit]);
      await client.query(sql.INSERT_KEY, [hashOf(key), id]);
      return { id, api_key: { key } };
    }),
);

app.get('/api/v1/admin/workspaces', { preHandler: requireOperator }, async () => {
  const { rows } = await pool.query<{ id: string; sessions_used: number }>(sql.LIST_WORKSPACES);
  return { workspaces: rows.map(({ id, sessions_used }) => ({ id, usage: { sessions_used } })), next_cursor: null };
});

async function requireKey(request: FastifyRequest): Promise<void> {
  const { rows } = await pool.query<{ workspace_id: string }>({ ...sql.findKey, values: [hashOf(bearerOf(request))] });
  if (rows.length === 0) throw refusal(401, 'Invalid API key');
  request.tenantId = rows[0].workspace_id;
}

async function requireOperator(request: FastifyRequest): Promise<void> {
  if (bearerOf(request) !== process.env.ADMIN_API_KEY) throw refusal(401, 'Invalid operator key');
}

function bearerOf({ headers }: FastifyRequest): string {
  return /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1] ?? '';
}

function hashOf(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

/** Fastify responds with the status of an error that is thrown. */
function refusal(statusCode: number, message: string): Error {
  return Object.assign(new Error(message), { statusCode });
}

async function inTransaction<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  } finally {
    client.release();
  }
}

async function main(): Promise<void> {
  await pool.query(sql.TABLES);
  console.log(await app.listen({ port: 0, host: '127.0.0.1' }));
}

// What it rejects with ends the process.
void main();
