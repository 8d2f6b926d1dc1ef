import type { OfferListItem } from '@retention-flow/client';

/** An offer to choose. One that is archived is passed over by flows. */
export type ChosenOffer = Pick<OfferListItem, 'id' | 'name' | 'offer_type' | 'offer_value' | 'offer_duration'> & {
  isArchived?: boolean;
};

/** The offers that can be added, by id and name. */
export function activeOffers(offers: Map<string, ChosenOffer>): ChosenOffer[] {
  return [...offers.values()].filter(({ isArchived }) => !isArchived);
}
