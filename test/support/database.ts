import { Client } from 'pg';
import { until } from './until';

/** How the workers learn of the server that the global setup started. */
export const SERVER_URL = 'RETENTION_FLOW_TEST_SERVER';

export const databaseName = (of: string | number): string => `retention_flow_test_${of}`;

/** The connection string of a database on the test server. */
export function withDatabase(name: string): string {
  const url = new URL(process.env[SERVER_URL]!);
  url.pathname = `/${name}`;
  return url.href;
}

/** The database that belongs to this worker alone. */
export const workerDatabaseUrl = (): string => withDatabase(databaseName(process.env.JEST_WORKER_ID!));

/** Runs `work` on a connection of its own. */
export async function connected<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client(url);
  // A connection that is lost fails the query as well.
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Resolves when so many wait for a lock of this connection. */
export async function untilBlocking(client: Client, waiting = 1): Promise<void> {
  const blocked = 'SELECT FROM pg_locks WHERE pg_backend_pid() = ANY(pg_blocking_pids(pid))';
  await until(
    async () => (await client.query(blocked)).rows.length,
    (count) => count >= waiting,
  );
}
