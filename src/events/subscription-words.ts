import type { Facts } from '../conditions/facts';
import { amountText } from '../platform/common/minor-units';

/** What a customer pays, for what and for how long already: €49 a month, Pro, for 7 months. '' if nothing is known. */
export function subscriptionWords({ amount, currency, plan, months }: Facts): string {
  const price =
    typeof amount === 'number' && typeof currency === 'string' ? `${amountText(amount, currency, true)} a month` : '';
  const since = typeof months === 'number' && months > 0 ? `for ${months === 1 ? 'a month' : `${months} months`}` : '';
  return [price, plan, since].filter(Boolean).join(', ');
}
