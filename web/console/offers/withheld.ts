import type { SessionRecord } from '@retention-flow/client';

export type Withheld = NonNullable<SessionRecord['steps'][number]['withheld']>[number];

/** Why a customer did not see an offer. */
export const WITHHELD: Record<Withheld['reason'], string> = {
  limit: 'they have accepted it as often as its limit allows',
  archived: 'it is archived',
  discounted_already: 'the subscription has this discount already',
  currency: 'it is in another currency than the subscription',
  interval: 'the subscription is paid at other times than the offer is made for',
  schedule: 'a schedule in Stripe manages the subscription',
  unpaid: 'a payment has failed',
  paused: 'the subscription is paused',
  coupon: 'Stripe does not know its coupon, or it can no longer be redeemed',
  price: 'the subscription has this price already, or the price is archived or unknown',
};
