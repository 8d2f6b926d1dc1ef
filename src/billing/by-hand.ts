import { amountText } from '../platform/common/minor-units';
import type { ShownOffer } from '../offers/offer-content';
import type { FulfilmentAction } from './queue/fulfilment.entity';

/** The instruction for a person who has to do the job in the billing system. */
export function byHand(
  action: FulfilmentAction,
  offer: Pick<ShownOffer, 'name' | 'offer_type' | 'terms'> | null,
): string {
  if (action === 'keep') return 'Let the subscription go on.';
  if (action === 'cancel') return 'Cancel the subscription at the end of its period.';
  const { offer_type, terms, name } = offer!;
  if (!terms) return `Do what the offer "${name}" promises.`;
  const { percent_off, amount_off, currency, duration, months = 0, days = 0, price, coupon } = terms;
  if (offer_type === 'pause_subscription') return `Pause the payments for ${count(months, 'month')}.`;
  if (offer_type === 'trial_extension') return `Postpone the next payment by ${count(days, 'day')}.`;
  if (offer_type === 'plan_change') return `Change the price to ${price}.`;
  if (coupon !== undefined) return `Add the coupon ${coupon}.`;
  const off = percent_off === undefined ? amountText(amount_off!, currency!) : `${percent_off} %`;
  const time =
    duration === 'repeating' ? `for ${count(months, 'month')}` : duration === 'once' ? 'once' : 'permanently';
  return `Give ${off} off, ${time}.`;
}

const count = (number: number, unit: string): string => `${number} ${unit}${number === 1 ? '' : 's'}`;
