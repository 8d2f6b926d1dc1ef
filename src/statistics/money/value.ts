import { groupBy } from '../../platform/common/group-by';
import { pick } from '../../platform/common/pick';
import type { CustomersDto } from '../dto/counts.dto';
import type { ArmValueDto, OfferValueDto, ReasonValueDto, ValueDto } from '../dto/value.dto';
import { type CutWorth, meanOf } from './mean';
import type { Decision, PaidCount, WorthCount } from './worth';

/** How many customers there are, by what they decided last. */
export function customersIn(counts: Pick<WorthCount, 'decided' | 'customers'>[]): CustomersDto {
  const sum = (...decisions: Decision[]) =>
    counts.reduce((all, { decided, customers }) => all + (decisions.includes(decided) ? customers : 0), 0);
  return {
    total: sum('accepted', 'kept', 'canceled', 'in_progress', 'abandoned'),
    saved: sum('accepted', 'kept'),
    saved_by_offer: sum('accepted'),
    canceled: sum('canceled'),
    in_progress: sum('in_progress'),
    abandoned: sum('abandoned'),
  };
}

const rowOf = ({ currency, verified }: Pick<ValueDto, 'currency' | 'verified'>) => `${currency ?? '~'} ${verified}`;
const isSaved = ({ decided, amount }: WorthCount) => amount !== null && (decided === 'accepted' || decided === 'kept');

/** What customers are worth, with the payments of the saved ones since. Currencies first, estimates last. */
export function valueOf(counts: WorthCount[], paid: PaidCount[]): ValueDto[] {
  const worth = groupBy(
    counts.filter(({ amount }) => amount !== null),
    rowOf,
  );
  const paidIn = groupBy(paid, rowOf);
  // Some paid in another currency than that of their subscription.
  return [...new Set([...worth.keys(), ...paidIn.keys()])].toSorted().map((name) => {
    const own = worth.get(name) ?? [];
    const payments = paidIn.get(name) ?? [];
    const { currency, verified } = own[0] ?? payments[0];
    return {
      currency,
      verified,
      customers: own.reduce((all, { customers }) => all + customers, 0),
      at_risk: amountOf(own),
      saved: amountOf(own.filter(isSaved)),
      canceled: amountOf(own.filter(({ decided }) => decided === 'canceled')),
      net: netOf(own.filter(isSaved)),
      paid_since: currency === null ? null : payments.reduce((all, one) => all + one.paid, 0),
    };
  });
}

export function valueOfReason(counts: WorthCount[]): ReasonValueDto[] {
  return valueOf(counts, []).map((row) =>
    pick(row, ['currency', 'verified', 'customers', 'at_risk', 'saved', 'canceled', 'net']),
  );
}

export function valueOfOffer(counts: WorthCount[], paid: PaidCount[]): OfferValueDto[] {
  return valueOf(counts, paid).map((row) =>
    pick(row, ['currency', 'verified', 'customers', 'saved', 'net', 'paid_since']),
  );
}

/** @param z how many standard errors the interval is wide, to each side */
export function valueOfArm(counts: WorthCount[], paid: PaidCount[], cut: CutWorth[], z: number): ArmValueDto[] {
  return valueOf(counts, paid).map((row) => {
    const saved = counts.reduce((all, one) => all + (isSaved(one) && rowOf(one) === rowOf(row) ? one.customers : 0), 0);
    const kept = cut.find((one) => rowOf(one) === rowOf(row));
    return {
      ...pick(row, ['currency', 'verified', 'customers', 'saved', 'canceled', 'net', 'paid_since']),
      ...meanOf(kept, saved, z),
    };
  });
}

const amountOf = (counts: WorthCount[]): number => exact(counts.reduce((all, { amount }) => all + amount!, 0));

function netOf(counts: WorthCount[]): number | null {
  if (counts.some(({ net }) => net === null)) return null;
  return exact(counts.reduce((all, { net }) => all + net!, 0));
}

/** Without the rounding errors of sums. */
export const exact = (sum: number): number => Math.round(sum * 100) / 100;

/** The estimated value of saved customers; null without an estimate. */
export function estimateRetained(value: ValueDto[] | null): number | null {
  return value?.find(({ currency }) => currency === null)?.saved ?? null;
}
