/** The filters of the list of sessions, as they stand in the address. Days are those of whoever looks. */
const NAMES = ['flow_id', 'status', 'customer_id', 'from', 'to'] as const;
const DAY = /^(\d{4})-(\d\d)-(\d\d)$/;

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

/** The filters as the service takes them: days are sent as times, and the last day is included. */
export function asked({ from, to, status, ...others }: Filters): Asked {
  return {
    ...others,
    ...(status && { status: status as Status }),
    ...(from && { from: startOf(from, 0) }),
    ...(to && { to: startOf(to, 1) }),
  };
}

/** When a day begins, or the one that is `later` days after it. What is not a day is for the service to refuse. */
function startOf(day: string, later: number): string {
  const [, year, month, date] = DAY.exec(day) ?? [];
  if (!year) return day;
  const start = new Date(Number(year), Number(month) - 1, Number(date) + later);
  return start.toISOString();
}

/** A date field has a value while its year is being typed: 0002, 0020, 0202. */
export function isWhole(day: string): boolean {
  return day === '' || day >= '1970';
}
