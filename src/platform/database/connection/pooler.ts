import type { Client, QueryConfig } from 'pg';
import { withClient } from './client';

/** Whether a pooler such as PgBouncer is in front of Postgres. */
export class Pooler {
  private constructor(readonly isPresent: boolean) {}

  /** The query as it may be sent: a name prepares it for its connection, and a pooler's connections don't keep that. */
  prepared(query: QueryConfig): QueryConfig {
    return this.isPresent ? { ...query, name: undefined } : query;
  }

  /**
   * Looks at the server behind a URL. Postgres greets a client with the number of the process that serves it; a pooler
   * sends a made-up number, and the next transaction may run in another session of Postgres than the last.
   */
  static detect(url: string): Promise<Pooler> {
    return withClient({ connectionString: url, connectionTimeoutMillis: 3000, query_timeout: 5000 }, async (client) => {
      const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      return new Pooler(rows[0].pid !== (client as Client & { processID: number }).processID);
    });
  }
}
