import { join } from 'node:path';
import { drive } from './drive';
import type { HttpRequest, LoadResult } from './driver/load';
import { query } from './postgres';
import { createReaders, growTo, type Reader } from './reading-data';
import { markdown } from './report';
import { SERVICE_ENV } from './servers';
import type { Stage } from './stage';

const SIZES = [100_000, 1_000_000];
const DEEP_PAGE = 8;

/** The requests of one reader, whose own sessions stay the same while the table around them grows. */
async function requestsOf(url: string, { key, flowId }: Reader): Promise<Record<string, HttpRequest>> {
  const get = (path: string): HttpRequest => ({
    method: 'GET',
    path: `/api/v1/public/${path}`,
    headers: { authorization: `Bearer ${key}` },
  });
  let cursor = '';
  let sessionId = '';
  for (let page = 1; page < DEEP_PAGE; page++) {
    const { path, ...request } = get(`sessions?limit=100${cursor}`);
    const body = (await (await fetch(url + path, request)).json()) as {
      sessions: { session_id: string }[];
      next_cursor: string;
    };
    cursor = `&cursor=${body.next_cursor}`;
    sessionId = body.sessions[0].session_id;
  }
  return {
    'the first page of 100 sessions': get('sessions?limit=100'),
    [`page ${DEEP_PAGE}`]: get(`sessions?limit=100${cursor}`),
    'a page of abandoned sessions': get('sessions?limit=100&status=abandoned'),
    "a customer's sessions": get('sessions?customer_id=cus_7'),
    'one session with its steps': get(`sessions/${sessionId}`),
    "a flow's numbers over 30 days": get(`flows/${flowId}/stats`),
    "the workspace's numbers over 30 days": get('stats'),
  };
}

/** The same reads of the same sessions, in a table that grows tenfold around them. */
export async function readAsItGrows(stage: Stage): Promise<string> {
  const { children, postgres, options, notify } = stage;
  const databaseUrl = await postgres.createDatabase('reading');
  const script = join(__dirname, '../src/main.js');
  const server = await children.serve(script, { ...SERVICE_ENV, DATABASE_URL: databaseUrl });
  notify('Filling workspaces');
  const reader = await createReaders(server.url, databaseUrl);
  const results = new Map<string, LoadResult[]>();
  for (const size of SIZES) {
    notify(`Growing to ${size.toLocaleString('en-US')} sessions`);
    await growTo(databaseUrl, reader, size);
    for (const [name, request] of Object.entries(await requestsOf(server.url, reader))) {
      const result = await drive(stage, server.url, { requests: [request], connections: 1, seconds: options.seconds });
      if (Object.keys(result.statuses).join() !== '200') throw new Error(`${name}: ${JSON.stringify(result)}`);
      results.set(name, [...(results.get(name) ?? []), result]);
      notify(`${name}: ${result.p50.toFixed(2)} ms`);
    }
  }
  const [{ sessions }] = await query<{ sessions: string }>(
    databaseUrl,
    'SELECT count(*) AS sessions FROM flow_sessions',
  );
  const head = ['read', ...SIZES.map((size) => `p50 ms of ${size.toLocaleString('en-US')}`), 'ratio', 'p99 ms'];
  const rows = [...results].map(([name, [small, large]]) => [
    name,
    small.p50.toFixed(2),
    large.p50.toFixed(2),
    (large.p50 / small.p50).toFixed(2),
    large.p99.toFixed(2),
  ]);
  return `${markdown([head, ...rows], 1)}\n\nOn ${await postgres.version()}, ${sessions} sessions at the end.`;
}
