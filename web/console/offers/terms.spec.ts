import type { Offer } from '@retention-flow/client';
import { faultsOfTerms } from '../../../src/offers/terms/rules';
import { NEW_OFFER } from './offer-draft';
import { changed, withExample } from './offer-examples';
import { OFFER_TYPES, type OfferType } from './offer-types';
import { termsDraftOf, termsOf, wordsOf } from './terms';

const ALL: [OfferType, NonNullable<Offer['terms']>, value: string, duration: string][] = [
  ['discount_percentage', { percent_off: 12.5, duration: 'repeating', months: 3 }, '12.5%', '3 months'],
  ['discount_percentage', { percent_off: 30, duration: 'once' }, '30%', 'the next payment'],
  ['discount_fixed', { amount_off: 1050, currency: 'EUR', duration: 'forever' }, '€10.50', 'as long as you stay'],
  ['discount_fixed', { amount_off: 1000, currency: 'JPY', duration: 'repeating', months: 1 }, '¥1,000', '1 month'],
  ['pause_subscription', { months: 2 }, '', '2 months'],
  ['pause_subscription', { months: [1, 2, 3] }, '', '1, 2, or 3 months'],
  ['trial_extension', { days: 14 }, '14 days', '14 days'],
];

describe('The terms of an offer', () => {
  it.each(ALL)('are typed and read as the service has them: %s, %j', (type, terms, value, duration) => {
    const draft = termsDraftOf({ offer_type: type, terms });
    expect(termsOf(type, draft)).toEqual(terms);
    expect(wordsOf(type, draft)).toEqual({ offer_value: value, offer_duration: duration });
  });

  it.each<[OfferType, NonNullable<Offer['terms']>]>([
    ['discount_fixed', { coupon: 'stay-30' }],
    ['plan_change', { price: 'price_1' }],
  ])('may be an id of the billing system: %s, %j', (type, terms) => {
    expect(termsOf(type, termsDraftOf({ offer_type: type, terms }))).toEqual(terms);
  });

  it.each(OFFER_TYPES)('of an example are taken by the service: %s', (type) => {
    const terms = termsOf(type, withExample(NEW_OFFER, type).terms);
    expect(terms && faultsOfTerms(type, terms)).toEqual(type === 'custom' || type === 'plan_change' ? null : []);
  });

  it('make the texts, and what is typed stays when the type changes', () => {
    const example = withExample(NEW_OFFER, 'discount_percentage');
    const typed = changed(example, { terms: { ...example.terms, percent_off: '40', months: '12' } });
    expect([typed.name, typed.offer_value, typed.offer_duration]).toEqual([
      '40% off for 12 months',
      '40%',
      '12 months',
    ]);
    const pause = withExample(typed, 'pause_subscription');
    expect([pause.name, pause.offer_value, termsOf('pause_subscription', pause.terms)]).toEqual([
      'Pause for 12 months',
      '',
      { months: 12 },
    ]);
    const custom = changed(typed, { offer_type: 'custom' });
    expect(termsOf('custom', custom.terms)).toBeNull();
  });
});
