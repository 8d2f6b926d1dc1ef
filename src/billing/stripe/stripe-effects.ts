import type Stripe from 'stripe';
import { currencyOf } from '../../platform/api/fields/money';
import { monthsAfter } from '../../platform/common/days';
import { monthsIn } from '../../platform/common/duration';
import { amountText } from '../../platform/common/minor-units';
import { unknownValue } from '../../platform/text/unknown-value';
import type { Prices } from '../../sessions/eligibility';
import type { Subscription } from '../../runtime/start/subscription';
import { byHand, bySomebody } from '../model/by-hand';
import { type AgreedOffer, agreedOffers, type NamedOffer, type OfferEffect } from '../model/provider';
import type { Proration } from '../../billing-jobs/billing-connection.entity';
import {
  anchored,
  cancellationOf,
  discountsOf,
  extendedEndOf,
  type Facts,
  obstacleTo,
  periodEndOf,
} from './stripe-plan';

const WEEK = 7 * 24 * 60 * 60;
const DAY_TEXT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** When the other price counts, by how the connection prorates. */
const FROM: Record<Proration, string> = {
  create_prorations: 'at once, and the next invoice has the difference for the rest of the period',
  always_invoice: 'at once, and the difference for the rest of the period is billed at once',
  none: 'from the next payment on',
};

/** Months of an interval that is counted in months. */
const MONTHS = { month: 1, quarter: 3, year: 12 };

/** What an offer would do to a subscription, as sentences for the team. */
export function effectOf(
  offer: NamedOffer,
  subscription: Stripe.Subscription,
  facts: Facts,
  prices: Prices | undefined,
  proration: Proration,
): Pick<OfferEffect, 'is_shown' | 'text'> {
  const agreed = agreedOffers(offer);
  const found = obstacleTo(agreed[0], subscription, facts);
  if (!found) {
    const changes = agreed.map((one) => changeOf(one, subscription, facts, prices, proration));
    const chosen = changes.map((text, index) => `With ${monthsIn(agreed[index].terms.months!, 'en')}: ${text}`);
    return { is_shown: true, text: (agreed.length > 1 ? chosen : changes).join(' ') };
  }
  const why = firstSentence(found.detail);
  return found.obstacle
    ? { is_shown: false, text: `Customers don’t see this offer. ${why}` }
    : { is_shown: true, text: `${why} ${bySomebody(byHand('apply', offer))}` };
}

/** What leaving would do. */
export function leavingOf(subscription: Stripe.Subscription): string {
  const plan = cancellationOf({ id: '' }, subscription);
  if ('change' in plan) return `The subscription ends on ${dayOf(periodEndOf(subscription))}.`;
  const why = plan.state === 'none' ? '' : firstSentence(plan.detail ?? '');
  return plan.state === 'manual' ? `${why} A person would have to cancel it.` : why;
}

function changeOf(
  offer: AgreedOffer,
  subscription: Stripe.Subscription,
  facts: Facts,
  prices: Prices | undefined,
  proration: Proration,
): string {
  const { offer_type, terms } = offer;
  const text = (amount: number) => amountText(amount, prices!.currency, true);
  // A discount may end before the payment that is put off.
  const isEven = prices && discountsOf(subscription, facts).length === 0;
  // Nothing is paid for the period, so there is no difference.
  const from = subscription.status === 'trialing' ? FROM.none : FROM[proration];
  switch (offer_type) {
    case 'pause_subscription': {
      const months = terms.months!;
      const pause = `Payments pause until ${dayOf(anchored(subscription, months))}`;
      return isEven ? `${pause}; ${text(prices.price_now * months)} is not billed.` : `${pause}.`;
    }
    case 'trial_extension': {
      const [next, later] = [periodEndOf(subscription), extendedEndOf(subscription, terms.days!)].map(dayOf);
      return `The next payment${isEven ? `, ${text(prices.price_now)},` : ''} comes on ${later} in place of ${next}.`;
    }
    case 'plan_change':
      return prices
        ? `The price changes from ${text(prices.price_now)} to ${text(prices.price_then)} ${from}.`
        : `The price changes to ${terms.price} ${from}.`;
    case 'discount_percentage':
    case 'discount_fixed': {
      if (!prices) return `The customer gets the discount. What they pay then can’t be said before.`;
      const { price_then, price_now, until } = prices;
      const time = until ? ` until ${DAY_TEXT.format(new Date(until))}` : ' from the next payment on';
      return `The customer pays ${text(price_then)} in place of ${text(price_now)}${time}.`;
    }
    default:
      return unknownValue(offer_type);
  }
}

export type MadeUp = Required<Omit<Subscription, 'id'>>;

/** A subscription as Stripe would have it, which was paid now for the first time. */
export function madeUp({ amount, currency, interval }: MadeUp, now: Date): Stripe.Subscription {
  const begun = Math.floor(now.getTime() / 1000);
  const months = interval === 'week' ? 0 : MONTHS[interval];
  const end = months ? Math.floor(monthsAfter(now, months).getTime() / 1000) : begun + WEEK;
  const code = currencyOf(currency).toLowerCase();
  const recurring = {
    interval: interval === 'quarter' ? 'month' : interval,
    interval_count: interval === 'quarter' ? 3 : 1,
    usage_type: 'licensed',
  };
  const item = {
    id: '',
    quantity: 1,
    current_period_start: begun,
    current_period_end: end,
    price: { id: '', currency: code, unit_amount: amount, recurring },
  };
  const read = {
    id: '',
    status: 'active',
    metadata: {},
    currency: code,
    discounts: [],
    schedule: null,
    trial_end: null,
    cancel_at: null,
    cancel_at_period_end: false,
    pause_collection: null,
    billing_cycle_anchor: begun,
    items: { data: [item], has_more: false },
  };
  // The rest is not read.
  return read as unknown as Stripe.Subscription;
}

/** Why, without what to do in Stripe. */
const firstSentence = (detail: string): string => detail.split(/(?<=\.) /)[0];
const dayOf = (seconds: number): string => DAY_TEXT.format(new Date(seconds * 1000));
