import { Client, type ClientConfig, type QueryResult } from 'pg';
import { sqlState } from './postgres-errors';

/**
 * Fails whenever any write would fail, but touches no table and needs no privilege. It is sent as one string, which
 * Postgres runs as one transaction, also behind a pooler.
 *
 * - The lock: a commit that waits for a standby keeps waiting after we gave up. The next trial, from any process, then
 *   times out on the lock instead of leaving a second commit waiting.
 * - The series exceeds `work_mem`, so half a megabyte is written to the database's disk and deleted again.
 * - The message is written only to the WAL, and its commit waits for the WAL like any other. A read-only server returns no
 *   row.
 */
const TRIAL = `
  SET LOCAL lock_timeout = '2s';
  SET LOCAL work_mem = '64kB';
  SET LOCAL temp_tablespaces = '';
  SELECT pg_advisory_xact_lock(7236151403);
  SELECT FROM generate_series(1, 20000) LIMIT 1;
  SELECT pg_logical_emit_message(true, 'retention-flow-service', '')
    WHERE current_setting('transaction_read_only') = 'off'`;

/** The role lacks a privilege (42…) or exceeds its `temp_file_limit` (53400). The server itself counts as writable. */
const ROLE_RESTRICTED = /^(42\w{3}|53400)$/;
const SERVER_FULL = '53300';

/**
 * Whether the database accepts writes, tested by a small write on a separate connection with the usual time-outs.
 * `undefined` means unknown, because the server has no connection left.
 */
export async function tryToWrite(config: ClientConfig): Promise<boolean | undefined> {
  const client = new Client(config);
  // Errors of the connection also reject the pending call below.
  client.on('error', () => {});
  try {
    await client.connect();
  } catch (error) {
    void client.end();
    return sqlState(error) === SERVER_FULL ? undefined : false;
  }
  try {
    // For several statements pg returns a list.
    const results = (await client.query(TRIAL)) as unknown as QueryResult[];
    return results.at(-1)!.rowCount === 1;
  } catch (error) {
    return ROLE_RESTRICTED.test(sqlState(error) ?? '');
  } finally {
    void client.end();
  }
}
