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
