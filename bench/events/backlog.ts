import { setTimeout as pause } from 'node:timers/promises';
import { eventIdAt } from '../../src/common/ids';
import { ADMIN_API_KEY, ENV, SERVICE } from '../contestant';
import { Management } from '../management';
import { type Postgres, withClient } from '../postgres';
import { type ChildProcesses, cpuSecondsOf, cpuSecondsOfPostgres, type Server } from '../processes';
import type { Options } from '../run';
import { format, markdown, median } from '../table';
import type { Received } from './receiver';
import { RECEIVER } from './senders';

const DELIVERIES = 10_000;
/** Each in a workspace of its own. */
const WEBHOOKS = [1, 1000];
const PROCESSES = [1, 2];
const POLL_MS = 20;
const TIMEOUT_MS = 120_000;

/** The deliveries of one turn. Seconds count from the first request that was received. */
interface Turn {
  received: number;
  stored: number;
  /** From the start of the processes to the last request. */
  receivedSinceStart: number;
  doubles: number;
  /** CPU seconds. */
  service?: number;
  postgres?: number;
  receiver: number;
}

/** All rounds of one case. */
interface Series {
  webhooks: number;
  processes: number;
  databaseUrl: string;
  turns: Turn[];
}

const ID = eventIdAt('clock_timestamp()');

/** Sessions that were canceled in four steps, as the widget sends them. */
const FILL = `
  WITH session AS (
    INSERT INTO flow_sessions (workspace_id, id, session_id, flow_id, flow_version, status, current_node_key, customer_id,
      customer, customer_verified, created_at, updated_at)
    SELECT workspace_id, ${ID}, gen_random_uuid(), id, current_version, 'canceled', 'confirm', 'cus_' || number,
      jsonb_build_object('email', 'customer-' || number || '@acme.example', 'attributes', '{"plan": "pro"}'::jsonb), false, now(), now()
    FROM flows, generate_series(1, ${DELIVERIES} / (SELECT count(*)::integer FROM flows)) AS number
    RETURNING *
  )
  INSERT INTO session_steps (workspace_id, flow_session_id, position, node_key, node_type, action, option, comment, created_at)
  SELECT workspace_id, id, step.*, now() FROM session, (VALUES
    (1, 'start', 'start', 'continue', NULL, NULL),
    (2, 'reason', 'survey', 'answer', 'too_expensive', 'Twice the price of last year.'),
    (3, 'offer_1', 'offer', 'decline', NULL, NULL),
    (4, 'confirm', 'confirm', 'cancel', NULL, NULL)) AS step`;

const QUEUE = `
  WITH event AS (
    INSERT INTO events (workspace_id, id, type, flow_session_id, created_at)
    SELECT workspace_id, ${ID}, 'session.canceled', id, now() FROM flow_sessions
    RETURNING *
  )
  INSERT INTO deliveries (workspace_id, event_id, webhook_id, flow_session_id, status, attempts, next_attempt_at,
    created_at, updated_at)
  SELECT event.workspace_id, event.id, webhooks.id, flow_session_id, 'pending', 0, now(), now(), now()
  FROM event JOIN webhooks USING (workspace_id)`;

/** Measures how long deliveries take that have piled up, and returns a table in Markdown. */
export async function measureBacklog(
  { rounds }: Options,
  postgres: Postgres,
  processes: ChildProcesses,
): Promise<string> {
  const series: Series[] = [];
  for (const webhooks of WEBHOOKS) {
    const databaseUrl = await fill(webhooks, postgres, processes);
    for (const count of PROCESSES) series.push({ webhooks, databaseUrl, processes: count, turns: [] });
  }
  for (let round = 0; round < rounds; round++) {
    for (const one of round % 2 === 0 ? series : series.toReversed()) {
      const turn = await deliver(one, postgres, processes);
      one.turns.push(turn);
      console.error(
        `${DELIVERIES} deliveries, round ${round + 1}: ` +
          `${one.webhooks} webhook(s), ${one.processes} process(es) ${turn.stored.toFixed(2)} s`,
      );
    }
  }
  return markdown(series.map(rowOf), 0);
}

/** Medians over the rounds, CPU time a delivery. */
function rowOf({ webhooks, processes, turns }: Series): Record<string, string> {
  const of = (measure: keyof Turn) => median(turns.map((turn) => turn[measure]));
  const microseconds = (seconds?: number) => format(seconds && (seconds / DELIVERIES) * 1e6);
  const stored = turns.map((turn) => turn.stored);
  return {
    webhooks: format(webhooks),
    processes: format(processes),
    'received s': format(of('received'), 2),
    'stored s': format(of('stored'), 2),
    'lowest–highest': `${format(Math.min(...stored), 2)}–${format(Math.max(...stored), 2)}`,
    'received s since start': format(of('receivedSinceStart'), 2),
    'per second': format(DELIVERIES / of('stored')!),
    doubles: format(Math.max(...turns.map(({ doubles }) => doubles))),
    'service CPU µs': microseconds(of('service')),
    'Postgres CPU µs': microseconds(of('postgres')),
    'receiver CPU µs': microseconds(of('receiver')),
  };
}

/** A database with sessions that ended, and webhooks. Returns its URL. */
async function fill(webhooks: number, postgres: Postgres, processes: ChildProcesses): Promise<string> {
  console.error(`Filling a backlog of ${webhooks} webhook(s)`);
  const databaseUrl = await postgres.createDatabase();
  const server = await processes.serve(SERVICE.script, { ...ENV, DATABASE_URL: databaseUrl, EVENT_WORKERS: '0' });
  const management = new Management(server.url, ADMIN_API_KEY);
  const workspaces = await management.createWorkspaces(webhooks, () => 1);
  await management.createWebhooks(workspaces, 'http://127.0.0.1/');
  await processes.end(server);
  await withClient(databaseUrl, (client) => client.query(FILL));
  return databaseUrl;
}

async function deliver(
  { databaseUrl, processes: count }: Series,
  { postmasterPid }: Postgres,
  processes: ChildProcesses,
): Promise<Turn> {
  const receiver = await processes.serve(RECEIVER);
  await withClient(databaseUrl, async (client) => {
    await client.query('TRUNCATE outbox, events, deliveries, notifications');
    await client.query('UPDATE webhooks SET url = $1', [receiver.url]);
    await client.query(QUEUE);
    await client.query('VACUUM ANALYZE');
  });
  const cpu = (servers: Server[]) => sum(servers.map(({ pid }) => cpuSecondsOf(pid)));

  const started = now();
  const env = { ...ENV, DATABASE_URL: databaseUrl };
  const servers = await Promise.all(Array.from({ length: count }, () => processes.serve(SERVICE.script, env)));
  const before = { service: cpu(servers), postgres: cpuSecondsOfPostgres(postmasterPid) };
  const received = await receivedAll(receiver);
  const stored = await storedAll(databaseUrl);
  const after = { service: cpu(servers), postgres: cpuSecondsOfPostgres(postmasterPid) };
  const { requests, events, cpuSeconds } = await read(receiver);
  for (const server of [...servers, receiver]) await processes.end(server);
  return {
    received: (received.last - received.first) / 1000,
    stored: (stored - received.first) / 1000,
    receivedSinceStart: (received.last - started) / 1000,
    doubles: requests - events,
    service: difference(before.service, after.service),
    postgres: difference(before.postgres, after.postgres),
    receiver: cpuSeconds,
  };
}

async function receivedAll(receiver: Server): Promise<Received> {
  for (const until = now() + TIMEOUT_MS; now() < until; await pause(POLL_MS)) {
    const received = await read(receiver);
    if (received.events === DELIVERIES) return received;
  }
  throw new Error(`${DELIVERIES} events were not received in ${TIMEOUT_MS / 1000} s`);
}

/** Returns when all deliveries were stored as delivered: milliseconds since 1970. */
function storedAll(databaseUrl: string): Promise<number> {
  return withClient(databaseUrl, async (client) => {
    for (const until = now() + TIMEOUT_MS; now() < until; await pause(POLL_MS)) {
      const { rows } = await client.query<{ delivered: number }>(
        `SELECT count(*)::integer AS delivered FROM deliveries WHERE status = 'delivered'`,
      );
      if (rows[0].delivered === DELIVERIES) return now();
    }
    throw new Error(`${DELIVERIES} deliveries were not stored in ${TIMEOUT_MS / 1000} s`);
  });
}

async function read({ url }: Server): Promise<Received> {
  return (await (await fetch(url)).json()) as Received;
}

/** On the same clock as that of the receiver. */
function now(): number {
  return performance.timeOrigin + performance.now();
}

function sum(values: (number | undefined)[]): number | undefined {
  return values.reduce((total, value) => (total === undefined || value === undefined ? undefined : total + value), 0);
}

function difference(from?: number, to?: number): number | undefined {
  return from === undefined || to === undefined ? undefined : to - from;
}
