import type { Facts } from '../conditions/facts';
import { amountText } from '../platform/common/minor-units';

/**
 * The price of a customer's subscription, its plan and its age: €49 a month before discounts, Pro, for 7 months. '' if
 * nothing is known.
 */
export function subscriptionWords({ amount, currency, plan, months }: Facts): string {
  const price =
    typeof amount === 'number' && typeof currency === 'string'
      ? `${amountText(amount, currency, true)} a month before discounts`
      : '';
  const since = typeof months === 'number' && months > 0 ? `for ${months === 1 ? 'a month' : `${months} months`}` : '';
  return [price, plan, since].filter(Boolean).join(', ');
}
