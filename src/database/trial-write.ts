import { Client, type ClientConfig, type QueryResult } from 'pg';
import { sqlState } from './postgres-errors';

/**
 * Fails as every write would, leaves nothing in a table, and needs no privilege on one. It is sent as one string, which
 * Postgres runs as one transaction; so a pooler does, too.
 *
 * - The lock: a commit that waits for a standby waits on after we have given up. The next trial, of whatever process, then
 *   waits for that one and gives up before it leaves a second.
 * - The series does not fit into memory: half a megabyte goes to the disk of the database and away again.
 * - The message goes to the log alone, and its commit waits for the log as any other. A server that only reads sends no row.
 */
const TRIAL = `
  SET LOCAL lock_timeout = '2s';
  SET LOCAL work_mem = '64kB';
  SET LOCAL temp_tablespaces = '';
  SELECT pg_advisory_xact_lock(7236151403);
  SELECT FROM generate_series(1, 20000) LIMIT 1;
  SELECT pg_logical_emit_message(true, 'retention-flow-service', '')
    WHERE current_setting('transaction_read_only') = 'off'`;

/** A role that may do, or spill, less than others. That it was let in and answered is all there is to know. */
const MAY_NOT_TRY = /^(42\w{3}|53400)$/;
const SERVER_FULL = '53300';

/**
 * Whether the database can be written, by a small write on a connection of its own, with as much time as any other has.
 * `undefined`: can't be said, because the server has no connection left.
 */
export async function tryToWrite(config: ClientConfig): Promise<boolean | undefined> {
  const client = new Client(config);
  // What goes wrong with the connection fails what is asked of it as well.
  client.on('error', () => {});
  try {
    await client.connect();
  } catch (error) {
    void client.end();
    return sqlState(error) === SERVER_FULL ? undefined : false;
  }
  try {
    // Of several statements pg answers a list.
    const results = (await client.query(TRIAL)) as unknown as QueryResult[];
    return results.at(-1)!.rowCount === 1;
  } catch (error) {
    return MAY_NOT_TRY.test(sqlState(error) ?? '');
  } finally {
    void client.end();
  }
}
