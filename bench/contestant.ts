import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Answer } from './bare';
import type { Case } from './cases';
import type { Load, LoadResult } from './generator';
import { type Filled, Management } from './management';
import { type Postgres, withClient } from './postgres';
import type { ChildProcesses, Program, Server } from './processes';

export const ADMIN_API_KEY = randomBytes(24).toString('hex');
export const GENERATOR = join(__dirname, 'generator.js');
const BARE = join(__dirname, 'bare.js');
/** Node sets them on every response. */
const OWN_HEADERS = ['content-length', 'date', 'connection', 'keep-alive'];

/** A build of the service, or the server written by hand. */
export interface Candidate extends Program {
  name: string;
}

/** The service of a checkout, as `npm start` runs it. */
export function serviceOf(folder: string, name: string): Candidate {
  const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { scripts: { start: string } };
  return { name, script: join(folder, 'dist/src/main.js'), nodeOptions: scripts.start.match(/--[\w-]+=\S+/g) ?? [] };
}

export const SERVICE = serviceOf(join(__dirname, '../..'), 'service');
export const HAND_WRITTEN: Candidate = { name: 'hand-written', script: join(__dirname, 'hand-written.js') };

/** The service as in production. */
export const ENV = {
  NODE_ENV: 'production',
  HOST: '127.0.0.1',
  PORT: '0',
  LOG_LEVEL: 'info',
  DATABASE_POOL_SIZE: '10',
  ADMIN_API_KEY,
  // All load comes from one address.
  RUNTIME_REQUESTS_PER_MINUTE: '0',
  MANAGEMENT_REQUESTS_PER_MINUTE: '0',
  FAILED_AUTHENTICATIONS_PER_MINUTE: '0',
  // Receivers of events run on this machine.
  WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
};

/** A server under test. */
export interface Contestant {
  name: string;
  /** Throws when a response has another status than the expected one. */
  measure(one: Case, seconds: number): Promise<LoadResult>;
}

/** A server with all the work behind it, and a database of its own that is filled like those of the others. */
export class Service implements Contestant {
  /** Sessions that it acknowledged. */
  private started = 0;

  private constructor(
    readonly name: string,
    private readonly server: Server,
    private readonly databaseUrl: string,
    private readonly management: Management,
    readonly filled: Filled,
    private readonly postmasterPid: number | undefined,
    private readonly processes: ChildProcesses,
  ) {}

  static async start(candidate: Candidate, postgres: Postgres, processes: ChildProcesses): Promise<Service> {
    const { name } = candidate;
    console.error(`Filling ${name}`);
    const databaseUrl = await postgres.createDatabase();
    const server = await processes.serve(candidate, { ...ENV, DATABASE_URL: databaseUrl });
    const management = new Management(server.url, ADMIN_API_KEY);
    const filled = await management.fill();
    await withClient(databaseUrl, (client) => client.query('ANALYZE'));
    return new Service(name, server, databaseUrl, management, filled, postgres.postmasterPid, processes);
  }

  async measure(one: Case, seconds: number): Promise<LoadResult> {
    const load = loadOf({ ...one, walks: one.walks(this.filled) }, seconds, this.server, this.postmasterPid);
    const result = await this.processes.ask<LoadResult>(GENERATOR, load);
    this.started += result.started;
    return result;
  }

  /** What it answers to a start. */
  async answer(): Promise<Answer> {
    const response = await fetch(`${this.server.url}/api/v1/runtime/session/init`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ flow_slug: this.filled.hot.flows[0].slug }),
    });
    this.started++;
    const headers = [...response.headers].filter(([name]) => !OWN_HEADERS.includes(name));
    return { headers: Object.fromEntries(headers), body: (await response.json()) as object };
  }

  /** Throws unless every session that was acknowledged is one row, and counts once against its workspace. */
  async checkCounts(): Promise<void> {
    const used = await this.management.sessionsUsed();
    const counted = [...used.values()].reduce((sum, sessions) => sum + sessions, 0);
    const { rows } = await withClient(this.databaseUrl, (client) =>
      client.query<{ workspace_id: string; sessions: number }>(
        'SELECT workspace_id, count(*)::integer AS sessions FROM flow_sessions GROUP BY workspace_id',
      ),
    );
    const stored = rows.reduce((sum, { sessions }) => sum + sessions, 0);
    const wrong = rows.filter(({ workspace_id, sessions }) => used.get(workspace_id) !== sessions);
    if (this.started !== stored || this.started !== counted || wrong.length > 0) {
      const numbers = `${this.started} sessions acknowledged, ${stored} stored, ${counted} counted`;
      throw new Error(`${this.name}: ${numbers}, ${wrong.length} workspaces with a wrong count`);
    }
  }
}

/** A bare Fastify server that answers starts like a service. */
export async function startBare(service: Service, processes: ChildProcesses): Promise<Contestant> {
  const env = { NODE_ENV: 'production', ANSWER: JSON.stringify(await service.answer()) };
  const server = await processes.serve({ script: BARE }, env);
  return {
    name: 'bare Fastify',
    measure: (one, seconds) =>
      processes.ask<LoadResult>(GENERATOR, loadOf({ ...one, walks: one.walks(service.filled) }, seconds, server)),
  };
}

/** What the generator is to send to a server. */
export function loadOf(
  { connections, unit, walks }: Pick<Load, 'connections' | 'unit' | 'walks'>,
  seconds: number,
  { url, pid: serverPid }: Server,
  postmasterPid?: number,
): Load {
  const { hostname: host, port } = new URL(url);
  return { host, port: Number(port), serverPid, postmasterPid, connections, walks, unit, seconds };
}
