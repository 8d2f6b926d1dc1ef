/**
 * Filters of lists in the address. Their days, such as 2026-11-21, are those of UTC, as in statistics. `to` is the last
 * day.
 */

const DAY_MS = 86_400_000;

/** Whether a text is a day, such as 2026-11-21. JavaScript takes 2026-02-31 for 3 March. */
export function isDay(text: string): boolean {
  const time = Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toISOString().slice(0, 10) === text;
}

/** The first day that a filter through `day` leaves out. Any other text stays as it is: the service refuses it. */
export function dayAfter(day: string): string {
  return isDay(day) ? new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10) : day;
}

/** A date field has a value while its year is being typed: 0002, 0020, 0202. */
export function isWhole(day: string): boolean {
  return day === '' || day >= '1970';
}

/** The filters in an address, without those that are empty. */
export function filtersOf<Name extends string>(query: URLSearchParams, names: readonly Name[]) {
  const filled = names.map((name) => [name, query.get(name)] as const).filter(([, value]) => value?.trim());
  return Object.fromEntries(filled) as Partial<Record<Name, string>>;
}

/** The same for the service, whose `to` is the first day that is left out. */
export function asked<Filters extends { to?: string }>({ to, ...others }: Filters) {
  return { ...others, ...(to && { to: dayAfter(to) }) };
}
