import { isDeepStrictEqual } from 'node:util';
import type { Attributes } from '../platform/text/placeholders';
import { amountText } from '../platform/common/minor-units';
import { choicesOf, type OfferTerms } from '../offers/terms/types';
import type { Effect } from './effect';

/** Why a billing system could not apply an offer to a customer's subscription. */
export const OBSTACLES = [
  'discounted_already',
  'currency',
  'interval',
  'schedule',
  'unpaid',
  'paused',
  'coupon',
  'price',
  'items',
  'usage',
  'nothing',
] as const;
export type Obstacle = (typeof OBSTACLES)[number];

/**
 * Why an offer was passed over. `limit`: the customer has accepted it as often as its limit allows; `offer_limit`: they
 * have accepted as many offers as the workspace allows. `not_now`, `conditions`: the offer's own `available` or `when`
 * keeps it from them. `unread`: the billing system did not say in time whether it has the coupon or the price that the
 * offer names.
 */
export const WITHHELD_REASONS = [
  'limit',
  'offer_limit',
  'archived',
  'not_now',
  'conditions',
  'unread',
  ...OBSTACLES,
] as const;
export type WithheldReason = (typeof WITHHELD_REASONS)[number];

/** The billing system's answer about an offer for a customer: the obstacle, or the effects. */
export interface Eligibility {
  /** The terms of the offer when it was looked up. With other terms by now, it counts as another offer. */
  terms: OfferTerms;
  obstacle?: Obstacle;
  /** It is shown, and a person has to carry it out. */
  left_to_person?: true;
  /** Of each set of terms that the customer can agree to, in the order of `choicesOf`. */
  effects?: Effect[];
  /** It changes the plan at the end of the period. */
  is_later?: true;
}

/** The eligibility of a flow's offers, by offer id; and of cancelling, by `CANCELLATION`. */
export type Eligibilities = Record<string, Eligibility>;

/** No id of an offer. */
export const CANCELLATION = 'cancel';

/** When the subscription ends, if the customer cancels: an ISO time; undefined if it is not known. */
export const endIn = (eligibility: Eligibilities | null | undefined): string | undefined =>
  eligibility?.[CANCELLATION]?.effects?.[0].until ?? undefined;

/** The billing system's answer about an offer, unless its terms have changed since. */
export function eligibilityOf(
  { id, terms }: { id: string; terms: OfferTerms | null },
  eligibility: Eligibilities | null | undefined,
): Eligibility | undefined {
  const known = eligibility?.[id];
  return known && isDeepStrictEqual(known.terms, terms) ? known : undefined;
}

/** The effect of an offer. Without the months of which the customer chooses, it says no day on which it ends. */
export function effectFor({ terms, effects }: Eligibility, months?: number): Effect | undefined {
  if (!effects) return undefined;
  const choices = choicesOf(terms);
  if (months !== undefined) return effects[choices.findIndex((choice) => choice.months === months)];
  return choices.length > 1 ? { ...effects[0], until: null } : effects[0];
}

/** What an offer does, as placeholders of its texts, in the customer's language: prices and days. */
export function effectAttributes(eligibility: Eligibility, months: number | undefined, locale: string): Attributes {
  const effect = effectFor(eligibility, months);
  if (!effect) return {};
  const { currency, price_now, price_then, from, until } = effect;
  const later: Attributes = eligibility.is_later && from ? { changes_on: dayIn(from, locale) } : {};
  if (price_now === null || price_then === null) return later;
  return {
    ...later,
    price_now: amountText(price_now, currency, false, locale),
    price_then: amountText(price_then, currency, false, locale),
    ...(until && { until: dayIn(until, locale) }),
  };
}

/** The day of an ISO time, as customers in a language write it. */
export const dayIn = (time: string, locale: string): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(time));
