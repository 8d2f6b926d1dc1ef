import { idFrom, idTime } from '../src/platform/api/ids';
import { ADMIN_API_KEY, type Candidate, ENV, GENERATOR, SERVICE } from './contestant';
import type { Load, LoadResult } from './generator';
import { Management, OFFER } from './management';
import { type Postgres, withClient } from './postgres';
import type { ChildProcesses, Server } from './processes';
import { conditionsOf, format, markdown, median, type Options, run } from './run';

const ROWS = 300_000;
const PUBLIC = '/api/v1/public';
/** How many ask at once, each again and again, with one key. */
const LOOPS = 40;
const START_CONNECTIONS = 4;

/** What the requests name. */
interface Filled {
  flow: { id: string; slug: string };
  offer: string;
  webhook: string;
  session: string;
  sessionId: string;
  event: string;
  declaration: string;
  image: string;
  otherSlug: string;
}

interface Case {
  name: string;
  title: string;
  path: (filled: Filled) => string;
  method?: string;
  body?: (filled: Filled) => unknown;
  /** How often, of a change that can't be made again. */
  once?: true;
}

/** Each read with what costs it most, and the changes that cost most. */
const CASES: Case[] = [
  read('flows', () => '/flows?limit=500'),
  read('flow', ({ flow }) => `/flows/${flow.id}`),
  read('flow-versions', ({ flow }) => `/flows/${flow.id}/versions`),
  read('flow-version', ({ flow }) => `/flows/${flow.id}/versions/7`),
  read('review', ({ flow }) => `/flows/${flow.id}/review`),
  read('offers', () => '/offers?limit=500'),
  read('offer', ({ offer }) => `/offers/${offer}`),
  read('offer-versions', ({ offer }) => `/offers/${offer}/versions`),
  read('offer-flows', ({ offer }) => `/offers/${offer}/flows?limit=500`),
  read('sessions', () => '/sessions?limit=500'),
  read('sessions-search', () => '/sessions?search=customer77%40example.com'),
  read('session', ({ session }) => `/sessions/${session}`),
  read('sessions-csv', () => '/sessions.csv'),
  read('comments', () => '/comments?limit=500'),
  read('comments-common', () => '/comments?q=much&limit=100'),
  read('comments-rare', () => '/comments?q=rare&limit=100'),
  read('comments-old', () => '/comments?q=older&limit=100'),
  read('comments-csv', () => '/comments.csv?q=much'),
  read('declarations', () => '/declarations?limit=500'),
  read('declarations-search', () => '/declarations?q=lovelace&limit=500'),
  read('declarations-rare', () => '/declarations?q=4711777&limit=500'),
  read('declaration', ({ declaration }) => `/declarations/${declaration}`),
  read('declarations-csv', () => '/declarations.csv'),
  read('changes', () => '/changes?limit=500'),
  read('changes-csv', () => '/changes.csv'),
  read('events', () => '/events?limit=500'),
  read('event', ({ event }) => `/events/${event}`),
  read('webhooks', () => '/webhooks?limit=500'),
  read('webhook', ({ webhook }) => `/webhooks/${webhook}`),
  read('deliveries', ({ webhook }) => `/webhooks/${webhook}/deliveries?limit=500`),
  read('workspace', () => '/workspace'),
  read('attributes', () => '/workspace/attributes'),
  read('api-keys', () => '/api-keys?limit=500'),
  read('me', () => '/me'),
  read('stats', () => '/stats'),
  read('stats-daily', () => '/stats/daily'),
  read('flow-stats', ({ flow }) => `/flows/${flow.id}/stats?by=plan`),
  read('flow-stats-nodes', ({ flow }) => `/flows/${flow.id}/stats/nodes`),
  read('config', () => '/config'),
  read('images', () => '/images'),
  { name: 'image', title: 'GET /images/:id', path: ({ image }) => `/images/${image}` },
  { name: 'exit', title: 'GET /exit/:slug', path: ({ otherSlug }) => `/exit/${otherSlug}` },
  { name: 'leave', title: 'GET /leave/:slug', path: ({ otherSlug }) => `/leave/${otherSlug}` },
  {
    name: 'runtime',
    title: 'GET /runtime/session/:id',
    path: ({ sessionId }) => `/api/v1/runtime/session/${sessionId}`,
  },
  { name: 'metrics', title: 'GET /metrics', path: () => '/metrics' },
  { name: 'docs', title: 'GET /openapi.json', path: () => '/openapi.json' },
  change(
    'offer-create',
    'POST',
    () => '/offers',
    () => OFFER,
  ),
  change(
    'offer-change',
    'PUT',
    ({ offer }) => `/offers/${offer}`,
    () => ({ heading: `Stay ${Math.random()}` }),
  ),
  change(
    'flow-change',
    'PUT',
    ({ flow }) => `/flows/${flow.id}`,
    () => ({ flow_mode: 'advanced', definition: largest() }),
  ),
  change(
    'config-apply',
    'PUT',
    () => '/config?dry_run=true',
    () => ({
      offers: Array.from({ length: 2000 }, (_, n) => ({ key: `made-${n}`, ...OFFER, body: 'x'.repeat(3500) })),
    }),
  ),
  change('erase', 'DELETE', () => `/customers/cus_${Math.floor(Math.random() * 100_000)}`),
  { ...change('webhook-delete', 'DELETE', ({ webhook }) => `/webhooks/${webhook}`), once: true },
];

function read(name: string, path: (filled: Filled) => string): Case {
  return { name, title: `GET ${name}`, path: (filled) => PUBLIC + path(filled) };
}

function change(name: string, method: string, path: (filled: Filled) => string, body?: () => unknown): Case {
  return { name, title: `${method} ${name}`, method, path: (filled) => PUBLIC + path(filled), body };
}

/** A graph of 240 kB. */
function largest(): object {
  const nodes = Array.from({ length: 46 }, (_, n) => ({
    key: `node_${n}`,
    type: 'survey',
    config: { title: `Why? ${Math.random()}`, body: 'x'.repeat(5000), options: [{ value: 'other', label: 'Other' }] },
    next: `node_${n + 1}`,
  }));
  return { entry: 'node_0', nodes: [...nodes, { key: 'node_46', type: 'confirm', config: { title: 'Sure?' } }] };
}

const TEXT = `'It is too much for what it gives me now, and the export of invoices is slow'`;

/** A workspace with so many rows of each kind, beside one that only starts sessions. */
const FILL = [
  `CREATE TEMPORARY TABLE drawn AS
    SELECT n, now() - interval '60 days' + n * interval '15 seconds' AS at FROM generate_series(1, ${ROWS}) AS n`,
  `CREATE TEMPORARY TABLE flow AS SELECT workspace_id, id, current_version FROM flows WHERE id = $1`,
  `CREATE TEMPORARY TABLE done AS
    SELECT drawn.*, ${idFrom(idTime('at'), 'gen_random_uuid()::text')} AS id FROM drawn`,
  `INSERT INTO flow_sessions (workspace_id, id, session_id, flow_id, flow_version, status, current_node_key, customer_id, customer,
      customer_verified, created_at, updated_at, ended_at)
    SELECT flow.workspace_id, done.id, gen_random_uuid(), flow.id, 1, 'canceled', 'confirm', 'cus_' || n / 2,
      jsonb_build_object('email', 'customer' || n / 2 || '@example.com', 'attributes', CASE WHEN n > ${ROWS} - 1000
        THEN (SELECT jsonb_object_agg('attribute_' || k, repeat('x', 200) || n % 7) FROM generate_series(1, 50) AS k)
        ELSE jsonb_build_object('plan', (ARRAY['free', 'pro', 'team'])[1 + n % 3]) END),
      false, at, at, at FROM done, flow`,
  `INSERT INTO session_steps (workspace_id, flow_session_id, position, node_key, node_type, action, option, comment, words, created_at)
    SELECT flow.workspace_id, done.id, 1, 'reason', 'survey', 'answer', 'other', text,
      array_to_tsvector(ARRAY[flow.workspace_id::text]) || to_tsvector('simple', text), at
    FROM done, flow, LATERAL (SELECT ${TEXT} || CASE WHEN n % 3000 = 0 THEN ' rare' ELSE '' END
      || CASE WHEN n < ${ROWS / 2} THEN ' older' ELSE ' newer' END AS text) AS worded`,
  `INSERT INTO declarations (workspace_id, id, number, receipt_key, event_id, flow_id, flow_version, kind, name, email, contract,
      termination, language, content_hash, created_at)
    SELECT flow.workspace_id, done.id, upper(lpad(to_hex(n), 12, '0')), gen_random_uuid(), gen_random_uuid(), flow.id, 1, 'termination',
      'Ada Lovelace', 'ada' || n || '@example.com', 'Customer 4711' || n, 'ordinary', 'en', sha256(n::text::bytea), at
    FROM done, flow`,
  `INSERT INTO changes (workspace_id, id, actor_type, actor_id, actor_name, action, subject_type, subject_id, subject_name, details, created_at)
    SELECT flow.workspace_id, done.id, 'api_key', flow.id, 'Key', 'offer.changed', 'offer', flow.id, 'Half price',
      '{"fields": ["heading"], "before": {"heading": "Stay"}, "after": {"heading": "Stay longer"}}', at FROM done, flow`,
  `INSERT INTO events (workspace_id, id, type, flow_session_id, created_at)
    SELECT flow.workspace_id, done.id, 'session.canceled', done.id, at FROM done, flow`,
  `INSERT INTO deliveries (workspace_id, event_id, recipient_id, transport, flow_session_id, status, attempts, created_at, updated_at)
    SELECT flow.workspace_id, done.id, $2::uuid, 'webhook', done.id, 'delivered', 1, at, at FROM done, flow`,
  `INSERT INTO flows SELECT copied.* FROM flows AS original, generate_series(1, 4000) AS n, jsonb_populate_record(original,
      jsonb_build_object('id', ${idFrom(idTime('now()'), 'gen_random_uuid()::text')}, 'slug', 'copy-' || n, 'current_version', 1)) AS copied
    WHERE original.id = $1`,
  `INSERT INTO flow_versions SELECT copied.* FROM flow, flow_versions AS original, flows AS one, jsonb_populate_record(original,
      jsonb_build_object('flow_id', one.id)) AS copied
    WHERE original.flow_id = flow.id AND original.version = 1 AND one.workspace_id = flow.workspace_id AND one.id <> flow.id`,
  `INSERT INTO flow_versions SELECT copied.* FROM flow, flow_versions AS original, generate_series(2, 900) AS n,
      jsonb_populate_record(original, jsonb_build_object('version', n, 'note', repeat('A note of what is new. ', 40))) AS copied
    WHERE original.flow_id = flow.id AND original.version = 1`,
  `INSERT INTO offers SELECT copied.* FROM flow, offers AS original, generate_series(1, 4000) AS n, jsonb_populate_record(original,
      jsonb_build_object('id', ${idFrom(idTime('now()'), 'gen_random_uuid()::text')}, 'name', repeat('Offer ', 30) || n)) AS copied
    WHERE original.workspace_id = flow.workspace_id`,
  `INSERT INTO images (workspace_id, id, type, width, height, content, is_stripped, created_at)
    SELECT workspace_id, gen_random_uuid(), 'image/png', 1, 1, decode(repeat('5a', 200000), 'hex'), true, now()
    FROM flow, generate_series(1, 500)`,
];

interface Prepared extends Server {
  name: string;
  apiKey: string;
  filled: Filled;
}

async function prepare(candidate: Candidate, postgres: Postgres, processes: ChildProcesses): Promise<Prepared> {
  const databaseUrl = await postgres.createDatabase();
  const env = { ...ENV, DATABASE_URL: databaseUrl };
  const first = await processes.serve(candidate, env);
  const [big, other] = await new Management(first.url, ADMIN_API_KEY).createWorkspaces(2, () => 1);
  const ask = async (method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${big.apiKey}`, 'content-type': 'application/json' };
    const response = await fetch(first.url + PUBLIC + path, { method, headers, body: body && JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as { id: string; flows: { id: string }[]; offers: { id: string }[] };
  };
  const webhook = await ask('POST', '/webhooks', { url: 'https://acme.example/hook', event_types: ['flow.published'] });
  await processes.end(first);
  const [flow] = big.flows;
  console.error(`Filling ${candidate.name} with ${format(ROWS)} rows of each kind`);
  const ids = await withClient(databaseUrl, async (client) => {
    await client.query(
      `SELECT set_config('session_replication_role', 'replica', false) FROM pg_roles WHERE rolname = current_user AND rolsuper`,
    );
    for (const sql of FILL) {
      const values = [flow.id, webhook.id];
      await client.query(
        sql.includes('$2') ? sql.replaceAll('$2', `'${values[1]}'`) : sql.replaceAll('$1', `'${values[0]}'`),
      );
    }
    const one = async (sql: string): Promise<string> => (await client.query<{ id: string }>(sql)).rows[0].id;
    return {
      session: await one(`SELECT id FROM flow_sessions ORDER BY id DESC LIMIT 1`),
      sessionId: await one(`SELECT session_id AS id FROM flow_sessions ORDER BY id DESC LIMIT 1`),
      event: await one('SELECT id FROM events ORDER BY id DESC LIMIT 1'),
      declaration: await one('SELECT id FROM declarations ORDER BY id DESC LIMIT 1'),
      image: await one('SELECT id FROM images LIMIT 1'),
      offer: await one(`SELECT offer_ids[1] AS id FROM flow_versions WHERE flow_id = '${flow.id}' LIMIT 1`),
    };
  });
  const server = await processes.serve(candidate, env);
  console.error('Waiting for the words of declarations, and for the sums');
  await withClient(databaseUrl, async (client) => {
    const waiting = `SELECT FROM declarations WHERE words IS NULL LIMIT 1`;
    while ((await client.query(waiting)).rowCount !== 0) await new Promise((resolve) => setTimeout(resolve, 1000));
    await client.query('VACUUM ANALYZE');
  });
  return {
    name: candidate.name,
    ...server,
    apiKey: big.apiKey,
    filled: { flow, webhook: webhook.id, otherSlug: other.flows[0].slug, ...ids },
  };
}

async function take({ url, apiKey, filled }: Prepared, one: Case) {
  const path = one.path(filled);
  const body = one.body && JSON.stringify(one.body(filled));
  const headers = {
    ...(path.startsWith(PUBLIC) && { authorization: `Bearer ${apiKey}` }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  };
  const begun = performance.now();
  const response = await fetch(url + path, { method: one.method, headers, body });
  const bytes = (await response.arrayBuffer()).byteLength;
  return { milliseconds: performance.now() - begun, bytes, status: response.status };
}

/** Starts of the other workspace while so many ask at once. */
async function startsBeside(server: Prepared, one: Case | undefined, seconds: number, processes: ChildProcesses) {
  const { hostname, port } = new URL(server.url);
  const start = {
    method: 'POST',
    path: '/api/v1/runtime/session/init',
    headers: { 'content-type': 'application/json' },
    body: { flow_slug: server.filled.otherSlug },
    status: 201,
  };
  const load: Load = {
    host: hostname,
    port: Number(port),
    serverPid: server.pid,
    connections: START_CONNECTIONS,
    walks: [[start]],
    unit: 'request',
    seconds,
  };
  const over = new AbortController();
  const loop = async () => {
    while (!over.signal.aborted) await take(server, one!).catch(() => undefined);
  };
  const loops = one ? Array.from({ length: LOOPS }, loop) : [];
  const result = await processes.ask<LoadResult>(GENERATOR, load);
  over.abort();
  await Promise.all(loops);
  return result;
}

run({
  command: 'bench -- routes',
  about: `Measures what one request of each read costs in a workspace with ${format(ROWS)} rows of each kind, and starts of another workspace beside ${LOOPS} loops of it.`,
  cases: CASES,
  async measure(options: Options, postgres: Postgres, processes: ChildProcesses) {
    const tables: string[] = [];
    for (const candidate of [SERVICE, ...options.against]) {
      const server = await prepare(candidate, postgres, processes);
      const alone = await startsBeside(server, undefined, options.seconds, processes);
      const rows: Record<string, string>[] = [];
      for (const one of CASES.filter(({ name }) => options.cases.includes(name))) {
        const taken = [];
        for (let round = 0; round < (one.once ? 1 : options.rounds); round++) taken.push(await take(server, one));
        const beside =
          one.name.endsWith('csv') || one.method
            ? undefined
            : await startsBeside(server, one, options.seconds, processes).catch(() => undefined);
        rows.push({
          [candidate.name]: one.title,
          ms: format(median(taken.map(({ milliseconds }) => milliseconds)), 0),
          kB: format(taken[0].bytes / 1000, 0),
          status: String(taken[0].status),
          'starts beside, p50 ms': beside ? format(beside.p50, 1) : '',
          '× alone': beside ? format(beside.p50 / alone.p50, 1) : '',
          'p99 ms': beside ? format(beside.p99, 0) : '',
        });
        console.error(JSON.stringify(rows.at(-1)));
      }
      tables.push(`Starts alone: p50 ${format(alone.p50, 1)} ms, p99 ${format(alone.p99, 1)} ms`, markdown(rows, 1));
      await processes.end(server);
    }
    return [...tables, conditionsOf(options, postgres)].join('\n\n');
  },
});
