import { setTimeout as pause } from 'node:timers/promises';
import { Client, type ClientConfig, DatabaseError } from 'pg';
import { ConfigError } from '../../../settings/config';

const MAX_WAIT_MS = 6000;
const CONNECT_TIMEOUT_MS = 3000;
const POLL_MS = 250;

/** SQLSTATEs of a server that is starting, stopping or full, or a database that is not created yet. */
const NOT_YET = new Set(['57P01', '57P02', '57P03', '53300', '3D000']);
/** Errors of Node and pg when the server can't be reached, or its name not be resolved. */
const UNREACHABLE = /^(E(?!RR_)[A-Z_]+|timeout expired|Connection terminated.*)$/;

/**
 * Runs work on a connection of its own, and closes it. Throws, instead of rejecting, if the configuration can't be
 * used.
 */
export function withClient<T>(config: ClientConfig, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client(config);
  // A connection that breaks also rejects the call that waits for it.
  client.on('error', () => {});
  return (
    client
      .connect()
      .then(() => work(client))
      // Not awaited, because it may never settle if there was no connection.
      .finally(() => void client.end().catch(() => undefined))
  );
}

/**
 * Resolves when the database accepts connections. If it is not available yet, prints one line and waits up to 6 s.
 * Throws a ConfigError after that, or at once if the server refuses us (wrong password, for example).
 */
export async function waitForDatabase(url: string, print: (line: string) => void): Promise<void> {
  const start = performance.now();
  for (let attempts = 1; ; attempts++) {
    const error = await connectionError(url);
    if (!error) return;
    if (!isTransient(error) || performance.now() - start > MAX_WAIT_MS) {
      throw new ConfigError(`DATABASE_URL can't be used: ${reasonOf(error)}`);
    }
    if (attempts === 1) print(`Waiting up to 6 s for the database of DATABASE_URL (${reasonOf(error)})`);
    await pause(POLL_MS);
  }
}

function isTransient(error: Error & { code?: string }): boolean {
  if (error instanceof DatabaseError) return NOT_YET.has(error.code ?? '');
  return UNREACHABLE.test(error.code ?? error.message);
}

function connectionError(url: string): Promise<Error | undefined> {
  const config = { connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS };
  return withClient(config, () => Promise.resolve(undefined)).catch((error: Error) => error);
}

/** If a host has several addresses and all fail, the error has a code but no message. */
function reasonOf(error: Error & { code?: string }): string {
  return error.message || error.code || error.name;
}
