import { monthsIn } from '../../platform/common/duration';
import { amountText } from '../../platform/common/minor-units';
import type { ShownOffer } from '../../offers/shown-offer';
import type { OfferTerms } from '../../offers/terms/types';
import type { Permission, Proration } from '../../billing-jobs/billing-connection.entity';
import { permissionFor } from '../../billing-jobs/carried-out-by';
import type { FulfilmentAction } from '../../billing-jobs/fulfilment.entity';
import type { PlannedOffer } from './task';

/** The instruction for a person who has to do the job in the billing system. */
export function byHand(
  action: FulfilmentAction,
  offer: Pick<ShownOffer, 'name' | 'offer_type' | 'terms'> | null,
  proration?: Proration,
): string {
  if (action === 'keep') return 'Let the subscription go on.';
  if (action === 'cancel') return 'Cancel the subscription at the end of its period.';
  const { offer_type, terms, name } = offer!;
  const inWords = `Do what the offer "${name}" promises.`;
  if (!terms || offer_type === 'custom') return inWords;
  switch (offer_type) {
    case 'discount_percentage':
    case 'discount_fixed':
      return discountByHand(terms);
    case 'pause_subscription':
      return `Pause the payments for ${spanOf(terms)}.`;
    case 'trial_extension':
      return `Postpone the next payment by ${count(terms.days ?? 0, 'day')}.`;
    case 'plan_change':
      return `Change the price to ${terms.price}${proration === 'at_period_end' ? ', at the end of the period' : ''}.`;
    default:
      // A newer version has stored another type.
      offer_type satisfies never;
      return inWords;
  }
}

/** An instruction in a sentence that says who has to follow it. */
export const bySomebody = (instruction: string): string => `A person would have to do this: ${instruction}`;

function discountByHand(terms: OfferTerms): string {
  const { percent_off, amount_off, currency, duration, coupon } = terms;
  if (coupon !== undefined) return `Add the coupon ${coupon}.`;
  const off = percent_off === undefined ? amountText(amount_off!, currency!) : `${percent_off} %`;
  const time = duration === 'repeating' ? `for ${spanOf(terms)}` : duration === 'once' ? 'once' : 'permanently';
  return `Give ${off} off, ${time}.`;
}

/**
 * The length of a pause, such as "3 months". Before the customer has chosen: "1, 2, or 3 months, as the customer
 * chooses".
 */
function spanOf({ months = 0 }: OfferTerms): string {
  const span = monthsIn(months, 'en');
  return Array.isArray(months) ? `${span}, as the customer chooses` : span;
}

const count = (number: number, unit: string): string => `${number} ${unit}${number === 1 ? '' : 's'}`;

/** Why a person has to, by what the key lacks. */
export const LACKING: Record<Permission, string> = {
  customers_read: 'The key may not read Customers: a discount of their own may be lost.',
  prices_read: 'The key may not read Prices.',
  products_read: 'The key may not read Products.',
  subscriptions_write: 'The key may not change Subscriptions.',
  coupons_write: 'The key may not make Coupons.',
  invoices_write: 'The key may not void Invoices.',
  schedules_write: 'The key may not make Subscription schedules.',
};

/** What the key may not read, of an offer that needs something besides what every key may read. */
export function lackingFor({ offer_type }: PlannedOffer): { detail: string; missing: Permission } {
  const missing = permissionFor(offer_type)!;
  return { missing, detail: LACKING[missing] };
}
