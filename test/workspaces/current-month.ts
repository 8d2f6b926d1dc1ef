import type { Service } from '../support/service';

/** The calendar month in UTC that usage counts in, by the clock of the database. */
export async function currentMonth({ database }: Service): Promise<{ period_start: string; period_end: string }> {
  const [{ now }] = await database.query('SELECT now()');
  const start = (ahead: number) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead)).toISOString();
  return { period_start: start(0), period_end: start(1) };
}
