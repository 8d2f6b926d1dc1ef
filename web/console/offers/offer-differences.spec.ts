import { termsText } from './offer-differences';

describe('What billing does for an offer', () => {
  it.each([
    [null, 'nothing: a person applies it'],
    [{ percent_off: 30, duration: 'repeating', months: 3 }, '30 % off for 3 months'],
    [{ amount_off: 500, currency: 'EUR', duration: 'forever' }, '€5.00 off for good'],
    [{ coupon: 'half' }, 'the coupon half'],
    [{ price: 'price_1' }, 'a change to the price price_1'],
    [{ days: 1 }, 'the next payment is 1 day later'],
    [{ months: 1 }, 'a pause of 1 month'],
    // Drafts may lack something.
    [{ percent_off: 30, duration: 'repeating' }, '30 % off'],
    [{ amount_off: 500, duration: 'once' }, '{"amount_off":500,"duration":"once"}'],
    [{}, '{}'],
  ] as const)('%j is said: %s', (terms, words) => expect(termsText(terms)).toBe(words));
});
