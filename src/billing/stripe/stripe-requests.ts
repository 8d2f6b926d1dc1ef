import type Stripe from 'stripe';
import { amountText } from '../../platform/common/minor-units';
import { unknownValue } from '../../platform/text/unknown-value';
import type { AgreedTerms } from '../../offers/terms/types';
import type { Billed } from '../model/billed';
import type { Change } from '../model/changes';
import { changeOf, PRICE_MARKER } from './planned-prices';
import { COUPON_MARKER, COUPON_PREFIX, END_MARKER, MARKER } from './stripe-billed';

/** Requests to Stripe that make a change, in this order. */
export interface Requests {
  /** The schedule of ours to release first. */
  release?: string;
  /** Whether the open invoices of the subscription are voided first. */
  voids?: true;
  /** The coupon to make first, unless it exists. */
  coupon?: Stripe.CouponCreateParams;
  update?: Stripe.SubscriptionUpdateParams;
  /** Ends the subscription at once. */
  cancel?: Stripe.SubscriptionCancelParams;
  /** The price that a new schedule changes to at the end of the period. */
  arrange?: string;
}

/** @param sessionId marks the subscription */
export function requestsFor(change: Change, billed: Billed, sessionId: string): Requests {
  const { schedule, planned } = billed;
  const price = plannedBy(change, billed);
  const goesOn = change.kind !== 'end' && price !== undefined;
  return {
    ...(schedule?.isOurs && { release: schedule.id }),
    ...changesFor(
      change,
      billed,
      sessionId,
      planned || price ? { [PRICE_MARKER]: price ? changeOf(billed.items[0].price.id, price) : '' } : {},
    ),
    ...(goesOn && { arrange: price }),
  };
}

/** The price of the next period after a change; undefined if it is the present one. */
function plannedBy(change: Change, { planned, items }: Billed): string | undefined {
  if (change.kind !== 'plan_change') return planned?.price.id;
  const isLater = change.proration === 'at_period_end' && change.price !== items[0].price.id;
  return isLater ? change.price : undefined;
}

function changesFor(change: Change, billed: Billed, sessionId: string, plan: Stripe.MetadataParam): Requests {
  if (change.kind === 'end') {
    const { isNow, voids, feedback, comment } = change;
    // Both are sent, because Stripe keeps the earlier value of one that is left out.
    const said = (feedback ?? comment) && {
      cancellation_details: { feedback: feedback ?? ('' as const), comment: comment ?? '' },
    };
    if (isNow) return { cancel: { ...said } };
    const metadata = { [MARKER]: sessionId, [END_MARKER]: sessionId, ...plan };
    return { ...(voids && { voids }), update: { cancel_at_period_end: true, ...said, metadata } };
  }
  const coupon = change.kind === 'discount' ? newCoupon(change.terms) : undefined;
  const metadata = {
    [MARKER]: sessionId,
    [END_MARKER]: '',
    ...(change.kind === 'discount' && { [COUPON_MARKER]: change.terms.coupon ?? '' }),
    ...plan,
  };
  const update = { ...fieldsOf(change, billed), ...(billed.end?.isOurs && { cancel_at_period_end: false }), metadata };
  return { ...(coupon && { coupon }), update };
}

function fieldsOf(change: Exclude<Change, { kind: 'end' }>, billed: Billed): Stripe.SubscriptionUpdateParams {
  switch (change.kind) {
    case 'pause':
      return { pause_collection: { behavior: 'void', resumes_at: secondsOf(change.until) } };
    case 'extension':
      return { trial_end: secondsOf(change.until), proration_behavior: 'none' };
    case 'plan_change': {
      const [{ id, quantity }] = billed.items;
      const { price, proration } = change;
      if (proration === 'at_period_end') return {};
      return {
        // "When changing a subscription item's price, quantity is set to 1 unless a quantity parameter is provided."
        // Metered items have none.
        items: [{ id, price, ...(quantity !== null && { quantity }) }],
        proration_behavior: proration,
        // Otherwise the change holds though the card is declined.
        ...(proration === 'always_invoice' && { payment_behavior: 'error_if_incomplete' }),
      };
    }
    case 'discount': {
      // "A populated array overwrites the existing discounts on the subscription."
      const kept = billed.discounts.map(({ id }) => ({ discount: id }));
      return { discounts: [...kept, { coupon: change.terms.coupon ?? newCoupon(change.terms)!.id! }] };
    }
    case 'stay':
      return {};
    default:
      return unknownValue(change);
  }
}

/**
 * The coupon for the terms of a discount, the same for all offers with these terms; undefined if a coupon is named.
 */
function newCoupon(terms: AgreedTerms): Stripe.CouponCreateParams | undefined {
  const { percent_off, amount_off, currency, duration, months } = terms;
  if (duration === undefined) return undefined;
  const off =
    percent_off === undefined ? `${amount_off}${currency!.toLowerCase()}` : `${percent_off}pct`.replace('.', '_');
  return {
    id: `${COUPON_PREFIX}${[off, duration, ...(months === undefined ? [] : [`${months}m`])].join('-')}`,
    // "Name of the coupon displayed to customers on, for instance invoices, or receipts."
    name: percent_off === undefined ? `${amountText(amount_off!, currency!)} off` : `${percent_off}% off`,
    ...(percent_off === undefined ? { amount_off, currency: currency!.toLowerCase() } : { percent_off }),
    duration,
    ...(months !== undefined && { duration_in_months: months }),
  };
}

/** Requests as the documentation of Stripe writes them: a path, and a line for each parameter. */
export function textOf(requests: Requests, subscriptionId: string): string {
  const { release, voids, coupon, update, cancel, arrange } = requests;
  const path = `/v1/subscriptions/${subscriptionId}`;
  const sent = [
    ...(release ? [`POST /v1/subscription_schedules/${release}/release`] : []),
    ...(voids ? ['POST /v1/invoices/{each that is open}/void'] : []),
    ...(coupon ? [formOf('POST /v1/coupons', coupon)] : []),
    ...(update ? [formOf(`POST ${path}`, update)] : []),
    ...(cancel ? [formOf(`DELETE ${path}`, cancel)] : []),
    ...(arrange ? scheduleFor(subscriptionId, arrange) : []),
  ];
  return sent.join('\n\n');
}

const scheduleFor = (from_subscription: string, price: string): string[] => [
  formOf('POST /v1/subscription_schedules', { from_subscription }),
  formOf('POST /v1/subscription_schedules/{its id}', { phases: { 1: { items: [{ price }] } } }),
];

function formOf(call: string, params: object): string {
  const lines = (value: unknown, name: string): string[] =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, one]) => lines(one, name ? `${name}[${key}]` : key))
      : [`${name}=${String(value)}`];
  return [call, ...lines(params, '')].join('\n');
}

const secondsOf = (time: Date): number => Math.floor(time.getTime() / 1000);
