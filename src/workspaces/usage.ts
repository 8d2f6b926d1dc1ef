/** How much of its limit a workspace has used in a calendar month (UTC). */
export interface Usage {
  session_limit: number;
  sessions_used: number;
  /** The first instant of the month, inclusive. */
  period_start: Date;
  /** The first instant of the next month, exclusive. */
  period_end: Date;
}

interface Counter {
  session_limit: number;
  sessions_used: number;
  usage_period: Date;
}

/**
 * The usage of a workspace at a moment. A counter whose month is over reads as 0 of the current one.
 * A month only ever moves forward: a process whose clock is behind goes on in the month that is stored.
 */
export function usageAt({ session_limit, sessions_used, usage_period }: Counter, now: Date): Usage {
  const month = startOfMonth(now);
  const counting = usage_period >= month;
  const period_start = counting ? usage_period : month;
  return {
    session_limit,
    sessions_used: counting ? sessions_used : 0,
    period_start,
    period_end: startOfMonth(period_start, 1),
  };
}

/** The first instant of the month (UTC) that is `ahead` months after the one of `moment`. */
export function startOfMonth(moment: Date, ahead = 0): Date {
  return new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth() + ahead));
}
