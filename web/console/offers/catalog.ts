import type { Offer, RetentionFlow } from '@retention-flow/client';
import { counted, each, money } from '../ui/format';

/** What offers can name of Stripe. */
export type Catalog = Awaited<ReturnType<RetentionFlow['billing']['catalog']>>;
type Price = NonNullable<Catalog['prices']>[number];
type Coupon = Catalog['coupons'][number];

/** All prices to choose from, with their names; undefined if that is not known, or if Stripe has more. */
export function pricesIn(catalog: Catalog | undefined): Map<string, string> | undefined {
  if (!catalog?.prices || catalog.has_more_prices) return undefined;
  return new Map(catalog.prices.map((price) => [price.id, nameOfPrice(price)]));
}

/** All coupons, likewise. */
export function couponsIn(catalog: Catalog | undefined): Map<string, string> | undefined {
  if (!catalog || catalog.has_more_coupons) return undefined;
  return new Map(catalog.coupons.map((coupon) => [coupon.id, nameOfCoupon(coupon)]));
}

/** The price or the coupon of an offer that Stripe does not have, in words. */
export function unknownIn(terms: Offer['terms'], catalog: Catalog | undefined): string | undefined {
  const { price, coupon } = terms ?? {};
  if (price !== undefined && pricesIn(catalog)?.has(price) === false) return `Stripe has no price ${price} to choose.`;
  if (coupon !== undefined && couponsIn(catalog)?.has(coupon) === false)
    return `Stripe has no coupon ${coupon} that can be redeemed.`;
  return undefined;
}

/** Basic, monthly: €19.00 a month */
function nameOfPrice({ id, name, amount, currency, interval, interval_count: number }: Price): string {
  return `${name ?? id}: ${amount === null ? 'no fixed price,' : money(amount, currency)} ${each(number, interval)}`;
}

/** Winback: 30% off for 3 months */
function nameOfCoupon({ id, name, percent_off, amount_off, currency, duration, months }: Coupon): string {
  const off = percent_off === null ? money(amount_off ?? 0, currency) : `${percent_off}%`;
  const times: Record<string, string> = { once: 'once', forever: 'for good' };
  return `${name ?? id}: ${off} off ${times[duration] ?? `for ${counted(months ?? 0, 'month')}`}`;
}
