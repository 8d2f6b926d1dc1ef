/** The filters of comments, as they are in the address. `to` is the last day. */
export interface Filters {
  flow_id?: string;
  option?: string;
  from?: string;
  to?: string;
}

const NAMES = ['flow_id', 'option', 'from', 'to'] as const;
const DAY_MS = 86_400_000;

export function filtersOf(query: URLSearchParams): Filters {
  return Object.fromEntries(NAMES.flatMap((name) => (query.get(name) ? [[name, query.get(name)]] : [])));
}

/** The same for the service, whose `to` is the first day that is left out. */
export function asked(filters: Filters): Filters {
  const last = Date.parse(filters.to ?? '');
  if (Number.isNaN(last)) return filters;
  return { ...filters, to: new Date(last + DAY_MS).toISOString().slice(0, 10) };
}

/** A date field has a value while its year is being typed: 0002, 0020, 0202. */
export function isWhole(date: string): boolean {
  return date === '' || date >= '1970';
}
