import { dateOf, daysTo, midnightOf } from '../../platform/common/days';
import { firstIdAt, firstIdOf, MAX_ID } from '../../platform/api/ids';
import { Problem } from '../../platform/api/problems/problem';
import { readTime } from '../../platform/database/time';
import { statement } from '../../platform/database/transaction/statement';
import type { Reader } from '../../tenancy/work/work';
import { IS_CUSTOMERS } from '../../sessions/session-source';
import { overBefore } from '../../sessions/session-status';
import type { SessionFilter } from '../../sessions/filter/session-filter';

const DEFAULT_DAYS = 30;
export const EPOCH = new Date(0);

/** Which sessions statistics are about: those that began within a span of time. */
export interface Span {
  /** Only sessions of this flow. */
  flowId?: string;
  /** Only sessions of this version of the flow. */
  version?: number;
  /** Which sessions count; without it, all that customers began. */
  filter?: SessionFilter;
  /** Inclusive. */
  from: Date;
  /** Exclusive. If it is now or later, the span has no end: sessions of this very moment count. */
  to: Date;
  /** The moment for which statuses are worked out. */
  now: Date;
}

/** A range, from the first, inclusive, to the end, exclusive. */
interface Range {
  first: string;
  end: string;
}

/** A span as it is counted: the days that have sums, and the ids of sessions, which contain the time of the start. */
interface Parts {
  /** Empty if no day has sums. Of the last, the sums may have only the first hours. */
  days: Range;
  before: Range;
  behind: Range;
}

/** The span of a query: without `to` until the end of today, without `from` from midnight (UTC) 30 days before. */
export async function spanOf(query: { from?: string; to?: string }, reader: Reader): Promise<Span> {
  const now = await readTime(reader.manager);
  // Sessions that begin in this millisecond count.
  const to = query.to ? new Date(query.to) : midnight(now, 1);
  const asked = query.from ? new Date(query.from) : midnight(query.to ? to : now, -DEFAULT_DAYS);
  // Nobody came before. Postgres has no year 0.
  const from = asked < EPOCH ? EPOCH : asked;
  if (from >= to) throw Problem.ofParameter('from', 'must be before to');
  return { from, to, now };
}

/**
 * SQL for the first hour (UTC) with a session that is not over at a time, less one hour: a standby that takes over may
 * have a clock that is behind.
 */
export const firstOpenHour = (time: string) => `date_trunc('hour', ${overBefore(time)} - interval '1 hour', 'UTC')`;

/** SQL for the first id of a day (UTC). */
export const firstIdOfDay = (day: string) => firstIdOf(`(${day})::timestamp AT TIME ZONE 'UTC'`);

/** The sums have the sessions that began before this time. A day that a fast clock summed too early does not count. */
const SUMMED_UNTIL = statement(
  `SELECT max(until) AS until FROM daily_sums WHERE workspace_id = :workspace
  GROUP BY day HAVING max(until) <= ${firstOpenHour(':now::timestamptz')} ORDER BY day DESC LIMIT 1`,
);

const NO_DAYS: Range = { first: '1970-01-01', end: '1970-01-01' };

export async function partsOf(span: Span, reader: Reader): Promise<Parts> {
  const { first, end } = idsOf(span);
  // The sums say nothing of attributes, facts and answers together, and have no sessions but those of customers.
  if (span.filter) return { days: NO_DAYS, before: { first, end: first }, behind: { first, end } };
  const newest = await reader.row<{ until: Date }>(SUMMED_UNTIL, { now: span.now });
  const until = newest?.until ?? new Date(0);
  const firstDay = Math.ceil(daysTo(span.from));
  // The sums of a day are counted as a whole.
  const endOfDays = span.to >= until ? until : midnight(span.to);
  const endDay = Math.ceil(daysTo(endOfDays));
  const hasSums = firstDay < endDay;
  const [firstSummed, endSummed] = hasSums ? [midnightOf(firstDay), endOfDays].map(firstIdAt) : [end, end];
  return {
    days: { first: dateOf(midnightOf(hasSums ? firstDay : 0)), end: dateOf(midnightOf(hasSums ? endDay : 0)) },
    before: { first, end: firstSummed },
    behind: { first: endSummed, end },
  };
}

/** SQL that is true for a row of `flow_sessions` that counts in a span. */
export const passes = ({ filter }: Pick<Span, 'filter'>): string => filter?.condition ?? IS_CUSTOMERS;

/** What statements about a span take: the ids of its sessions, its moment, and what its filter compares with. */
export const valuesOf = (span: Span) => ({
  flow: span.flowId ?? null,
  now: span.now,
  ...idsOf(span),
  ...span.filter?.values,
});

/** The ids of all sessions of a span. */
export function idsOf({ from, to, now }: Span): Range {
  return { first: firstIdAt(from), end: to >= now ? MAX_ID : firstIdAt(to) };
}

/** The midnight (UTC) with which the day of a time begins, or a later day. */
function midnight(time: Date, daysLater = 0): Date {
  return midnightOf(Math.floor(daysTo(time)) + daysLater);
}
