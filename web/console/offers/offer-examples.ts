import type { OfferDraft, OfferText, OfferType } from './offer-draft';

/** The types of offers, and what people call them. */
export const OFFER_TYPES: [type: OfferType, name: string][] = [
  ['discount_percentage', 'Discount in percent'],
  ['discount_fixed', 'Fixed discount'],
  ['pause_subscription', 'Pause'],
  ['trial_extension', 'Longer trial'],
  ['custom', 'Something else'],
];

export function nameOfType(type: OfferType): string {
  return OFFER_TYPES.find(([known]) => known === type)?.[1] ?? type;
}

type Example = Record<Exclude<OfferText, 'offer_type'>, string>;

const EXAMPLES: Record<OfferType, Example> = {
  discount_percentage: {
    name: '30% off for three months',
    offer_value: '30%',
    offer_duration: '3 months',
    heading: 'Stay for 30% less',
    body: 'Keep everything you have, for 30% less over the next three months.',
    cta_accept: 'Take 30% off',
    cta_decline: 'No thanks',
  },
  discount_fixed: {
    name: '$10 off for six months',
    offer_value: '$10',
    offer_duration: '6 months',
    heading: 'Pay $10 less each month',
    body: 'Your plan stays the same, and costs $10 less for the next six months.',
    cta_accept: 'Take $10 off',
    cta_decline: 'No thanks',
  },
  pause_subscription: {
    name: 'Pause for a month',
    offer_value: '',
    offer_duration: '1 month',
    heading: 'Take a break instead',
    body: 'Pause for a month. You pay nothing meanwhile, and everything is there when you come back.',
    cta_accept: 'Pause my subscription',
    cta_decline: 'No thanks',
  },
  trial_extension: {
    name: 'Two more weeks of trial',
    offer_value: '14 days',
    offer_duration: '14 days',
    heading: 'Take two more weeks to decide',
    body: 'Try everything for another 14 days, free of charge.',
    cta_accept: 'Extend my trial',
    cta_decline: 'No thanks',
  },
  custom: {
    name: 'A call with our team',
    offer_value: '30 minutes',
    offer_duration: '',
    heading: 'Let us set it up with you',
    body: 'Book a call of 30 minutes. We set up your account together, and your next month is free.',
    cta_accept: 'Book a call',
    cta_decline: 'No thanks',
  },
};

/** The draft as an offer of a type, with the example's text wherever nobody has written another. */
export function withExample(draft: OfferDraft, type: OfferType): OfferDraft {
  const example = Object.entries(EXAMPLES[type]) as [keyof Example, string][];
  const filled = example.filter(([text]) => draft[text] === '' || isOfExample(text, draft[text]));
  return { ...draft, ...Object.fromEntries(filled), offer_type: type };
}

function isOfExample(text: keyof Example, value: string): boolean {
  return Object.values(EXAMPLES).some((example) => example[text] === value);
}
