import type { FlowSession } from './flow-session.entity';

export const SESSION_STATUSES = ['in_progress', 'saved', 'canceled', 'abandoned'] as const;
export type SessionStatus = (typeof SESSION_STATUSES)[number];

const ABANDONED_AFTER_MS = 24 * 60 * 60 * 1000;

/** The status of a session as it is read: one that is in progress counts as abandoned after 24 hours without a step. */
export function statusAt({ status, updated_at }: Pick<FlowSession, 'status' | 'updated_at'>, now: Date): SessionStatus {
  return status === 'in_progress' && updated_at <= abandonedBefore(now) ? 'abandoned' : status;
}

/** Sessions in progress whose last step is not after this are abandoned. */
export function abandonedBefore(now: Date): Date {
  return new Date(now.getTime() - ABANDONED_AFTER_MS);
}
