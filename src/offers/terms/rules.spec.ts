import type { OfferType } from './types';
import { faultsOfTerms } from './rules';
import { type OfferTerms } from './types';

const pointersOf = (type: OfferType, terms: OfferTerms) => faultsOfTerms(type, terms).map(({ pointer }) => pointer);

describe('The terms of an offer', () => {
  it.each<[OfferType, OfferTerms]>([
    ['discount_percentage', { percent_off: 30, duration: 'once' }],
    ['discount_percentage', { percent_off: 30, duration: 'repeating', months: 3 }],
    ['discount_fixed', { amount_off: 500, currency: 'EUR', duration: 'forever' }],
    ['discount_fixed', { coupon: 'stay' }],
    ['pause_subscription', { months: 1 }],
    ['pause_subscription', { months: [1, 2, 3] }],
    ['trial_extension', { days: 14 }],
    ['plan_change', { price: 'price_1' }],
  ])('%s takes %j', (type, terms) => expect(pointersOf(type, terms)).toEqual([]));

  it.each<[OfferType, OfferTerms, string[]]>([
    ['discount_percentage', { percent_off: 30, duration: 'repeating' }, ['/terms/months']],
    ['discount_percentage', { amount_off: 500, duration: 'once' }, ['/terms/amount_off', '/terms/percent_off']],
    ['discount_fixed', { coupon: 'stay', duration: 'once' }, ['/terms/duration']],
    ['discount_percentage', { percent_off: 30, duration: 'repeating', months: [1, 2] }, ['/terms/months']],
    ['pause_subscription', {}, ['/terms/months']],
    ['trial_extension', { months: 1 }, ['/terms/months', '/terms/days']],
    ['custom', { days: 1 }, ['/terms']],
  ])('%s does not take %j', (type, terms, pointers) => expect(pointersOf(type, terms)).toEqual(pointers));
});
