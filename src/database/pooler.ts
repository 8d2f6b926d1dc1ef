import { Client } from 'pg';

/**
 * Whether a pooler such as PgBouncer answers at the address, so that the next transaction may meet another session of
 * Postgres than the last. Postgres greets a client with the number of the process that serves it; a pooler makes one up.
 */
export async function isPooled(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 3000, query_timeout: 5000 });
  // A connection that breaks fails the query as well.
  client.on('error', () => {});
  await client.connect();
  try {
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    return rows[0].pid !== (client as Client & { processID: number }).processID;
  } finally {
    await client.end();
  }
}
