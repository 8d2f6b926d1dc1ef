import { createHash, randomUUID } from 'node:crypto';
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import { Pool } from 'pg';
import { v7 } from 'uuid';
import * as schema from './http';
import * as sql from './sql';

/**
 * What an engineer writes in an afternoon without a framework around it: bare Fastify with schemas on both sides, a
 * pool, prepared statements, one transaction for each session. DATABASE_URL is its database, filled already.
 */

const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
const app = fastify();

declare module 'fastify' {
  interface FastifyRequest {
    tenantId?: string;
  }
}

app.post('/api/v1/runtime/session/init', { schema: schema.startSession }, async (request, reply) => {
  const { flow_slug } = request.body as { flow_slug: string };
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const { rows } = await client.query<sql.StartableFlow>({ ...sql.lockWorkspace, values: [flow_slug] });
    const [flow] = rows;
    const refusal = refusalOf(flow);
    if (refusal) {
      await client.query('ROLLBACK');
      return reply.code(refusal.status).send({ detail: refusal.detail });
    }
    const id = randomUUID();
    const { workspace_id, flow_id, version, entry_node } = flow;
    await client.query({ ...sql.insertSession, values: [id, workspace_id, flow_id, version, entry_node.key] });
    await client.query({ ...sql.countSession, values: [workspace_id, flow.sessions_used + 1] });
    await client.query('COMMIT');
    const { name, primary_color, logo_url } = flow;
    void reply.code(201);
    return { session_id: id, flow: { name, branding: { primary_color, logo_url }, entry_node } };
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  } finally {
    client.release();
  }
});

function refusalOf(flow: sql.StartableFlow | undefined): { status: number; detail: string } | undefined {
  if (flow?.status !== 'published') return { status: 404, detail: 'No such published flow' };
  if (flow.sessions_used >= flow.session_limit) return { status: 403, detail: 'Session limit reached' };
  return undefined;
}

async function requireKey(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const [, key = ''] = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '') ?? [];
  const hash = createHash('sha256').update(key).digest();
  const { rows } = await pool.query<{ workspace_id: string }>({ ...sql.findKey, values: [hash] });
  if (rows.length === 0) await reply.code(401).send({ detail: 'Invalid API key' });
  request.tenantId = rows[0]?.workspace_id;
}

// oxlint-disable-next-line no-async-endpoint-handlers -- a rule for Express
app.get('/api/v1/public/flows', { schema: schema.listFlows, preHandler: requireKey }, async (request) => {
  const { limit } = request.query as { limit: number };
  const { rows } = await pool.query<{ id: string }>({ ...sql.listFlows, values: [request.tenantId, limit + 1] });
  const flows = rows.slice(0, limit);
  return { flows, next_cursor: rows.length > limit ? flows[limit - 1].id : null };
});

app.get('/api/v1/public/flows/:id', { schema: schema.getFlow, preHandler: requireKey }, async (request, reply) => {
  const { id } = request.params as { id: string };
  const { rows } = await pool.query<object>({ ...sql.getFlow, values: [request.tenantId, id] });
  return rows[0] ?? reply.code(404).send({ detail: 'No such flow' });
});

app.post('/api/v1/public/offers', { schema: schema.createOffer, preHandler: requireKey }, async (request, reply) => {
  const id = v7();
  const offer = request.body as Record<(typeof sql.OFFER_COLUMNS)[number], string>;
  const values = [id, request.tenantId, ...sql.OFFER_COLUMNS.map((column) => offer[column])];
  await pool.query({ ...sql.insertOffer, values });
  void reply.code(201);
  return { id, name: offer.name };
});

app
  .listen({ port: 0, host: '127.0.0.1' })
  .then((address) => console.log(address))
  .catch((error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  });
