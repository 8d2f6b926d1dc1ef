import type { OfferContent } from '../offer-content.entity';
import { contradictionsOf } from './contradictions';

const offer = (content: Partial<OfferContent>) =>
  ({
    name: 'Half price',
    offer_type: 'discount_percentage',
    offer_value: '',
    offer_duration: '',
    heading: '',
    body: '',
    cta_accept: 'Accept offer',
    cta_decline: 'No thanks',
    accepted_title: '',
    accepted_body: '',
    terms: null,
    translations: {},
    ...content,
  }) as OfferContent;

describe('Words that the terms of an offer contradict', () => {
  const percent = { percent_off: 30, duration: 'forever' } as const;
  const amount = { amount_off: 500, currency: 'EUR', duration: 'forever' } as const;

  it.each([
    ['Take 35 % off', percent, 'says 35, but the terms say 30 %'],
    ['%35 indirim', percent, 'says 35, but the terms say 30 %'],
    ['33,5% weniger', percent, 'says 33.5, but the terms say 30 %'],
    ['Was 20 %, is now 25 %', percent, 'says 20 and 25, but the terms say 30 %'],
    ['6 € off', amount, 'says 6, but the terms say €5.00'],
    ['1.005 € off', amount, 'says 1005, but the terms say €5.00'],
    ['EUR 6.50 off', amount, 'says 6.5, but the terms say €5.00'],
    ['Pause for 2 months', { months: 3 }, 'says 2, but the terms say 3 months'],
    ['Pause for 4 months', { months: [1, 2, 3] }, 'says 4, but the terms say 1, 2, or 3 months'],
    ['Pausieren Sie 2 Monate', { months: 1 }, 'says 2, but the terms say 1 month'],
    ['2か月間休む', { months: 3 }, 'says 2, but the terms say 3 months'],
  ])('are found in "%s"', (heading, terms, message) => {
    expect(contradictionsOf(offer({ heading, terms }))).toEqual([{ pointer: '/heading', message }]);
  });

  it.each([
    ['Take 30 % off', percent],
    ['30% instead of 20%', percent],
    ['Stay for less', percent],
    ['{{value}} less', percent],
    ['5 € less', amount],
    ['€5.00 less', amount],
    ['€1,234.50 off', { ...amount, amount_off: 123450 }],
    ['1 234,50 € weniger', { ...amount, amount_off: 123450 }],
    ['¥1,000 off', { ...amount, amount_off: 1000, currency: 'JPY' }],
    ['KWD 1.255 off', { ...amount, amount_off: 1255, currency: 'KWD' }],
    ['In 2 steps', { months: 3 }],
    ['Pause for 3 months', { months: 3 }],
    ['Pause for 1 to 3 months', { months: [1, 2, 3] }],
    ['30 % off', null],
    ['50 % off', { coupon: 'half' }],
  ])('are not found in "%s"', (heading, terms) => {
    expect(contradictionsOf(offer({ heading, terms }))).toEqual([]);
  });

  it('are found in translations, with a pointer to the text', () => {
    const translations = { de: { cta_accept: '25 % sparen' } };
    expect(contradictionsOf(offer({ terms: percent, translations }))).toEqual([
      { pointer: '/translations/de/cta_accept', message: 'says 25, but the terms say 30 %' },
    ]);
  });

  it('in days count where a payment is put off', () => {
    const terms = { days: 14 };
    const heading = '30 days more';
    expect(contradictionsOf(offer({ offer_type: 'trial_extension', heading, terms }))).toHaveLength(1);
  });
});
