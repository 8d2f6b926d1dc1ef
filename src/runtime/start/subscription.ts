import type { Facts } from '../../conditions/facts';
import { monthsBetween } from '../../platform/common/days';
import { currencyOf, MINOR_UNITS } from '../../platform/api/fields/money';

/** Months in an interval. */
const MONTHS = { week: 12 / 52, month: 1, quarter: 3, year: 12 };

export const INTERVALS = Object.keys(MONTHS) as (keyof typeof MONTHS)[];

/** A customer's subscription. A token may name it by its id alone. */
export interface Subscription {
  id?: string;
  /** The price of an interval, in the smallest unit of the currency. */
  amount?: number;
  currency?: string;
  interval?: (typeof INTERVALS)[number];
  /** The name of the product. Only a token says this and the next two. */
  plan?: string;
  /** The date on which it began. */
  since?: string;
  quantity?: number;
}

/** The monthly price of a subscription, rounded to the nearest unit; at most the largest amount. */
export function monthlyOf({
  amount,
  currency,
  interval,
}: Subscription): { amount: number; currency: string } | undefined {
  if (amount === undefined || currency === undefined || interval === undefined) return undefined;
  const monthly = Math.round(amount / MONTHS[interval]);
  return { amount: Math.min(monthly, MINOR_UNITS.maximum), currency: currencyOf(currency) };
}

/** What a token says of a subscription, as facts. */
export function claimedFacts(subscription: Subscription, now: Date): Facts {
  const { interval, plan, since, quantity } = subscription;
  return {
    ...monthlyOf(subscription),
    ...(interval !== undefined && { interval }),
    ...(plan !== undefined && { plan }),
    ...(quantity !== undefined && { quantity }),
    ...(since !== undefined && { months: monthsBetween(new Date(since), now) }),
  };
}
