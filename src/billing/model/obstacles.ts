import { dateOf } from '../../platform/common/days';
import { unknownValue } from '../../platform/text/unknown-value';
import type { AgreedTerms } from '../../offers/terms/types';
import type { Obstacle } from '../../sessions/eligibility';
import type { AgreedOffer } from './task';
import {
  asPaidNext,
  type Billed,
  type BilledPrice,
  endsOnAnchor,
  endsTogether,
  intervalText,
  firstEndOf,
  isScheduled,
  type Named,
  type Reduction,
} from './billed';
import { endOfDiscount, lastUntil, nextInvoiceOf, reduced, touchedBy } from './prices';

/** Why an offer can't be applied. One with a name keeps the offer from being shown. */
export interface FoundObstacle {
  obstacle?: Obstacle;
  /** Why, and what to do instead, for a person. The first sentence says why. */
  detail: string;
}

/** Why a person has to apply an offer; undefined if the service can. */
export function obstacleTo(offer: AgreedOffer, found: Billed, named: Named, now: Date): FoundObstacle | undefined {
  const billed = asPaidNext(found);
  return obstacleIn(billed) ?? obstacleOf(offer, billed, named, now) ?? idle(offer, billed);
}

export const scheduled = ({ system }: Billed): string =>
  `A schedule manages the subscription, and would undo or refuse the change. Put it into the phases of the schedule in ${system}:`;

/** What is in the way of every offer. */
function obstacleIn(billed: Billed): FoundObstacle | undefined {
  const { system, status, end } = billed;
  if (status === 'over') return { detail: 'The subscription is canceled. If the customer takes a new one:' };
  if (isScheduled(billed)) return { obstacle: 'schedule', detail: scheduled(billed) };
  if (status === 'unpaid')
    return { obstacle: 'unpaid', detail: `The subscription is not paid. Settle its open invoice in ${system}, then:` };
  if (status === 'incomplete') {
    const detail = `The first payment of the subscription was never made. Settle its open invoice in ${system}, then:`;
    return { obstacle: 'unpaid', detail };
  }
  if (status === 'paused')
    return { obstacle: 'paused', detail: `The subscription is paused. Resume it in ${system}, then:` };
  if (end && !end.isOurs) {
    const detail = `The subscription is about to end, which this service did not set. If the customer stays, undo that in ${system}, then:`;
    return { detail };
  }
  return undefined;
}

function obstacleOf(
  { offer_type, terms }: AgreedOffer,
  billed: Billed,
  named: Named,
  now: Date,
): FoundObstacle | undefined {
  switch (offer_type) {
    case 'pause_subscription':
      return pauseIn(billed) ?? obstacleToWait(billed) ?? obstacleToPause(billed);
    case 'trial_extension':
      return pauseIn(billed) ?? obstacleToWait(billed);
    case 'plan_change':
      return obstacleToPrice(billed, terms.price!, named.price);
    case 'discount_percentage':
    case 'discount_fixed':
      return (
        pauseIn(billed) ?? obstacleToDiscount(terms, billed, terms.coupon === undefined ? undefined : named.coupon, now)
      );
    default:
      return unknownValue(offer_type);
  }
}

/** What is in the way of a payment that comes later. */
function obstacleToWait(billed: Billed): FoundObstacle | undefined {
  const { system, items } = billed;
  if (!endsTogether(billed)) return { obstacle: 'items', detail: differentEnds(billed) };
  if (items.some(({ price }) => price.isMetered)) {
    const detail = `The subscription is paid by usage, which would go on. Agree with the customer what is not billed, and set it in ${system}:`;
    return { obstacle: 'usage', detail };
  }
  return undefined;
}

/** Why no single day is right: the earliest would take what was paid for, and the latest would charge on. */
export const differentEnds = ({ system, items }: Billed): string =>
  `The subscription has ${items.length} items that are paid on different days. Choose for each of them in ${system}:`;

function obstacleToPause(billed: Billed): FoundObstacle | undefined {
  const { system, items, discounts } = billed;
  if (!items.every(({ price }) => isMonthly(price))) {
    const detail = `The subscription is not paid once a month. A pause of months would give a whole period free, or nothing: give a credit in ${system} in place of this:`;
    return { obstacle: 'interval', detail };
  }
  if (discounts.some(({ isOurs, off }) => isOurs && off?.duration === 'once')) {
    const detail = `A discount that the customer accepted waits for the next invoice, which would fall away. Give the discount again in ${system} after this:`;
    return { obstacle: 'discounted_already', detail };
  }
  if (endsOnAnchor(billed)) return undefined;
  const detail = `Its current period does not end on the day on which it is paid later. In ${system}, count the payments that fall away:`;
  return { obstacle: 'interval', detail };
}

function obstacleToPrice(billed: Billed, id: string, price: Named['price']): FoundObstacle | undefined {
  const { system, items } = billed;
  if (!endsTogether(billed)) return { obstacle: 'items', detail: differentEnds(billed) };
  if (items.length !== 1) {
    const detail = `The subscription has ${items.length} items. It is not clear which one to change. Choose it in ${system}:`;
    return { detail };
  }
  const [{ price: now }] = items;
  if (price === undefined) return undefined;
  if (price === 'unknown') return { obstacle: 'price', detail: `${system} does not know the price ${id}.` };
  if (now.id === id) {
    const detail = 'The subscription has this price already. If that is right, nothing is left to do of this:';
    return { obstacle: 'price', detail };
  }
  if (!price.isActive) {
    const detail = `The price ${id} is archived. Put another one into the offer, and choose it in ${system} in place of this:`;
    return { obstacle: 'price', detail };
  }
  if (!price.currencies.includes(billed.currency)) {
    const detail = `The price ${id} is in ${price.currency}, the subscription in ${billed.currency}. Choose one in ${system} that has both, in place of this:`;
    return { obstacle: 'currency', detail };
  }
  if (intervalText(now) === intervalText(price)) return undefined;
  // The period would begin anew, with a credit for what is paid.
  const detail = `The price ${id} is paid each ${intervalText(price)}, the one of the subscription each ${intervalText(now)}. ${system} shows what it costs when you do it there:`;
  return { obstacle: 'interval', detail };
}

function obstacleToDiscount(
  terms: AgreedTerms,
  billed: Billed,
  named: Named['coupon'],
  now: Date,
): FoundObstacle | undefined {
  const { system, discounts, items } = billed;
  const { coupon: id } = terms;
  const next = firstEndOf(billed);
  if (discounts.some(({ coupon }) => id !== undefined && coupon === id)) {
    const detail =
      'The subscription has this discount already. Unless the customer should have it twice, nothing is left to do of this:';
    return { obstacle: 'discounted_already', detail };
  }
  if (discounts.some(({ isOurs, ends }) => isOurs && (ends === null || ends > next))) {
    const detail =
      'The customer has accepted a discount before, which still runs. Unless they should have both, nothing is left to do of this:';
    return { obstacle: 'discounted_already', detail };
  }
  if (named === 'unknown') return { obstacle: 'coupon', detail: `${system} does not know the coupon ${id}.` };
  if (named && !named.isValid) return { obstacle: 'coupon', detail: `The coupon ${id} can't be redeemed any more.` };
  const off = reductionBy(terms, named);
  if (!off) return undefined;
  const currencies = named?.currencies ?? [off.currency];
  if (off.amount !== null && !currencies.includes(billed.currency)) {
    const detail = `The discount is in ${off.currency}, the subscription in ${billed.currency}. Make a coupon in ${system} that is worth the same:`;
    return { obstacle: 'currency', detail };
  }
  if (touchedBy(off, billed) === 'none') {
    const detail = `The coupon ${id} is for other products than those of the subscription. Choose another one in ${system} in place of this:`;
    return { obstacle: 'nothing', detail };
  }
  const end = endOfDiscount(off, now);
  if (end && !items.every(({ price }) => isAtLeastMonthly(price))) {
    const detail = `The subscription is paid less often than once a month. A discount of months would be for a whole period, or for nothing: give a credit in ${system} in place of this:`;
    return { obstacle: 'interval', detail };
  }
  if (end === null || end > next) return undefined;
  const detail = `The discount would end before the next payment on ${dateOf(next)}. In ${system}, give it for longer than this:`;
  return { obstacle: 'nothing', detail };
}

/** What a discount takes off: what its terms say, or the coupon that they name; undefined if that was not read. */
export function reductionBy(terms: AgreedTerms, named: Named['coupon']): Reduction | undefined {
  const { percent_off, amount_off, currency, duration, months } = terms;
  if (duration === undefined) return typeof named === 'object' ? named : undefined;
  return {
    percent: percent_off ?? null,
    amount: amount_off ?? null,
    currency: currency ?? null,
    duration,
    months: months ?? null,
    products: null,
  };
}

function pauseIn({ system, pause }: Billed): FoundObstacle | undefined {
  if (!pause) return undefined;
  const time = pause.until ? `until ${dateOf(pause.until)}` : 'for as long as nobody resumes them';
  const detail = `Its payments are paused already, ${time}. In ${system}, do this from the end of the pause on:`;
  return { obstacle: 'paused', detail };
}

/** A subscription for which nothing is paid, so that there is nothing to give. */
function idle({ offer_type }: AgreedOffer, billed: Billed): FoundObstacle | undefined {
  const next = nextInvoiceOf(billed);
  if (offer_type === 'plan_change' || !next || reduced(next) > 0) return undefined;
  // A discount of the next payment alone leaves later ones.
  if (next.sum > 0 && !lastUntil(null, next)) return undefined;
  return {
    obstacle: 'nothing',
    detail: 'Nothing is paid for the subscription already. Nothing is left to do of this:',
  };
}

const isMonthly = ({ interval }: BilledPrice): boolean => interval?.unit === 'month' && interval.count === 1;

/** Whether no month is without a payment. */
function isAtLeastMonthly({ interval }: BilledPrice): boolean {
  if (!interval) return false;
  const days = { day: 1, week: 7, month: 28, year: 365 }[interval.unit];
  return interval.count * days <= 28;
}
