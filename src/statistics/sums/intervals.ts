import { daysTo, midnightOf, monthsAfter, monthsBetween } from '../../platform/common/days';
import { Problem } from '../../platform/api/problems/problem';
import type { Span } from './span';

export const INTERVALS = ['day', 'month'] as const;
export type StatsInterval = (typeof INTERVALS)[number];

/** The most days or months that a span is counted by. */
export const MAX_PERIODS = 366;

/** The span before, of as many days or months. */
export function spanBefore(span: Span, interval: StatsInterval): Span {
  const { from, to } = span;
  if (interval === 'day') return { ...span, from: new Date(2 * from.getTime() - to.getTime()), to: from };
  const whole = monthsBetween(from, to);
  const months = monthsAfter(from, whole) < to ? whole + 1 : whole;
  return { ...span, from: monthsAfter(from, -months), to: from };
}

/** When the periods of a span begin: the first with the span, the others at midnight (UTC). */
export function startsOf({ from, to }: Span, interval: StatsInterval): Date[] {
  const starts = [];
  for (let start = from; start < to; start = nextAfter(start, interval)) starts.push(start);
  return starts;
}

/** The same. Throws a 400 if there are too many. */
export function fewStartsOf(span: Span, interval: StatsInterval): Date[] {
  const starts = startsOf(span, interval);
  if (starts.length <= MAX_PERIODS) return starts;
  const message = `must be at most ${MAX_PERIODS} ${interval}s (UTC) before to, with the ${interval} that it is in`;
  throw Problem.invalid([{ pointer: '/from', message }]);
}

function nextAfter(start: Date, interval: StatsInterval): Date {
  if (interval === 'day') return midnightOf(Math.floor(daysTo(start)) + 1);
  return new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1));
}
