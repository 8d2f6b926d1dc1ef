import { DAY_MS } from '../platform/common/days';
import { unknownValue } from '../platform/text/unknown-value';

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

/** A year, whatever its days and a time zone. */
const YEAR_MS = 365 * DAY_MS;

/**
 * The part of the price that a customer pays by time, on average, in the 365 days from a decision to stay: nothing or
 * `price_then` between `from` and `until`, and `price_now` before and after that. Null if it is unknown.
 */
export function partLeft({ kind, from, until, price_now, price_then }: Effect, decided: Date): number | null {
  const ratio = ratioOf(kind, price_now, price_then);
  if (ratio === null) return null;
  const end = decided.getTime() + YEAR_MS;
  const begins = Math.max(decided.getTime(), from === null ? -Infinity : Date.parse(from));
  const ends = Math.min(end, until === null ? Infinity : Date.parse(until));
  return 1 - (Math.max(0, ends - begins) / YEAR_MS) * (1 - ratio);
}

/** The price that comes as a part of the one before; null if it can't be said, and if nothing was paid before. */
function ratioOf(kind: Effect['kind'], now: number | null, then: number | null): number | null {
  switch (kind) {
    case 'pause':
    case 'extension':
      return 0;
    case 'stay':
      return 1;
    case 'discount':
    case 'plan_change':
      return !now || then === null ? null : then / now;
    case 'end':
      return null;
    default:
      return unknownValue(kind);
  }
}
