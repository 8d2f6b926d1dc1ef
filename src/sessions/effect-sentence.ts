import { amountText } from '../platform/common/minor-units';
import { unknownValue } from '../platform/text/unknown-value';
import type { Effect } from './effect';

const DAY_TEXT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** What is known besides the effect. */
interface More {
  /** What a pause does not bill, in all. */
  unbilled?: number | undefined;
  /** The payment that an extension puts off. */
  payment?: number | undefined;
  /** When another price counts, if not from the next payment on. */
  atOnce?: string;
  /** The id of another price. */
  price?: string | undefined;
}

/** An effect in an English sentence, for the team. The console uses this file, too. */
export function effectSentence(
  { kind, from, until, currency, price_now, price_then }: Effect,
  { unbilled, payment, atOnce = 'at once', price }: More = {},
): string {
  const text = (amount: number) => amountText(amount, currency, true);
  const isKnown = price_now !== null && price_then !== null;
  switch (kind) {
    case 'pause':
      return `Payments pause until ${dayOf(until!)}${unbilled === undefined ? '' : `; ${text(unbilled)} is not billed`}.`;
    case 'extension': {
      const next = `The next payment${payment === undefined ? '' : `, ${text(payment)},`}`;
      return `${next} comes on ${dayOf(until!)} in place of ${dayOf(from!)}.`;
    }
    case 'plan_change': {
      const when = from === null ? atOnce : 'from the next payment on';
      if (!isKnown) return `The price changes${price === undefined ? '' : ` to ${price}`} ${when}.`;
      return `The price changes from ${text(price_now)} to ${text(price_then)} ${when}.`;
    }
    case 'discount': {
      if (!isKnown) return `The customer gets the discount. What they pay then can’t be said before.`;
      const time = until ? ` until ${dayOf(until)}` : ' from the next payment on';
      return `The customer pays ${text(price_then)} in place of ${text(price_now)}${time}.`;
    }
    case 'end':
      return `The subscription ends on ${dayOf(until!)}.`;
    case 'stay':
      return 'The subscription goes on.';
    default:
      return unknownValue(kind);
  }
}

const dayOf = (time: string): string => DAY_TEXT.format(new Date(time));
