import type { Offer } from '../offers/offer.entity';

/** An offer as a customer saw it: what is shown is recorded, and what was recorded is what is accepted. */
export type PresentedOffer = Pick<
  Offer,
  'id' | 'name' | 'offer_type' | 'offer_value' | 'offer_duration' | 'heading' | 'body' | 'cta_accept' | 'cta_decline'
>;

/** A presented offer without the labels of its buttons. */
export type AcceptedOffer = Omit<PresentedOffer, 'cta_accept' | 'cta_decline'>;

export function present(offer: PresentedOffer): PresentedOffer {
  return { ...withoutButtons(offer), cta_accept: offer.cta_accept, cta_decline: offer.cta_decline };
}

export function withoutButtons(offer: AcceptedOffer): AcceptedOffer {
  const { id, name, offer_type, offer_value, offer_duration, heading, body } = offer;
  return { id, name, offer_type, offer_value, offer_duration, heading, body };
}
