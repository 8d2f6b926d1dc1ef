import { Client } from 'pg';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../src/platform/database/embedded/embedded-postgres';
import { postmasterOf } from './processes';

const PREFIX = 'retention_flow_bench_';

/** The server that all contestants share: the embedded one with its default, durable settings, or a given one. */
export class Postgres {
  private readonly databases: string[] = [];

  private constructor(
    private readonly url: string,
    private readonly embedded: EmbeddedPostgres | undefined,
    /** For the report. */
    readonly description: string,
    /** undefined: it does not run on this machine, or there is no /proc. */
    readonly postmasterPid: number | undefined,
  ) {}

  /** @param givenUrl of a role that may create databases; undefined: the embedded server is started on `dataDir` */
  static async start(givenUrl: string | undefined, dataDir: string): Promise<Postgres> {
    const embedded = givenUrl === undefined ? await startEmbeddedPostgres({ dataDir }) : undefined;
    const url = givenUrl ?? embedded!.url;
    return withClient(url, async (client) => {
      const { rows } = await client.query<{ version: string; pid: number }>(
        `SELECT current_setting('server_version') AS version, pg_backend_pid() AS pid`,
      );
      const [{ version, pid }] = rows;
      const description = `PostgreSQL ${version}${embedded ? ', embedded' : ''}`;
      return new Postgres(url, embedded, description, postmasterOf(pid));
    });
  }

  /** A new database, as a URL. `close` drops it. */
  async createDatabase(): Promise<string> {
    const name = PREFIX + (this.databases.length + 1);
    await this.drop(name);
    await withClient(this.url, (client) => client.query(`CREATE DATABASE ${name}`));
    this.databases.push(name);
    const url = new URL(this.url);
    url.pathname = `/${name}`;
    return url.href;
  }

  async close(): Promise<void> {
    if (this.embedded) return this.embedded.stop();
    for (const name of this.databases) await this.drop(name);
  }

  private async drop(name: string): Promise<void> {
    await withClient(this.url, (client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
  }
}

/** Opens a connection for some work. */
export async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client(url);
  // A connection that breaks fails its query as well.
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
