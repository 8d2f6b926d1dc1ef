import type { CreateOffer, Offer, UpdateOffer } from '@retention-flow/client';
import { metadataOf, type MetadataRows, refuseDoubled, rowsOf } from '../ui/metadata';

export const OFFER_TEXTS = [
  'name',
  'offer_type',
  'offer_value',
  'offer_duration',
  'heading',
  'body',
  'cta_accept',
  'cta_decline',
] as const;

export type OfferType = Offer['offer_type'];
export type OfferText = (typeof OFFER_TEXTS)[number];

/** An offer while it is being written. */
export type OfferDraft = Pick<Offer, OfferText> & { metadata: MetadataRows };

export const NEW_OFFER: OfferDraft = {
  name: '',
  offer_type: 'discount_percentage',
  offer_value: '',
  offer_duration: '',
  heading: '',
  body: '',
  cta_accept: '',
  cta_decline: '',
  metadata: [],
};

export function draftOf(offer: Offer): OfferDraft {
  return { ...offer, metadata: rowsOf(offer.metadata) };
}

/** What a new offer is made of. What is empty is left to the service. */
export function createOffer(draft: OfferDraft): CreateOffer {
  return { ...changesOf(NEW_OFFER, draft), name: draft.name, offer_type: draft.offer_type };
}

/** The fields that differ from what they were. */
export function changesOf(before: OfferDraft, draft: OfferDraft): UpdateOffer {
  const texts = OFFER_TEXTS.filter((text) => draft[text] !== before[text]).map((text) => [text, draft[text]]);
  refuseDoubled(draft.metadata);
  const metadata = metadataOf(draft.metadata);
  const isOther = inOrder(metadata) !== inOrder(metadataOf(before.metadata));
  return { ...(Object.fromEntries(texts) as UpdateOffer), ...(isOther && { metadata }) };
}

/** The service has an order of its own. */
function inOrder(metadata: Record<string, string>): string {
  return JSON.stringify(Object.entries(metadata).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
