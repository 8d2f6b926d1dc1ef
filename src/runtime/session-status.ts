import { NOW } from '../database/time';

export const SESSION_STATUSES = ['in_progress', 'saved', 'canceled', 'abandoned'] as const;
export type SessionStatus = (typeof SESSION_STATUSES)[number];

/** In SQL: a session in progress is abandoned if its last step was at this time or before. */
export const ABANDONED_BEFORE = abandonedBefore(NOW);

/** In SQL: the status of a session at a time. After 24 hours without a step, a session in progress counts as abandoned. */
export function statusAt(time: string, session: string): string {
  return `CASE WHEN ${session}.status = 'in_progress' AND ${session}.updated_at <= ${abandonedBefore(time)}
    THEN 'abandoned' ELSE ${session}.status END`;
}

/** In SQL: a session in progress is abandoned at a time if its last step was at the time that this returns, or before. */
export function abandonedBefore(time: string): string {
  return `${time} - interval '24 hours'`;
}
