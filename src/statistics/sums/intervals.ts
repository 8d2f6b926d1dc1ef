import { daysTo, midnightOf, monthsAfter, monthsBetween } from '../../platform/common/days';
import { Problem } from '../../platform/api/problems/problem';
import { EPOCH, type Span } from './span';

export const INTERVALS = ['day', 'month'] as const;
export type StatsInterval = (typeof INTERVALS)[number];

/** The most days or months that a span is counted by. */
export const MAX_PERIODS = 366;

/** The span before: as long, or with months as many of them, to the nearest. */
export function spanBefore(span: Span, interval: StatsInterval): Span {
  const { from, to } = span;
  const earlier =
    interval === 'day' ? new Date(2 * from.getTime() - to.getTime()) : monthsAfter(from, -nearestMonths(from, to));
  return { ...span, from: earlier < EPOCH ? EPOCH : earlier, to: from };
}

/** When the periods of a span begin: the first with the span, the others at midnight (UTC). */
export function startsOf({ from, to }: Span, interval: StatsInterval): Date[] {
  const starts = [];
  // One more than there may be says enough; the span before may have one more, too.
  for (let start = from; start < to && starts.length <= MAX_PERIODS + 1; start = nextAfter(start, interval)) {
    starts.push(start);
  }
  return starts;
}

/** When the periods of a span begin. Throws a 400 if there are more than `MAX_PERIODS`. */
export function fewStartsOf(span: Span, interval: StatsInterval): Date[] {
  const starts = startsOf(span, interval);
  if (starts.length <= MAX_PERIODS) return starts;
  const message = `must be at most ${MAX_PERIODS} ${interval}s (UTC) before to, with the ${interval} that it is in`;
  throw Problem.ofParameter('from', message);
}

function nextAfter(start: Date, interval: StatsInterval): Date {
  if (interval === 'day') return midnightOf(Math.floor(daysTo(start)) + 1);
  return new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1));
}

/** How many months are from one time to another: half a month more is one more. At least one. */
function nearestMonths(from: Date, to: Date): number {
  const whole = monthsBetween(from, to);
  const rest = daysTo(to) - daysTo(monthsAfter(from, whole));
  return Math.max(1, rest >= 15 ? whole + 1 : whole);
}
