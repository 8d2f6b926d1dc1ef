import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { QueryResultRow } from 'pg';
import type { Case } from './cases';
import type { ChildProcesses, Server } from './processes';
import { type Filled, Management } from './management';
import type { Load, LoadResult } from './load/generator';
import { fillPast, type Past } from './past';
import { type Postgres, withClient } from './postgres';

export const ADMIN_API_KEY = randomBytes(24).toString('hex');
const GENERATOR = join(__dirname, 'load/generator.js');

/** What takes part in a benchmark. */
export interface Candidate {
  name: string;
  script: string;
  /** Settings besides those that all have. */
  env?: Record<string, string>;
  /** What its database is filled with. */
  past?: Past;
  /** Makes more of it when its database is filled. */
  prepare?: (filled: Filled, management: Management, startAnother: () => Promise<Server>) => Promise<void>;
}

export const SERVICE: Candidate = { name: 'service', script: join(__dirname, '../src/main.js') };
export const HAND_WRITTEN: Candidate = { name: 'hand-written', script: join(__dirname, 'hand-written/server.js') };

/** The service as in production. The hand-written server has none of these settings but the key, HOST and PORT. */
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
  // Receivers of events run on this machine.
  WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
};

/** What a turn left, so that the next one begins like it. The older a webhook's failures, the fewer attempts it gets. */
const CLEAR = [
  'TRUNCATE outbox',
  'TRUNCATE deliveries',
  'UPDATE webhooks SET failures = 0, failing_since = NULL, next_probe_at = NULL WHERE failures > 0',
];

/** Sessions of the past count like others. */
const COUNT_PAST = `UPDATE workspaces SET sessions_used = counted.sessions, usage_period = date_trunc('month', now(), 'UTC')
  FROM (SELECT workspace_id, count(*) AS sessions FROM flow_sessions GROUP BY workspace_id) AS counted
  WHERE id = counted.workspace_id`;

/** The outbox has one entry for a batch of starts. */
const DELIVERED_SHARE = `
  SELECT count(*) FILTER (WHERE status = 'delivered')::float / nullif(count(*) + coalesce((
    SELECT sum(cardinality(flow_session_ids)) FROM outbox WHERE EXISTS (SELECT FROM webhooks)), 0), 0) AS share
  FROM deliveries`;

export interface Measured extends LoadResult {
  /** The share of the turn's deliveries that were made within it, 0 to 1; undefined: there are none. */
  deliveredShare?: number;
}

/** A server under test, with a database of its own that is filled like those of the others. */
export class Contestant {
  private constructor(
    readonly name: string,
    private readonly server: Server,
    readonly databaseUrl: string,
    private readonly hasEvents: boolean,
    private readonly management: Management,
    private readonly filled: Filled,
    private readonly postmasterPid: number | undefined,
    private readonly processes: ChildProcesses,
    /** Sessions that it acknowledged, or was filled with. */
    private started: number,
  ) {}

  static async start(candidate: Candidate, postgres: Postgres, processes: ChildProcesses): Promise<Contestant> {
    const { name, script, env, past, prepare } = candidate;
    console.error(`Filling ${name}`);
    const databaseUrl = await postgres.createDatabase();
    const own = { ...ENV, DATABASE_URL: databaseUrl };
    const server = await processes.serve(script, { ...own, ...env });
    const management = new Management(server.url, ADMIN_API_KEY);
    const filled = await management.fill();
    await prepare?.(filled, management, () => processes.serve(script, own));
    if (past) await fillPast(databaseUrl, past);
    const hasEvents = await withClient(databaseUrl, async (client) => {
      await client.query(COUNT_PAST);
      await client.query('ANALYZE');
      return (await client.query(`SELECT FROM pg_tables WHERE tablename = 'outbox'`)).rowCount === 1;
    });
    const started = past?.sessions ?? 0;
    const pid = postgres.postmasterPid;
    return new Contestant(name, server, databaseUrl, hasEvents, management, filled, pid, processes, started);
  }

  /** Throws when a response has another status than the expected one. */
  async measure(one: Case, seconds: number): Promise<Measured> {
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
    await this.clear();
    const result = await this.processes.ask<LoadResult>(GENERATOR, load);
    this.started += result.started;
    const [delivered] = await this.query<{ share: number | null }>(DELIVERED_SHARE);
    // What is not sent yet would be a load in the turns of others.
    await this.clear();
    return { ...result, deliveredShare: delivered?.share ?? undefined };
  }

  private async clear(): Promise<void> {
    for (const statement of CLEAR) await this.query(statement);
  }

  /** Asks about events. A server without them has no rows. */
  private async query<Row extends QueryResultRow>(text: string): Promise<Row[]> {
    return this.hasEvents ? withClient(this.databaseUrl, async (client) => (await client.query<Row>(text)).rows) : [];
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
