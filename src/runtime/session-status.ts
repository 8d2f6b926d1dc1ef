import { NOW } from '../database/time';

export const SESSION_STATUSES = ['in_progress', 'saved', 'canceled', 'abandoned'] as const;
export type SessionStatus = (typeof SESSION_STATUSES)[number];

/** In SQL: sessions in progress whose last step is not after this are abandoned. */
export const ABANDONED_BEFORE = abandonedBefore(NOW);

/** In SQL: the status of a session as it is at a time. One in progress counts as abandoned after 24 hours without a step. */
export function statusAt(time: string, session: string): string {
  return `CASE WHEN ${session}.status = 'in_progress' AND ${session}.updated_at <= ${abandonedBefore(time)}
    THEN 'abandoned' ELSE ${session}.status END`;
}

function abandonedBefore(time: string): string {
  return `${time} - interval '24 hours'`;
}
