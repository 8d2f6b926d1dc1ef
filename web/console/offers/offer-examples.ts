import { type OfferDraft, usualLimit } from './offer-draft';
import { type Example, OFFER_KINDS, OFFER_TYPES, type OfferType, type TermsDraft, type Words } from './offer-types';
import { fitting, NO_TERMS, wordsOf } from './terms';

function termsOfExample(type: OfferType): TermsDraft {
  const { exampleTerms } = OFFER_KINDS[type];
  return exampleTerms ? { ...NO_TERMS, by: 'terms', ...exampleTerms } : NO_TERMS;
}

/** The draft as an offer of a type. The example's text and terms fill what was not edited. */
export function withExample(draft: OfferDraft, type: OfferType): OfferDraft {
  const { example } = OFFER_KINDS[type];
  const terms = withTermsOf(type, draft.terms);
  const areMade = wordsOf(draft.offer_type, draft.terms) !== undefined;
  const isFree = (text: keyof Example) =>
    draft[text] === '' || exampleOf(text, draft) || (areMade && text.startsWith('offer_'));
  const free = TEXTS.filter(isFree);
  const words = { offer_value: draft.offer_value, offer_duration: draft.offer_duration };
  for (const word of ['offer_value', 'offer_duration'] as const) if (free.includes(word)) words[word] = example[word];
  Object.assign(words, wordsOf(type, terms));
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
 * The changed draft. The value and the duration follow the terms, and the name of an example follows both, until
 * somebody writes another.
 */
export function changed(draft: OfferDraft, changes: Partial<OfferDraft>): OfferDraft {
  const next = { ...draft, ...changes };
  if (changes.offer_type) next.terms = fitting(next.offer_type, next.terms);
  if (!changes.limit) next.limit = limitFor(draft, next.terms);
  if (changes.terms ?? changes.offer_type) Object.assign(next, wordsOf(next.offer_type, next.terms));
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

const TEXTS = Object.keys(OFFER_KINDS.custom.example) as (keyof Example)[];

/** The example that a text of the draft is from; undefined if somebody wrote it. */
function exampleOf(text: keyof Example, draft: OfferDraft): Example | undefined {
  const examples = Object.values(OFFER_KINDS).map(({ example }) => example);
  return examples.find((example) => textOf(example, text, draft) === draft[text]);
}

/** While a word is empty, the example's own is in the text. */
function textOf(example: Example, text: keyof Example, words: Words): string {
  if (text !== 'name') return example[text];
  return example.name
    .replaceAll('{value}', () => words.offer_value || example.offer_value)
    .replaceAll('{duration}', () => words.offer_duration || example.offer_duration);
}
