import { groupBy } from '../common/group-by';
import type { SessionStatus } from '../runtime/session-status';

/** How many sessions of a flow have the same version, status and outcome. */
export interface SessionCount {
  version: number;
  status: SessionStatus;
  accepted: boolean;
  sessions: number;
}

export interface Rates {
  /** Sessions that accepted an offer / ended. Strict: a closed window is not an accepted offer. */
  accepted_offer: number | null;
  /** (saved + abandoned) / ended. */
  not_canceled: number | null;
}

export type Totals = Record<SessionStatus | 'total', number>;

/** The sessions in total and by status. */
export function totalsOf(counts: SessionCount[]): Totals {
  const of = (status: SessionStatus) => sum(counts.filter((count) => count.status === status));
  return {
    total: sum(counts),
    in_progress: of('in_progress'),
    saved: of('saved'),
    canceled: of('canceled'),
    abandoned: of('abandoned'),
  };
}

/** Shares of the sessions that ended (saved, canceled or abandoned); null if none did. */
export function ratesOf(counts: SessionCount[]): Rates {
  const { saved, canceled, abandoned } = totalsOf(counts);
  const ended = saved + canceled + abandoned;
  return {
    accepted_offer: share(sum(counts.filter(({ accepted }) => accepted)), ended),
    not_canceled: share(saved + abandoned, ended),
  };
}

export function versionsOf(counts: SessionCount[]): { version: number; sessions: number; saved: number }[] {
  return [...groupBy(counts, ({ version }) => version)]
    .map(([version, own]) => ({ version, sessions: sum(own), saved: totalsOf(own).saved }))
    .toSorted((a, b) => a.version - b.version);
}

/** The share of a part in a whole; null if the whole is 0. */
export function share(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}

function sum(counts: SessionCount[]): number {
  return counts.reduce((total, { sessions }) => total + sessions, 0);
}
