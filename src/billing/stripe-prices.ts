import type Stripe from 'stripe';
import { dateOf, monthsAfter } from '../common/days';
import type { Prices } from '../runtime/eligibility';
import type { PlannedOffer } from './provider';
import { anchored, couponOf, discountsOf, extendedEndOf, type Facts, periodEndOf } from './stripe-plan';

type Coupon = Pick<Stripe.Coupon, 'percent_off' | 'amount_off' | 'currency' | 'applies_to'>;

/**
 * What a customer pays for the next period without an offer and with it, before taxes; undefined if that can't be said: prices by
 * usage or in tiers, discounts of single items or products. The offer is one that can be applied.
 */
export function pricesOf(
  offer: PlannedOffer,
  subscription: Stripe.Subscription,
  facts: Facts,
  now: Date,
): Prices | undefined {
  const { items, currency } = subscription;
  const end = periodEndOf(subscription);
  const coupons = discountsOf(subscription, facts)
    // One that ends before is in no later invoice.
    .filter((discount) => typeof discount === 'string' || discount.end === null || discount.end > end)
    .map((discount) => (typeof discount === 'string' ? undefined : discount.source.coupon));
  const hasOwnDiscount = items.data.some(({ discounts }) => (discounts?.length ?? 0) > 0);
  const isForeign = items.data.some(({ price }) => price.currency !== currency);
  if (hasOwnDiscount || isForeign || !coupons.every((coupon) => isPlain(coupon, currency))) return undefined;
  const total = (prices: Pick<Stripe.Price, 'unit_amount'>[]) =>
    items.data.reduce((sum, { quantity }, index) => sum + (prices[index].unit_amount ?? NaN) * (quantity ?? NaN), 0);
  const sum = total(items.data.map(({ price }) => price));
  const today = discounted(sum, coupons);
  const offered = withOffer(offer, subscription, facts, now);
  if (offered === undefined || (offered.coupon && !isPlain(offered.coupon, currency))) return undefined;
  const { coupon, price, until, isFree } = offered;
  const then = isFree
    ? 0
    : discounted(price ? total(items.data.map(() => price)) : sum, coupon ? [...coupons, coupon] : coupons);
  if (!Number.isSafeInteger(today) || !Number.isSafeInteger(then)) return undefined;
  return {
    currency: currency.toUpperCase(),
    now: today,
    then,
    until: until === undefined ? null : dateOf(new Date(until * 1000)),
  };
}

/** What an offer changes of the sum, and until when, in seconds. */
interface Offered {
  coupon?: Coupon;
  price?: Pick<Stripe.Price, 'unit_amount'>;
  isFree?: boolean;
  until?: number;
}

function withOffer(
  { offer_type, terms }: PlannedOffer,
  subscription: Stripe.Subscription,
  { price, coupon: named }: Facts,
  now: Date,
): Offered | undefined {
  const { months = 0, days = 0 } = terms!;
  switch (offer_type) {
    case 'pause_subscription':
      return { isFree: true, until: anchored(subscription, months) };
    case 'trial_extension':
      return { isFree: true, until: extendedEndOf(subscription, days) };
    case 'plan_change':
      return typeof price === 'object' ? { price } : undefined;
    default: {
      const made = couponOf(terms!) ?? named;
      if (typeof made !== 'object') return undefined;
      const { percent_off = null, amount_off = null, currency = null, duration, duration_in_months } = made;
      const coupon = { percent_off, amount_off, currency, applies_to: 'valid' in made ? made.applies_to : undefined };
      if (duration === 'once') return { coupon, until: nextEndOf(subscription) };
      const until = duration_in_months && monthsAfter(now, duration_in_months).getTime() / 1000;
      return { coupon, until: until || undefined };
    }
  }
}

/** When the period ends that the next invoice is for. */
function nextEndOf(subscription: Stripe.Subscription): number {
  const end = periodEndOf(subscription);
  const { recurring } = subscription.items.data[0].price;
  const { interval = 'month', interval_count: count = 1 } = recurring ?? {};
  const later = { day: count, week: 7 * count }[interval as string];
  if (later !== undefined) return end + later * 24 * 60 * 60;
  return monthsAfter(new Date(end * 1000), interval === 'year' ? 12 * count : count).getTime() / 1000;
}

/** Whether a coupon takes something off the whole sum. */
function isPlain(coupon: string | Coupon | null | undefined, currency: string): coupon is Coupon {
  if (typeof coupon !== 'object' || coupon === null || coupon.applies_to) return false;
  return typeof coupon.percent_off === 'number' || coupon.currency === currency;
}

/** One coupon after another, each rounded. */
function discounted(sum: number, coupons: Coupon[]): number {
  return coupons.reduce(
    (left, { percent_off, amount_off }) =>
      Math.max(0, left - (typeof percent_off === 'number' ? Math.round((left * percent_off) / 100) : amount_off!)),
    sum,
  );
}
