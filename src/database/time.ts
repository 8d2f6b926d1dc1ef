import type { EntityManager } from 'typeorm';

/**
 * The time, in SQL. It is the database's, so that a process with a wrong clock dates nothing and decides nothing by it. It
 * is the start of the statement, in milliseconds: after locks that earlier statements of the transaction waited for, before
 * a lock that this statement waits for.
 */
export const NOW = `date_trunc('milliseconds', statement_timestamp())`;

/** The time as the value of a column that TypeORM writes. */
export const now = (): string => NOW;

/** The time as a value, for several statements that have to agree on it. */
export async function readTime(manager: EntityManager): Promise<Date> {
  const [{ time }] = await manager.query<{ time: Date }[]>(`SELECT ${NOW} AS time`);
  return time;
}
