import type { IncomingHttpHeaders } from 'node:http';
// oxlint-disable-next-line import/no-named-as-default -- only its ES modules have the named export
import Stripe from 'stripe';
import { isDiscount } from '../../offers/terms/types';
import type { Eligibility } from '../../sessions/eligibility';
import type { Subscription } from '../../runtime/start/subscription';
import { byHand, bySomebody } from '../model/by-hand';
import type { Permission, Proration } from '../../billing-jobs/billing-connection.entity';
import {
  type Account,
  canceledId,
  agreedOffers,
  type Catalog,
  type Customer,
  type Ending,
  type ListedSubscription,
  MAX_LISTED,
  type NamedOffer,
  type Notice,
  type OfferEffect,
  type PlannedOffer,
  type Provider,
  type ReportedOutcome,
  type Task,
} from '../model/provider';
import { effectOf, leavingOf, type MadeUp, madeUp } from './stripe-effects';
import { couponIn, priceIn, listedSubscriptionIn } from './stripe-lists';
import { endOf, type Facts, obstacleTo, MARKER, planOf } from './stripe-plan';
import { pricesByMonths } from './stripe-prices';

/** The longest that a request may take. An attempt makes up to six, and ends before its lease does. */
const TIMEOUT_MS = 10_000;
const DAY = 24 * 60 * 60;
/** An invoice that is paid after a time may be this many seconds older. */
const UNPAID_FOR = 30 * DAY;
const MAX_DETAIL = 1000;
/** Expanded, so that a discount says what it takes off what. */
const COUPON_PATH = 'source.coupon.applies_to';
/** Expanded, too: a price or a coupon may have several. */
const CURRENCIES = { expand: ['currency_options'] };
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
      // The queue tries again, after it has read whether the attempt succeeded.
      maxNetworkRetries: 0,
      telemetry: false,
    });
  }

  static noticeIn(body: Buffer, headers: IncomingHttpHeaders, secret: string): Notice {
    const { data, api_version } = Stripe.webhooks.constructEvent(body, headers['stripe-signature'] ?? '', secret);
    // "The Stripe API version used to render `data`": that of the endpoint, not of this package.
    const isOther = api_version && api_version !== Stripe.API_VERSION;
    return {
      subscription_id: subscriptionIn(data.object as Partial<Rendered>),
      version: isOther ? api_version : null,
    };
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

  async eligibility(
    subscriptionId: string,
    customer: Customer,
    offers: PlannedOffer[],
    now: Date,
  ): Promise<(Eligibility | undefined)[]> {
    try {
      const subscription = await this.read(subscriptionId);
      if (!isOf(customer, subscription)) return [];
      const ofCustomer = this.ownDiscountOf(subscription).catch(() => 'unknown' as const);
      const considered = offers.map((offer) => this.consider(offer, subscription, ofCustomer, now).catch(unread));
      return (await Promise.all(considered)).map((one) => one?.eligibility);
    } catch (error) {
      // Another error than Stripe's is a fault of ours.
      stripeErrorIn(error);
      return [];
    }
  }

  async effects(
    asked: Subscription,
    offers: NamedOffer[],
    proration: Proration,
    now: Date,
  ): Promise<{ offers: OfferEffect[]; leaving: string } | 'unknown' | 'refused' | 'unavailable'> {
    const { id, amount, currency, interval } = asked;
    try {
      const subscription =
        id === undefined ? madeUp({ amount, currency, interval } as MadeUp, now) : await known(this.read(id));
      if (subscription === 'unknown' || subscription.items.data.length === 0) return 'unknown';
      const own = id === undefined ? Promise.resolve(undefined) : this.ownDiscountOf(subscription);
      const ofCustomer = own.catch(() => 'unknown' as const);
      const effects = offers.map(async (offer): Promise<OfferEffect> => {
        try {
          // Who carries it out needs it, too.
          if (isDiscount(offer.offer_type)) await own;
          const { facts, eligibility } = await this.consider(offer, subscription, ofCustomer, now);
          return { eligibility, ...effectOf(offer, subscription, facts, eligibility.prices, proration) };
        } catch (error) {
          const isLacking = stripeErrorIn(error).statusCode === FORBIDDEN;
          const why = `${lackingFor(offer).detail} ${bySomebody(byHand('apply', offer))}`;
          return { is_shown: true, text: isLacking ? why : 'Stripe does not say now whether it can be applied.' };
        }
      });
      return { offers: await Promise.all(effects), leaving: leavingOf(subscription) };
    } catch (error) {
      return refusalOf(error);
    }
  }

  async subscriptions(): Promise<
    { subscriptions: ListedSubscription[]; has_more: boolean } | 'refused' | 'unavailable'
  > {
    const newest = { limit: MAX_LISTED };
    try {
      const { data, has_more } = await this.stripe.subscriptions
        .list({ ...newest, expand: ['data.customer'] })
        .catch((error: unknown) => {
          // The key may not read Customers.
          if (stripeErrorIn(error).statusCode !== FORBIDDEN) throw error;
          return this.stripe.subscriptions.list(newest);
        });
      return { subscriptions: data.map(listedSubscriptionIn), has_more };
    } catch (error) {
      return refusalOf(error);
    }
  }

  async catalog(): Promise<Catalog | 'refused' | 'unavailable'> {
    const { prices, coupons } = this.stripe;
    try {
      const [priced, discounts] = await Promise.all([
        prices.list({ active: true, type: 'recurring', limit: MAX_LISTED }).catch((error: unknown) => {
          if (stripeErrorIn(error).statusCode !== FORBIDDEN) throw error;
          return null;
        }),
        coupons.list({ limit: MAX_LISTED }),
      ]);
      return {
        prices: priced?.data.map(priceIn) ?? null,
        coupons: discounts.data.filter(({ valid }) => valid).map(couponIn),
        has_more_prices: Boolean(priced?.has_more),
        has_more_coupons: discounts.has_more,
      };
    } catch (error) {
      return refusalOf(error);
    }
  }

  async faultIn(offer: PlannedOffer): Promise<{ field: 'price' | 'coupon'; message: string } | undefined> {
    const { price: priceId, coupon: couponId } = offer.terms;
    try {
      const { price, coupon } = await this.termsOf(offer);
      if (price === 'unknown') return { field: 'price', message: `Stripe does not know the price ${priceId}` };
      if (price?.active === false) return { field: 'price', message: `the price ${priceId} is archived in Stripe` };
      if (coupon === 'unknown') return { field: 'coupon', message: `Stripe does not know the coupon ${couponId}` };
      if (coupon?.valid === false)
        return { field: 'coupon', message: `the coupon ${couponId} can’t be redeemed any more` };
    } catch (error) {
      stripeErrorIn(error);
    }
    return undefined;
  }

  async outcomes(
    subscriptionId: string,
    customer: Customer,
    since: Date,
  ): Promise<ReportedOutcome[] | 'unknown' | 'unavailable'> {
    try {
      const subscription = await this.read(subscriptionId);
      if (!isOf(customer, subscription)) return 'unknown';
      const from = Math.floor(since.getTime() / 1000);
      const { data } = await this.stripe.invoices.list({
        subscription: subscriptionId,
        status: 'paid',
        created: { gte: from - UNPAID_FOR },
        limit: 100,
      });
      const paid = data.flatMap((invoice): ReportedOutcome[] => {
        const { id, amount_paid, currency, status_transitions } = invoice;
        const at = status_transitions.paid_at ?? 0;
        if (at <= from || amount_paid <= 0) return [];
        // "Total amount of all post-payment credit notes issued for this invoice": what was refunded.
        const amount = Math.max(0, amount_paid - (invoice.post_payment_credit_notes_amount ?? 0));
        return [{ id, type: 'paid', at: dateOf(at), amount, currency }];
      });
      const lapse = lapseOf(subscription, from);
      if (!lapse || (await this.isReplaced(subscription, lapse.at))) return paid;
      return [...paid, { id: canceledId(subscription.id), type: 'canceled', ...lapse }];
    } catch (error) {
      const { statusCode = 0 } = stripeErrorIn(error);
      const isAboutSubscription = statusCode >= 400 && statusCode < 500 && ![401, 403, 429].includes(statusCode);
      return isAboutSubscription ? 'unknown' : 'unavailable';
    }
  }

  /** Whether the customer has gone on with another subscription, which began when they left this one. */
  private async isReplaced({ id, customer }: Stripe.Subscription, left: Date): Promise<boolean> {
    const since = left.getTime() / 1000 - DAY;
    const { data } = await this.stripe.subscriptions.list({ customer: idOf(customer), limit: 100 });
    return data.some((other) => other.id !== id && other.created >= since && isPaidFor(other) && endOf(other) === null);
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
  private async factsFor({ action, offer, now }: Task, subscription: Stripe.Subscription): Promise<Facts | Ending> {
    if (action !== 'apply') return { now };
    try {
      const { price } = offer!.terms;
      if (price !== undefined) return { now, price: await this.stripe.prices.retrieve(price, CURRENCIES) };
      return isDiscount(offer!.offer_type) ? { now, ofCustomer: await this.ownDiscountOf(subscription) } : { now };
    } catch (error) {
      if (stripeErrorIn(error).statusCode !== FORBIDDEN) throw error;
      return { state: 'manual', ...lackingFor(offer!) };
    }
  }

  /** Throws if the price or the coupon can't be read. */
  private async consider(
    offer: PlannedOffer,
    subscription: Stripe.Subscription,
    ofCustomer: Promise<Facts['ofCustomer'] | 'unknown'>,
    now: Date,
  ): Promise<{ eligibility: Eligibility; facts: Facts }> {
    const [terms, own] = await Promise.all([this.termsOf(offer), ofCustomer]);
    const facts = { now, ...terms, ofCustomer: own === 'unknown' ? undefined : own };
    const found = obstacleTo(agreedOffers(offer)[0], subscription, facts);
    const priced = !found && own !== 'unknown' && pricesByMonths(offer, subscription, facts);
    return { eligibility: { terms: offer.terms, obstacle: found?.obstacle, ...priced }, facts };
  }

  /** The price or the coupon that an offer names, or that there is none. */
  private async termsOf({ terms }: PlannedOffer): Promise<Pick<Facts, 'price' | 'coupon'>> {
    const { prices, coupons } = this.stripe;
    const { price, coupon } = terms;
    return {
      ...(price !== undefined && { price: await known(prices.retrieve(price, CURRENCIES)) }),
      ...(coupon !== undefined && {
        coupon: await known(coupons.retrieve(coupon, { expand: [...CURRENCIES.expand, 'applies_to'] })),
      }),
    };
  }

  /** The discount of the customer, which a subscription inherits while it has none. */
  private async ownDiscountOf({ discounts, customer: id }: Stripe.Subscription): Promise<Facts['ofCustomer']> {
    if (discounts.length > 0) return undefined;
    const customer = await this.stripe.customers.retrieve(idOf(id), { expand: [`discount.${COUPON_PATH}`] });
    return customer.deleted ? undefined : (customer.discount ?? undefined);
  }

  private read(id: string): Promise<Stripe.Subscription> {
    return this.stripe.subscriptions.retrieve(id, { expand: [`discounts.${COUPON_PATH}`] });
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

/**
 * How an attempt ends with an error. An error that is not the package's is a fault of ours or of stored data: retrying
 * would not help.
 */
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

/**
 * An object of an event, as the version of the webhook renders it: before 2025-03-31, an invoice named its subscription
 * itself.
 */
type Rendered = Pick<Stripe.Invoice, 'parent'> & {
  object: string;
  id: string;
  subscription: string | { id: string } | null;
};

function subscriptionIn({ object, id, parent, subscription }: Partial<Rendered>): string | null {
  if (object === 'subscription') return id ?? null;
  const named = object === 'invoice' ? (parent?.subscription_details?.subscription ?? subscription) : null;
  return named ? idOf(named) : null;
}

/** When the customer left, by canceling or ceasing to pay; undefined unless that was after a time. */
function lapseOf(
  subscription: Stripe.Subscription,
  from: number,
): Pick<ReportedOutcome, 'at' | 'isProvisional'> | undefined {
  const { status, canceled_at, ended_at } = subscription;
  const isOver = status === 'canceled';
  const isLeaving = isOver || endOf(subscription) !== null;
  // Nobody pays for it now, since the period that has begun.
  const isLapsed = status === 'unpaid' || status === 'paused';
  const begun = Math.min(...subscription.items.data.map((item) => item.current_period_start));
  const times = isLeaving ? [canceled_at, isOver ? ended_at : null] : isLapsed ? [Math.max(begun, from + 1)] : [];
  // Whoever canceled before and was not kept left when it ended.
  const at = times.find((time) => time !== null && time > from);
  return at ? { at: dateOf(at), isProvisional: !isOver } : undefined;
}

/** A POST as the documentation of Stripe writes it: a path, and a line for each parameter. */
function formOf(path: string, params: object): string {
  const lines = (value: unknown, name: string): string[] =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, one]) => lines(one, name ? `${name}[${key}]` : key))
      : [`${name}=${String(value)}`];
  return [`POST ${path}`, ...lines(params, '')].join('\n');
}

const isPaidFor = ({ status }: Stripe.Subscription): boolean => ['active', 'trialing', 'past_due'].includes(status);

/** The result of reading; `unknown` if the thing does not exist. */
async function known<T>(reading: Promise<T>): Promise<T | 'unknown'> {
  try {
    return await reading;
  } catch (error) {
    if (stripeErrorIn(error).code !== 'resource_missing') throw error;
    return 'unknown';
  }
}

/** Says nothing of what could not be read. Another error than Stripe's is a fault of ours. */
function unread(error: unknown): undefined {
  stripeErrorIn(error);
}

/** What the key may not read that an offer needs. */
function lackingFor({ terms }: PlannedOffer): { detail: string; missing: Permission } {
  return terms.price === undefined
    ? { detail: 'The key may not read Customers: a discount of their own may be lost.', missing: 'customers_read' }
    : { detail: 'The key may not read Prices.', missing: 'prices_read' };
}

/** Why a request got no answer that it could use. */
function refusalOf(error: unknown): 'refused' | 'unavailable' {
  const { statusCode } = stripeErrorIn(error);
  return statusCode === UNAUTHORIZED || statusCode === FORBIDDEN ? 'refused' : 'unavailable';
}

const idOf = (named: string | { id: string }): string => (typeof named === 'string' ? named : named.id);
const dateOf = (seconds: number): Date => new Date(seconds * 1000);
