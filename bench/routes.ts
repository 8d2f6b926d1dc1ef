import { idFrom, idTime } from '../src/platform/api/ids';
import { ADMIN_API_KEY, type Candidate, ENV, GENERATOR, SERVICE } from './contestant';
import type { Load, LoadResult } from './generator';
import { Management } from './management';
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

/** Each read with what costs it most. */
const CASES: { name: string; title: string; path: (filled: Filled) => string }[] = [
  read('flows', '`GET /flows`', () => '?limit=500'),
  read('flow', '`GET /flows/:id`', ({ flow }) => flow.id, 'flows/'),
  read('versions', '`GET /flows/:id/versions`', ({ flow }) => `${flow.id}/versions`, 'flows/'),
  read('review', '`GET /flows/:id/review`', ({ flow }) => `${flow.id}/review`, 'flows/'),
  read('offers', '`GET /offers`', () => '?limit=500'),
  read('offer-flows', '`GET /offers/:id/flows`', ({ offer }) => `${offer}/flows?limit=500`, 'offers/'),
  read('sessions', '`GET /sessions`', () => '?limit=500'),
  read('sessions-search', '`GET /sessions?q=`', () => '?q=customer77%40example.com&limit=500', 'sessions'),
  read('session', '`GET /sessions/:id`', ({ session }) => session, 'sessions/'),
  read('comments', '`GET /comments`', () => '?limit=500'),
  read('comments-common', '`GET /comments?q=` a word of all', () => '?q=much&limit=100', 'comments'),
  read('comments-rare', '`GET /comments?q=` a word of a hundred', () => '?q=rare&limit=100', 'comments'),
  read('comments-old', '`GET /comments?q=` a word of the older half', () => '?q=older&limit=100', 'comments'),
  read('comments-csv', '`GET /comments.csv?q=` a word of all', () => '.csv?q=much', 'comments'),
  read('declarations', '`GET /declarations`', () => '?limit=500'),
  read('declarations-search', '`GET /declarations?q=` in all', () => '?q=lovelace&limit=500', 'declarations'),
  read('declarations-rare', '`GET /declarations?q=` in one', () => '?q=4711777&limit=500', 'declarations'),
  read('changes', '`GET /changes`', () => '?limit=500'),
  read('events', '`GET /events`', () => '?limit=500'),
  read('deliveries', '`GET /webhooks/:id/deliveries`', ({ webhook }) => `${webhook}/deliveries?limit=500`, 'webhooks/'),
  read('attributes', '`GET /workspace/attributes`', () => '', 'workspace/attributes'),
  read('stats', '`GET /stats`', () => '', 'stats'),
  read('config', '`GET /config`', () => '', 'config'),
  read('images', '`GET /images`', () => '', 'images'),
  { name: 'image', title: '`GET /images/:id` (200 kB)', path: ({ image }) => `/images/${image}` },
  { name: 'exit', title: '`GET /exit/:slug`', path: ({ otherSlug }) => `/exit/${otherSlug}` },
  { name: 'leave', title: '`GET /leave/:slug`', path: ({ otherSlug }) => `/leave/${otherSlug}` },
];

function read(name: string, title: string, rest: (filled: Filled) => string, prefix = name) {
  return { name, title, path: (filled: Filled) => `${PUBLIC}/${prefix}${rest(filled)}` };
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
  `INSERT INTO flow_versions SELECT copied.* FROM flow, flow_versions AS original, generate_series(2, 1000) AS n,
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

async function take({ url, apiKey, filled }: Prepared, one: (typeof CASES)[number]) {
  const begun = performance.now();
  const headers = one.path(filled).startsWith(PUBLIC) ? { authorization: `Bearer ${apiKey}` } : undefined;
  const response = await fetch(url + one.path(filled), { headers });
  const bytes = (await response.arrayBuffer()).byteLength;
  return { milliseconds: performance.now() - begun, bytes, status: response.status };
}

/** Starts of the other workspace while so many ask at once. */
async function startsBeside(
  server: Prepared,
  one: (typeof CASES)[number] | undefined,
  seconds: number,
  processes: ChildProcesses,
) {
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
  command: 'bench:routes',
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
        for (let round = 0; round < options.rounds; round++) taken.push(await take(server, one));
        const beside = one.name.endsWith('csv')
          ? undefined
          : await startsBeside(server, one, options.seconds, processes).catch(() => undefined);
        rows.push({
          [candidate.name]: one.title,
          ms: format(median(taken.map(({ milliseconds }) => milliseconds)), 0),
          kB: format(taken[0].bytes / 1000, 0),
          status: String(taken[0].status),
          'starts beside, p50 ms': beside ? format(beside.p50, 1) : 'refused',
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
