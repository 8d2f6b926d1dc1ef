import type { IncomingHttpHeaders } from 'node:http';
// oxlint-disable-next-line import/no-named-as-default -- only its ES modules have the named export
import Stripe from 'stripe';
import type { Permission } from './billing-connection.entity';
import { formOf } from './form';
import type { Account, Customer, Ending, Provider, ReportedOutcome, Task } from './provider';
import { type Facts, MARKER, planOf } from './stripe-plan';

/** For each request. An attempt makes up to six, and ends before its lease does. */
const TIMEOUT_MS = 10_000;
const DAY = 24 * 60 * 60;
/** An invoice that is paid after a time may be this many seconds older. */
const UNPAID_FOR = 30 * DAY;
const MAX_DETAIL = 1000;
const UNAUTHORIZED = 401;
const FORBIDDEN = 403;
const FOREIGN =
  'The subscription is of another customer than the token named, or Stripe does not know the customer. Set the claim customer_id, ' +
  'or customer_id in the metadata of the subscription.';

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
  async check(): Promise<{ refusal: string } | { missing: Permission[] }> {
    const { subscriptions, coupons, invoices, customers, prices } = this.stripe;
    const missing: Permission[] = [];
    try {
      for (const needed of [subscriptions, coupons, invoices]) await needed.list({ limit: 1 });
      for (const [permission, wanted] of [['customers_read', customers] as const, ['prices_read', prices] as const]) {
        await wanted.list({ limit: 1 }).catch((error: unknown) => {
          if (stripeErrorIn(error).statusCode !== FORBIDDEN) throw error;
          missing.push(permission);
        });
      }
      return { missing };
    } catch (error) {
      return { refusal: `Stripe: ${stripeErrorIn(error).message}`.slice(0, MAX_DETAIL) };
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
    const { id, subscription_id, mode } = task;
    const subscription = await this.read(subscription_id);
    if (subscription.metadata[MARKER] === id) return { state: 'applied', detail: null };
    if (!isOf(task.customer, subscription)) return { state: 'manual', detail: FOREIGN };
    const facts = await this.factsFor(task, subscription);
    if ('state' in facts) return facts;
    const plan = planOf(task, subscription, facts);
    if ('state' in plan) return plan;
    const { change, coupon, detail } = plan;
    if (mode === 'dry_run') {
      const requests = [
        ...(coupon ? [formOf('/v1/coupons', coupon)] : []),
        formOf(`/v1/subscriptions/${subscription_id}`, change),
      ];
      return { state: 'dry_run', detail: requests.join('\n\n') };
    }
    const key = await record(change);
    if (coupon) await this.makeCoupon(coupon);
    await this.stripe.subscriptions.update(subscription_id, change, { idempotencyKey: key });
    const { metadata } = await this.read(subscription_id);
    if (metadata[MARKER] === id) return { state: 'applied', detail };
    return { state: 'pending', detail: 'Stripe accepted the change but does not show it.', isAnswered: true };
  }

  /** Reads what an offer needs besides the subscription. Without the permission, a person has to look. */
  private async factsFor({ action, offer }: Task, subscription: Stripe.Subscription): Promise<Facts | Ending> {
    if (action !== 'apply') return {};
    const { price, duration, coupon } = offer!.terms!;
    const isDiscount = duration !== undefined || coupon !== undefined;
    try {
      if (price !== undefined) return { price: await this.stripe.prices.retrieve(price) };
      if (!isDiscount || subscription.discounts.length > 0) return {};
      const customer = await this.stripe.customers.retrieve(idOf(subscription.customer));
      return customer.deleted ? {} : { ofCustomer: customer.discount ?? undefined };
    } catch (error) {
      if (stripeErrorIn(error).statusCode !== FORBIDDEN) throw error;
      return price === undefined
        ? {
            state: 'manual',
            detail: 'The key may not read Customers: a discount of their own may be lost.',
            missing: 'customers_read',
          }
        : { state: 'manual', detail: 'The key may not read Prices.', missing: 'prices_read' };
    }
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
  return billing_id === null ? id !== null && metadata.customer_id === id : idOf(customer) === billing_id;
}

/** What an error says. One that is not the package's is a fault of ours, or of what is stored: to try it again would not help. */
function endingOf(error: unknown): Ending {
  if (!(error instanceof Stripe.errors.StripeError)) {
    return { state: 'manual', detail: `The request could not be made (${String(error)}).`.slice(0, MAX_DETAIL) };
  }
  const { message, statusCode, headers } = error;
  const detail = `Stripe: ${message}`.slice(0, MAX_DETAIL);
  if (statusCode === UNAUTHORIZED || statusCode === FORBIDDEN) return { state: 'pending', detail, isRefused: true };
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
