import type { FieldError } from '../platform/api/problem';
import type { OfferType } from './offer-types';

export const DURATIONS = ['once', 'repeating', 'forever'] as const;

/** The change that billing makes for a customer who accepts an offer. The type of the offer decides which terms it takes. */
export interface OfferTerms {
  percent_off?: number;
  /** In the smallest unit of the currency. */
  amount_off?: number;
  currency?: string;
  duration?: (typeof DURATIONS)[number];
  /** How long a repeating discount or a pause lasts. */
  months?: number;
  /** By how many days the next payment is put off. */
  days?: number;
  /** The id of a price at the provider. */
  price?: string;
  /** The id of a coupon at the provider, instead of a discount that is described here. */
  coupon?: string;
}

type Term = keyof OfferTerms;

/** The terms that an offer of a type needs. Discounts take a coupon instead. */
const NEEDED: Record<OfferType, Term[]> = {
  discount_percentage: ['percent_off', 'duration'],
  discount_fixed: ['amount_off', 'currency', 'duration'],
  pause_subscription: ['months'],
  trial_extension: ['days'],
  plan_change: ['price'],
  custom: [],
};

/** The faults of the terms of an offer, each with a pointer into the offer. */
export function faultsOfTerms(type: OfferType, terms: OfferTerms): FieldError[] {
  const given = (Object.keys(terms) as Term[]).filter((term) => terms[term] !== undefined);
  const needed = neededOf(type, terms);
  const extra = given.filter((term) => !needed.includes(term));
  const missing = needed.filter((term) => !given.includes(term));
  if (needed.length === 0) return [{ pointer: '/terms', message: `are not taken by an offer of type ${type}` }];
  return [
    ...extra.map((term) => ({ pointer: `/terms/${term}`, message: `is not taken here, only ${needed.join(', ')}` })),
    ...missing.map((term) => ({ pointer: `/terms/${term}`, message: 'must be given' })),
  ];
}

function neededOf(type: OfferType, { coupon, duration }: OfferTerms): Term[] {
  const isDiscount = type === 'discount_percentage' || type === 'discount_fixed';
  if (isDiscount && coupon !== undefined) return ['coupon'];
  return [...NEEDED[type], ...(isDiscount && duration === 'repeating' ? (['months'] as const) : [])];
}
