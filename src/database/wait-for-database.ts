import { setTimeout as pause } from 'node:timers/promises';
import { Client, DatabaseError } from 'pg';
import { ConfigError } from '../config';

const PATIENCE_MS = 30_000;
const CONNECT_TIMEOUT_MS = 3000;
const POLL_MS = 250;

/** What Postgres says when it or the database may be there in a moment: starting up, stopping, full, not yet created. */
const NOT_YET = new Set(['57P01', '57P02', '57P03', '53300', '3D000']);
/** What Node and pg say where nobody answers, or nobody knows the name yet. */
const NO_ANSWER = /^(E(?!RR_)[A-Z_]+|timeout expired|Connection terminated.*)$/;

/**
 * Resolves when the database of a URL can be connected to. One that isn't there yet is waited for; `print` gets one line
 * that says so. Throws a ConfigError when it does not come, or at once when it is there and won't let us in.
 */
export async function waitForDatabase(url: string, print: (line: string) => void): Promise<void> {
  const start = performance.now();
  for (let attempts = 1; ; attempts++) {
    const error = await connectionError(url);
    if (!error) return;
    if (!mayPass(error) || performance.now() - start > PATIENCE_MS) {
      throw new ConfigError(`DATABASE_URL can't be used: ${reasonOf(error)}`);
    }
    if (attempts === 1) print(`Waiting up to 30 s for the database of DATABASE_URL (${reasonOf(error)})`);
    await pause(POLL_MS);
  }
}

function mayPass(error: Error & { code?: string }): boolean {
  if (error instanceof DatabaseError) return NOT_YET.has(error.code ?? '');
  return NO_ANSWER.test(error.code ?? error.message);
}

async function connectionError(url: string): Promise<Error | undefined> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  // What goes wrong with the connection fails what is asked of it as well.
  client.on('error', () => {});
  try {
    await client.connect();
    return undefined;
  } catch (error) {
    return error as Error;
  } finally {
    // Nobody waits for it: where there was no connection, nothing would ever end.
    client.end().catch(() => undefined);
  }
}

/** Several addresses that all refuse come as one error without a message. */
function reasonOf(error: Error & { code?: string }): string {
  return error.message || error.code || error.name;
}
