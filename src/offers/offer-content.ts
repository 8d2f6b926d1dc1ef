import { pick } from '../common/pick';
import type { Offer } from './offer.entity';

const TERMS = ['id', 'name', 'offer_type', 'offer_value', 'offer_duration', 'heading', 'body'] as const;

/** What a customer sees of an offer. */
export const OFFER_CONTENT = [...TERMS, 'cta_accept', 'cta_decline'] as const;

/** What a list of offers shows: all but the body text, which may be long. */
export const LISTED = OFFER_CONTENT.filter((field) => field !== 'body');

export type ListedOffer = Pick<Offer, (typeof LISTED)[number]>;

/** An offer as a customer saw it. It is recorded when it is shown, and the record is what counts if it is accepted. */
export type PresentedOffer = Pick<Offer, (typeof OFFER_CONTENT)[number]>;

/** What the customer accepted: the offer as it was shown, without the labels of its buttons. */
export type AcceptedOffer = Pick<Offer, (typeof TERMS)[number]>;

export const present = (offer: PresentedOffer): PresentedOffer => pick(offer, OFFER_CONTENT);

export const accept = (offer: AcceptedOffer): AcceptedOffer => pick(offer, TERMS);
