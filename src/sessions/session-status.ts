import { firstIdAt, firstIdOf } from '../platform/api/ids';
import { NOW } from '../platform/database/time';

export const SESSION_STATUSES = ['in_progress', 'saved', 'canceled', 'contacted', 'abandoned'] as const;
export type SessionStatus = (typeof SESSION_STATUSES)[number];

/** What the statuses mean, for the documents. */
export const STATUSES_TEXT =
  '`abandoned`: began more than 24 hours ago and did not end. `contacted`: accepted an offer whose `outcome` is `open`, and has decided nothing yet; ' +
  'it becomes `saved` once an outcome `kept` is reported.';

/** The status as it is stored: a session is abandoned because time passes. */
export type SessionOutcome = Exclude<SessionStatus, 'abandoned'>;

/** How long a session lives. One that has not ended by then is abandoned for good, and takes no more steps. */
const LIFETIME_HOURS = 24;
const LIFETIME = `interval '${LIFETIME_HOURS} hours'`;
/** A step that came in time may be dated a little later, and by another server's clock. */
const STEP_TAKES_MS = 5 * 60_000;

/** SQL for the latest beginning of sessions that are over at a time. */
export function overBefore(time: string): string {
  return `(${time} - ${LIFETIME})`;
}

/** SQL for the first id of a session that is not over at a time. */
export function firstAliveAt(time: string): string {
  return firstIdOf(`${overBefore(time)} + interval '1 millisecond'`);
}

/** SQL for the first id of a session that is not over now. */
export const FIRST_ALIVE = firstAliveAt(NOW);

/** The first id of a session that a step may have changed since a time. */
export function firstChangedSince(time: Date): string {
  return firstIdAt(new Date(time.getTime() - LIFETIME_HOURS * 3_600_000 - STEP_TAKES_MS));
}

/** SQL that is true if a session is abandoned at a time. */
export function isAbandonedAt(time: string, session: string): string {
  return `(${session}.status = 'in_progress' AND ${session}.created_at <= ${overBefore(time)})`;
}

/** SQL that is true if no step may change a session any more at a time, because it began too long ago. */
export function isOverAt(time: string, session: string): string {
  return `(${session}.status IN ('in_progress', 'contacted') AND ${session}.created_at <= ${overBefore(time)})`;
}

/** SQL for the status of a session at a time. */
export function statusAt(time: string, session: string): string {
  return `CASE WHEN ${isAbandonedAt(time, session)} THEN 'abandoned' ELSE ${session}.status END`;
}

/**
 * SQL that sorts a customer's sessions: their last decision first, or else the newest, those last that ended without
 * one. They count with the first.
 */
export const LAST_DECISION_FIRST = `status IN ('saved', 'canceled') DESC, status <> 'contacted' DESC,
  CASE WHEN status <> 'contacted' THEN ended_at END DESC NULLS LAST, id DESC`;
