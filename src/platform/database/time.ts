import type { EntityManager } from 'typeorm';
import type { Queries } from './transaction/transactions';

/**
 * The time, in SQL. It is the database's: the clocks of processes may be wrong. It is the start of the statement, in
 * milliseconds: later than locks that earlier statements of the transaction waited for, earlier than a lock that this
 * one waits for.
 */
export const NOW = `date_trunc('milliseconds', statement_timestamp())`;

/** SQL for a time as JSON shows it. Of many rows, Postgres writes it in less time than Node makes a `Date` of it. */
export const shownTime = (column: string): string =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Now, with microseconds, to tell apart what happens within a millisecond. */
export const EXACT_NOW = 'statement_timestamp()';

/** The time as the value of a column that TypeORM writes. */
export const now = (): string => NOW;

/** The time as a value, for several statements that have to agree on it. */
export async function readTime(queries: Queries): Promise<Date> {
  const [{ time }] = await queries.query<{ time: Date }[]>(`SELECT ${NOW} AS time`);
  return time;
}

/**
 * A time that has settled: no transaction will commit a row of the table any more that was written, and dated, before
 * it.
 *
 * A row is dated when its statement begins and is seen when its transaction commits, maybe seconds later. From before
 * it is dated until it is seen, its transaction holds the lock that writing a table takes. So the start of the earliest
 * transaction that holds this lock has settled; if none does, now. A transaction that only reads, such as a backup,
 * holds nothing up.
 *
 * - It is a second earlier than that, for clocks that are set back a little, and for other servers that take over.
 * - Locks and activities are read one after another. A writer that is idle in between has committed, or dates its
 *   rows later than now.
 * - A writer that doesn't show when it began (another role, `track_activities` off) counts as begun a minute ago.
 *
 * Read the rows afterwards, with another statement. Those of a transaction that commits while this one runs would
 * otherwise be missed: it is over when the locks are read, and not yet in the snapshot, which is taken before.
 */
export async function settledTime(table: string, manager: EntityManager): Promise<Date> {
  const [{ time }] = await manager.query<{ time: Date }[]>(
    `SELECT date_trunc('milliseconds', least(${NOW}, min(
        CASE WHEN writer.state IS NULL OR writer.state = 'disabled' THEN ${NOW} - interval '1 minute' ELSE xact_start END
      )) - interval '1 second') AS time
    FROM pg_locks LEFT JOIN pg_stat_activity AS writer USING (pid)
    WHERE locktype = 'relation' AND relation = $1::regclass AND mode = 'RowExclusiveLock'
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    [table],
  );
  return time;
}
