import type { IncomingHttpHeaders } from 'node:http';
// oxlint-disable-next-line import/no-named-as-default -- only its ES modules have the named export
import Stripe from 'stripe';
import { monthsAfter } from '../common/days';
import type { OfferTerms } from '../offers/offer-terms';
import { formOf } from './form';
import type { Account, Customer, Ending, Provider, ReportedOutcome, Task } from './provider';

/** Names, in the metadata of a subscription, the session that changed it last. It says that a task is done, for longer than keys are kept. */
const MARKER = 'retention_flow_session';
/** For each request. An attempt makes up to five, and ends before its lease does. */
const TIMEOUT_MS = 10_000;
const DAY = 24 * 60 * 60;
/** An invoice that is paid after a time may be this many seconds older. */
const UNPAID_FOR = 30 * DAY;
const MAX_DETAIL = 1000;

const APPLIED: Ending = { state: 'applied', detail: null };
/** It never came to be, or is over. */
const OVER: Stripe.Subscription.Status[] = ['canceled', 'incomplete_expired'];

/** Stripe, through its own package. */
export class StripeProvider implements Provider {
  private readonly stripe: Stripe;

  constructor({ apiKey, url }: Account) {
    const { protocol, hostname, port } = new URL(url);
    this.stripe = new Stripe(apiKey, {
      protocol: protocol === 'http:' ? 'http' : 'https',
      host: hostname,
      port: port || (protocol === 'http:' ? 80 : 443),
      timeout: TIMEOUT_MS,
      // The queue tries again, after it has read what became of the attempt.
      maxNetworkRetries: 0,
      telemetry: false,
    });
  }

  static subscriptionIn(body: Buffer, headers: IncomingHttpHeaders, secret: string): string | null {
    const { data } = Stripe.webhooks.constructEvent(body, headers['stripe-signature'] ?? '', secret);
    const { object, id } = data.object as { object: string; id: string };
    if (object === 'subscription') return id;
    const { parent } = data.object as Partial<Stripe.Invoice>;
    return object === 'invoice' && parent?.subscription_details ? idOf(parent.subscription_details.subscription) : null;
  }

  static urlOf(subscriptionId: string, isLive: boolean): string {
    return `https://dashboard.stripe.com/${isLive ? '' : 'test/'}subscriptions/${encodeURIComponent(subscriptionId)}`;
  }

  /** Reads one of each thing that it will need. */
  async refusal(): Promise<string | undefined> {
    try {
      const { subscriptions, coupons, invoices } = this.stripe;
      for (const list of [subscriptions, coupons, invoices]) await list.list({ limit: 1 });
      return undefined;
    } catch (error) {
      return endingOf(error).detail!;
    }
  }

  async fulfil(task: Task, record: (request: object) => Promise<string>): Promise<Ending> {
    try {
      return await this.attempt(task, record);
    } catch (error) {
      return endingOf(error);
    }
  }

  async outcomes(subscriptionId: string, customer: Customer, since: Date): Promise<ReportedOutcome[] | undefined> {
    try {
      const subscription = await this.read(subscriptionId);
      if (!isOf(customer, subscription)) return [];
      const from = Math.floor(since.getTime() / 1000);
      const { data } = await this.stripe.invoices.list({
        subscription: subscriptionId,
        status: 'paid',
        created: { gte: from - UNPAID_FOR },
        limit: 100,
      });
      const paid = data.flatMap((invoice): ReportedOutcome[] => {
        const { id, amount_paid: amount, currency, status_transitions } = invoice;
        const at = status_transitions.paid_at ?? 0;
        return at > from && amount > 0 ? [{ id, type: 'paid', at: dateOf(at), amount, currency }] : [];
      });
      const { status, ended_at, canceled_at } = subscription;
      // It was asked for at canceled_at.
      const end = status === 'canceled' ? (ended_at ?? canceled_at) : null;
      const isEndedSince = end !== null && end > from;
      return isEndedSince ? [...paid, { id: `${subscription.id}:canceled`, type: 'canceled', at: dateOf(end) }] : paid;
    } catch (error) {
      const { statusCode = 0 } = stripeErrorIn(error);
      const isAboutSubscription = statusCode >= 400 && statusCode < 500 && ![401, 403, 429].includes(statusCode);
      return isAboutSubscription ? [] : undefined;
    }
  }

  private async attempt(task: Task, record: (request: object) => Promise<string>): Promise<Ending> {
    const { id, subscription_id, action, mode } = task;
    const subscription = await this.read(subscription_id);
    if (subscription.metadata[MARKER] === id) return APPLIED;
    if (!isOf(task.customer, subscription)) {
      const detail =
        'The subscription is of another customer than the token named, or Stripe does not know the customer. Set ';
      return {
        state: 'manual',
        detail: `${detail}the claim customer_id, or customer_id in the metadata of the subscription.`,
      };
    }
    if (action === 'cancel' && OVER.includes(subscription.status))
      return { ...APPLIED, detail: 'It was already canceled.' };
    const obstacle = obstacleTo(task, subscription);
    if (obstacle) return { state: 'manual', detail: obstacle };

    const coupon = couponOf(task);
    const change = { ...changeOf(task, subscription), metadata: { [MARKER]: id } };
    const key = await record(change);
    if (mode === 'dry_run') {
      const requests = [
        ...(coupon ? [formOf('/v1/coupons', coupon)] : []),
        formOf(`/v1/subscriptions/${subscription_id}`, change),
      ];
      return { state: 'dry_run', detail: requests.join('\n\n') };
    }
    if (coupon) await this.makeCoupon(coupon);
    await this.stripe.subscriptions.update(subscription_id, change, { idempotencyKey: key });
    const { metadata } = await this.read(subscription_id);
    if (metadata[MARKER] === id) return APPLIED;
    return { state: 'pending', detail: 'Stripe accepted the change but does not show it.', isAnswered: true };
  }

  private read(id: string): Promise<Stripe.Subscription> {
    return this.stripe.subscriptions.retrieve(id, { expand: ['discounts'] });
  }

  /** Makes a coupon, unless it was made before. */
  private async makeCoupon(coupon: Stripe.CouponCreateParams): Promise<void> {
    try {
      await this.stripe.coupons.retrieve(coupon.id!);
    } catch (error) {
      if (stripeErrorIn(error).code !== 'resource_missing') throw error;
      await this.stripe.coupons.create(coupon).catch((failure: unknown) => {
        if (stripeErrorIn(failure).code !== 'resource_already_exists') throw failure;
      });
    }
  }
}

/** Whether the subscription is the customer's, as the token says or else the metadata of the subscription. */
function isOf({ id, billing_id }: Customer, { customer, metadata }: Stripe.Subscription): boolean {
  return billing_id === null ? metadata.customer_id === id : idOf(customer) === billing_id;
}

/** Why a person has to do it; undefined if the service can. */
function obstacleTo({ action, offer }: Task, subscription: Stripe.Subscription): string | undefined {
  if (subscription.schedule) return 'A schedule manages the subscription. It would undo or refuse the change.';
  if (action === 'cancel') return undefined;
  if (OVER.includes(subscription.status)) return 'The subscription is canceled.';
  if (subscription.cancel_at_period_end || subscription.cancel_at) {
    return 'The subscription is about to end. If the customer stays, undo that first.';
  }
  const { data: items } = subscription.items;
  if (offer!.offer_type === 'plan_change' && items.length !== 1) {
    return `The subscription has ${items.length} items. It is not clear which one to change.`;
  }
  const months = offer!.terms?.months ?? 0;
  const isLonger = items.some(({ price: { recurring } }) =>
    recurring?.interval === 'year' ? true : recurring?.interval === 'month' && recurring.interval_count > months,
  );
  return offer!.offer_type === 'pause_subscription' && isLonger
    ? 'The customer pays for longer periods than the pause. They would get a whole period free, or nothing.'
    : undefined;
}

/** What is to change of the subscription. Everything is absolute, so that making the change twice is making it once. */
function changeOf(task: Task, subscription: Stripe.Subscription): Stripe.SubscriptionUpdateParams {
  const { action, offer, decided_at, feedback, comment, proration, request } = task;
  if (action === 'cancel') {
    return {
      cancel_at_period_end: true,
      cancellation_details: { ...(feedback && { feedback }), ...(comment && { comment }) },
    };
  }
  const { months = 0, days = 0, price, coupon } = offer!.terms!;
  const { data: items } = subscription.items;
  switch (offer!.offer_type) {
    case 'pause_subscription':
      return { pause_collection: { behavior: 'void', resumes_at: secondsOf(monthsAfter(decided_at, months)) } };
    case 'trial_extension': {
      const from = Math.max(subscription.trial_end ?? 0, ...items.map((item) => item.current_period_end));
      // What was asked before may have been done: from its result, it would be extended twice.
      const { trial_end = from + days * DAY } = (request ?? {}) as { trial_end?: number };
      return { trial_end, proration_behavior: 'none' };
    }
    case 'plan_change':
      return { items: [{ id: items[0].id, price }], proration_behavior: proration };
    default: {
      const added = coupon ?? couponOf(task)!.id!;
      // A list of discounts replaces those that there are.
      const others = subscription.discounts.flatMap((discount) => {
        if (typeof discount === 'string') return { discount };
        return discount.source.coupon && idOf(discount.source.coupon) === added ? [] : { discount: discount.id };
      });
      return { discounts: [...others, { coupon: added }] };
    }
  }
}

/** The coupon for the terms of a discount, the same for all offers with these terms; undefined if a coupon is named, or no discount. */
function couponOf({ offer }: Task): Stripe.CouponCreateParams | undefined {
  const { percent_off, amount_off, currency, duration, months }: OfferTerms = offer?.terms ?? {};
  if (duration === undefined) return undefined;
  const off =
    percent_off === undefined ? `${amount_off}${currency!.toLowerCase()}` : `${percent_off}pct`.replace('.', '_');
  return {
    id: ['retention-flow', off, duration, ...(months === undefined ? [] : [`${months}m`])].join('-'),
    name: offer!.name.slice(0, 40),
    ...(percent_off === undefined ? { amount_off, currency: currency!.toLowerCase() } : { percent_off }),
    duration,
    ...(months !== undefined && { duration_in_months: months }),
  };
}

/** What an error of the package says. Anything else is an error of ours. */
function endingOf(error: unknown): Ending {
  const { message, statusCode, headers } = stripeErrorIn(error);
  const detail = `Stripe: ${message}`.slice(0, MAX_DETAIL);
  const { StripeAPIError, StripeConnectionError, StripeRateLimitError } = Stripe.errors;
  // A request with the same key is under way.
  const isUnderWay = statusCode === 409;
  const isAnswered = error instanceof StripeAPIError && !isUnderWay;
  const isPassing =
    isAnswered || isUnderWay || error instanceof StripeConnectionError || error instanceof StripeRateLimitError;
  if (!isPassing) return { state: 'failed', detail };
  const retryAfter = Number(headers?.['retry-after']) || undefined;
  return { state: 'pending', detail, isAnswered, retryAfter };
}

function stripeErrorIn(error: unknown): Stripe.errors.StripeError {
  if (error instanceof Stripe.errors.StripeError) return error;
  throw error;
}

const idOf = (named: string | { id: string }): string => (typeof named === 'string' ? named : named.id);
const dateOf = (seconds: number): Date => new Date(seconds * 1000);
const secondsOf = (date: Date): number => Math.floor(date.getTime() / 1000);
