import { groupBy } from '../platform/common/group-by';
import type { CustomersDto, RatesDto, TotalsDto } from './dto/counts.dto';
import type { VersionNumbersDto } from './dto/stats.dto';

/** The number of sessions that have something in common, and their results. The rest are abandoned. */
export interface SessionCount {
  sessions: number;
  /** Saved: they accepted an offer. */
  accepted: number;
  /** Saved: they kept the subscription without one. */
  kept: number;
  canceled: number;
  /** Accepted an offer that is no save. */
  contacted: number;
  in_progress: number;
}

export const NO_CUSTOMERS: CustomersDto = {
  total: 0,
  saved: 0,
  saved_by_offer: 0,
  canceled: 0,
  in_progress: 0,
  abandoned: 0,
};

/** The sessions in total and by status. */
export function totalsOf(counts: SessionCount[]): TotalsDto {
  const { sessions, accepted, kept, canceled, contacted, in_progress } = sumOf(counts);
  const saved = accepted + kept;
  const abandoned = sessions - in_progress - saved - canceled - contacted;
  return { total: sessions, in_progress, saved, canceled, contacted, abandoned };
}

/** Customers, and sessions without one, each a customer of its own. */
export function withAnonymous(customers: CustomersDto, anonymous: SessionCount[]): CustomersDto {
  const sessions = totalsOf(anonymous);
  return {
    total: customers.total + sessions.total,
    saved: customers.saved + sessions.saved,
    saved_by_offer: customers.saved_by_offer + sumOf(anonymous).accepted,
    canceled: customers.canceled + sessions.canceled,
    in_progress: customers.in_progress + sessions.in_progress,
    abandoned: customers.abandoned + sessions.abandoned + sessions.contacted,
  };
}

/** Shares of the customers who came; null if none did, or if nobody knows. */
export function ratesOf(customers: CustomersDto | null): RatesDto {
  const share = (part: number) => part / customers!.total;
  if (!customers?.total) return { saved: null, saved_by_offer: null, canceled: null };
  const { saved, saved_by_offer, canceled } = customers;
  return { saved: share(saved), saved_by_offer: share(saved_by_offer), canceled: share(canceled) };
}

/** The sessions by version of the flow. */
export function versionsOf(counts: (SessionCount & { version: number })[]): VersionNumbersDto[] {
  return [...groupBy(counts, ({ version }) => version)]
    .map(([version, own]) => {
      const { total, saved } = totalsOf(own);
      return { version, sessions: total, saved };
    })
    .toSorted((a, b) => a.version - b.version);
}

function sumOf(counts: SessionCount[]): SessionCount {
  const sum = { sessions: 0, accepted: 0, kept: 0, canceled: 0, contacted: 0, in_progress: 0 };
  for (const count of counts) {
    sum.sessions += count.sessions;
    sum.accepted += count.accepted;
    sum.kept += count.kept;
    sum.canceled += count.canceled;
    sum.contacted += count.contacted;
    sum.in_progress += count.in_progress;
  }
  return sum;
}
