import { jsonRows } from '../../platform/database/transaction/json-rows';
import { NOW } from '../../platform/database/time';

/** SQL for the first instant of this month (UTC). */
export const MONTH = `date_trunc('month', ${NOW}, 'UTC')`;

/**
 * In SQL, for a row of `workspaces`: the first instant of the month in which sessions count, and how many have counted.
 * A counter of an earlier month is 0 in this one. The month only moves forward.
 */
export const COUNTED = {
  period: `greatest(usage_period, ${MONTH})`,
  sessions: `sessions_used * (usage_period >= ${MONTH})::integer`,
};

/**
 * Stores the counts of workspaces, which are locked. $1: their ids, $2: rows of `id`, `period` and `sessions`, as
 * `jsonRows` takes them.
 */
export const COUNT_SESSIONS = `
  UPDATE workspaces SET usage_period = count.period, sessions_used = count.sessions
  FROM ${jsonRows('$2', 'id uuid, period timestamptz, sessions integer')} AS count
  WHERE workspaces.id = count.id AND workspaces.id = ANY ($1::uuid[])`;

/** The first instant of the month (UTC) after the one that begins at `period`. */
export function endOf(period: Date): Date {
  return new Date(Date.UTC(period.getUTCFullYear(), period.getUTCMonth() + 1));
}
