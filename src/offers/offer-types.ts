export const OFFER_TYPES = [
  'discount_percentage',
  'discount_fixed',
  'pause_subscription',
  'trial_extension',
  'plan_change',
  'custom',
] as const;

export type OfferType = (typeof OFFER_TYPES)[number];
