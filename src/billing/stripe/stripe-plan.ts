import { unknownValue } from '../../platform/text/unknown-value';
import type Stripe from 'stripe';
import { dateOf, monthsAfter } from '../../platform/common/days';
import { amountText } from '../../platform/common/minor-units';
import type { AgreedTerms } from '../../offers/terms/types';
import type { Obstacle } from '../../sessions/eligibility';
import type { AgreedOffer, Ending, Task } from '../model/provider';

/**
 * Names, in the metadata of a subscription, the session that changed it last. It says that a task is done, for longer
 * than keys are kept.
 */
export const MARKER = 'retention_flow_session';
/** Names the session whose cancellation we carried out. Only such an end is taken back when the customer stays. */
export const END_MARKER = 'retention_flow_end';

const DAY = 24 * 60 * 60;
/** It never came to be, or is over. */
const OVER: Stripe.Subscription.Status[] = ['canceled', 'incomplete_expired'];
const UNPAID: Stripe.Subscription.Status[] = ['past_due', 'unpaid', 'incomplete'];

const SCHEDULED =
  'A schedule manages the subscription, and would undo or refuse the change. Put it into the phases of the schedule in Stripe:';
const ENDS =
  'The subscription is about to end, which this service did not set. If the customer stays, undo that in Stripe, then:';

const STAYS_THOUGH_ENDING =
  'The subscription is about to end, which this service did not set. Choose “Don’t cancel” in Stripe, once you know that the customer stays.';

/** Facts besides the subscription, which only some offers need. */
export interface Facts {
  now: Date;
  /** The customer's own discount, if they have one. */
  ofCustomer?: Stripe.Discount;
  /** The price that a plan changes to. */
  price?: Stripe.Price | 'unknown';
  /** The coupon that an offer names. */
  coupon?: Stripe.Coupon | 'unknown';
}

/** A coupon as it is, or as it would be made. */
export type Coupon = Stripe.CouponCreateParams | Stripe.Coupon;

/** Why an offer can't be applied. One with a name keeps the offer from being shown. */
interface FoundObstacle {
  obstacle?: Obstacle;
  detail: string;
}

/** A change that is to be made. */
export interface Plan {
  change: Stripe.SubscriptionUpdateParams;
  /** The coupon to make first, unless it exists. */
  coupon?: Stripe.CouponCreateParams;
  /** What a person reads who looks at it later. */
  detail: string | null;
}

/**
 * The change of a subscription, or the reason for none. All values are absolute, so making the change twice is
 * harmless.
 */
export function planOf(task: Task, subscription: Stripe.Subscription, facts: Facts): Plan | Ending {
  if (task.action === 'cancel') return cancellationOf(task, subscription);
  if (task.action === 'keep') return stayOf(task, subscription);
  const found = obstacleTo(task.offer!, subscription, facts);
  if (found) return manual(found.detail);
  const { change, detail } = stayIn(task, subscription);
  return { change: { ...offered(task, subscription, facts), ...change }, coupon: couponOf(task.offer!.terms), detail };
}

/** The end of the period that is paid, unless the subscription ends already. */
export function cancellationOf(
  { id, feedback, comment }: Pick<Task, 'id' | 'feedback' | 'comment'>,
  subscription: Stripe.Subscription,
): Plan | Ending {
  if (OVER.includes(subscription.status)) return { state: 'applied', detail: 'It was already canceled.' };
  const end = endOf(subscription);
  // cancel_at_period_end would overwrite an end that is set.
  if (end !== null && end <= periodEndOf(subscription))
    return { state: 'applied', detail: `It already ends on ${dayOf(end)}.` };
  if (end !== null) return manual(`The subscription already ends on ${dayOf(end)}, later than its period.`);
  if (subscription.schedule) return manual(SCHEDULED);
  return {
    change: {
      cancel_at_period_end: true,
      // Both are sent, because Stripe keeps the earlier value of one that is left out.
      ...((feedback ?? comment) && { cancellation_details: { feedback: feedback ?? '', comment: comment ?? '' } }),
      metadata: { [MARKER]: id, [END_MARKER]: id },
    },
    detail: null,
  };
}

/** The customer stays without an offer. */
function stayOf(task: Task, subscription: Stripe.Subscription): Plan | Ending {
  if (OVER.includes(subscription.status))
    return manual('The customer stays, but the subscription is canceled. Make a new one in Stripe.');
  if (endOf(subscription) === null) return { state: 'none' };
  if (!isEndOurs(subscription)) return manual(STAYS_THOUGH_ENDING);
  return subscription.schedule ? manual(SCHEDULED) : stayIn(task, subscription);
}

/** Marks the subscription, and takes back an end that we have set. */
function stayIn({ id }: Task, subscription: Stripe.Subscription): Plan {
  if (!isEndOurs(subscription)) {
    const isStale = Boolean(subscription.metadata[END_MARKER]);
    return { change: { metadata: { [MARKER]: id, ...(isStale && { [END_MARKER]: '' }) } }, detail: null };
  }
  return {
    change: { cancel_at_period_end: false, metadata: { [MARKER]: id, [END_MARKER]: '' } },
    detail: 'The cancellation that was carried out before is taken back.',
  };
}

/** Why a person has to apply an offer; undefined if the service can. */
export function obstacleTo(
  { offer_type, terms }: AgreedOffer,
  subscription: Stripe.Subscription,
  facts: Facts,
): FoundObstacle | undefined {
  const { status, schedule, items } = subscription;
  if (OVER.includes(status)) return { detail: 'The subscription is canceled. If the customer takes a new one:' };
  if (schedule) return { obstacle: 'schedule', detail: SCHEDULED };
  if (UNPAID.includes(status))
    return {
      obstacle: 'unpaid',
      detail: `The subscription is not paid (${status}). Settle its open invoice in Stripe, then:`,
    };
  if (status === 'paused')
    return { obstacle: 'paused', detail: 'The subscription is paused. Resume it in Stripe, then:' };
  if (endOf(subscription) !== null && !isEndOurs(subscription)) return { detail: ENDS };
  switch (offer_type) {
    case 'pause_subscription':
      return obstacleToPause(subscription);
    case 'trial_extension':
      return pauseIn(subscription);
    case 'plan_change': {
      if (items.data.length === 1) return obstacleToPrice(subscription, terms.price!, facts);
      return {
        detail: `The subscription has ${items.data.length} items. It is not clear which one to change. Choose it in Stripe:`,
      };
    }
    case 'discount_percentage':
    case 'discount_fixed':
      return obstacleToDiscount(terms, subscription, facts);
    default:
      return unknownValue(offer_type);
  }
}

function obstacleToPause(subscription: Stripe.Subscription): FoundObstacle | undefined {
  const pause = pauseIn(subscription);
  if (pause) return pause;
  if (!subscription.items.data.every((item) => isMonthly(item.price))) {
    const detail =
      'The subscription is not paid once a month. A pause of months would give a whole period free, or nothing: give a credit in Stripe ' +
      'in place of this:';
    return { obstacle: 'interval', detail };
  }
  if (endsOnAnchor(subscription)) return undefined;
  const detail =
    'Its current period does not end on the day on which it is paid later. In Stripe, count the payments that fall away:';
  return { obstacle: 'interval', detail };
}

function obstacleToPrice(subscription: Stripe.Subscription, id: string, { price }: Facts): FoundObstacle | undefined {
  const [{ price: now }] = subscription.items.data;
  if (price === undefined) return undefined;
  if (price === 'unknown') return { obstacle: 'price', detail: `Stripe does not know the price ${id}.` };
  if (now.id === id)
    return {
      obstacle: 'price',
      detail: 'The subscription has this price already. If that is right, nothing is left to do of this:',
    };
  if (!price.active)
    return {
      obstacle: 'price',
      detail: `The price ${id} is archived. Put another one into the offer, and choose it in Stripe in place of this:`,
    };
  const currency = otherCurrency(price, subscription);
  if (currency) {
    const detail = `The price ${id} is in ${currency}. Choose one in Stripe that has both, in place of this:`;
    return { obstacle: 'currency', detail };
  }
  if (intervalOf(now) === intervalOf(price)) return undefined;
  // The period would begin anew, with a credit for what is paid.
  const detail =
    `The price ${id} is paid each ${intervalOf(price)}, the one of the subscription each ${intervalOf(now)}. Stripe shows what ` +
    'it costs when you do it there:';
  return { obstacle: 'interval', detail };
}

function obstacleToDiscount(
  terms: AgreedTerms,
  subscription: Stripe.Subscription,
  facts: Facts,
): FoundObstacle | undefined {
  const id = couponIdOf(terms);
  if (discountsOf(subscription, facts).some((discount) => couponIdIn(discount) === id)) {
    const detail =
      'The subscription has this discount already. Unless the customer should have it twice, nothing is left to do of this:';
    return { obstacle: 'discounted_already', detail };
  }
  const coupon = couponOf(terms) ?? facts.coupon;
  if (coupon === undefined) return undefined;
  if (coupon === 'unknown') return { obstacle: 'coupon', detail: `Stripe does not know the coupon ${id}.` };
  // "Taking account of the above properties, whether this coupon can still be applied to a customer."
  if ('valid' in coupon && !coupon.valid)
    return {
      obstacle: 'coupon',
      detail: `The coupon ${id} can't be redeemed any more.`,
    };
  const currency = otherCurrency(coupon, subscription);
  if (currency)
    return {
      obstacle: 'currency',
      detail: `The discount is in ${currency}. Make a coupon in Stripe that is worth the same:`,
    };
  const end = endOfDiscount(coupon, facts.now);
  const next = periodEndOf(subscription);
  if (end > next) return undefined;
  const detail = `The discount would end before the next payment on ${dayOf(next)}. In Stripe, give it for longer than this:`;
  return { obstacle: 'interval', detail };
}

/** When a discount that begins now ends, in seconds. One for the next payment does not end before it. */
export function endOfDiscount({ duration, duration_in_months: months }: Coupon, now: Date): number {
  return duration === 'repeating' && months ? monthsAfter(now, months).getTime() / 1000 : Infinity;
}

/** Both currencies, if a price or a coupon has one and it is not the subscription's. */
function otherCurrency(
  { currency, currency_options: others = {} }: { currency?: string | null; currency_options?: object },
  subscription: Stripe.Subscription,
): string | undefined {
  if (!currency || currency === subscription.currency || subscription.currency in others) return undefined;
  return `${currency.toUpperCase()}, the subscription in ${subscription.currency.toUpperCase()}`;
}

function pauseIn({ pause_collection: pause }: Stripe.Subscription): FoundObstacle | undefined {
  if (!pause) return undefined;
  const time = pause.resumes_at ? `until ${dayOf(pause.resumes_at)}` : 'for as long as nobody resumes them';
  return {
    obstacle: 'paused',
    detail: `Its payments are paused already, ${time}. In Stripe, do this from the end of the pause on:`,
  };
}

/** The change that an offer makes. */
function offered(task: Task, subscription: Stripe.Subscription, facts: Facts): Stripe.SubscriptionUpdateParams {
  const { offer_type, terms } = task.offer!;
  const { months = 0, days = 0, price } = terms;
  const [item] = subscription.items.data;
  switch (offer_type) {
    case 'pause_subscription':
      // A day after as many invoices as the pause has months.
      return { pause_collection: { behavior: 'void', resumes_at: anchored(subscription, months - 1) + DAY } };
    case 'trial_extension':
      return {
        trial_end: extendedEndOf(subscription, days),
        proration_behavior: 'none',
      };
    case 'plan_change':
      return {
        // "When changing a subscription item's price, quantity is set to 1 unless a quantity parameter is provided."
        // Metered items have none.
        items: [{ id: item.id, price, ...(item.quantity !== undefined && { quantity: item.quantity }) }],
        proration_behavior: task.proration,
        // Otherwise the change holds though the card is declined.
        ...(task.proration === 'always_invoice' && { payment_behavior: 'error_if_incomplete' }),
      };
    case 'discount_percentage':
    case 'discount_fixed': {
      // "A populated array overwrites the existing discounts on the subscription."
      const kept = discountsOf(subscription, facts).map((one) => ({
        discount: typeof one === 'string' ? one : one.id,
      }));
      return { discounts: [...kept, { coupon: couponIdOf(terms) }] };
    }
    default:
      return unknownValue(offer_type);
  }
}

/** When the next payment is due: some days after the end of the trial or of the period that is paid. */
export const extendedEndOf = (subscription: Stripe.Subscription, days: number): number =>
  Math.max(subscription.trial_end ?? 0, periodEndOf(subscription)) + days * DAY;

/**
 * The end of the current period, or of one some months later, in seconds: on the day of `billing_cycle_anchor`, or the
 * last one of a shorter month. An invoice comes then.
 */
export function anchored(subscription: Stripe.Subscription, months = 0): number {
  const anchor = new Date(subscription.billing_cycle_anchor * 1000);
  const next = new Date(periodEndOf(subscription) * 1000);
  const since = (next.getUTCFullYear() - anchor.getUTCFullYear()) * 12 + next.getUTCMonth() - anchor.getUTCMonth();
  return Math.floor(monthsAfter(anchor, since + months).getTime() / 1000);
}

/** A first short period may lead to the anchor after a trial. */
function endsOnAnchor(subscription: Stripe.Subscription): boolean {
  return Math.abs(anchored(subscription) - periodEndOf(subscription)) < DAY;
}

/** The discounts that count: a subscription inherits its customer's own while it has none. */
export function discountsOf(
  { discounts }: Stripe.Subscription,
  { ofCustomer }: Facts,
): Stripe.Subscription['discounts'] {
  return discounts.length === 0 && ofCustomer ? [ofCustomer] : discounts;
}

/** The coupon of a discount. */
function couponIdOf(terms: AgreedTerms): string {
  return terms.coupon ?? couponOf(terms)!.id!;
}

/**
 * The coupon for the terms of a discount, the same for all offers with these terms; undefined if a coupon is named, or
 * no discount.
 */
export function couponOf({
  percent_off,
  amount_off,
  currency,
  duration,
  months,
}: AgreedTerms): Stripe.CouponCreateParams | undefined {
  if (duration === undefined) return undefined;
  const off =
    percent_off === undefined ? `${amount_off}${currency!.toLowerCase()}` : `${percent_off}pct`.replace('.', '_');
  return {
    id: ['retention-flow', off, duration, ...(months === undefined ? [] : [`${months}m`])].join('-'),
    // "Name of the coupon displayed to customers on, for instance invoices, or receipts."
    name: percent_off === undefined ? `${amountText(amount_off!, currency!)} off` : `${percent_off}% off`,
    ...(percent_off === undefined ? { amount_off, currency: currency!.toLowerCase() } : { percent_off }),
    duration,
    ...(months !== undefined && { duration_in_months: months }),
  };
}

/** When the subscription ends, in seconds; null if it goes on. */
export function endOf(subscription: Stripe.Subscription): number | null {
  const { cancel_at, cancel_at_period_end } = subscription;
  return cancel_at ?? (cancel_at_period_end ? periodEndOf(subscription) : null);
}

/**
 * Whether we have set the end. Somebody may have undone it in the dashboard and set it again: then it counts as ours,
 * too.
 */
function isEndOurs({ metadata, cancel_at_period_end }: Stripe.Subscription): boolean {
  return cancel_at_period_end && Boolean(metadata[END_MARKER]);
}

export function periodEndOf({ items }: Stripe.Subscription): number {
  return Math.max(...items.data.map((item) => item.current_period_end));
}

function isMonthly({ recurring }: Stripe.Price): boolean {
  return recurring?.interval === 'month' && recurring.interval_count === 1;
}

/** The interval of a price, such as `month`, or `3 months`. */
export function intervalOf({ recurring }: Pick<Stripe.Price, 'recurring'>): string {
  if (!recurring) return 'time that it is bought';
  const { interval, interval_count: count } = recurring;
  return count === 1 ? interval : `${count} ${interval}s`;
}

function couponIdIn(discount: string | Stripe.Discount): string | undefined {
  const coupon = typeof discount === 'string' ? undefined : discount.source.coupon;
  return typeof coupon === 'object' ? coupon?.id : coupon;
}

const manual = (detail: string): Ending => ({ state: 'manual', detail });
const dayOf = (seconds: number): string => dateOf(new Date(seconds * 1000));
