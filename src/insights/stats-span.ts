import type { EntityManager } from 'typeorm';
import { dateOf, daysTo, midnightOf } from '../common/days';
import { Problem } from '../common/problem';
import { readTime } from '../database/time';
import type { StatsQuery } from './dto/stats.dto';
import type { Span } from './sums/span';

const DEFAULT_DAYS = 30;
/** The most days that statistics by day cover. */
export const MAX_DAYS = 366;

/** The span of a query: without `to` until the end of today, without `from` from midnight (UTC) 30 days before. */
export async function spanOf(workspaceId: string, query: StatsQuery, manager: EntityManager): Promise<Span> {
  const now = await readTime(manager);
  // Sessions that begin in this millisecond count.
  const to = query.to ? new Date(query.to) : midnight(now, 1);
  const from = query.from ? new Date(query.from) : midnight(query.to ? to : now, -DEFAULT_DAYS);
  if (from >= to) throw Problem.invalid([{ pointer: '/from', message: 'must be before to' }]);
  return { workspaceId, from, to, now };
}

/** Every day (UTC) of a span, also those of which it has only a part. */
export function daysOf({ from, to }: Span): string[] {
  const count = Math.ceil(daysTo(to) - daysTo(midnight(from)));
  if (count > MAX_DAYS) {
    throw Problem.invalid([
      { pointer: '/from', message: `must be at most ${MAX_DAYS} days (UTC) before to, with the day that it is on` },
    ]);
  }
  return Array.from({ length: count }, (_, day) => dateOf(midnight(from, day)));
}

/** The midnight (UTC) with which a day begins, so many days later. */
function midnight(time: Date, daysLater = 0): Date {
  return midnightOf(Math.floor(daysTo(time)) + daysLater);
}
