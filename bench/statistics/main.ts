import { setTimeout as pause } from 'node:timers/promises';
import { ADMIN_API_KEY, type Candidate, ENV, SERVICE } from '../contestant';
import { Management } from '../management';
import { type Postgres, withClient } from '../postgres';
import { type ChildProcesses, cpuSecondsOfPostgres } from '../processes';
import { conditionsOf, type Options, run } from '../run';
import { format, markdown, median } from '../table';
import { fillPast } from '../past';

const SESSIONS = 1_000_000;
const DAYS = 30;
const PUBLIC = '/api/v1/public';
const SUMMED_WITHIN_MS = 600_000;

/** @param flow the id of the only flow */
const CASES: { name: string; title: string; path: (flow: string) => string }[] = [
  { name: 'workspace', title: 'statistics of the workspace', path: () => `${PUBLIC}/stats` },
  { name: 'flow', title: 'statistics of a flow', path: (flow) => `${PUBLIC}/flows/${flow}/stats` },
  { name: 'by', title: 'by an attribute', path: (flow) => `${PUBLIC}/flows/${flow}/stats?by=plan` },
  { name: 'day', title: 'from noon to noon', path: (flow) => `${PUBLIC}/flows/${flow}/stats?${noons()}` },
  { name: 'daily', title: 'by day', path: (flow) => `${PUBLIC}/flows/${flow}/stats/daily` },
  { name: 'nodes', title: 'by node', path: (flow) => `${PUBLIC}/flows/${flow}/stats/nodes` },
  { name: 'comments', title: 'newest 100 comments', path: (flow) => `${PUBLIC}/comments?flow_id=${flow}` },
  { name: 'csv', title: 'all sessions as CSV', path: () => `${PUBLIC}/sessions.csv` },
];

/** What one server takes for each round of a case. */
interface Taken {
  milliseconds: number;
  postgres?: number;
}

/** A server with a workspace of a million sessions. */
interface Prepared {
  name: string;
  url: string;
  apiKey: string;
  flowId: string;
}

/** Two weeks that begin and end in the middle of a day. */
function noons(): string {
  const noon = (daysAgo: number) =>
    `${new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10)}T12:00:00Z`;
  return `from=${noon(20)}&to=${noon(6)}`;
}

async function prepare(candidate: Candidate, postgres: Postgres, processes: ChildProcesses): Promise<Prepared> {
  const databaseUrl = await postgres.createDatabase();
  const { url } = await processes.serve(candidate.script, { ...ENV, DATABASE_URL: databaseUrl });
  const [{ apiKey, flows }] = await new Management(url, ADMIN_API_KEY).createWorkspaces(1, () => 1);
  console.error(`Filling ${candidate.name} with ${format(SESSIONS)} sessions`);
  await fillPast(databaseUrl, { sessions: SESSIONS, days: DAYS });
  const filled = performance.now();
  await untilSummed(databaseUrl);
  console.error(`${candidate.name}: all summed ${format((performance.now() - filled) / 1000)} s later`);
  return { name: candidate.name, url, apiKey, flowId: flows[0].id };
}

/** Resolves when the daily sums contain the sessions. A server that keeps none is ready at once. */
async function untilSummed(databaseUrl: string): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    const { rowCount: keepsSums } = await client.query(`SELECT FROM pg_tables WHERE tablename = 'sum_cursors'`);
    if (!keepsSums) return;
    // The sessions are dated before the server may have begun to sum: from the beginning, then.
    await client.query('TRUNCATE sum_cursors, daily_sums, daily_repeats');
    const deadline = performance.now() + SUMMED_WITHIN_MS;
    while ((await client.query(`SELECT FROM sum_cursors WHERE summed_until > '-infinity'`)).rowCount === 0) {
      if (performance.now() > deadline) throw new Error('The sessions were not summed within ten minutes');
      await pause(500);
    }
    await client.query('VACUUM ANALYZE');
  });
}

/** undefined: the server has no such route, or does not answer in time. */
async function take({ url, apiKey, flowId }: Prepared, one: (typeof CASES)[number], postgres: Postgres) {
  const cpu = () => cpuSecondsOfPostgres(postgres.postmasterPid);
  const [begun, cpuBegun] = [performance.now(), cpu()];
  const response = await fetch(url + one.path(flowId), { headers: { authorization: `Bearer ${apiKey}` } });
  for await (const _ of response.body!);
  const taken: Taken = { milliseconds: performance.now() - begun };
  if (cpuBegun !== undefined) taken.postgres = (cpu()! - cpuBegun) * 1000;
  return response.ok ? taken : undefined;
}

run({
  command: 'bench:statistics',
  about: `Measures statistics and exports of a workspace with ${format(SESSIONS)} sessions in 30 days.`,
  cases: CASES,
  async measure(options: Options, postgres: Postgres, processes: ChildProcesses) {
    const servers: Prepared[] = [];
    for (const candidate of [SERVICE, options.against ?? []].flat()) {
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
    return `${markdown(rows, 2)}\n\n${conditionsOf(options, postgres)}`;
  },
});
