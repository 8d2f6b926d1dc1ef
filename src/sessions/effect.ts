export const EFFECT_KINDS = ['discount', 'pause', 'extension', 'plan_change', 'end', 'stay'] as const;

/**
 * What a decision of a customer does to the subscription, without taxes that come on top. Times are ISO 8601, in UTC.
 */
export interface Effect {
  kind: (typeof EFFECT_KINDS)[number];
  /** The payment that changes first; null if the price changes at once, and if no payment changes. */
  from: string | null;
  /** The first payment that is as before; null if there is none. The end of the subscription, with `end`. */
  until: string | null;
  /** ISO 4217, in capital letters. */
  currency: string;
  /** What a period costs now and then, in the smallest unit of the currency. Null where it can't be said. */
  price_now: number | null;
  price_then: number | null;
}
