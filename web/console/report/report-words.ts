import { changeOf, pointsOf } from '../ui/change';
import { money, month } from '../ui/format';

interface Kept {
  currency: string | null;
  amount: number | null;
}

/** €1,234.50 + $20.00; – where nothing is known, or not of each. */
export function keptWords(kept: Kept[] | null): string {
  if (!kept || kept.length === 0 || kept.some(({ amount }) => amount === null)) return '–';
  return kept.map(({ currency, amount }) => money(amount!, currency)).join(' + ');
}

/** A number of other months, with the first day and the first that is not in them. */
type Compared = [value: number | null, from: string, to: string];

/**
 * How a number compares with those of other months, in words; nothing where they have none.
 *
 * @param isShare whether it is a share of 1
 */
export function changesOf(now: number | null, others: Compared[], isShare: boolean): string[] {
  return others.flatMap(([value, from, to]) => {
    const change = isShare ? pointsOf(now, value) : changeOf(now, value);
    return change === undefined ? [] : `${change} in ${spanWords(from, to)}`;
  });
}

function spanWords(from: string, to: string): string {
  const last = new Date(Date.parse(to) - 1).toISOString();
  return month(from) === month(last) ? month(from) : `${month(from)} to ${month(last)}`;
}
