import { setTimeout as pause } from 'node:timers/promises';
import { idFrom, idTime } from '../src/platform/api/ids';
import { ADMIN_API_KEY, type Candidate, ENV, GENERATOR, SERVICE } from './contestant';
import type { Load, LoadResult } from './generator';
import { Management } from './management';
import { type Postgres, withClient } from './postgres';
import { type ChildProcesses, cpuSecondsOfPostgres, type Server } from './processes';
import { conditionsOf, format, markdown, median, type Options, run } from './run';

const SESSIONS = 3_000_000;
const DAYS = 400;
const PUBLIC = '/api/v1/public';
const SUMMED_WITHIN_MS = 600_000;

/** @param flow the id of the only flow */
const CASES: { name: string; title: string; path: (flow: string) => string }[] = [
  { name: 'workspace', title: 'statistics of the workspace', path: () => `${PUBLIC}/stats` },
  { name: 'year', title: 'of a year', path: () => `${PUBLIC}/stats?from=${daysAgo(365)}` },
  { name: 'flow', title: 'statistics of a flow', path: (flow) => `${PUBLIC}/flows/${flow}/stats` },
  { name: 'by', title: 'by an attribute', path: (flow) => `${PUBLIC}/flows/${flow}/stats?by=plan` },
  { name: 'day', title: 'from noon to noon', path: (flow) => `${PUBLIC}/flows/${flow}/stats?${noons()}` },
  {
    name: 'lasting',
    title: 'of 90 days, with lasting saves',
    path: (flow) => `${PUBLIC}/flows/${flow}/stats?from=${daysAgo(90)}`,
  },
  { name: 'daily', title: 'by day', path: (flow) => `${PUBLIC}/flows/${flow}/stats/daily` },
  { name: 'nodes', title: 'by node', path: (flow) => `${PUBLIC}/flows/${flow}/stats/nodes` },
  { name: 'comments', title: 'newest 100 comments', path: (flow) => `${PUBLIC}/comments?flow_id=${flow}` },
  { name: 'csv', title: 'sessions of 30 days as CSV', path: () => `${PUBLIC}/sessions.csv?from=${daysAgo(30)}` },
];

/** Starts alone, and while somebody asks for the statistics of the workspace without pause. */
const STARTS = { name: 'starts', title: 'starts beside statistics' };
const START_CONNECTIONS = 4;

const SHOWN = 'id, name, offer_type, offer_value, offer_duration, heading, body, cta_accept, cta_decline, metadata';

/** A customer comes 1.3 times on average. */
const SESSIONS_PER_CUSTOMER = 4 / 3;

/**
 * Sessions of a simple flow: start, survey, offer, confirm. A quarter is saved, a third canceled, the others stop at
 * the survey or the offer. Each has a customer with two attributes, one in ten has a comment, one in a hundred ended
 * nearly a day later. Three in ten have paid an hour later.
 */
const FILL = [
  `CREATE TEMPORARY TABLE drawn AS
    SELECT n, at, at + CASE WHEN is_late THEN interval '23 hours' ELSE interval '1 minute' END AS until, random() AS fate,
      (random() * ${SESSIONS / SESSIONS_PER_CUSTOMER})::integer AS customer
    FROM generate_series(1, ${SESSIONS}) AS n, LATERAL (
      SELECT now() - interval '${DAYS} days' * (n::float / ${SESSIONS}) AS at, n % 100 = 0 AS is_late
    ) AS time`,
  `CREATE TEMPORARY TABLE flow AS
    SELECT flow.workspace_id, flow.id, flow.current_version, to_jsonb(shown) AS shown
    FROM flows AS flow, (SELECT ${SHOWN} FROM offers) AS shown`,
  `INSERT INTO flow_sessions (workspace_id, id, session_id, flow_id, flow_version, status, current_node_key, presented_offer,
      accepted_offer, saved_by_offer, customer_id, customer, customer_verified, idempotency_key, request_hash, created_at, updated_at, ended_at)
    SELECT flow.workspace_id, ${idFrom(idTime('at'), 'gen_random_uuid()::text')}, gen_random_uuid(), flow.id, flow.current_version,
      CASE WHEN fate < 0.25 THEN 'saved' WHEN fate < 0.58 THEN 'canceled' ELSE 'in_progress' END,
      CASE WHEN fate < 0.25 THEN 'offer_1' WHEN fate < 0.58 THEN 'confirm'
        WHEN get_byte(sha256(n::text::bytea), 2) < 100 THEN 'offer_1' ELSE 'reason' END,
      NULL, CASE WHEN fate < 0.2 THEN shown END, fate < 0.2, 'cus_' || customer,
      jsonb_build_object('email', 'customer' || customer || '@example.com', 'attributes',
        jsonb_build_object('plan', (ARRAY['free', 'pro', 'team'])[1 + customer % 3], 'seats', customer % 40)),
      false, 'key-' || n, sha256(n::text::bytea), at, until, CASE WHEN fate < 0.58 THEN until END
    FROM drawn, flow ORDER BY at`,
  `INSERT INTO session_steps (workspace_id, flow_session_id, position, node_key, node_type, action, option, comment, offer, created_at)
    SELECT session.workspace_id, session.id, step.*
    FROM flow_sessions AS session, flow, LATERAL (VALUES
      (1, 'start', 'start', 'continue', NULL, NULL, NULL::jsonb, session.created_at),
      (2, 'reason', 'survey', 'answer', (ARRAY['too_expensive', 'missing_features', 'not_using', 'switching', 'technical_issues', 'other'])[1 + get_byte(request_hash, 0) % 6],
        CASE WHEN get_byte(request_hash, 1) < 45 THEN 'It is too much for what it gives me now.' END, NULL, session.created_at),
      (3, 'offer_1', 'offer', CASE WHEN status = 'canceled' THEN 'decline' WHEN accepted_offer IS NULL THEN 'keep' ELSE 'accept' END, NULL, NULL, shown,
        CASE WHEN status = 'canceled' THEN session.created_at ELSE session.updated_at END),
      (4, 'confirm', 'confirm', 'confirm', NULL, NULL, NULL, session.updated_at)
    ) AS step
    WHERE step.column1 <= CASE status WHEN 'saved' THEN 3 WHEN 'canceled' THEN 4 ELSE 1 END
      OR (step.column1 = 2 AND get_byte(request_hash, 2) < 100)`,
  `INSERT INTO outcomes (workspace_id, id, customer_id, type, at, amount, currency, created_at)
    SELECT workspace_id, 'in_' || n, 'cus_' || customer, 'paid', at + interval '1 hour', 4990, 'EUR', at
    FROM drawn, flow WHERE n % 10 < 3`,
  'VACUUM ANALYZE outcomes',
  'VACUUM ANALYZE flow_sessions',
  'VACUUM ANALYZE session_steps',
];

/** What one server takes for each round of a case. */
interface Taken {
  milliseconds: number;
  postgres?: number;
}

/** A server with a workspace of a million sessions. */
interface Prepared extends Server {
  name: string;
  apiKey: string;
  flow: { id: string; slug: string };
}

/** Two weeks that begin and end in the middle of a day. */
function noons(): string {
  return `from=${daysAgo(20)}T12:00:00Z&to=${daysAgo(6)}T12:00:00Z`;
}

/** A date. */
function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
}

async function prepare(candidate: Candidate, postgres: Postgres, processes: ChildProcesses): Promise<Prepared> {
  const databaseUrl = await postgres.createDatabase();
  const serve = () => processes.serve(candidate, { ...ENV, DATABASE_URL: databaseUrl });
  const [{ apiKey, flows }] = await new Management((await serve()).url, ADMIN_API_KEY).createWorkspaces(1, () => 1);
  console.error(`Filling ${candidate.name} with ${format(SESSIONS)} sessions`);
  await fillPast(databaseUrl);
  const filled = performance.now();
  // It looks for days to sum when it starts.
  const server = await serve();
  await untilSummed(databaseUrl);
  console.error(`${candidate.name}: all summed ${format((performance.now() - filled) / 1000)} s later`);
  return { name: candidate.name, ...server, apiKey, flow: flows[0] };
}

/** Fills a database that has one flow with one offer. */
async function fillPast(databaseUrl: string): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    // Foreign keys need no check, if the role may leave it out.
    await client.query(
      `SELECT set_config('session_replication_role', 'replica', false) FROM pg_roles WHERE rolname = current_user AND rolsuper`,
    );
    for (const statement of FILL) await client.query(statement);
  });
}

/** Resolves when all sessions that are over are in the sums. */
async function untilSummed(databaseUrl: string): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    const deadline = performance.now() + SUMMED_WITHIN_MS;
    const newest = `SELECT FROM daily_sums HAVING max(until) >= date_trunc('hour', now() - interval '26 hours', 'UTC')`;
    while ((await client.query(newest)).rowCount === 0) {
      if (performance.now() > deadline) throw new Error('The sessions were not summed within ten minutes');
      await pause(500);
    }
    await client.query('VACUUM ANALYZE');
  });
}

/** undefined: the server has no such route, or does not answer in time. */
async function take({ url, apiKey, flow }: Prepared, one: (typeof CASES)[number], postgres: Postgres) {
  const cpu = () => cpuSecondsOfPostgres(postgres.postmasterPid);
  const [begun, cpuBegun] = [performance.now(), cpu()];
  const response = await fetch(url + one.path(flow.id), { headers: { authorization: `Bearer ${apiKey}` } });
  for await (const _ of response.body!);
  const taken: Taken = { milliseconds: performance.now() - begun };
  if (cpuBegun !== undefined) taken.postgres = (cpu()! - cpuBegun) * 1000;
  return response.ok ? taken : undefined;
}

async function starts(server: Prepared, seconds: number, postgres: Postgres, processes: ChildProcesses) {
  const { hostname, port } = new URL(server.url);
  const headers = { 'content-type': 'application/json' };
  const start = {
    method: 'POST',
    path: '/api/v1/runtime/session/init',
    headers,
    body: { flow_slug: server.flow.slug },
  };
  const load: Load = {
    host: hostname,
    port: Number(port),
    serverPid: server.pid,
    connections: START_CONNECTIONS,
    walks: [[{ ...start, status: 201 }]],
    unit: 'request',
    seconds,
  };
  const alone = await processes.ask<LoadResult>(GENERATOR, load);
  const over = new AbortController();
  const ask = async () => {
    while (!over.signal.aborted) await take(server, CASES[0], postgres);
  };
  const asking = ask();
  const beside = await processes.ask<LoadResult>(GENERATOR, load);
  over.abort();
  await asking;
  return { alone: alone.p99, beside: beside.p99, ratio: beside.p99 / alone.p99 };
}

async function tableOfStarts(
  servers: Prepared[],
  { rounds, seconds }: Options,
  postgres: Postgres,
  processes: ChildProcesses,
): Promise<string> {
  const all = servers.map((): Awaited<ReturnType<typeof starts>>[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, server] of servers.entries())
      all[index].push(await starts(server, seconds, postgres, processes));
  }
  const rows = servers.map(({ name }, index) => ({
    [STARTS.title]: name,
    'p99 ms alone': format(median(all[index].map(({ alone }) => alone)), 1),
    'p99 ms beside': format(median(all[index].map(({ beside }) => beside)), 1),
    ratio: format(median(all[index].map(({ ratio }) => ratio)), 2),
  }));
  return markdown(rows, 1);
}

run({
  command: 'bench -- statistics',
  about: `Measures statistics and exports of a workspace with ${format(SESSIONS)} sessions in ${DAYS} days.`,
  cases: [...CASES, STARTS],
  async measure(options: Options, postgres: Postgres, processes: ChildProcesses) {
    const servers: Prepared[] = [];
    for (const candidate of [SERVICE, ...options.against]) {
      servers.push(await prepare(candidate, postgres, processes));
    }
    const rows: Record<string, string>[] = [];
    for (const one of CASES.filter(({ name }) => options.cases.includes(name))) {
      const all = servers.map((): Taken[] => []);
      for (let round = 0; round < options.rounds; round++) {
        for (const [index, server] of servers.entries())
          all[index].push(...[(await take(server, one, postgres)) ?? []].flat());
      }
      for (const [index, { name }] of servers.entries()) {
        const times = all[index].map(({ milliseconds }) => milliseconds);
        rows.push({
          request: index === 0 ? one.title : '',
          server: name,
          'median ms': times.length > 0 ? format(median(times)) : 'refused',
          'slowest ms': times.length > 0 ? format(Math.max(...times)) : '',
          'Postgres CPU ms': format(median(all[index].map(({ postgres: cpu }) => cpu))),
        });
      }
    }
    const tables = rows.length > 0 ? [markdown(rows, 2)] : [];
    if (options.cases.includes(STARTS.name)) tables.push(await tableOfStarts(servers, options, postgres, processes));
    return [...tables, conditionsOf(options, postgres)].join('\n\n');
  },
});
