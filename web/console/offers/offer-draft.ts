import type { CreateOffer, Offer, UpdateOffer } from '@retention-flow/client';
import { type FieldWith, OFFER_CONTENT, OFFER_FIELDS } from '../../../src/offers/fields';
import { localTime } from '../ui/local-time';
import { metadataOf, type MetadataRows, refuseDoubled, rowsOf } from '../ui/metadata';
import { type LimitDraft, limitDraftOf, limitOf } from './limit';
import type { TermsDraft } from './offer-types';
import { NO_TERMS, termsDraftOf, termsOf } from './terms';

/** The fields that are typed as text: those with a maximum length. */
export const TYPED = OFFER_CONTENT.filter((name) => 'max' in OFFER_FIELDS[name]) as Typed[];
type Typed = FieldWith<{ max: number }>;

/** The fields that are sent as they are. */
export const PLAIN_FIELDS = ['offer_type' as const, ...TYPED];
export type PlainField = (typeof PLAIN_FIELDS)[number];

/** As fields of the type `datetime-local` have them; '' for none. */
export type AvailableDraft = Record<keyof NonNullable<Offer['available']>, string>;

/** An offer while it is being written. */
export type OfferDraft = Record<Typed, string> &
  Pick<Offer, 'offer_type' | 'image' | 'points' | 'translations' | 'outcome' | 'when'> & {
    /** '' for none. */
    kind: string;
    data: unknown;
    metadata: MetadataRows;
    limit: LimitDraft;
    terms: TermsDraft;
    available: AvailableDraft;
  };

const NO_LIMIT = limitDraftOf(null);

/** The limit of an offer until somebody types another: once a year, if billing applies it. */
export function usualLimit({ by }: Pick<TermsDraft, 'by'>): LimitDraft {
  return by === 'words' ? NO_LIMIT : { accepted: '1', within_days: '365' };
}

export const NEW_OFFER: OfferDraft = {
  ...(Object.fromEntries(TYPED.map((name) => [name, ''])) as Record<Typed, string>),
  offer_type: 'discount_percentage',
  image: null,
  points: [],
  translations: {},
  outcome: 'saved',
  kind: '',
  data: null,
  metadata: [],
  limit: NO_LIMIT,
  terms: NO_TERMS,
  available: { from: '', until: '' },
  when: null,
};

export function draftOf(offer: Offer): OfferDraft {
  const limit = limitDraftOf(offer.limit);
  const terms = termsDraftOf(offer);
  const metadata = rowsOf(offer.metadata);
  const { from = null, until = null } = offer.available ?? {};
  const available = { from: from ? localTime(from) : '', until: until ? localTime(until) : '' };
  return { ...offer, available, accept_url: offer.accept_url ?? '', kind: offer.kind ?? '', metadata, limit, terms };
}

/** What a new offer is made of. What is empty is left to the service, but for the limit: none has to be chosen. */
export function createOffer(draft: OfferDraft): CreateOffer {
  const { name, offer_type } = draft;
  return { ...changesOf(NEW_OFFER, draft), name, offer_type, limit: limitOf(draft.limit) };
}

/** The fields that differ from what they were. */
export function changesOf(before: OfferDraft, draft: OfferDraft): UpdateOffer {
  const plain = PLAIN_FIELDS.filter((name) => draft[name] !== before[name]).map((name) => [
    name,
    name === 'accept_url' ? draft[name] || null : draft[name],
  ]);
  refuseDoubled(draft.metadata);
  const metadata = metadataOf(draft.metadata);
  const isOther = inOrder(metadata) !== inOrder(metadataOf(before.metadata));
  const isOtherLimit = JSON.stringify(limitOf(draft.limit)) !== JSON.stringify(limitOf(before.limit));
  const [terms, termsBefore] = [draft, before].map((one) => termsOf(one.offer_type, one.terms));
  return {
    ...(Object.fromEntries(plain) as UpdateOffer),
    ...(isOther && { metadata }),
    ...(isOtherLimit && { limit: limitOf(draft.limit) }),
    ...(JSON.stringify(terms) !== JSON.stringify(termsBefore) && { terms }),
    ...(JSON.stringify(draft.available) !== JSON.stringify(before.available) && {
      available: availableOf(draft.available),
    }),
    ...(JSON.stringify(draft.when) !== JSON.stringify(before.when) && { when: draft.when }),
    ...ofCustom(before, draft),
    ...(JSON.stringify(draft.image) !== JSON.stringify(before.image) && { image: draft.image }),
    ...(JSON.stringify(draft.points) !== JSON.stringify(before.points) && { points: draft.points }),
    ...(JSON.stringify(draft.translations) !== JSON.stringify(before.translations) && {
      translations: draft.translations,
    }),
  };
}

function availableOf({ from, until }: AvailableDraft): Offer['available'] {
  const time = (local: string) => (local === '' ? null : new Date(local).toISOString());
  return from === '' && until === '' ? null : { from: time(from), until: time(until) };
}

/** What only an offer of type `custom` has: another type takes it away. */
function ofCustom(before: OfferDraft, draft: OfferDraft): Pick<UpdateOffer, 'outcome' | 'kind' | 'data'> {
  const said = ({ offer_type, outcome, kind, data }: OfferDraft) =>
    offer_type === 'custom'
      ? { outcome, kind: kind || null, data }
      : { outcome: 'saved' as const, kind: null, data: null };
  const [old, now] = [said(before), said(draft)];
  return {
    ...(now.outcome !== old.outcome && { outcome: now.outcome }),
    ...(now.kind !== old.kind && { kind: now.kind }),
    ...(JSON.stringify(now.data) !== JSON.stringify(old.data) && { data: now.data as UpdateOffer['data'] }),
  };
}

/** The service has an order of its own. */
function inOrder(metadata: Record<string, string>): string {
  return JSON.stringify(Object.entries(metadata).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
