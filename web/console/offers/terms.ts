import type { Offer } from '@retention-flow/client';
import { amountText, decimalsOf } from '../../../src/platform/common/minor-units';
import { counted } from '../ui/format';
import type { OfferType } from './offer-draft';

type Terms = NonNullable<Offer['terms']>;

/** What billing does for a customer who accepts an offer, as it is typed. */
export interface TermsDraft {
  /** `terms`: billing does what is typed here. `coupon`: it uses a coupon that is there. `words`: a person does what the texts say. */
  by: 'terms' | 'coupon' | 'words';
  percent_off: string;
  amount_off: string;
  currency: string;
  duration: NonNullable<Terms['duration']>;
  months: string;
  days: string;
  price: string;
  coupon: string;
}

export const NO_TERMS: TermsDraft = {
  by: 'words',
  percent_off: '',
  amount_off: '',
  currency: '',
  duration: 'repeating',
  months: '',
  days: '',
  price: '',
  coupon: '',
};

const WORDS = ['words', 'In words only: a person applies it'] as const;
const COUPON = ['coupon', 'Billing applies a coupon that you have'] as const;

/** Who applies an offer of a type, and how. The first one is the usual one. */
export const WAYS: Record<OfferType, (readonly [by: TermsDraft['by'], name: string])[]> = {
  discount_percentage: [['terms', 'Billing applies this discount'], COUPON, WORDS],
  discount_fixed: [['terms', 'Billing applies this discount'], COUPON, WORDS],
  pause_subscription: [['terms', 'Billing pauses the subscription'], WORDS],
  trial_extension: [['terms', 'Billing puts off the next payment'], WORDS],
  plan_change: [['terms', 'Billing changes the price'], WORDS],
  custom: [WORDS],
};

/** The terms with a way that offers of the type have. */
export function fitting(type: OfferType, terms: TermsDraft): TermsDraft {
  return WAYS[type].some(([by]) => by === terms.by) ? terms : { ...terms, by: WAYS[type][0][0] };
}

export function termsDraftOf({ offer_type: type, terms }: Pick<Offer, 'offer_type' | 'terms'>): TermsDraft {
  if (!terms) return NO_TERMS;
  const { amount_off, currency, duration = 'repeating', ...others } = terms;
  const texts = Object.fromEntries(Object.entries(others).map(([name, value]) => [name, String(value)]));
  const amount = amount_off === undefined ? '' : String(amount_off / 10 ** decimalsOf(currency!));
  const by = terms.coupon === undefined ? 'terms' : 'coupon';
  return fitting(type, { ...NO_TERMS, ...texts, by, duration, amount_off: amount, currency: currency ?? '' });
}

/** The terms as the service takes them; null if a person applies the offer. */
export function termsOf(type: OfferType, draft: TermsDraft): Offer['terms'] {
  const { by, percent_off, amount_off, currency, duration, months, days, price, coupon } = draft;
  if (by === 'words') return null;
  if (by === 'coupon') return { coupon };
  const lasting = duration === 'repeating' ? { duration, months: Number(months) } : { duration };
  const all: Record<OfferType, Offer['terms']> = {
    discount_percentage: { percent_off: Number(percent_off), ...lasting },
    discount_fixed: { amount_off: minorUnitsOf(Number(amount_off), currency), currency, ...lasting },
    pause_subscription: { months: Number(months) },
    trial_extension: { days: Number(days) },
    plan_change: { price },
    custom: null,
  };
  return all[type];
}

/** Whether the value and the duration that customers read are made from the terms. */
export function areWordsMade(type: OfferType, { by }: TermsDraft): boolean {
  return by === 'terms' && type !== 'plan_change';
}

/** The value and the duration in words, as far as the terms are typed. */
export function wordsOf(type: OfferType, draft: TermsDraft): Pick<Offer, 'offer_value' | 'offer_duration'> {
  const { percent_off, amount_off, currency, months, days } = draft;
  const inDays = days && counted(Number(days), 'day');
  switch (type) {
    case 'discount_percentage':
      return { offer_value: percent_off && `${Number(percent_off)}%`, offer_duration: durationOf(draft) };
    case 'discount_fixed':
      return { offer_value: amount_off && priceOf(Number(amount_off), currency), offer_duration: durationOf(draft) };
    case 'trial_extension':
      return { offer_value: inDays, offer_duration: inDays };
    default:
      return { offer_value: '', offer_duration: months && counted(Number(months), 'month') };
  }
}

const LASTING = { once: 'the next payment', forever: 'as long as you stay' };

function durationOf({ duration, months }: TermsDraft): string {
  return duration === 'repeating' ? months && counted(Number(months), 'month') : LASTING[duration];
}

/** $10, $9.50 */
function priceOf(amount: number, currency: string): string {
  // While the currency is not typed to its end, there is no name for it.
  if (!/^[A-Z]{3}$/.test(currency)) return String(amount);
  return amountText(minorUnitsOf(amount, currency), currency, true);
}

function minorUnitsOf(amount: number, currency: string): number {
  return Math.round(amount * 10 ** decimalsOf(currency));
}
