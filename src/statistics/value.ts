import type { PaidCount, ValueCount } from './customers';
import type { ValueDto } from './dto/lasting.dto';

/** The value of customers with their payments since. Currencies first, estimates last. */
export function valueOf(counts: ValueCount[], paid: PaidCount[]): ValueDto[] {
  const paidIn = (one: { currency: string | null; verified: boolean }) =>
    paid.find(({ currency, verified }) => currency === one.currency && verified === one.verified)?.paid ?? 0;
  const rows = counts.map((count) => ({ ...count, paid_since: count.currency === null ? null : paidIn(count) }));
  // Of customers who are worth something in another currency, or an estimate.
  const others = paid
    .filter((one) => !counts.some(({ currency, verified }) => currency === one.currency && verified === one.verified))
    .map(({ currency, verified, paid: paid_since }) => {
      return { currency, verified, customers: 0, at_risk: 0, saved: 0, canceled: 0, paid_since };
    });
  const nameOf = ({ currency, verified }: ValueDto) => `${currency ?? '~'} ${verified}`;
  return [...rows, ...others].toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
}

/** The estimated value of saved customers; null without an estimate. */
export function estimateRetained(value: ValueDto[] | null): number | null {
  return value?.find(({ currency }) => currency === null)?.saved ?? null;
}
