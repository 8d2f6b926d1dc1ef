/** How often a customer may accept an offer, or any offer, within a number of days. */
export interface OfferLimit {
  accepted: number;
  within_days: number;
}

/** The most that a limit may allow. */
export const MAX_ACCEPTED = 100;
