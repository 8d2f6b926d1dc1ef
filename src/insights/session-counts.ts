import type { SessionStatus } from '../runtime/session-status';

/** Sessions of a flow that are alike, counted. */
export interface SessionCount {
  version: number;
  status: SessionStatus;
  accepted: boolean;
  sessions: number;
}

export interface Rates {
  /** Sessions that accepted an offer / ended. Strict: who merely closed the window does not count. */
  accepted_offer: number | null;
  /** (saved + abandoned) / ended. */
  not_canceled: number | null;
}

export type Totals = Record<SessionStatus | 'total', number>;

/** The sessions in total and by status, as they are now. */
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

/** Shares of the sessions that ended (saved, canceled or abandoned); null where none did. */
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

/** Rows by what they have in common, each group in their order. */
export function groupBy<Row, Key>(rows: Row[], keyOf: (row: Row) => Key): Map<Key, Row[]> {
  const groups = new Map<Key, Row[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group) group.push(row);
    else groups.set(keyOf(row), [row]);
  }
  return groups;
}

/** A part of a whole, or null of nothing. */
export function share(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}

function sum(counts: SessionCount[]): number {
  return counts.reduce((total, { sessions }) => total + sessions, 0);
}
