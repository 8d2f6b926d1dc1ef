import { isDeepStrictEqual } from 'node:util';
import { durationIn, monthsIn } from '../platform/common/duration';
import { firstTag } from '../platform/text/languages';
import { pick } from '../platform/common/pick';
import { type Attributes, OF_BILLING, resolve, withoutUnknown } from '../platform/text/placeholders';
import { closingWord, wordForChange } from './texts/closing-words';
import { fieldsIn, OFFER_FIELDS, OFFER_TEXTS, type OfferField, type OfferText } from './fields';
import type { AgreedTerms, OfferTranslation, PageImage } from './terms/types';
import type { Offer } from './offer.entity';

const RECORDED = ['id', ...fieldsIn('record')] as const;
const SHOWN = ['id', ...fieldsIn('shown')] as const;
const ACCEPTED = ['id', ...fieldsIn('accepted')] as const;

/** An offer as its workspace wrote it: what is needed to show it. */
export type WrittenOffer = Pick<Offer, 'id' | OfferField>;

/**
 * An offer when it was shown, as it is recorded. The record is what counts if it is accepted. An older version of the
 * service recorded neither pictures nor what a customer reads after accepting.
 */
export type ShownOffer = Pick<Offer, (typeof RECORDED)[number]> &
  Partial<Pick<Texts, keyof Closed | 'choices' | 'image' | 'points'>> & {
    /**
     * The texts without the customer's attributes, if they have some. Erasing the customer puts them in place of the
     * others.
     */
    impersonal?: Texts;
  };

/** An offer that was accepted, with the months that the customer has chosen. */
export type AcceptedOffer = Omit<ShownOffer, 'terms' | 'choices'> & { terms: AgreedTerms | null };

/** The texts of an offer in which placeholders are resolved. */
type Texts = Pick<Offer, OfferText> & Closed & { choices?: Choice[]; image?: PageImage; points?: string[] };

/**
 * What a customer reads after accepting. `change`: the service's own words for what billing does, such as until when it
 * pauses. `is_later`: it does so at the end of the period.
 */
type Closed = Pick<Offer, 'accepted_title' | 'accepted_body'> & { change: string; is_later?: true };

/** What differs by the months that the customer chooses. */
interface Choice {
  months: number;
  words: Closed & Pick<Offer, 'offer_duration'>;
}

/** The prices of an offer as attributes. With `months`, as if the customer had chosen them. */
export type PricesFor = (months?: number) => Attributes;

/**
 * An offer as it is shown to a customer: in their language, with values in place of the placeholders.
 *
 * @param attributes of the customer; the workspace's own come before prices of the same name
 */
export function show(
  written: WrittenOffer,
  attributes: Attributes,
  languages: readonly string[],
  pricesFor: PricesFor,
): ShownOffer {
  const wordings = [undefined, ...(monthsToChoose(written) ?? [])].map((months) => wordsIn(written, languages, months));
  const texts = textsFor(written, wordings, attributes, languages, pricesFor);
  const impersonal = textsFor(written, wordings, {}, languages, () => ({}));
  return { ...pick(written, RECORDED), ...texts, ...(!isDeepStrictEqual(texts, impersonal) && { impersonal }) };
}

/** A text, with the values that its own placeholders have in its language. */
interface Words {
  text: string;
  own: { value: string; duration: string };
}

/** All words of an offer; with `months`, as if the customer had chosen them. */
interface Wording {
  months: number | undefined;
  texts: Record<OfferText, Words>;
  points: Words[];
  image: PageImage | null;
}

/** Each text in the first of the languages that has it, or else the original. */
function wordsIn(offer: WrittenOffer, languages: readonly string[], months?: number): Wording {
  const { translations, offer_value: value, offer_duration, image } = offer;
  const find = (written: string, wordIn: (words: OfferTranslation) => string | undefined): Words => {
    const language = firstTag(languages, translations, wordIn);
    const text = language === undefined ? written : wordIn(translations[language])!;
    if (!text.includes('{{')) return { text, own: { value, duration: offer_duration } };
    const spoken = (own: string) => (language === undefined ? own : durationIn(own, language));
    const duration = months === undefined ? spoken(offer_duration) : monthsIn(months, language ?? languages.at(-1)!);
    return { text, own: { value: spoken(value), duration } };
  };
  return {
    months,
    texts: Object.fromEntries(
      OFFER_TEXTS.map((field) => [field, find(offer[field], (words) => words[field])]),
    ) as Wording['texts'],
    points: offer.points.map((point, index) => find(point, (words) => words.points?.[index])),
    image: image && { ...image, alt: find(image.alt, (words) => words.image_alt).text },
  };
}

/** The texts of the first wording; of the others, what differs by the months. */
function textsFor(
  offer: WrittenOffer,
  [wording, ...others]: Wording[],
  attributes: Attributes,
  languages: readonly string[],
  pricesFor: PricesFor,
): Texts {
  const texts = resolved(offer, wording, attributes, languages, pricesFor);
  const choices = others.map((other): Choice => {
    const { accepted_title, accepted_body, change } = resolved(offer, other, attributes, languages, pricesFor);
    const months = other.months!;
    const offer_duration = monthsIn(months, languages.at(-1)!);
    return { months, words: { offer_duration, accepted_title, accepted_body, change } };
  });
  return { ...texts, ...(choices.length > 0 && { choices }) };
}

function resolved(
  offer: WrittenOffer,
  { months, texts, points, image }: Wording,
  attributes: Attributes,
  languages: readonly string[],
  pricesFor: PricesFor,
): Omit<Texts, 'choices'> {
  const prices = pricesFor(months);
  const known = { ...prices, ...attributes };
  const filled = ({ text, own }: Words) => resolve(withoutUnknown(text, OF_BILLING, known), known, own);
  /** A text that is blank once its placeholders are resolved gets its default. */
  const textOf = (field: OfferText, instead = '') => {
    const text = filled(texts[field]);
    return text.trim() === '' ? instead : text;
  };
  const change = wordForChange(offer.offer_type, prices);
  return {
    heading: textOf('heading', offer.name),
    body: textOf('body'),
    cta_accept: textOf('cta_accept', OFFER_FIELDS.cta_accept.default),
    cta_decline: textOf('cta_decline', OFFER_FIELDS.cta_decline.default),
    accepted_title: textOf('accepted_title'),
    accepted_body: textOf('accepted_body'),
    change: change ? resolve(closingWord(change, languages), prices) : '',
    ...(change === 'plan_change_from' && { is_later: true }),
    // Set even if empty: erasure puts it over the customer's points.
    ...(points.length > 0 && { points: points.map(filled).filter((point) => point.trim() !== '') }),
    ...(image && { image }),
  };
}

/** What a customer reads after accepting. */
export interface Closing {
  title: string;
  body: string;
}

/**
 * What a customer reads who has accepted an offer: its own words, or else those of the service.
 *
 * @param offer as it was shown; an older version of the service recorded neither
 * @param fulfilment what billing has done: `none` if it does nothing; `by_person` if a person takes care of it
 */
export function closingFor(
  offer: ShownOffer,
  fulfilment: 'none' | 'by_person' | 'pending' | 'applied',
  languages: readonly string[],
): Closing {
  const { offer_type, outcome, accepted_title, accepted_body, accept_url, change, is_later } = offer;
  const word = (name: Parameters<typeof closingWord>[0]) => closingWord(name, languages);
  const plain = wordForChange(offer_type, {});
  // With an `accept_url`, the customer makes the change there.
  const isByPerson = fulfilment === 'by_person' || (fulfilment === 'none' && plain);
  const byHand = isByPerson && !accept_url && word('by_hand');
  const isDone = fulfilment === 'pending' || fulfilment === 'applied';
  const own = isDone ? change || (plain && word(plain)) : byHand;
  const body = [accepted_body || own, fulfilment === 'pending' && !is_later && word('soon')];
  return {
    title: accepted_title || word(outcome === 'open' ? 'contacted' : 'thanks'),
    body: body.filter(Boolean).join('\n\n'),
  };
}

/** The months of which the customer chooses; undefined if there is nothing to choose. */
export function monthsToChoose({ terms }: Pick<Offer, 'terms'>): number[] | undefined {
  return Array.isArray(terms?.months) ? terms.months : undefined;
}

/** A shown offer as its customer has accepted it, with one of `monthsToChoose` where there are any. */
export function acceptedWith(offer: ShownOffer, months?: number): AcceptedOffer {
  if (months === undefined) return offer as AcceptedOffer;
  const { choices, impersonal, ...shown } = offer;
  const withWords = <Words extends object>({ choices: list, ...texts }: Words & Pick<ShownOffer, 'choices'>) => ({
    ...texts,
    ...list?.find((choice) => choice.months === months)?.words,
  });
  return {
    ...withWords({ ...shown, choices }),
    terms: { ...shown.terms, months },
    ...(impersonal && { impersonal: withWords(impersonal) }),
  };
}

/** A shown offer as its customer sees it. */
export function customerView(offer: ShownOffer) {
  const months = monthsToChoose(offer);
  const { image, points, kind, data } = offer;
  return {
    ...pick(offer, SHOWN),
    ...(image && { image }),
    ...(points?.length && { points }),
    ...(months && { months }),
    ...(kind && { kind }),
    ...(data !== null && data !== undefined && { data }),
  };
}

/** The accepted offer: as it was shown, without the labels of its buttons. */
export const acceptedView = (offer: ShownOffer) => pick(offer, ACCEPTED);

/** A shown offer for its workspace, which knows it by its metadata. */
export const recordOf = (offer: ShownOffer) => ({
  ...pick(offer, ['name', ...ACCEPTED, 'accept_url', 'metadata', 'terms']),
  // An older version recorded none.
  outcome: offer.outcome ?? 'saved',
  kind: offer.kind ?? null,
  data: offer.data ?? null,
});
