import { currencyOf } from '../../platform/api/money';

export const INTERVALS = ['month', 'year'] as const;

/** A customer's subscription. A token may name it by its id alone. */
export interface Subscription {
  id?: string;
  /** For an interval, in the smallest unit of the currency. */
  amount?: number;
  currency?: string;
  interval?: (typeof INTERVALS)[number];
}

/** The monthly price of a subscription: a yearly amount is rounded to the nearest unit. */
export function monthlyOf({
  amount,
  currency,
  interval,
}: Subscription): { amount: number; currency: string } | undefined {
  if (amount === undefined || currency === undefined) return undefined;
  return { amount: interval === 'year' ? Math.round(amount / 12) : amount, currency: currencyOf(currency) };
}
