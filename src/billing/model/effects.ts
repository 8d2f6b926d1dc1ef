import { unknownValue } from '../../platform/text/unknown-value';
import { isLater } from '../../billing-jobs/carried-out-by';
import type { Effect } from '../../sessions/effect';
import { anchored, asPaidNext, type Billed, daysAfter, firstPaymentFrom, type Named, nextPaymentOf } from './billed';
import { reductionBy } from './obstacles';
import { beginning, lastUntil, type NextInvoice, nextInvoiceOf, reduced, sumAt } from './prices';
import type { AgreedOffer, Task } from './task';

/** When an offer is accepted, and how the connection prorates. */
type Terms = Pick<Task, 'now' | 'proration'>;

/** The effect of an offer that nothing is in the way of. */
export function effectOf(offer: AgreedOffer, found: Billed, named: Named, { now, proration }: Terms): Effect {
  // What is paid at once is not paid by the price that comes.
  const isAtOnce = offer.offer_type === 'plan_change' && !isLater(offer, proration);
  const billed = isAtOnce ? found : asPaidNext(found);
  const next = nextInvoiceOf(billed);
  const from = nextPaymentOf(billed);
  const priced = (kind: Effect['kind'], until: Date | null, price_then: number | undefined, at: Date | null = from) => {
    const prices =
      next && price_then !== undefined
        ? { price_now: reduced(next), price_then }
        : { price_now: null, price_then: null };
    return { kind, from: textOf(at), until: textOf(until), currency: billed.currency, ...prices };
  };
  const { offer_type, terms } = offer;
  switch (offer_type) {
    case 'pause_subscription':
      return priced('pause', anchored(billed, terms.months), 0);
    case 'trial_extension':
      return priced('extension', extendedOf(billed, terms.days!), 0);
    case 'plan_change': {
      // Nothing is paid for a trial, so nothing changes before its end.
      const at = isAtOnce && billed.status !== 'trialing' ? null : from;
      return priced('plan_change', null, next && otherPrice(next, billed, named), at);
    }
    case 'discount_percentage':
    case 'discount_fixed': {
      const off = reductionBy(terms, named.coupon);
      const added = off && beginning(off, billed, now);
      const until = added?.ends ? firstPaymentFrom(added.ends, billed) : null;
      const isSaid = next && added && lastUntil(added.ends, next);
      return priced(
        'discount',
        until,
        isSaid ? reduced({ ...next, reductions: [...next.reductions, added] }) : undefined,
      );
    }
    default:
      return unknownValue(offer_type);
  }
}

/** When the next payment is due: some days after the end of the trial or of the period that is paid. */
export const extendedOf = (billed: Billed, days: number): Date => daysAfter(nextPaymentOf(billed), days);

/** Undefined if a discount ends, so that the price changes again, or is for some products. */
function otherPrice(next: NextInvoice, billed: Billed, { price }: Named): number | undefined {
  const sum = typeof price === 'object' ? sumAt(price, billed) : undefined;
  // Another product may have other discounts.
  const isForAll = billed.discounts.every(({ off }) => off?.products === null);
  return sum === undefined || !isForAll || !lastUntil(null, next) ? undefined : reduced({ ...next, sum });
}

/** That the subscription ends. */
export const endingAt = (until: Date, { currency }: Billed): Effect => ({
  ...UNPRICED,
  kind: 'end',
  until: textOf(until),
  currency,
});

/** That the subscription does not end. */
export const staying = ({ currency }: Billed): Effect => ({ ...UNPRICED, kind: 'stay', until: null, currency });

const UNPRICED = { from: null, price_now: null, price_then: null };

function textOf(time: Date | null): string | null {
  return time && time.toISOString();
}
