import type Stripe from 'stripe';
import type { CatalogCoupon, CatalogPrice, ListedSubscription } from '../model/provider';
import { sumOf } from '../model/prices';
import { billedOf } from './stripe-billed';

/** A subscription that offers can be tried on. */
export function listedSubscriptionIn(subscription: Stripe.Subscription): ListedSubscription {
  const { id, customer, status, currency, items } = subscription;
  const { name, email } = typeof customer === 'string' || customer.deleted ? {} : customer;
  const recurring = items.data.at(0)?.price.recurring;
  return {
    id,
    customer: name || email || null,
    status,
    // Also of one that is paused: it is what will be paid again.
    amount: amountOf(subscription),
    currency: currency.toUpperCase(),
    interval: recurring?.interval ?? 'month',
    interval_count: recurring?.interval_count ?? 1,
  };
}

/** Without discounts. Undefined where Stripe has not sent all items. */
function amountOf(subscription: Stripe.Subscription): number | null {
  const { data, has_more } = subscription.items;
  return has_more ? null : (sumOf({ ...billedOf(subscription, data), pause: null }) ?? null);
}

/** A price that a plan can change to. */
export function priceIn({ id, nickname, lookup_key, currency, ...price }: Stripe.Price): CatalogPrice {
  const { interval, interval_count, usage_type } = price.recurring!;
  const name = nickname || lookup_key || null;
  const isFixed = usage_type === 'licensed' && price.billing_scheme === 'per_unit';
  const amount = isFixed ? price.unit_amount : null;
  return { id, name, amount, currency: currency.toUpperCase(), interval, interval_count };
}

/** A discount that an offer can name. */
export function couponIn({ id, name, percent_off, amount_off, ...coupon }: Stripe.Coupon): CatalogCoupon {
  const { currency, duration, duration_in_months: months } = coupon;
  return { id, name, percent_off, amount_off, currency: currency?.toUpperCase() ?? null, duration, months };
}
