import {
  type Billed,
  type BilledItem,
  type BilledPrice,
  endsTogether,
  intervalText,
  nextPaymentOf,
  type Reduction,
} from './billed';
import { monthsAfter } from '../../platform/common/days';

/** A reduction of the sum, until a time; null if it has no end. */
interface Counted extends Pick<Reduction, 'percent' | 'amount'> {
  ends: Date | null;
}

/** What the next invoice has: the sum, and what is taken off. */
export interface NextInvoice {
  sum: number;
  reductions: Counted[];
}

/** Without taxes that come on top; undefined if it can't be said. */
export function nextInvoiceOf(billed: Billed): NextInvoice | undefined {
  if (billed.presentment !== null) return undefined;
  const sum = sumOf(billed);
  const reductions = reductionsOf(billed);
  return sum === undefined || !reductions ? undefined : { sum, reductions };
}

/** One after another, each rounded. */
export function reduced({ sum, reductions }: NextInvoice): number {
  return reductions.reduce(
    (left, { percent, amount }) =>
      Math.max(0, left - (percent === null ? amount! : Math.round((left * percent) / 100))),
    sum,
  );
}

/** Whether what is taken off stays the same until a time, or for good. */
export function lastUntil(end: Date | null, { reductions }: NextInvoice): boolean {
  return reductions.every(({ ends }) => ends === null || (end !== null && ends >= end));
}

/**
 * Without discounts. Undefined for prices by usage, in tiers, in other currencies or for other periods, and for one
 * that nobody pays now.
 */
export function sumOf({ items, currency, pause }: Billed): number | undefined {
  if (items.length === 0 || pause || !endsTogether({ items })) return undefined;
  const amounts = items.map(({ price, quantity, isDiscounted }) => {
    const isAlike = price.currency === currency && intervalText(price) === intervalText(items[0].price);
    return isAlike && !isDiscounted ? amountOf(price, quantity) : NaN;
  });
  const sum = amounts.reduce((all, amount) => all + amount, 0);
  return Number.isSafeInteger(sum) ? sum : undefined;
}

/** The sum of the only item at another price. */
export function sumAt(price: BilledPrice, { items, currency }: Billed): number | undefined {
  if (price.currency !== currency) return undefined;
  const sum = amountOf(price, items[0].quantity);
  return Number.isSafeInteger(sum) ? sum : undefined;
}

function amountOf({ amount, isMetered }: BilledItem['price'], quantity: number | null): number {
  return isMetered ? NaN : (amount ?? NaN) * (quantity ?? NaN);
}

/** The discounts that the next invoice has; undefined if one of them is not known, or only for some of the items. */
function reductionsOf(billed: Billed): Counted[] | undefined {
  if (billed.mayInherit) return undefined;
  const next = nextPaymentOf(billed);
  const reductions = billed.discounts
    .filter(({ ends }) => ends === null || ends > next)
    .flatMap(({ off, ends }) => {
      if (!off) return [undefined];
      const touched = touchedBy(off, billed);
      if (touched === 'none') return [];
      return [touched === 'all' ? counted(off, ends, billed) : undefined];
    });
  return reductions.every((one) => one !== undefined) ? reductions : undefined;
}

/** Which items a discount is for. */
export function touchedBy({ products }: Reduction, { items }: Billed): 'all' | 'some' | 'none' {
  if (products === null) return 'all';
  const touched = items.filter(({ price }) => products.includes(price.product)).length;
  if (touched === 0) return 'none';
  return touched === items.length ? 'all' : 'some';
}

/** A discount that begins now, as it counts; undefined if it is in another currency, or for some of the items. */
export function beginning(off: Reduction, billed: Billed, now: Date): Counted | undefined {
  return touchedBy(off, billed) === 'all' ? counted(off, endOfDiscount(off, now), billed) : undefined;
}

function counted(off: Reduction, ends: Date | null, billed: Billed): Counted | undefined {
  const { percent, amount, currency, duration } = off;
  if (percent === null && currency !== billed.currency) return undefined;
  // It is for the next invoice alone.
  const last = duration === 'once' ? new Date(nextPaymentOf(billed).getTime() + 1) : ends;
  return { percent, amount, ends: last };
}

/** When a discount that begins now ends; null if it has no end, or ends with the next invoice. */
export function endOfDiscount({ duration, months }: Reduction, now: Date): Date | null {
  return duration === 'repeating' && months ? monthsAfter(now, months) : null;
}
