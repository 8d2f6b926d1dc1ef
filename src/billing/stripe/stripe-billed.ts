import type Stripe from 'stripe';
import type { Billed, BilledDiscount, BilledItem, BilledPrice, Coupon, NamedPrice } from '../model/billed';

export const TITLE = 'Stripe';

/**
 * Names, in the metadata of a subscription, the session that changed it last. It says that a task is done, for longer
 * than keys are kept.
 */
export const MARKER = 'retention_flow_session';
/** Names the session whose cancellation we carried out. Only such an end is taken back when the customer stays. */
export const END_MARKER = 'retention_flow_end';
/** Names the coupon of the workspace's own that a customer accepted last. */
export const COUPON_MARKER = 'retention_flow_coupon';
/** Coupons that we make begin with it. */
export const COUPON_PREFIX = 'retention-flow-';

/** The version of the interface that is asked for has no others. */
type Unit = NonNullable<BilledPrice['interval']>['unit'];
const STATUS = {
  trialing: 'trialing',
  active: 'active',
  past_due: 'unpaid',
  unpaid: 'unpaid',
  incomplete: 'incomplete',
  paused: 'paused',
  canceled: 'over',
  incomplete_expired: 'over',
} satisfies Record<string, Billed['status']>;

/**
 * @param items all of them: Stripe sends some with the subscription
 * @param agreed what changes it later; unless it was read, no schedule is ours
 * @param clock the time of its test clock, if it has one
 */
export function billedOf(
  subscription: Stripe.Subscription,
  items: Stripe.SubscriptionItem[],
  agreed: Pick<Billed, 'schedule' | 'planned'> = unread(subscription),
  clock: Date | null = null,
): Billed {
  const { id, customer, status, currency, metadata, discounts, pause_collection: pause } = subscription;
  const { presentment_details } = subscription;
  const end = endOf(subscription);
  return {
    id,
    system: TITLE,
    owner: { billing_id: idOf(customer), id: metadata.customer_id ?? null },
    status: STATUS[status as keyof typeof STATUS],
    isRetried: status === 'past_due',
    currency: currency.toUpperCase(),
    presentment:
      presentment_details && presentment_details.presentment_currency !== currency
        ? presentment_details.presentment_currency.toUpperCase()
        : null,
    clock,
    items: items.map((item) => itemOf(item, subscription)),
    anchor: timeOf(subscription.billing_cycle_anchor),
    discounts: discounts.map((discount) => discountOf(discount, metadata)),
    // A subscription inherits its customer's own while it has none.
    mayInherit: discounts.length === 0,
    since: timeOf(subscription.start_date),
    country: null,
    end: end === null ? null : { at: timeOf(end), isOurs: isEndOurs(subscription) },
    pause: pause && { until: pause.resumes_at === null ? null : timeOf(pause.resumes_at) },
    ...agreed,
    changedBy: metadata[MARKER] ?? null,
  };
}

const unread = ({ schedule }: Stripe.Subscription): Pick<Billed, 'schedule' | 'planned'> => ({
  schedule: schedule === null ? null : { id: idOf(schedule), isOurs: false },
  planned: null,
});

function itemOf(
  { id, price, quantity, current_period_end, discounts }: Stripe.SubscriptionItem,
  { status, trial_end }: Stripe.Subscription,
): BilledItem {
  const ends = status === 'trialing' ? Math.max(trial_end ?? 0, current_period_end) : current_period_end;
  return {
    id,
    price: priceOf(price),
    quantity: quantity ?? null,
    ends: timeOf(ends),
    isDiscounted: discounts.length > 0,
  };
}

export function priceOf(price: Stripe.Price): BilledPrice {
  const { id, unit_amount, recurring, transform_quantity, currency, product } = price;
  return {
    id,
    amount: transform_quantity ? null : unit_amount,
    currency: currency.toUpperCase(),
    interval: recurring && { unit: recurring.interval as Unit, count: recurring.interval_count },
    product: idOf(product),
    isMetered: recurring?.usage_type === 'metered',
  };
}

export function namedPriceOf(price: Stripe.Price): NamedPrice {
  return { ...priceOf(price), isActive: price.active, currencies: currenciesOf(price) };
}

export function couponOf(coupon: Stripe.Coupon): Coupon {
  const { percent_off, amount_off, currency, duration, duration_in_months, applies_to, valid } = coupon;
  return {
    percent: percent_off,
    amount: amount_off,
    currency: currency?.toUpperCase() ?? null,
    duration: duration as Coupon['duration'],
    months: duration_in_months,
    products: applies_to?.products ?? null,
    // "Taking account of the above properties, whether this coupon can still be applied to a customer."
    isValid: valid,
    currencies: currenciesOf(coupon),
  };
}

function currenciesOf({
  currency,
  currency_options,
}: {
  currency: string | null;
  currency_options?: object;
}): string[] {
  return [currency ?? [], Object.keys(currency_options ?? {})].flat().map((code) => code.toUpperCase());
}

export function discountOf(discount: string | Stripe.Discount, metadata: Stripe.Metadata): BilledDiscount {
  if (typeof discount === 'string') return { id: discount, coupon: null, off: null, ends: null, isOurs: false };
  const { id, end, source } = discount;
  const coupon = source.coupon === null ? null : idOf(source.coupon);
  return {
    id,
    coupon,
    off: typeof source.coupon === 'object' && source.coupon !== null ? couponOf(source.coupon) : null,
    ends: end === null ? null : timeOf(end),
    isOurs: coupon !== null && (coupon.startsWith(COUPON_PREFIX) || coupon === metadata[COUPON_MARKER]),
  };
}

/**
 * What the lines of a previewed invoice come to, less their discounts. Null where other lines share the discounts, such
 * as those of a change of plan, or not all lines were sent.
 */
export function paymentIn({ data, has_more }: Stripe.Invoice['lines']): number | null {
  const isOfPeriod = ({ parent }: Stripe.InvoiceLineItem) => parent?.subscription_item_details?.proration === false;
  if (has_more || data.length === 0 || !data.every(isOfPeriod)) return null;
  const less = (line: Stripe.InvoiceLineItem) => (line.discount_amounts ?? []).map(({ amount }) => -amount);
  return data.flatMap((line) => [line.amount, ...less(line)]).reduce((sum, amount) => sum + amount, 0);
}

/** When the subscription ends, in seconds; null if it goes on. */
export function endOf({ cancel_at, cancel_at_period_end, items }: Stripe.Subscription): number | null {
  if (cancel_at !== null || !cancel_at_period_end) return cancel_at;
  return Math.max(...items.data.map(({ current_period_end }) => current_period_end));
}

/**
 * Whether we have set the end. Somebody may have undone it in the dashboard and set it again: then it counts as ours,
 * too.
 */
function isEndOurs({ metadata, cancel_at_period_end }: Stripe.Subscription): boolean {
  return cancel_at_period_end && Boolean(metadata[END_MARKER]);
}

export const idOf = (named: string | { id: string }): string => (typeof named === 'string' ? named : named.id);
export const timeOf = (seconds: number): Date => new Date(seconds * 1000);
