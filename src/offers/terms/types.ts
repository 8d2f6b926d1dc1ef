import type { OfferText } from '../fields';
import { OF_BILLING, OF_OFFER } from '../../platform/text/placeholders';

export const DURATIONS = ['once', 'repeating', 'forever'] as const;

export const MAX_MONTHS = 36;

/** The most bytes of what a page of the site's own gets with an offer or a node, as JSON. */
export const MAX_DATA = 4096;

/** What a customer has decided who accepts an offer: to stay, or nothing yet. */
export const OFFER_OUTCOMES = ['saved', 'open'] as const;
export type OfferOutcome = (typeof OFFER_OUTCOMES)[number];

/** How many numbers of months a customer may choose from. */
export const MONTHS_TO_CHOOSE = { least: 2, most: 4 };

/**
 * The change that billing makes for a customer who accepts an offer. The type of the offer decides which terms it
 * takes.
 */
export interface OfferTerms {
  percent_off?: number;
  /** In the smallest unit of the currency. */
  amount_off?: number;
  currency?: string;
  duration?: (typeof DURATIONS)[number];
  /** How long a repeating discount or a pause lasts. A list: the customer chooses how long the pause does. */
  months?: number | number[];
  /** How many days the next payment is put off. */
  days?: number;
  /** The id of a price at the provider. */
  price?: string;
  /** The id of a coupon at the provider, instead of a discount that is described here. */
  coupon?: string;
}

export type Term = keyof OfferTerms;

/** Terms in which nothing is left to choose. */
export type AgreedTerms = Omit<OfferTerms, 'months'> & { months?: number };

/** The terms that a customer may agree to: one for each number of months that they may choose, or else these. */
export function choicesOf({ months, ...terms }: OfferTerms): AgreedTerms[] {
  if (months === undefined) return [terms];
  return [months].flat().map((one) => ({ ...terms, months: one }));
}

/**
 * The types of offers, each with the terms that it needs. Discounts take a coupon instead, and `months` if they repeat.
 * The console uses this file, too.
 */
export const TERMS_OF = {
  discount_percentage: ['percent_off', 'duration'],
  discount_fixed: ['amount_off', 'currency', 'duration'],
  pause_subscription: ['months'],
  trial_extension: ['days'],
  plan_change: ['price'],
  custom: [],
} satisfies Record<string, Term[]>;

export type OfferType = keyof typeof TERMS_OF;
export const OFFER_TYPES = Object.keys(TERMS_OF) as OfferType[];

export const isDiscount = (type: OfferType): boolean => type === 'discount_percentage' || type === 'discount_fixed';

/** The terms that an offer needs, by what is given already. */
export function neededOf(type: OfferType, { coupon, duration }: Pick<OfferTerms, 'coupon' | 'duration'>): Term[] {
  const terms: Term[] = TERMS_OF[type];
  if (isDiscount(type) && coupon !== undefined) return ['coupon'];
  return isDiscount(type) && duration === 'repeating' ? [...terms, 'months'] : terms;
}

/** The texts of an offer in another language, as far as there are. */
export type OfferTranslation = Partial<Record<OfferText | 'image_alt', string>> & {
  points?: string[];
};

/** The texts of an offer, or of a translation of it, each by a name: points by their places. */
export function namedTexts({ points = [], ...texts }: OfferTranslation): Record<string, string> {
  return { ...texts, ...Object.fromEntries(points.map((point, index) => [`points/${index}`, point])) };
}

/** A picture, and what is to be seen for those who don't see it. */
export interface PageImage {
  url: string;
  alt: string;
}

/** Placeholders that need no words after a bar in the texts of offers. */
export const KNOWN_IN_OFFERS = [...OF_OFFER, ...OF_BILLING];
