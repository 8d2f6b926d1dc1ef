import { type OfferDraft, type OfferText, type OfferType, usualLimit } from './offer-draft';
import { areWordsMade, fitting, NO_TERMS, type TermsDraft, wordsOf } from './terms';

/** The types of offers, and what people call them. */
export const OFFER_TYPES: [type: OfferType, name: string][] = [
  ['discount_percentage', 'Discount in percent'],
  ['discount_fixed', 'Fixed discount'],
  ['pause_subscription', 'Pause'],
  ['trial_extension', 'Longer trial'],
  ['plan_change', 'Another plan'],
  ['custom', 'Something else'],
];

export function nameOfType(type: OfferType): string {
  return OFFER_TYPES.find(([known]) => known === type)?.[1] ?? type;
}

/**
 * An offer to begin with. Its texts have placeholders for the value and the duration, which the service resolves. The name is for the
 * team, and follows them while they are typed.
 */
type Example = Record<Exclude<OfferText, 'offer_type' | 'accept_url'>, string>;

const EXAMPLES: Record<OfferType, Example> = {
  discount_percentage: {
    name: '{value} off for {duration}',
    offer_value: '30%',
    offer_duration: '3 months',
    heading: 'Stay for {{value}} less',
    body: 'Keep everything you have, for {{value}} less, for {{duration}}.',
    cta_accept: 'Take {{value}} off',
    cta_decline: 'No thanks',
  },
  discount_fixed: {
    name: '{value} off for {duration}',
    offer_value: '$10',
    offer_duration: '6 months',
    heading: 'Pay {{value}} less each month',
    body: 'Your plan stays the same, and costs {{value}} less for {{duration}}.',
    cta_accept: 'Take {{value}} off',
    cta_decline: 'No thanks',
  },
  pause_subscription: {
    name: 'Pause for {duration}',
    offer_value: '',
    offer_duration: '1 month',
    heading: 'Take a break instead',
    body: 'Pause for {{duration}}. You pay nothing meanwhile, and everything is there when you come back.',
    cta_accept: 'Pause my subscription',
    cta_decline: 'No thanks',
  },
  trial_extension: {
    name: '{value} more of trial',
    offer_value: '14 days',
    offer_duration: '14 days',
    heading: 'Take {{value}} more to decide',
    body: 'Try everything for another {{value}}, free of charge.',
    cta_accept: 'Extend my trial',
    cta_decline: 'No thanks',
  },
  plan_change: {
    name: 'The {value} plan',
    offer_value: 'yearly',
    offer_duration: '',
    heading: 'Change to the {{value}} plan and pay less',
    body: 'The {{value}} plan has everything you have now, for less.',
    cta_accept: 'See the {{value}} plan',
    cta_decline: 'No thanks',
  },
  custom: {
    name: 'A call with our team',
    offer_value: '30 minutes',
    offer_duration: '',
    heading: 'Let us set it up with you',
    body: 'Book a call of {{value}}. We set up your account together, and your next month is free.',
    cta_accept: 'Book a call',
    cta_decline: 'No thanks',
  },
};

/** What billing does in the examples. */
const TERMS: Partial<Record<OfferType, Partial<TermsDraft>>> = {
  discount_percentage: { percent_off: '30', months: '3' },
  discount_fixed: { amount_off: '10', currency: 'USD', months: '6' },
  pause_subscription: { months: '1' },
  trial_extension: { days: '14' },
};

function termsOfExample(type: OfferType): TermsDraft {
  return TERMS[type] ? { ...NO_TERMS, by: 'terms', ...TERMS[type] } : NO_TERMS;
}

/** The draft as an offer of a type. The example's text and terms fill what was not edited. */
export function withExample(draft: OfferDraft, type: OfferType): OfferDraft {
  const example = EXAMPLES[type];
  const terms = withTermsOf(type, draft.terms);
  const areMade = areWordsMade(draft.offer_type, draft.terms);
  const isFree = (text: keyof Example) =>
    draft[text] === '' || exampleOf(text, draft) || (areMade && text.startsWith('offer_'));
  const free = TEXTS.filter(isFree);
  const words = { offer_value: draft.offer_value, offer_duration: draft.offer_duration };
  for (const word of ['offer_value', 'offer_duration'] as const) if (free.includes(word)) words[word] = example[word];
  if (areWordsMade(type, terms)) Object.assign(words, wordsOf(type, terms));
  const texts = Object.fromEntries(free.map((text) => [text, textOf(example, text, words)])) as Example;
  return { ...draft, ...texts, ...words, offer_type: type, terms, limit: limitFor(draft, terms) };
}

/** The terms of the example, or those that were typed, with its own where something is missing. */
function withTermsOf(type: OfferType, draft: TermsDraft): TermsDraft {
  const own = termsOfExample(type);
  const untouched = [NO_TERMS, ...OFFER_TYPES.map(([one]) => termsOfExample(one))];
  if (untouched.some((one) => JSON.stringify(one) === JSON.stringify(draft))) return own;
  const typed = Object.entries(draft).filter(([, value]) => value !== '');
  return fitting(type, { ...own, ...Object.fromEntries(typed) });
}

/**
 * The changed draft. The value and the duration follow the terms, and the name of an example follows both, until somebody writes another.
 */
export function changed(draft: OfferDraft, changes: Partial<OfferDraft>): OfferDraft {
  const next = { ...draft, ...changes };
  if (changes.offer_type) next.terms = fitting(next.offer_type, next.terms);
  if (!changes.limit) next.limit = limitFor(draft, next.terms);
  const isMade = (changes.terms ?? changes.offer_type) && areWordsMade(next.offer_type, next.terms);
  if (isMade) Object.assign(next, wordsOf(next.offer_type, next.terms));
  for (const text of TEXTS.filter((text) => next[text] === draft[text])) {
    const example = exampleOf(text, draft);
    if (example) next[text] = textOf(example, text, next);
  }
  return next;
}

/** The usual limit for other terms, unless somebody has typed another one. */
function limitFor({ limit, terms }: OfferDraft, next: TermsDraft): OfferDraft['limit'] {
  return JSON.stringify(limit) === JSON.stringify(usualLimit(terms)) ? usualLimit(next) : limit;
}

type Words = Pick<OfferDraft, 'offer_value' | 'offer_duration'>;

const TEXTS = Object.keys(EXAMPLES.custom) as (keyof Example)[];

/** The example that a text of the draft is from; undefined if somebody wrote it. */
function exampleOf(text: keyof Example, draft: OfferDraft): Example | undefined {
  return Object.values(EXAMPLES).find((example) => textOf(example, text, draft) === draft[text]);
}

/** While a word is empty, the example's own is in the text. */
function textOf(example: Example, text: keyof Example, words: Words): string {
  if (text !== 'name') return example[text];
  return example.name
    .replaceAll('{value}', () => words.offer_value || example.offer_value)
    .replaceAll('{duration}', () => words.offer_duration || example.offer_duration);
}
