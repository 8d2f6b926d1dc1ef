import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Case } from './cases';
import type { ChildProcesses, Server } from './processes';
import { type Filled, Management } from './management';
import type { Load, LoadResult } from './load/generator';
import { type Postgres, withClient } from './postgres';

const ADMIN_API_KEY = randomBytes(24).toString('hex');
const GENERATOR = join(__dirname, 'load/generator.js');

export const SERVICE = { name: 'service', script: join(__dirname, '../src/main.js') };
export const HAND_WRITTEN = { name: 'hand-written', script: join(__dirname, 'hand-written/server.js') };

/** The service as in production. The hand-written server has none of these settings but the key, HOST and PORT. */
const ENV = {
  NODE_ENV: 'production',
  HOST: '127.0.0.1',
  PORT: '0',
  LOG_LEVEL: 'info',
  DATABASE_POOL_SIZE: '10',
  ADMIN_API_KEY,
  // All load comes from one address.
  RUNTIME_REQUESTS_PER_MINUTE: '0',
  MANAGEMENT_REQUESTS_PER_MINUTE: '0',
};

/** A server under test, with a database of its own that is filled like those of the others. */
export class Contestant {
  /** Sessions that it acknowledged. */
  private started = 0;

  private constructor(
    readonly name: string,
    private readonly server: Server,
    private readonly databaseUrl: string,
    private readonly management: Management,
    private readonly filled: Filled,
    private readonly postmasterPid: number | undefined,
    private readonly processes: ChildProcesses,
  ) {}

  static async start(
    { name, script }: { name: string; script: string },
    postgres: Postgres,
    processes: ChildProcesses,
  ): Promise<Contestant> {
    const databaseUrl = await postgres.createDatabase();
    const server = await processes.serve(script, { ...ENV, DATABASE_URL: databaseUrl });
    const management = new Management(server.url, ADMIN_API_KEY);
    const filled = await management.fill();
    await withClient(databaseUrl, (client) => client.query('ANALYZE'));
    return new Contestant(name, server, databaseUrl, management, filled, postgres.postmasterPid, processes);
  }

  /** Throws when a response has another status than the expected one. */
  async measure(one: Case, seconds: number): Promise<LoadResult> {
    const { hostname, port } = new URL(this.server.url);
    const load: Load = {
      host: hostname,
      port: Number(port),
      serverPid: this.server.pid,
      postmasterPid: this.postmasterPid,
      connections: one.connections,
      walks: one.walks(this.filled),
      unit: one.unit,
      seconds,
    };
    const result = await this.processes.ask<LoadResult>(GENERATOR, load);
    this.started += result.started;
    return result;
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
