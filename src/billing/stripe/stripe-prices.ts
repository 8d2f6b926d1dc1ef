import { unknownValue } from '../../platform/text/unknown-value';
import type Stripe from 'stripe';
import { dateOf } from '../../platform/common/days';
import type { Eligibility, Prices } from '../../sessions/eligibility';
import { type AgreedOffer, agreedOffers, type PlannedOffer } from '../model/provider';
import {
  anchored,
  type Coupon,
  couponOf,
  discountsOf,
  endOfDiscount,
  extendedEndOf,
  type Facts,
  intervalOf,
  periodEndOf,
} from './stripe-plan';

const DAY = 24 * 60 * 60;

/** A reduction of the sum, until a time in seconds. */
interface Reduction {
  percent?: number | null;
  amount?: number | null;
  end: number;
}

/** The sum with an offer, and when the customer pays as before, in seconds; Infinity if never. */
interface Offered {
  price: number;
  end: number;
}

/**
 * The prices of the next period without an offer and with it, without taxes that come on top; undefined if they can't
 * be said. The offer is one that can be applied.
 */
export function pricesOf(offer: AgreedOffer, subscription: Stripe.Subscription, facts: Facts): Prices | undefined {
  const sum = sumOf(subscription);
  const reductions = reductionsOf(subscription, facts);
  if (sum === undefined || !reductions) return undefined;
  const offered = offeredBy(offer, sum, reductions, subscription, facts);
  if (!offered) return undefined;
  const { price, end } = offered;
  return {
    currency: subscription.currency.toUpperCase(),
    price_now: reduced(sum, reductions),
    price_then: price,
    until: end === Infinity ? null : dateOf(new Date(end * 1000)),
  };
}

/** The prices of an offer, and by the months to choose from: only the day on which payments resume differs. */
export function pricesByMonths(
  offer: PlannedOffer,
  subscription: Stripe.Subscription,
  facts: Facts,
): Pick<Eligibility, 'prices' | 'prices_by_months'> {
  const priced = agreedOffers(offer).map((one) => [one.terms.months, pricesOf(one, subscription, facts)] as const);
  const [[, prices]] = priced;
  if (!prices || priced.length === 1) return { prices };
  return { prices: { ...prices, until: null }, prices_by_months: Object.fromEntries(priced) };
}

function offeredBy(
  { offer_type, terms }: AgreedOffer,
  sum: number,
  reductions: Reduction[],
  subscription: Stripe.Subscription,
  facts: Facts,
): Offered | undefined {
  // Otherwise the price changes again before the offer ends.
  const lastUntil = (end: number) => reductions.every((one) => one.end >= end);
  switch (offer_type) {
    case 'pause_subscription':
      return { price: 0, end: anchored(subscription, terms.months) };
    case 'trial_extension':
      return { price: 0, end: extendedEndOf(subscription, terms.days!) };
    case 'plan_change': {
      const other = otherSumOf(subscription, facts);
      if (other === undefined || !lastUntil(Infinity)) return undefined;
      return { price: reduced(other, reductions), end: Infinity };
    }
    case 'discount_percentage':
    case 'discount_fixed': {
      const coupon = couponOf(terms) ?? facts.coupon;
      const added = typeof coupon === 'object' ? reductionOf(coupon, subscription, facts.now) : undefined;
      if (!added || !lastUntil(added.end)) return undefined;
      return { price: reduced(sum, [...reductions, added]), end: firstPaymentFrom(added.end, subscription) };
    }
    default:
      return unknownValue(offer_type);
  }
}

/**
 * Without discounts. Undefined for prices by usage, in tiers, in other currencies or for other periods, and for one
 * that nobody pays now.
 */
export function sumOf({ items, currency, pause_collection }: Stripe.Subscription): number | undefined {
  if (items.data.length === 0 || items.has_more || pause_collection || !/^[a-z]{3}$/.test(currency)) return undefined;
  const [{ price: first }] = items.data;
  const amounts = items.data.map(({ price, quantity, discounts }) => {
    const isAlike = price.currency === currency && intervalOf(price) === intervalOf(first);
    return isAlike && !discounts?.length ? amountOf(price, quantity) : NaN;
  });
  const sum = amounts.reduce((all, amount) => all + amount, 0);
  return Number.isSafeInteger(sum) ? sum : undefined;
}

/** The sum of the only item at another price. */
function otherSumOf({ items, currency }: Stripe.Subscription, { price }: Facts): number | undefined {
  if (typeof price !== 'object' || price.currency !== currency) return undefined;
  const sum = amountOf(price, items.data[0].quantity);
  return Number.isSafeInteger(sum) ? sum : undefined;
}

function amountOf({ unit_amount, recurring, transform_quantity }: Stripe.Price, quantity?: number): number {
  const isPlain = recurring?.usage_type !== 'metered' && !transform_quantity;
  return isPlain ? (unit_amount ?? NaN) * (quantity ?? NaN) : NaN;
}

/** The discounts that the next invoice has; undefined if one of them is not known, or only of some products. */
function reductionsOf(subscription: Stripe.Subscription, facts: Facts): Reduction[] | undefined {
  const counted = discountsOf(subscription, facts).filter(
    (discount) => typeof discount === 'string' || (discount.end ?? Infinity) > periodEndOf(subscription),
  );
  const reductions = counted.map((discount) => {
    const coupon = typeof discount === 'string' ? undefined : discount.source.coupon;
    if (typeof coupon !== 'object' || coupon === null) return undefined;
    const reduction = reductionOf(coupon, subscription, facts.now);
    // It has begun before.
    return reduction && coupon.duration === 'repeating'
      ? { ...reduction, end: (discount as Stripe.Discount).end ?? NaN }
      : reduction;
  });
  return reductions.every((one) => one !== undefined) ? reductions : undefined;
}

/**
 * The reduction by a coupon that is redeemed now; undefined if it applies only to some products, or in another
 * currency.
 */
function reductionOf(coupon: Coupon, subscription: Stripe.Subscription, now: Date): Reduction | undefined {
  const { percent_off: percent, amount_off: amount, currency, applies_to, duration } = coupon;
  if (applies_to || (typeof percent !== 'number' && currency !== subscription.currency)) return undefined;
  return { percent, amount, end: duration === 'once' ? periodEndOf(subscription) + 1 : endOfDiscount(coupon, now) };
}

/** One after another, each rounded. */
function reduced(sum: number, reductions: Reduction[]): number {
  return reductions.reduce(
    (left, { percent, amount }) =>
      Math.max(0, left - (typeof percent === 'number' ? Math.round((left * percent) / 100) : amount!)),
    sum,
  );
}

/** The first payment at a time or later, in seconds. */
function firstPaymentFrom(time: number, subscription: Stripe.Subscription): number {
  if (time === Infinity) return Infinity;
  let payment = periodEndOf(subscription);
  for (let n = 1; payment < time; n++) payment = paymentAfter(n, subscription);
  return payment;
}

/** The payment that comes some periods after the next one, in seconds. */
function paymentAfter(periods: number, subscription: Stripe.Subscription): number {
  const { interval = 'month', interval_count: count = 1 } = subscription.items.data[0].price.recurring ?? {};
  if (interval === 'month') return anchored(subscription, periods * count);
  if (interval === 'year') return anchored(subscription, 12 * periods * count);
  return periodEndOf(subscription) + periods * count * (interval === 'week' ? 7 : 1) * DAY;
}
