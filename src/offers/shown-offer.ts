import { isDeepStrictEqual } from 'node:util';
import { inFirst } from '../platform/common/languages';
import { pick } from '../platform/common/pick';
import { type Attributes, resolve } from '../platform/common/placeholders';
import { OFFER_TEXTS } from './offer-types';
import type { Offer } from './offer.entity';

/** The fields of an accepted offer that its customer sees. The name is only for the team. */
const ACCEPTED_FIELDS = ['id', 'offer_type', 'offer_value', 'offer_duration', 'heading', 'body'] as const;

/** The fields of an offer that its customer sees. */
const CUSTOMER_FIELDS = [...ACCEPTED_FIELDS, 'cta_accept', 'cta_decline'] as const;

/** The fields that a workspace writes. Customers see all but the name. */
const WORKSPACE_FIELDS = ['name', ...CUSTOMER_FIELDS] as const;

/** The fields that are recorded when an offer is shown, also those that its customer doesn't see. */
export const RECORDED_FIELDS = [...WORKSPACE_FIELDS, 'accept_url', 'metadata', 'limit', 'terms'] as const;

/** The fields that are needed to show an offer: also its words in other languages. */
export const SOURCE_FIELDS = [...RECORDED_FIELDS, 'translations'] as const;
export type WrittenOffer = Pick<Offer, (typeof SOURCE_FIELDS)[number]>;

/** The fields in a list of offers: all but the body text, which may be long. */
export const LISTED_FIELDS = WORKSPACE_FIELDS.filter((field) => field !== 'body');

/** An offer when it was shown, as it is recorded. The record is what counts if it is accepted. */
export type ShownOffer = Pick<Offer, (typeof RECORDED_FIELDS)[number]> & {
  /** The texts without the customer's attributes, if they have some. Erasing the customer puts them in place of the others. */
  impersonal?: Texts;
};

/** The texts of an offer in which placeholders are resolved. */
type Texts = Pick<Offer, (typeof OFFER_TEXTS)[number]>;

/** An offer as it is shown to a customer: in their language, with values in place of the placeholders. */
export function show(written: WrittenOffer, attributes: Attributes, languages: readonly string[] = []): ShownOffer {
  const offer = { ...written, ...wordsIn(written, languages) };
  const texts = textsFor(offer, attributes);
  const impersonal = textsFor(offer, {});
  return { ...pick(offer, RECORDED_FIELDS), ...texts, ...(!isDeepStrictEqual(texts, impersonal) && { impersonal }) };
}

/** For each text the first of the languages that has it, or else the original. */
function wordsIn(offer: WrittenOffer, languages: readonly string[]): Texts {
  const textIn = (field: keyof Texts) =>
    inFirst(languages, offer.translations, (words) => words[field]) ?? offer[field];
  return Object.fromEntries(OFFER_TEXTS.map((field) => [field, textIn(field)])) as Texts;
}

function textsFor(offer: WrittenOffer, attributes: Attributes): Texts {
  const own = { value: offer.offer_value, duration: offer.offer_duration };
  /** A text that is blank once its placeholders are resolved gets its default. */
  const textOf = (field: keyof Texts, instead: string) => {
    const text = resolve(offer[field], attributes, own);
    return text.trim() === '' ? instead : text;
  };
  return {
    heading: textOf('heading', offer.name),
    body: textOf('body', ''),
    cta_accept: textOf('cta_accept', 'Accept offer'),
    cta_decline: textOf('cta_decline', 'No thanks'),
  };
}

/** A shown offer as its customer sees it. */
export const customerView = (offer: ShownOffer) => pick(offer, CUSTOMER_FIELDS);

/** The accepted offer: as it was shown, without the labels of its buttons. */
export const acceptedView = (offer: ShownOffer) => pick(offer, ACCEPTED_FIELDS);

/** A shown offer for its workspace, which knows it by its metadata. */
export const recordOf = (offer: ShownOffer) =>
  pick(offer, ['name', ...ACCEPTED_FIELDS, 'accept_url', 'metadata', 'terms']);
