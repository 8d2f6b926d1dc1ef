import { daysTo, midnightOf, monthsAfter } from '../../platform/common/days';
import { Problem } from '../../platform/api/problems/problem';

/** Whole months, or a week (UTC): the first day, and the day after the last one. */
export interface Days {
  from: Date;
  to: Date;
}

/**
 * The months that are asked for. Without an end, those until the last whole month, or the first alone if that is not
 * over. Without a beginning, the last alone. Throws a 400 for anything but months.
 */
export function monthsOf(query: { from?: string; to?: string }, now: Date): Days {
  const current = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
  const begin = firstDay('from', query.from);
  const to = firstDay('to', query.to) ?? (begin && begin >= current ? monthsAfter(begin, 1) : current);
  const from = begin ?? monthsAfter(to, -1);
  if (from >= to) throw Problem.ofParameter('from', 'must be before to');
  if (to.getUTCFullYear() > 9999) throw Problem.ofParameter('from', 'must be before 9999-12-01');
  return { from, to };
}

/** The last whole week, which begins on Monday, or the last whole month. */
export function lastWhole(unit: 'week' | 'month', now: Date): Days {
  if (unit === 'month') return monthsOf({}, now);
  const today = Math.floor(daysTo(now));
  const monday = midnightOf(today - ((now.getUTCDay() + 6) % 7));
  return { from: midnightOf(daysTo(monday) - 7), to: monday };
}

function firstDay(parameter: 'from' | 'to', value: string | undefined): Date | undefined {
  if (value === undefined) return undefined;
  const date = new Date(value);
  if (date.getTime() === Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1)) return date;
  throw Problem.ofParameter(parameter, 'must be the first day of a month (UTC), such as 2026-11-01');
}

/** The same months of the year before. */
export function aYearBefore({ from, to }: Days): Days {
  return { from: monthsAfter(from, -12), to: monthsAfter(to, -12) };
}
