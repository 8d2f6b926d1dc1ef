import { join } from 'node:path';
import type { Server } from './children';
import { drive } from './drive';
import type { HttpRequest, LoadResult } from './driver/load';
import { query } from './postgres';
import { A_CUSTOMER, createReader, growTo, type Reader } from './reading-data';
import { markdown, medianOf } from './report';
import { indexesUsed, readScans } from './scans';
import { SERVICE_ENV } from './servers';
import type { Stage } from './stage';

const SIZES = [100_000, 1_000_000];
const DEEP_PAGE = 8;
const SPAN_MS = 30 * 24 * 60 * 60 * 1000;

/** One request, and what was found of it. */
interface Reading {
  name: string;
  request: HttpRequest;
  /** How many sessions, or steps of one, its answer is about. */
  about: number;
  /** For each size, its rounds. */
  rounds: LoadResult[][];
  indexes: string[];
}

/** The same reads of the same sessions, in a table that grows tenfold around them. */
export async function readAsItGrows(stage: Stage): Promise<string> {
  const { children, postgres, options, notify } = stage;
  const databaseUrl = await postgres.createDatabase('reading');
  const script = join(__dirname, '../src/main.js');
  const server = await children.serve(script, { ...SERVICE_ENV, DATABASE_URL: databaseUrl });
  notify('Making workspaces');
  const reader = await createReader(server.url);
  let readings: Reading[] = [];
  for (const size of SIZES) {
    notify(`Growing to ${whole(size)} sessions`);
    await growTo(databaseUrl, reader, size);
    if (size === SIZES[0]) readings = await prepare(server, databaseUrl, reader);
    for (const reading of readings) await requireSame(server, reading);
    const before = await readScans(databaseUrl);
    await measure(stage, server, readings);
    indexesUsed(before, await readScans(databaseUrl));
  }
  notify('Asking Postgres which indexes each read uses');
  for (const reading of readings) {
    const before = await readScans(databaseUrl);
    await ask(server, reading.request);
    reading.indexes = indexesUsed(before, await readScans(databaseUrl));
  }
  return [
    tableOf(readings),
    '',
    `Medians of ${options.rounds} round(s) of ${options.seconds} s with 1 connection, on ${await postgres.version()}. ` +
      'No sequential scan of flow_sessions at any size.',
  ].join('\n');
}

async function prepare(server: Server, databaseUrl: string, { workspaceId, key, flowId }: Reader): Promise<Reading[]> {
  const get = (path: string): HttpRequest => {
    return { method: 'GET', path: `/api/v1/public/${path}`, headers: { authorization: `Bearer ${key}` } };
  };
  const sql = `SELECT session_id AS id FROM session_steps WHERE workspace_id = '${workspaceId}' LIMIT 1`;
  const [session] = await query<{ id: string }>(databaseUrl, sql);
  let deep = get('sessions?limit=100');
  for (let page = 1; page < DEEP_PAGE; page++) {
    const { next_cursor } = await ask<{ next_cursor: string }>(server, deep);
    deep = get(`sessions?limit=100&cursor=${next_cursor}`);
  }
  // A fixed start, or the span would move on while the table grows, and lose sessions at its end.
  const from = new Date(Date.now() - SPAN_MS).toISOString();
  const requests: [string, HttpRequest][] = [
    ['first page of 100 sessions', get('sessions?limit=100')],
    [`page ${DEEP_PAGE}`, deep],
    ['page of 100 abandoned', get('sessions?limit=100&status=abandoned')],
    ['page of the few in progress', get('sessions?limit=100&status=in_progress')],
    ['sessions of a customer', get(`sessions?limit=100&customer_id=${A_CUSTOMER}`)],
    ['one session with its steps', get(`sessions/${session.id}`)],
    ['numbers of a flow, 30 days', get(`flows/${flowId}/stats?from=${from}`)],
    ['numbers of the workspace, 30 days', get(`stats?from=${from}`)],
  ];
  const readings: Reading[] = [];
  for (const [name, request] of requests) {
    const about = weigh(await ask(server, request));
    readings.push({ name, request, about, rounds: [], indexes: [] });
  }
  return readings;
}

/** In each round all of them, so that a slow spell of the machine does not hit a single one. */
async function measure(stage: Stage, server: Server, readings: Reading[]): Promise<void> {
  const { seconds, rounds } = stage.options;
  for (const reading of readings) reading.rounds.push([]);
  for (let round = 1; round <= rounds; round++) {
    for (const { name, request, rounds: found } of readings) {
      const result = await drive(stage, [server.url], { requests: [request], connections: 1, seconds });
      const { statuses, errors, p50 } = result;
      if (Object.keys(statuses).join() !== '200' || Object.keys(errors).length > 0) {
        throw new Error(`${name}: ${JSON.stringify({ statuses, errors })}`);
      }
      found.at(-1)!.push(result);
      stage.notify(`${name}, round ${round}: ${p50.toFixed(2)} ms`);
    }
  }
}

/** An empty answer is quick at any size, and one that holds more is slower for a good reason: neither says anything. */
async function requireSame(server: Server, { name, request, about }: Reading): Promise<void> {
  const now = weigh(await ask(server, request));
  if (about === 0 || now !== about) throw new Error(`${name}: an answer about ${now} rows, at first ${about}`);
}

interface Answer {
  sessions?: unknown[] | { total: number };
  steps?: unknown[];
}

function weigh({ sessions, steps = [] }: Answer): number {
  if (Array.isArray(sessions)) return sessions.length;
  return sessions?.total ?? steps.length;
}

async function ask<T = Answer>(server: Server, { path, ...request }: HttpRequest): Promise<T> {
  const response = await fetch(server.url + path, request);
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json() as Promise<T>;
}

function tableOf(readings: Reading[]): string {
  const columns = (name: string) => SIZES.map((size) => `${name} ms at ${whole(size)}`);
  const head = ['request', 'indexes of flow_sessions', 'rows', ...columns('p50'), 'ratio', ...columns('p99')];
  const rows = readings.map(({ name, indexes, about, rounds }) => {
    const p50s = rounds.map((round) => medianOf(round.map(({ p50 }) => p50))!);
    const p99s = rounds.map((round) => medianOf(round.map(({ p99 }) => p99))!);
    const used = indexes.map((index) => index.replace('flow_sessions_', '')).join(', ');
    const ratio = p50s.at(-1)! / p50s[0];
    return [name, used, whole(about), ...p50s.map(milliseconds), ratio.toFixed(2), ...p99s.map(milliseconds)];
  });
  return markdown([head, ...rows]);
}

function whole(value: number): string {
  return value.toLocaleString('en-US');
}

function milliseconds(value: number): string {
  return value.toFixed(2);
}
