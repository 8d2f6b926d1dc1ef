const DAY_MS = 24 * 60 * 60 * 1000;

/** The number of days (UTC) from the beginning of time to another time, with fractions. */
export function daysTo(time: Date): number {
  return time.getTime() / DAY_MS;
}

/** The midnight (UTC) with which a day begins: so many days after the beginning of time. */
export function midnightOf(day: number): Date {
  return new Date(day * DAY_MS);
}

/** The day (UTC) of a time, such as 2026-11-21. */
export function dateOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}
