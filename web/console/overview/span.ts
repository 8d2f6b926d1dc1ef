/** How many days back the overview goes, today included. */
export const SPANS = [7, 30, 90, 365];

const USUAL = 30;
const DAY_MS = 86_400_000;

/** The span that an address asks for. */
export function spanOf(query: URLSearchParams): number {
  const days = Number(query.get('days'));
  return SPANS.includes(days) ? days : USUAL;
}

/** The first day of a span that ends today, such as 2026-11-21. */
export function firstDay(days: number, now: number): string {
  return new Date(now - (days - 1) * DAY_MS).toISOString().slice(0, 10);
}
