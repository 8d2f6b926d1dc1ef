import { NOW } from '../platform/database/time';

/** In SQL: the first instant of this month (UTC). */
export const MONTH = `date_trunc('month', ${NOW}, 'UTC')`;

/**
 * In SQL, for a row of `workspaces`: the first instant of the month in which sessions count, and how many have counted. A
 * counter of an earlier month is 0 in this one. The month only moves forward.
 */
export const COUNTED = {
  period: `greatest(usage_period, ${MONTH})`,
  sessions: `sessions_used * (usage_period >= ${MONTH})::integer`,
};

/** The first instant of the month (UTC) after the one that begins at `period`. */
export function endOf(period: Date): Date {
  return new Date(Date.UTC(period.getUTCFullYear(), period.getUTCMonth() + 1));
}
