import { dayAfter } from '../ui/days';

/** The filters of comments, as they are in the address. `to` is the last day. */
export interface Filters {
  flow_id?: string;
  option?: string;
  from?: string;
  to?: string;
}

const NAMES = ['flow_id', 'option', 'from', 'to'] as const;

export function filtersOf(query: URLSearchParams): Filters {
  return Object.fromEntries(NAMES.flatMap((name) => (query.get(name) ? [[name, query.get(name)]] : [])));
}

/** The same for the service, whose `to` is the first day that is left out. */
export function asked({ to, ...others }: Filters): Filters {
  return { ...others, ...(to && { to: dayAfter(to) }) };
}
