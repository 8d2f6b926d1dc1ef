/** Days of filters, such as 2026-11-21. They are those of UTC, as in statistics. */

const DAY_MS = 86_400_000;

/** The first day that a filter through `day` leaves out. Any other text stays as it is: the service refuses it. */
export function dayAfter(day: string): string {
  const start = Date.parse(day);
  return Number.isNaN(start) ? day : new Date(start + DAY_MS).toISOString().slice(0, 10);
}

/** A date field has a value while its year is being typed: 0002, 0020, 0202. */
export function isWhole(day: string): boolean {
  return day === '' || day >= '1970';
}
