import type { Offer } from '@retention-flow/client';
import { decimalsOf } from '../../../src/platform/common/minor-units';
import { OFFER_KINDS, type OfferType, type TermsDraft, type Words } from './offer-types';

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

/** The terms with a way that offers of the type have. */
export function fitting(type: OfferType, terms: TermsDraft): TermsDraft {
  return OFFER_KINDS[type].ways.some(([by]) => by === terms.by)
    ? terms
    : { ...terms, by: OFFER_KINDS[type].ways[0][0] };
}

export function termsDraftOf({ offer_type: type, terms }: Pick<Offer, 'offer_type' | 'terms'>): TermsDraft {
  if (!terms) return NO_TERMS;
  const { amount_off, currency, duration = 'repeating', ...others } = terms;
  const texts = Object.fromEntries(Object.entries(others).map(([name, value]) => [name, [value].flat().join(', ')]));
  const amount = amount_off === undefined ? '' : String(amount_off / 10 ** decimalsOf(currency!));
  const by = terms.coupon === undefined ? 'terms' : 'coupon';
  return fitting(type, { ...NO_TERMS, ...texts, by, duration, amount_off: amount, currency: currency ?? '' });
}

/** The terms as the service takes them; null if a person applies the offer. */
export function termsOf(type: OfferType, draft: TermsDraft): Offer['terms'] {
  if (draft.by === 'words') return null;
  return draft.by === 'coupon' ? { coupon: draft.coupon } : OFFER_KINDS[type].termsOf(draft);
}

/** The value and the duration that customers read, if they are made from the terms. */
export function wordsOf(type: OfferType, draft: TermsDraft): Words | undefined {
  return draft.by === 'terms' ? OFFER_KINDS[type].wordsOf?.(draft) : undefined;
}
