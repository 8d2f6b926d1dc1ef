import { jsonPointer } from '../platform/api/problems/json-pointer';
import { type FieldError, Problem } from '../platform/api/problems/problem';
import { placeholderFault, translationFault } from '../platform/text/placeholders';
import type { OfferContent } from './offer-content.entity';
import { DEFAULTS, OFFER_TEXTS } from './fields';
import { KNOWN_IN_OFFERS } from './terms/types';
import { faultsOfOffered } from './offered';
import { faultsOfTerms } from './terms/rules';

/** An offer whose texts and terms may be left out. */
type Faulty = Pick<OfferContent, 'name' | 'offer_type'> & Partial<OfferContent>;

/** The faults that are in no single field, each with a pointer into the offer. */
export function faultsOfOffer(offer: Faulty): FieldError[] {
  const { name, heading = name, offer_type, terms } = offer;
  // As a heading of its own it is refused before.
  const fault = placeholderFault(heading, KNOWN_IN_OFFERS);
  return [
    ...(fault ? [{ pointer: '/name', message: `is the heading, too, and ${fault}` }] : []),
    ...(terms ? faultsOfTerms(offer_type, terms) : []),
    ...(offer_type === 'custom' ? [] : OF_CUSTOM.filter((field) => isSet(field, offer))).map((field) => ({
      pointer: jsonPointer(field),
      message: 'is only for an offer of type custom',
    })),
    ...(offer.image?.alt.trim() === '' ? [{ pointer: '/image/alt', message: 'must not be blank' }] : []),
    ...(offer.points ?? []).flatMap((point, index) => {
      const message = placeholderFault(point, KNOWN_IN_OFFERS);
      return message === undefined ? [] : [{ pointer: jsonPointer('points', index), message }];
    }),
    ...faultsOfOffered(offer),
    ...translationFaults({ ...offer, heading }),
  ];
}

const OF_CUSTOM = ['outcome', 'kind', 'data'] as const;

/** Whether a field is not as a new offer has it. */
function isSet(field: (typeof OF_CUSTOM)[number], offer: Faulty): boolean {
  return (offer[field] ?? DEFAULTS[field]) !== DEFAULTS[field];
}

/** Throws a 400 with a pointer to each fault that is in no single field. */
export function requireSound(offer: Faulty): void {
  const faults = faultsOfOffer(offer);
  if (faults.length > 0) throw Problem.invalid(faults);
}

/** Translations that have other placeholders than the text. */
function translationFaults({ translations = {}, ...offer }: Faulty): FieldError[] {
  return Object.entries(translations).flatMap(([language, words]) =>
    [
      ...OFFER_TEXTS.map((field) => ({ path: [field], text: words[field], original: offer[field] ?? '' })),
      ...(offer.points ?? []).map((original, at) => ({ path: ['points', at], text: words.points?.[at], original })),
    ].flatMap(({ path, text, original }) => {
      const message = text?.trim() ? translationFault(text, original, KNOWN_IN_OFFERS) : undefined;
      return message === undefined ? [] : [{ pointer: jsonPointer('translations', language, ...path), message }];
    }),
  );
}
