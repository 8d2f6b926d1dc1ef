import { groupBy } from '../common/group-by';
import type { SessionStatus } from '../runtime/session-status';
import { type Interval, intervalOf } from './interval';

/** How many sessions have something in common, and what became of them. Those left over are abandoned. */
export interface SessionCount {
  sessions: number;
  /** Saved: they accepted an offer. */
  accepted: number;
  /** Saved: they kept the subscription without one. */
  kept: number;
  canceled: number;
  in_progress: number;
}

export type Totals = Record<SessionStatus | 'total', number>;

export interface Rates<Value = number> {
  /** Sessions that accepted an offer / ended. Strict: a closed window is not an accepted offer. */
  accepted_offer: Value | null;
  /** (saved + abandoned) / ended. */
  not_canceled: Value | null;
}

/** The sessions in total and by status. */
export function totalsOf(counts: SessionCount[]): Totals {
  const { sessions, accepted, kept, canceled, in_progress } = sumOf(counts);
  const saved = accepted + kept;
  return { total: sessions, in_progress, saved, canceled, abandoned: sessions - in_progress - saved - canceled };
}

/** Shares of the sessions that ended (saved, canceled or abandoned); null if none did. */
export function ratesOf(counts: SessionCount[]): Rates {
  return ofEnded(counts, share);
}

/** The 95 % confidence intervals of the rates. */
export function intervalsOf(counts: SessionCount[]): Rates<Interval> {
  return ofEnded(counts, intervalOf);
}

export function versionsOf(counts: (SessionCount & { version: number })[]): {
  version: number;
  sessions: number;
  saved: number;
}[] {
  return [...groupBy(counts, ({ version }) => version)]
    .map(([version, own]) => ({ version, ...sessionsAndSaved(own) }))
    .toSorted((a, b) => a.version - b.version);
}

export function sessionsAndSaved(counts: SessionCount[]): { sessions: number; saved: number } {
  const { total, saved } = totalsOf(counts);
  return { sessions: total, saved };
}

/** The share of a part in a whole; null if the whole is 0. */
export function share(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}

function ofEnded<Value>(counts: SessionCount[], of: (part: number, ended: number) => Value | null): Rates<Value> {
  const { sessions, accepted, canceled, in_progress } = sumOf(counts);
  const ended = sessions - in_progress;
  return { accepted_offer: of(accepted, ended), not_canceled: of(ended - canceled, ended) };
}

function sumOf(counts: SessionCount[]): SessionCount {
  const sum = { sessions: 0, accepted: 0, kept: 0, canceled: 0, in_progress: 0 };
  for (const count of counts) {
    sum.sessions += count.sessions;
    sum.accepted += count.accepted;
    sum.kept += count.kept;
    sum.canceled += count.canceled;
    sum.in_progress += count.in_progress;
  }
  return sum;
}
