import { pick } from '../common/pick';
import type { Offer } from './offer.entity';

const TERMS = ['id', 'name', 'offer_type', 'offer_value', 'offer_duration', 'heading', 'body'] as const;

/** What a customer sees of an offer. */
export const OFFER_CONTENT = [...TERMS, 'cta_accept', 'cta_decline'] as const;

/** What is recorded of an offer when it is shown: what the customer sees, and the metadata of that moment. */
export const SHOWN = [...OFFER_CONTENT, 'metadata'] as const;

/** What a list of offers shows: all but the body text, which may be long. */
export const LISTED = OFFER_CONTENT.filter((field) => field !== 'body');

export type ListedOffer = Pick<Offer, (typeof LISTED)[number]>;

/** An offer when it was shown, as it is recorded. The record is what counts if it is accepted. */
export type ShownOffer = Pick<Offer, (typeof SHOWN)[number]>;

/** A shown offer as its customer sees it. */
export type PresentedOffer = Pick<Offer, (typeof OFFER_CONTENT)[number]>;

/** What the customer accepted: the offer as it was shown, without the labels of its buttons. */
export type AcceptedOffer = Pick<Offer, (typeof TERMS)[number]>;

/** A shown offer for its workspace, which knows it by its metadata. */
export type OfferRecord = AcceptedOffer & Pick<Offer, 'metadata'>;

export const show = (offer: ShownOffer): ShownOffer => pick(offer, SHOWN);

export const present = (offer: PresentedOffer): PresentedOffer => pick(offer, OFFER_CONTENT);

export const accept = (offer: AcceptedOffer): AcceptedOffer => pick(offer, TERMS);

export const recordOf = (offer: OfferRecord): OfferRecord => pick(offer, [...TERMS, 'metadata']);
