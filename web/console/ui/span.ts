import { dayAfter, isDay } from './filters';

/** How many days back a page of numbers may go, today included. */
export const LENGTHS = [7, 30, 90, 365];

const USUAL = 30;
/** The most days that the service tells one by one. */
const MOST = 366;
const DAY_MS = 86_400_000;

/** Days of UTC, such as 2026-11-21. `from` and `to` are its first and its last day, as in the filters of lists. */
export interface Span {
  from: string;
  to: string;
  /** How many days it has. */
  days: number;
  /** Whether the days were chosen one by one, and not as the last so many. */
  isChosen: boolean;
}

/** The span that an address asks for: the days from `from` to `to`, at most 366; the last `days`; or the last 30. */
export function spanOf(query: URLSearchParams, now = Date.now()): Span {
  const [from, to] = [query.get('from') ?? '', query.get('to') ?? ''];
  if (isDay(from) && isDay(to) && from <= to && from <= dayOf(now)) {
    const last = [to, dayOf(now), dayOf(Date.parse(from) + (MOST - 1) * DAY_MS)].toSorted()[0];
    return { from, to: last, days: (Date.parse(last) - Date.parse(from)) / DAY_MS + 1, isChosen: true };
  }
  const asked = Number(query.get('days'));
  const days = LENGTHS.includes(asked) ? asked : USUAL;
  return { from: dayOf(now - (days - 1) * DAY_MS), to: dayOf(now), days, isChosen: false };
}

/** The last 30 days. */
export function usualSpan(): Span {
  return spanOf(new URLSearchParams());
}

/** The span in the parameters of the service, whose `to` is left out. */
export function during({ from, to }: Pick<Span, 'from' | 'to'>): { from: string; to: string } {
  return { from, to: dayAfter(to) };
}

/**
 * The time just before a span, just as long, in the parameters of the service. Today is not over: the days before a
 * span that ends today end at this time of the day, too.
 */
export function before(span: Span, now = Date.now()): { from: string; to: string } {
  const { from, to } = during(span);
  const end = Math.min(Date.parse(to), now);
  const earlier = (time: number) => new Date(time - span.days * DAY_MS).toISOString();
  return { from: earlier(Date.parse(from)), to: earlier(end) };
}

/** As many days, 30 days earlier. */
export function monthEarlier({ from, to }: Span): Pick<Span, 'from' | 'to'> {
  const earlier = (date: string) => dayOf(Date.parse(date) - USUAL * DAY_MS);
  return { from: earlier(from), to: earlier(to) };
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
