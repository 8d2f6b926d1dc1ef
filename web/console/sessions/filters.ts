import { dayAfter } from '../ui/days';

/** The filters of the list of sessions, as they stand in the address. `to` is the last day. */
const NAMES = ['flow_id', 'status', 'customer_id', 'from', 'to'] as const;

export const STATUSES = ['in_progress', 'saved', 'canceled', 'abandoned'] as const;
type Status = (typeof STATUSES)[number];

export type Filters = Partial<Record<(typeof NAMES)[number], string>>;

/** What the service is asked for. */
export interface Asked {
  flow_id?: string;
  status?: Status;
  customer_id?: string;
  from?: string;
  to?: string;
}

/** The filters in an address, without those that are empty. */
export function filtersOf(query: URLSearchParams): Filters {
  return Object.fromEntries(
    NAMES.flatMap((name) => {
      const value = query.get(name);
      return value?.trim() ? [[name, value]] : [];
    }),
  );
}

/** The same for the service, whose `to` is the first day that is left out. */
export function asked({ to, status, ...others }: Filters): Asked {
  return { ...others, ...(status && { status: status as Status }), ...(to && { to: dayAfter(to) }) };
}
