import { monthsBetween } from '../../platform/common/days';
import type { FACT_INTERVALS, Facts } from '../../conditions/facts';
import type { Billed, BilledPrice } from './billed';

type Interval = NonNullable<BilledPrice['interval']>;

/** Months in a unit, as those of a customer's price are counted: a year has 52 weeks. */
const MONTHS: Record<Interval['unit'], number> = { day: 12 / 364, week: 12 / 52, month: 1, year: 12 };

/**
 * The facts of a subscription. With several items, the plan, the price and the quantity are unknown: no single one is
 * right.
 *
 * @param plan the name of the product of its only item
 */
export function factsOf(billed: Billed, plan: string | undefined, now: Date): Facts {
  const { items, currency, status, since, country, end } = billed;
  const [only] = items.length === 1 ? items : [];
  const amount = amountOf(billed);
  const interval = intervalOf(billed);
  return {
    ...(plan !== undefined && { plan }),
    ...(only && { price: only.price.id }),
    ...(amount !== undefined && { amount }),
    currency,
    ...(interval !== undefined && { interval }),
    months: monthsBetween(since, now),
    status,
    ...(only && only.quantity !== null && { quantity: only.quantity }),
    ...(!billed.mayInherit && { discounted: isDiscounted(billed) }),
    ...(country !== null && { country }),
    ends: end !== null,
  };
}

const isDiscounted = ({ discounts, items }: Billed): boolean =>
  discounts.length > 0 || items.some((item) => item.isDiscounted);

/** The price of a month before discounts; undefined if it is not one fixed amount. */
function amountOf({ items, currency }: Billed): number | undefined {
  const monthly = items.map(({ price: { amount, interval, currency: of }, quantity }) =>
    amount === null || interval === null || quantity === null || of !== currency
      ? NaN
      : (amount * quantity) / (MONTHS[interval.unit] * interval.count),
  );
  const sum = Math.round(monthly.reduce((one, other) => one + other, 0));
  return items.length > 0 && Number.isFinite(sum) ? sum : undefined;
}

/** How often all items are paid; undefined if they differ, or there is no word for it. */
function intervalOf({ items }: Billed): (typeof FACT_INTERVALS)[number] | undefined {
  const [first, ...others] = items.map(({ price }) => price.interval);
  if (!first || others.some((other) => other?.unit !== first.unit || other.count !== first.count)) return undefined;
  if (first.unit === 'month' && first.count === 3) return 'quarter';
  if (first.unit === 'month' && first.count === 12) return 'year';
  return first.count === 1 ? first.unit : undefined;
}
