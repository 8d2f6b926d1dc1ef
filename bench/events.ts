import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { startsOn } from './cases';
import { ADMIN_API_KEY, type Candidate, ENV, GENERATOR, loadOf, SERVICE } from './contestant';
import type { LoadResult } from './generator';
import { Management } from './management';
import { type Postgres } from './postgres';
import { type ChildProcesses, cpuSecondsOf, cpuSecondsOfPostgres, type Server } from './processes';
import { conditionsOf, format, markdown, median, type Options, run } from './run';

const CASES = [
  { name: 'one', title: 'events of 1 workspace', workspaces: 1 },
  { name: 'many', title: 'events of 1,000 workspaces', workspaces: 1000 },
];
const POLL_MS = 20;
const TIMEOUT_MS = 120_000;

/** What a receiver got, as it responds to GET. */
interface Received {
  requests: number;
  /** Different events. */
  events: number;
  /** When the first and the last request were read: milliseconds. */
  first: number;
  last: number;
}

interface Turn {
  perSecond: number;
  doubles: number;
  /** CPU time a delivery. */
  serverMicroseconds?: number;
  postgresMicroseconds?: number;
}

/** Starts sessions without work in the background, for `seconds`. Then another process sends their events. */
async function measureTurn(
  candidate: Candidate,
  workspaces: number,
  { seconds }: Options,
  postgres: Postgres,
  processes: ChildProcesses,
): Promise<Turn> {
  const receiver = await processes.serve({ script: __filename }, { RECEIVER: '1' });
  const env = { ...ENV, DATABASE_URL: await postgres.createDatabase() };
  const silent = await processes.serve(candidate, { ...env, SEND_NOTHING: 'true', BACKGROUND_JOBS: 'false' });
  const management = new Management(silent.url, ADMIN_API_KEY);
  const created = await management.createWorkspaces(workspaces, () => 1);
  await management.createWebhooks(created, receiver.url);
  const starts = { connections: 64, unit: 'request' as const, walks: startsOn(created) };
  const { started } = await processes.ask<LoadResult>(GENERATOR, loadOf(starts, seconds, silent));
  await processes.end(silent);

  const sender = await processes.serve(candidate, env);
  const cpu = () => [cpuSecondsOf(sender.pid), cpuSecondsOfPostgres(postgres.postmasterPid)];
  const before = cpu();
  const { requests, events, first, last } = await untilReceived(receiver, started);
  const [serverMicroseconds, postgresMicroseconds] = cpu().map((seconds, index) => {
    const from = before[index];
    return seconds === undefined || from === undefined ? undefined : ((seconds - from) / started) * 1e6;
  });
  for (const server of [sender, receiver]) await processes.end(server);
  return {
    perSecond: (events / (last - first)) * 1000,
    doubles: requests - events,
    serverMicroseconds,
    postgresMicroseconds,
  };
}

async function untilReceived({ url }: Server, count: number): Promise<Received> {
  for (const until = performance.now() + TIMEOUT_MS; performance.now() < until; await pause(POLL_MS)) {
    const received = (await (await fetch(url)).json()) as Received;
    if (received.events === count) return received;
  }
  throw new Error(`${count} events were not received in ${TIMEOUT_MS / 1000} s`);
}

/** A process of its own that receives events: it counts them and responds at once. */
function receive(): void {
  const events = new Set<string>();
  const received: Received = { requests: 0, events: 0, first: 0, last: 0 };
  const server = createServer((request, response) => {
    if (request.method === 'GET') return response.end(JSON.stringify({ ...received, events: events.size }));
    return request.resume().once('end', () => {
      received.requests++;
      events.add(String(request.headers['webhook-id']));
      received.last = performance.now();
      received.first ||= received.last;
      response.writeHead(204).end();
    });
  });
  server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
}

if (process.env.RECEIVER) receive();
else
  run({
    command: 'bench -- events',
    about: 'Measures how fast one process sends the events of sessions that had started before.',
    cases: CASES,
    async measure(options, postgres, processes) {
      const candidates = [SERVICE, ...options.against];
      const rows: Record<string, string>[] = [];
      for (const { title, workspaces } of CASES.filter(({ name }) => options.cases.includes(name))) {
        const all = candidates.map((): Turn[] => []);
        for (let round = 0; round < options.rounds; round++) {
          for (const [index, candidate] of candidates.entries()) {
            const turn = await measureTurn(candidate, workspaces, options, postgres, processes);
            all[index].push(turn);
            console.error(`${title}, round ${round + 1}: ${candidate.name} ${Math.round(turn.perSecond)}/s`);
          }
        }
        for (const [index, { name }] of candidates.entries()) {
          const of = (measure: keyof Turn) => median(all[index].map((turn) => turn[measure]));
          rows.push({
            case: index === 0 ? title : '',
            server: name,
            'per second': format(of('perSecond')),
            doubles: format(Math.max(...all[index].map(({ doubles }) => doubles))),
            'server CPU µs': format(of('serverMicroseconds')),
            'Postgres CPU µs': format(of('postgresMicroseconds')),
          });
        }
      }
      return `${markdown(rows, 2)}\n\n${conditionsOf(options, postgres)}`;
    },
  });
