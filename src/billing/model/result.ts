import { DAY_MS, dateOf } from '../../platform/common/days';
import { amountText } from '../../platform/common/minor-units';
import { unknownValue } from '../../platform/text/unknown-value';
import type { Effect } from '../../sessions/effect';
import { type Billed, firstPaymentFrom, nextPaymentOf } from './billed';

/**
 * How a subscription that was changed differs from the effect that was expected, with both figures, for a person.
 * Undefined if it does not, or if that can't be said.
 *
 * @param payment the next one, as the billing system says; null if it doesn't
 */
export function mismatchOf(effect: Effect, billed: Billed, payment: number | null): string | undefined {
  const { kind, until, price_then, currency } = effect;
  const { system, pause, end, status } = billed;
  const unless = (isAsExpected: boolean, what: string, expected: string) =>
    isAsExpected
      ? undefined
      : `${system} has made the change, but ${what}, and ${expected} was expected. Set it right in ${system}.`;
  switch (kind) {
    case 'discount':
    case 'plan_change': {
      if (payment === null || price_then === null) return undefined;
      const text = (amount: number) => amountText(amount, currency, true);
      // Each item is rounded by itself.
      const isAsExpected = Math.abs(payment - price_then) <= billed.items.length;
      return unless(isAsExpected, `the next payment would be ${text(payment)}`, text(price_then));
    }
    case 'pause': {
      const resumed = pause?.until ? firstPaymentFrom(pause.until, billed) : null;
      const what = resumed ? `payments would go on on ${dateOf(resumed)}` : 'it shows no pause that ends';
      return unless(isOn(until, resumed), what, dayOf(until));
    }
    case 'extension': {
      const next = nextPaymentOf(billed);
      return unless(isOn(until, next), `the next payment would be on ${dateOf(next)}`, dayOf(until));
    }
    case 'end': {
      const what = end ? `the subscription would end on ${dateOf(end.at)}` : 'the subscription would not end';
      return unless(status === 'over' || isOn(until, end && end.at), what, `an end on ${dayOf(until)}`);
    }
    case 'stay':
      return unless(!end, `the subscription would end on ${end && dateOf(end.at)}`, 'no end');
    default:
      return unknownValue(kind);
  }
}

/** Payments may be some hours apart from the hour of the first one. */
const isOn = (expected: string | null, found: Date | null): boolean =>
  expected !== null && found !== null && Math.abs(new Date(expected).getTime() - found.getTime()) < DAY_MS;

const dayOf = (time: string | null): string => time!.slice(0, 10);
