import { Client } from 'pg';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../src/database/embedded/embedded-postgres';

const PREFIX = 'retention_flow_bench_';

/**
 * The Postgres that all servers share: the embedded one with its default, durable settings, or the one of
 * BENCH_DATABASE_URL.
 */
export class Postgres {
  private embedded?: Promise<EmbeddedPostgres>;
  private readonly databases: string[] = [];

  constructor(
    private readonly givenUrl: string | undefined,
    private readonly folder: string,
  ) {}

  /** A new database, as a URL. It is dropped by `close`. */
  async createDatabase(purpose: string): Promise<string> {
    const serverUrl = await this.serverUrl();
    const name = PREFIX + purpose;
    await query(serverUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await query(serverUrl, `CREATE DATABASE ${name}`);
    this.databases.push(name);
    const url = new URL(serverUrl);
    url.pathname = `/${name}`;
    return url.href;
  }

  /** What it is, for the report. */
  async version(): Promise<string> {
    const [{ server_version }] = await query<{ server_version: string }>(await this.serverUrl(), 'SHOW server_version');
    return `PostgreSQL ${server_version}${this.givenUrl ? ' (BENCH_DATABASE_URL)' : ', embedded'}`;
  }

  /** Also one that is still starting. */
  async close(): Promise<void> {
    if (this.givenUrl) {
      for (const name of this.databases) await query(this.givenUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    }
    const embedded = await this.embedded?.catch(() => undefined);
    await embedded?.stop();
  }

  private async serverUrl(): Promise<string> {
    if (this.givenUrl) return this.givenUrl;
    this.embedded ??= startEmbeddedPostgres({ dataDir: this.folder });
    return (await this.embedded).url;
  }
}

/** Runs one statement on a connection of its own and answers its rows. */
export async function query<Row>(url: string, sql: string): Promise<Row[]> {
  const client = new Client(url);
  // A connection that breaks fails the query as well.
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(sql)).rows as Row[];
  } finally {
    await client.end();
  }
}
