import type { EntityManager } from 'typeorm';

/**
 * The time, in SQL: that of the database, so that a process whose clock is wrong dates nothing and decides nothing by it. It
 * is when the statement began, in the milliseconds that are answered: after a lock that an earlier statement of its transaction
 * waited for, and before one that it waits for itself.
 */
export const NOW = `date_trunc('milliseconds', statement_timestamp())`;

/** The time as the value of a column that TypeORM writes. */
export const now = (): string => NOW;

/** The time, where several statements have to agree on it. */
export async function readTime(manager: EntityManager): Promise<Date> {
  const [{ time }] = await manager.query<{ time: Date }[]>(`SELECT ${NOW} AS time`);
  return time;
}
