import type { EntityManager } from 'typeorm';

/**
 * The time, in SQL. It is the database's: the clocks of processes may be wrong. It is the start of the statement, in
 * milliseconds: later than locks that earlier statements of the transaction waited for, earlier than a lock that this one
 * waits for.
 */
export const NOW = `date_trunc('milliseconds', statement_timestamp())`;

/** The same with its microseconds, to tell apart what happens within a millisecond. */
export const EXACT_NOW = 'statement_timestamp()';

/** The time as the value of a column that TypeORM writes. */
export const now = (): string => NOW;

/** The time as a value, for several statements that have to agree on it. */
export async function readTime(manager: EntityManager): Promise<Date> {
  const [{ time }] = await manager.query<{ time: Date }[]>(`SELECT ${NOW} AS time`);
  return time;
}
