/* oxlint-disable oxc/no-async-endpoint-handlers -- Fastify waits for them, Express does not */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import fastify, { type FastifyRequest } from 'fastify';
import { Pool, type PoolClient } from 'pg';

/**
 * The server that somebody writes by hand in an afternoon: Fastify and pg, prepared statements, one transaction a
 * request, and nothing shared between requests. It answers the requests of the benchmark like the service, and counts
 * as exactly. A process of its own, on an empty database: `DATABASE_URL`.
 */

const SCHEMA = `
  CREATE TABLE workspaces (
    id uuid PRIMARY KEY, name text NOT NULL, session_limit integer NOT NULL, sessions integer NOT NULL DEFAULT 0,
    offers integer NOT NULL DEFAULT 0);
  CREATE TABLE api_keys (hash bytea PRIMARY KEY, workspace_id uuid NOT NULL REFERENCES workspaces);
  CREATE TABLE offers (
    id uuid PRIMARY KEY, workspace_id uuid NOT NULL REFERENCES workspaces, name text NOT NULL, offer_type text NOT NULL,
    offer_value text NOT NULL, offer_duration text NOT NULL, heading text NOT NULL, body text NOT NULL, cta_accept text NOT NULL,
    cta_decline text NOT NULL, created_at timestamptz NOT NULL DEFAULT now());
  CREATE INDEX ON offers (workspace_id, id);
  CREATE TABLE offer_versions (
    offer_id uuid NOT NULL REFERENCES offers, version integer NOT NULL, content jsonb NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (offer_id, version));
  CREATE TABLE changes (
    id bigserial PRIMARY KEY, workspace_id uuid NOT NULL REFERENCES workspaces, action text NOT NULL, subject_id uuid NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now());
  CREATE INDEX ON changes (workspace_id, id);
  CREATE TABLE flows (
    id uuid PRIMARY KEY, workspace_id uuid NOT NULL REFERENCES workspaces, slug text NOT NULL UNIQUE, name text NOT NULL,
    product_name text NOT NULL, cancellation_url text NOT NULL, offer_ids uuid[] NOT NULL, definition jsonb NOT NULL,
    status text NOT NULL DEFAULT 'draft', version integer NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(), updated_at timestamptz NOT NULL DEFAULT now());
  CREATE INDEX ON flows (workspace_id, id);
  CREATE TABLE flow_sessions (
    id uuid PRIMARY KEY, workspace_id uuid NOT NULL REFERENCES workspaces, flow_id uuid NOT NULL REFERENCES flows,
    flow_version integer NOT NULL, customer_id text, customer jsonb, status text NOT NULL, node_key text,
    created_at timestamptz NOT NULL DEFAULT now(), updated_at timestamptz NOT NULL DEFAULT now());
  CREATE INDEX ON flow_sessions (workspace_id, id);
  CREATE INDEX ON flow_sessions (workspace_id, customer_id) WHERE customer_id IS NOT NULL;
  CREATE TABLE session_steps (
    session_id uuid NOT NULL REFERENCES flow_sessions, position integer NOT NULL, node_key text NOT NULL, action text NOT NULL,
    option text, created_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (session_id, position));
  CREATE TABLE outbox (id bigserial PRIMARY KEY, workspace_id uuid NOT NULL, type text NOT NULL, session_id uuid NOT NULL);`;

const FLOW_COLUMNS = `id, slug, status, version AS current_version, updated_at, name, product_name`;

const SQL = {
  key: 'SELECT workspace_id FROM api_keys WHERE hash = $1',
  lockWorkspace: `SELECT workspace.id, session_limit, sessions FROM workspaces AS workspace JOIN flows ON flows.workspace_id = workspace.id
    WHERE slug = $1 FOR NO KEY UPDATE OF workspace`,
  startable: 'SELECT id, name, product_name, version, status, definition FROM flows WHERE slug = $1',
  count: 'UPDATE workspaces SET sessions = sessions + 1 WHERE id = $1',
  insertSession: `INSERT INTO flow_sessions (id, workspace_id, flow_id, flow_version, customer_id, customer, status, node_key)
    VALUES ($1, $2, $3, $4, $5, $6, 'in_progress', $7)`,
  lockSession: `SELECT session.id, session.workspace_id, session.status, node_key, definition, cancellation_url
    FROM flow_sessions AS session JOIN flows ON flows.id = session.flow_id
    WHERE session.id = $1 FOR NO KEY UPDATE OF session`,
  offer:
    'SELECT id, offer_type, offer_value, offer_duration, heading, body, cta_accept, cta_decline FROM offers WHERE id = $1',
  insertStep: `INSERT INTO session_steps (session_id, position, node_key, action, option)
    SELECT $1, count(*) + 1, $2, $3, $4 FROM session_steps WHERE session_id = $1`,
  move: 'UPDATE flow_sessions SET status = $2, node_key = $3, updated_at = now() WHERE id = $1',
  record: 'INSERT INTO outbox (workspace_id, type, session_id) VALUES ($1, $2, $3)',
  list: `SELECT ${FLOW_COLUMNS} FROM flows WHERE workspace_id = $1 AND status <> 'archived' ORDER BY id DESC LIMIT $2`,
  read: `SELECT ${FLOW_COLUMNS}, cancellation_url, offer_ids, definition, created_at FROM flows WHERE workspace_id = $1 AND id = $2`,
  publish: 'UPDATE flows SET status = $3, updated_at = now() WHERE workspace_id = $1 AND id = $2',
  insertFlow: `INSERT INTO flows (id, workspace_id, slug, name, product_name, cancellation_url, offer_ids, definition)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
  insertOffer: `INSERT INTO offers (id, workspace_id, name, offer_type, offer_value, offer_duration, heading, body, cta_accept, cta_decline)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
  countOffer: 'UPDATE workspaces SET offers = offers + 1 WHERE id = $1 AND offers < $2 RETURNING id',
  insertVersion: 'INSERT INTO offer_versions (offer_id, version, content) VALUES ($1, 1, $2)',
  log: `INSERT INTO changes (workspace_id, action, subject_id) VALUES ($1, 'offer.created', $2)`,
  workspaces: 'SELECT id, sessions FROM workspaces ORDER BY id',
};

const MOST_OFFERS = 10_000;

type Values = unknown[];
interface Node {
  key: string;
  type: 'start' | 'survey' | 'offer' | 'confirm';
  config: Record<string, unknown>;
  next?: string;
}
interface Definition {
  entry: string;
  nodes: Node[];
}

class Refused extends Error {
  constructor(
    readonly statusCode: number,
    message: string,
  ) {
    super(message);
  }
}

const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 10 });

async function rowsOf<Row extends object>(name: keyof typeof SQL, values: Values, on: Pool | PoolClient = pool) {
  return (await on.query<Row>({ name, text: SQL[name], values })).rows;
}

async function transaction<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
}

const hashOf = (key: string) => createHash('sha256').update(key).digest();

async function workspaceOf({ headers }: FastifyRequest): Promise<string> {
  const key = headers.authorization?.replace('Bearer ', '') ?? '';
  const [found] = await rowsOf<{ workspace_id: string }>('key', [hashOf(key)]);
  if (!found) throw new Refused(401, 'The key is unknown.');
  return found.workspace_id;
}

function definitionOf(offerIds: string[]): Definition {
  const keys = [...offerIds.map((_, index) => `offer_${index + 1}`), 'confirm'];
  const options = ['too_expensive', 'not_using', 'other'].map((value) => ({ value, label: value }));
  return {
    entry: 'start',
    nodes: [
      { key: 'start', type: 'start', config: { title: 'Before you go', body: 'Tell us why.' }, next: 'reason' },
      { key: 'reason', type: 'survey', config: { title: 'Why are you leaving?', options }, next: keys[0] },
      ...offerIds.map((offer_id, index): Node => {
        return { key: keys[index], type: 'offer', config: { offer_id }, next: keys[index + 1] };
      }),
      { key: 'confirm', type: 'confirm', config: { title: 'Cancel your subscription?' } },
    ],
  };
}

interface Start {
  flow_slug: string;
  customer?: { id: string; email?: string; attributes?: object };
}

function start({ flow_slug, customer }: Start) {
  return transaction(async (client) => {
    const [workspace] = await rowsOf<{ id: string; session_limit: number; sessions: number }>(
      'lockWorkspace',
      [flow_slug],
      client,
    );
    if (!workspace) throw new Refused(404, 'No flow has this slug.');
    const [flow] = await rowsOf<{
      id: string;
      name: string;
      product_name: string;
      version: number;
      status: string;
      definition: Definition;
    }>('startable', [flow_slug], client);
    if (flow.status !== 'published') throw new Refused(404, 'The flow is not published.');
    if (workspace.sessions >= workspace.session_limit) throw new Refused(403, 'The limit is reached.');
    const id = randomUUID();
    const { entry, nodes } = flow.definition;
    await rowsOf('count', [workspace.id], client);
    await rowsOf(
      'insertSession',
      [id, workspace.id, flow.id, flow.version, customer?.id, customer && JSON.stringify(customer), entry],
      client,
    );
    return { session_id: id, locale: 'en', flow: { name: flow.name, product_name: flow.product_name, nodes } };
  });
}

interface Step {
  node_key: string;
  action: string;
  option?: string;
}

function step(id: string, { node_key, action, option }: Step) {
  return transaction(async (client) => {
    const [session] = await rowsOf<{
      id: string;
      workspace_id: string;
      status: string;
      node_key: string;
      definition: Definition;
      cancellation_url: string;
    }>('lockSession', [id], client);
    if (!session) throw new Refused(404, 'No session has this id.');
    const { nodes } = session.definition;
    const node = nodes.find(({ key }) => key === session.node_key);
    if (session.status !== 'in_progress' || node?.key !== node_key) throw new Refused(409, 'The session is elsewhere.');
    const next = nodes.find(({ key }) => key === node.next);
    const status = action === 'cancel' ? 'canceled' : action === 'accept' ? 'saved' : 'in_progress';
    await rowsOf('insertStep', [id, node_key, action, option], client);
    await rowsOf('move', [id, status, status === 'in_progress' ? next?.key : null], client);
    if (status !== 'in_progress') await rowsOf('record', [session.workspace_id, `session.${status}`, id], client);
    const shown = status === 'in_progress' ? next : undefined;
    const config =
      shown?.type === 'offer' ? (await rowsOf('offer', [shown.config.offer_id], client))[0] : shown?.config;
    return {
      session_id: id,
      status,
      node: shown ? { key: shown.key, type: shown.type, config } : null,
      redirect_url: status === 'canceled' ? session.cancellation_url : null,
      accepted_offer: null,
    };
  });
}

async function main(): Promise<void> {
  await pool.query(SCHEMA);
  const app = fastify();
  app.post<{ Body: { name: string; session_limit: number } }>('/api/v1/admin/workspaces', async ({ body }) => {
    const [id, key] = [randomUUID(), randomBytes(24).toString('hex')];
    await pool.query('INSERT INTO workspaces (id, name, session_limit) VALUES ($1, $2, $3)', [
      id,
      body.name,
      body.session_limit,
    ]);
    await pool.query('INSERT INTO api_keys (hash, workspace_id) VALUES ($1, $2)', [hashOf(key), id]);
    return { id, api_key: { key } };
  });
  app.get('/api/v1/admin/workspaces', async () => {
    const workspaces = await rowsOf<{ id: string; sessions: number }>('workspaces', []);
    return {
      workspaces: workspaces.map(({ id, sessions }) => ({ id, usage: { sessions_used: sessions } })),
      next_cursor: null,
    };
  });
  app.post<{ Body: Record<string, string> }>('/api/v1/public/offers', async (request, reply) => {
    const { body } = request;
    const id = randomUUID();
    const texts = [
      'name',
      'offer_type',
      'offer_value',
      'offer_duration',
      'heading',
      'body',
      'cta_accept',
      'cta_decline',
    ];
    if (texts.some((text) => typeof body[text] !== 'string')) throw new Refused(400, 'A text is missing.');
    const workspaceId = await workspaceOf(request);
    await transaction(async (client) => {
      const [counted] = await rowsOf('countOffer', [workspaceId, MOST_OFFERS], client);
      if (!counted) throw new Refused(409, 'The workspace has all offers that it may have.');
      await rowsOf('insertOffer', [id, workspaceId, ...texts.map((text) => body[text])], client);
      await rowsOf('insertVersion', [id, JSON.stringify(body)], client);
      await rowsOf('log', [workspaceId, id], client);
    });
    return reply.code(201).send({ id, name: body.name });
  });
  app.post<{ Body: { name: string; product_name: string; cancellation_url: string; offer_ids: string[] } }>(
    '/api/v1/public/flows',
    async (request, reply) => {
      const { name, product_name, cancellation_url, offer_ids } = request.body;
      const [id, workspaceId] = [randomUUID(), await workspaceOf(request)];
      const slug = `flow-${id}`;
      const definition = JSON.stringify(definitionOf(offer_ids));
      await rowsOf('insertFlow', [id, workspaceId, slug, name, product_name, cancellation_url, offer_ids, definition]);
      return reply.code(201).send({ id, name, slug });
    },
  );
  app.put<{ Params: { id: string }; Body: { status: string } }>('/api/v1/public/flows/:id', async (request) => {
    await rowsOf('publish', [await workspaceOf(request), request.params.id, request.body.status]);
    return { updated: true };
  });
  app.get<{ Querystring: { limit?: string } }>('/api/v1/public/flows', async (request) => {
    const flows = await rowsOf('list', [await workspaceOf(request), Number(request.query.limit ?? 20)]);
    return { flows, next_cursor: null };
  });
  app.get<{ Params: { id: string } }>('/api/v1/public/flows/:id', async (request) => {
    const [flow] = await rowsOf('read', [await workspaceOf(request), request.params.id]);
    if (!flow) throw new Refused(404, 'There is no such flow.');
    return flow;
  });
  app.post<{ Body: Start }>('/api/v1/runtime/session/init', async ({ body }, reply) =>
    reply.code(201).send(await start(body)),
  );
  app.post<{ Params: { id: string }; Body: Step }>('/api/v1/runtime/session/:id/step', ({ params, body }) =>
    step(params.id, body),
  );
  console.log(await app.listen({ port: 0, host: '127.0.0.1' }));
}

if (require.main === module) void main();
