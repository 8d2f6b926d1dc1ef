import type { CreateOffer, Offer, UpdateOffer } from '@retention-flow/client';
import { metadataOf, type MetadataRows, refuseDoubled, rowsOf } from '../ui/metadata';
import type { TermsDraft } from './offer-types';
import { NO_TERMS, termsDraftOf, termsOf } from './terms';

export const OFFER_TEXTS = [
  'name',
  'offer_type',
  'offer_value',
  'offer_duration',
  'heading',
  'body',
  'cta_accept',
  'cta_decline',
  'accepted_title',
  'accepted_body',
  'accept_url',
] as const;

export type OfferText = (typeof OFFER_TEXTS)[number];

/** An offer while it is being written. */
export type OfferDraft = Record<Exclude<OfferText, 'offer_type'>, string> &
  Pick<Offer, 'offer_type' | 'image' | 'points' | 'translations'> & {
    metadata: MetadataRows;
    limit: LimitDraft;
    terms: TermsDraft;
  };

/** How often a customer may accept it, as it is typed. Both are empty without a limit. */
interface LimitDraft {
  accepted: string;
  within_days: string;
}

const NO_LIMIT: LimitDraft = { accepted: '', within_days: '' };

/** The limit of an offer until somebody types another: once a year, if billing applies it. */
export function usualLimit({ by }: Pick<TermsDraft, 'by'>): LimitDraft {
  return by === 'words' ? NO_LIMIT : { accepted: '1', within_days: '365' };
}

export const NEW_OFFER: OfferDraft = {
  name: '',
  offer_type: 'discount_percentage',
  offer_value: '',
  offer_duration: '',
  heading: '',
  body: '',
  cta_accept: '',
  cta_decline: '',
  accepted_title: '',
  accepted_body: '',
  accept_url: '',
  image: null,
  points: [],
  translations: {},
  metadata: [],
  limit: NO_LIMIT,
  terms: NO_TERMS,
};

export function draftOf(offer: Offer): OfferDraft {
  const { accepted = '', within_days = '' } = offer.limit ?? {};
  const limit = { accepted: String(accepted), within_days: String(within_days) };
  const terms = termsDraftOf(offer);
  return { ...offer, accept_url: offer.accept_url ?? '', metadata: rowsOf(offer.metadata), limit, terms };
}

/** What a new offer is made of. What is empty is left to the service, but for the limit: none has to be chosen. */
export function createOffer(draft: OfferDraft): CreateOffer {
  const { name, offer_type } = draft;
  return { ...changesOf(NEW_OFFER, draft), name, offer_type, limit: limitOf(draft) };
}

/** The fields that differ from what they were. */
export function changesOf(before: OfferDraft, draft: OfferDraft): UpdateOffer {
  const texts = OFFER_TEXTS.filter((text) => draft[text] !== before[text]).map((text) => [
    text,
    text === 'accept_url' ? draft[text] || null : draft[text],
  ]);
  refuseDoubled(draft.metadata);
  const metadata = metadataOf(draft.metadata);
  const isOther = inOrder(metadata) !== inOrder(metadataOf(before.metadata));
  const isOtherLimit = JSON.stringify(limitOf(draft)) !== JSON.stringify(limitOf(before));
  const [terms, termsBefore] = [draft, before].map((one) => termsOf(one.offer_type, one.terms));
  return {
    ...(Object.fromEntries(texts) as UpdateOffer),
    ...(isOther && { metadata }),
    ...(isOtherLimit && { limit: limitOf(draft) }),
    ...(JSON.stringify(terms) !== JSON.stringify(termsBefore) && { terms }),
    ...(JSON.stringify(draft.image) !== JSON.stringify(before.image) && { image: draft.image }),
    ...(JSON.stringify(draft.points) !== JSON.stringify(before.points) && { points: draft.points }),
    ...(JSON.stringify(draft.translations) !== JSON.stringify(before.translations) && {
      translations: draft.translations,
    }),
  };
}

function limitOf({ limit: { accepted, within_days } }: OfferDraft): Offer['limit'] {
  if (accepted === '' && within_days === '') return null;
  return { accepted: Number(accepted), within_days: Number(within_days) };
}

/** The service has an order of its own. */
function inOrder(metadata: Record<string, string>): string {
  return JSON.stringify(Object.entries(metadata).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
