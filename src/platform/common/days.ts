export const DAY_MS = 24 * 60 * 60 * 1000;

/** Days (UTC) from 1970-01-01 to a time, with fractions. */
export function daysTo(time: Date): number {
  return time.getTime() / DAY_MS;
}

/** Midnight (UTC), this many days after 1970-01-01. */
export function midnightOf(day: number): Date {
  return new Date(day * DAY_MS);
}

/** The day (UTC) of a time, such as 2026-11-21. */
export function dateOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}

/** The same day some months later, or the last one of a shorter month. */
export function monthsAfter(date: Date, months: number): Date {
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + months];
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const later = new Date(date);
  later.setUTCFullYear(year, month, Math.min(date.getUTCDate(), last));
  return later;
}

/** The whole months from one time to another; 0 if that is before. */
export function monthsBetween(since: Date, until: Date): number {
  const months = (until.getUTCFullYear() - since.getUTCFullYear()) * 12 + until.getUTCMonth() - since.getUTCMonth();
  return Math.max(0, monthsAfter(since, months) > until ? months - 1 : months);
}
