import type { IncomingHttpHeaders } from 'node:http';
// oxlint-disable-next-line import/no-named-as-default -- only its ES modules have the named export
import Stripe from 'stripe';
import type { OfferTerms } from '../../offers/terms/types';
import { type BillingConnection, type Permission, PERMISSIONS } from '../../billing-jobs/billing-connection.entity';
import type { Billed, Named } from '../model/billed';
import type { Change } from '../model/changes';
import {
  type Account,
  BillingFailure,
  canceledId,
  type Catalog,
  type ListedSubscription,
  MAX_LISTED,
  orFailure,
  type Notice,
  type Prepared,
  type Provider,
  type ReportedOutcome,
} from '../model/provider';
import { type Customer, isOf } from '../model/task';
import { billedOf, couponOf, timeOf, discountOf, endOf, idOf, namedPriceOf, paymentIn, TITLE } from './stripe-billed';
import { PlannedPrices } from './planned-prices';
import { faultsOfFields } from './stripe-connection';
import { allowed, asked, failureIn, isForbidden, known } from './stripe-failures';
import { couponIn, priceIn, listedSubscriptionIn } from './stripe-lists';
import { type Requests, requestsFor, textOf } from './stripe-requests';

/**
 * The longest that a request may take. An attempt makes up to ten, and ends before its lease does; it makes one more
 * for each invoice that it voids, and ten more for a price of the next period.
 */
const TIMEOUT_MS = 9_000;
const DAY = 24 * 60 * 60;
/** An invoice that is paid after a time may be this many seconds older. */
const UNPAID_FOR = 30 * DAY;
/** The most characters of the header with signatures. */
const MAX_SIGNATURE = 1000;
/** Expanded, so that a discount says what it takes off what. */
const COUPON_PATH = 'source.coupon.applies_to';
/** Expanded, too: a price or a coupon may have several. */
const CURRENCIES = 'currency_options';

/** Stripe, through its own package. */
export class StripeProvider implements Provider {
  readonly title = TITLE;
  private readonly stripe: Stripe;
  private readonly planned: PlannedPrices;

  constructor({ apiKey, account, url }: Account) {
    const { protocol, hostname, port } = new URL(url);
    this.stripe = new Stripe(apiKey, {
      protocol: protocol === 'http:' ? 'http' : 'https',
      host: hostname,
      port: port || (protocol === 'http:' ? 80 : 443),
      timeout: TIMEOUT_MS,
      // The queue tries again, after it has read whether the attempt succeeded.
      maxNetworkRetries: 0,
      telemetry: false,
      // "The ID of a connected account": of the Stripe-Account header of each request.
      ...(account !== null && { stripeAccount: account }),
    });
    this.planned = new PlannedPrices(this.stripe);
  }

  static noticeIn(body: Buffer, headers: IncomingHttpHeaders, secret: string): Notice {
    const signature = String(headers['stripe-signature'] ?? '');
    // The package compares with every signature in the header. There are two while a secret is rotated.
    if (signature.length > MAX_SIGNATURE) throw new Error('The header has too many signatures.');
    const { data, api_version } = Stripe.webhooks.constructEvent(body, signature, secret);
    // "The Stripe API version used to render `data`": that of the endpoint, not of this package.
    const isOther = api_version && api_version !== Stripe.API_VERSION;
    return {
      subscription_id: subscriptionIn(data.object as Partial<Rendered>),
      version: isOther ? api_version : null,
    };
  }

  static readonly faultsOfFields = faultsOfFields;

  static isLive(apiKey: string): boolean {
    return apiKey.includes('_live_');
  }

  static urlOf(subscriptionId: string, { account, is_live }: Pick<BillingConnection, 'account' | 'is_live'>): string {
    const place = `${account === null ? '' : `${account}/`}${is_live ? '' : 'test/'}`;
    return `https://dashboard.stripe.com/${place}subscriptions/${encodeURIComponent(subscriptionId)}`;
  }

  /** Reads one of each thing that it will need, and changes things that Stripe does not have. */
  async check(): Promise<{ refusal: string } | { missing: Permission[] }> {
    const { subscriptions, subscriptionSchedules, coupons, invoices, customers, prices, products } = this.stripe;
    const wanted: Record<Permission, () => PromiseLike<object>> = {
      customers_read: () => customers.list({ limit: 1 }),
      prices_read: () => prices.list({ limit: 1 }),
      products_read: () => products.list({ limit: 1 }),
      subscriptions_write: () => subscriptions.update('sub_retention_flow_check', { metadata: {} }),
      coupons_write: () => coupons.update('retention-flow-check', { metadata: {} }),
      invoices_write: () => invoices.voidInvoice('in_retention_flow_check'),
      schedules_write: () => subscriptionSchedules.release('sub_sched_retention_flow_check'),
    };
    const missing: Permission[] = [];
    try {
      for (const needed of [subscriptions, coupons, invoices]) await asked<object>(needed.list({ limit: 1 }));
      for (const permission of PERMISSIONS) {
        if (await isForbidden(wanted[permission]())) missing.push(permission);
      }
      return { missing };
    } catch (error) {
      if (!(error instanceof BillingFailure)) throw error;
      return { refusal: error.message };
    }
  }

  async read(id: string): Promise<Billed> {
    const subscription = await asked(this.retrieve(id));
    const { data, has_more } = subscription.items;
    const items = has_more
      ? (await asked(this.stripe.subscriptionItems.list({ subscription: id, limit: 100 }))).data
      : data;
    const [agreed, clock] = await Promise.all([this.planned.of(subscription), this.clockOf(subscription)]);
    return billedOf(subscription, items, agreed, clock);
  }

  async withCustomer(billed: Billed): Promise<Billed> {
    const expand = [`discount.${COUPON_PATH}`];
    const customer = await asked(this.stripe.customers.retrieve(billed.owner.billing_id, { expand }));
    if (customer.deleted) return { ...billed, mayInherit: false };
    const own = billed.mayInherit ? [customer.discount ?? []].flat().map((one) => discountOf(one, {})) : [];
    const discounts = [...billed.discounts, ...own];
    return { ...billed, mayInherit: false, discounts, country: customer.address?.country ?? null };
  }

  async nameOf(product: string): Promise<string> {
    return (await asked(this.stripe.products.retrieve(product))).name;
  }

  async named({ price, coupon }: Pick<OfferTerms, 'price' | 'coupon'>): Promise<Named> {
    const { prices, coupons } = this.stripe;
    const expand = [CURRENCIES];
    const named: Named = {};
    if (price !== undefined) {
      const found = await known(prices.retrieve(price, { expand }));
      named.price = found === 'unknown' ? found : namedPriceOf(found);
    }
    if (coupon !== undefined) {
      const found = await known(coupons.retrieve(coupon, { expand: [...expand, 'applies_to'] }));
      named.coupon = found === 'unknown' ? found : couponOf(found);
    }
    return named;
  }

  prepare(change: Change, billed: Billed, sessionId: string): Prepared {
    const requests = requestsFor(change, billed, sessionId);
    return {
      request: requests,
      text: textOf(requests, billed.id),
      send: (idempotencyKey) => this.send(requests, billed, idempotencyKey),
    };
  }

  async finish(billed: Billed): Promise<Billed> {
    await this.planned.arrange(billed.id, billed.planned!.price.id);
    return this.read(billed.id);
  }

  async nextPayment({ id, planned, schedule }: Billed): Promise<number | null> {
    const what = planned && schedule ? { schedule: schedule.id } : { subscription: id };
    try {
      const { lines } = await asked(this.stripe.invoices.createPreview(what));
      return paymentIn(lines);
    } catch (error) {
      if (error instanceof BillingFailure) return null;
      throw error;
    }
  }

  async subscriptions(): Promise<{ subscriptions: ListedSubscription[]; has_more: boolean }> {
    const newest = { limit: MAX_LISTED };
    const named = await allowed(this.stripe.subscriptions.list({ ...newest, expand: ['data.customer'] }));
    // The key may not read Customers.
    const { data, has_more } = named === 'forbidden' ? await asked(this.stripe.subscriptions.list(newest)) : named;
    return { subscriptions: data.map(listedSubscriptionIn), has_more };
  }

  async catalog(): Promise<Catalog> {
    const { prices, coupons } = this.stripe;
    const [priced, discounts] = await Promise.all([
      allowed(prices.list({ active: true, type: 'recurring', limit: MAX_LISTED })),
      asked(coupons.list({ limit: MAX_LISTED })),
    ]);
    return {
      prices: priced === 'forbidden' ? null : priced.data.map(priceIn),
      coupons: discounts.data.filter(({ valid }) => valid).map(couponIn),
      has_more_prices: priced !== 'forbidden' && priced.has_more,
      has_more_coupons: discounts.has_more,
    };
  }

  async outcomes(subscriptionId: string, customer: Customer, since: Date): Promise<ReportedOutcome[] | 'unknown'> {
    const subscription = await known(this.retrieve(subscriptionId));
    if (subscription === 'unknown' || !isOf(customer, billedOf(subscription, []))) return 'unknown';
    const from = Math.floor(since.getTime() / 1000);
    const { data } = await asked(
      this.stripe.invoices.list({
        subscription: subscriptionId,
        status: 'paid',
        created: { gte: from - UNPAID_FOR },
        limit: 100,
      }),
    );
    const paid = data.flatMap((invoice): ReportedOutcome[] => {
      const { id, amount_paid, currency, status_transitions } = invoice;
      const at = status_transitions.paid_at ?? 0;
      if (at <= from || amount_paid <= 0) return [];
      // "Total amount of all post-payment credit notes issued for this invoice": what was refunded.
      const amount = Math.max(0, amount_paid - (invoice.post_payment_credit_notes_amount ?? 0));
      return [{ id, type: 'paid', at: timeOf(at), amount, currency }];
    });
    const paused = pauseOf(subscription, from);
    const lapse = lapseOf(subscription, from);
    const isGone = lapse && !(await this.isReplaced(subscription, lapse.at));
    const canceled: ReportedOutcome[] = isGone ? [{ id: canceledId(subscription.id), type: 'canceled', ...lapse }] : [];
    return [...paid, ...paused, ...canceled];
  }

  /** Whether the customer has gone on with another subscription, which began when they left this one. */
  private async isReplaced({ id, customer }: Stripe.Subscription, left: Date): Promise<boolean> {
    const since = left.getTime() / 1000 - DAY;
    const { data } = await asked(this.stripe.subscriptions.list({ customer: idOf(customer), limit: 100 }));
    return data.some((other) => other.id !== id && other.created >= since && isPaidFor(other) && endOf(other) === null);
  }

  /** The time that a test has set; null if there is none, or the key may not read it. */
  private async clockOf({ test_clock }: Stripe.Subscription): Promise<Date | null> {
    if (test_clock === null) return null;
    const clock = await allowed(this.stripe.testHelpers.testClocks.retrieve(idOf(test_clock)));
    return clock === 'forbidden' ? null : timeOf(clock.frozen_time);
  }

  private retrieve(id: string): Promise<Stripe.Subscription> {
    return this.stripe.subscriptions.retrieve(id, { expand: [`discounts.${COUPON_PATH}`] });
  }

  private async send(requests: Requests, billed: Billed, idempotencyKey: string): Promise<void> {
    const { release, voids, coupon, update, cancel, arrange } = requests;
    const { id } = billed;
    if (release) await this.planned.release(billed);
    if (voids) await this.voidOpen(id);
    if (coupon) await this.makeCoupon(coupon);
    if (update) await asked(this.stripe.subscriptions.update(id, update, { idempotencyKey }));
    if (cancel) await asked(this.stripe.subscriptions.cancel(id, cancel, { idempotencyKey }));
    if (arrange) await this.planned.arrange(id, arrange);
  }

  private async voidOpen(subscription: string): Promise<void> {
    const { invoices } = this.stripe;
    const { data } = await asked(invoices.list({ subscription, status: 'open', limit: 100 }));
    for (const { id } of data) {
      const voided = await orFailure(allowed(invoices.voidInvoice(id)), 'rejected');
      if (voided === 'forbidden') throw new BillingFailure('forbidden', '', false, undefined, 'invoices_write');
      if (voided !== 'rejected') continue;
      // It may have been paid meanwhile.
      const { status } = await asked(invoices.retrieve(id));
      if (status === 'open') throw new BillingFailure('rejected', `Stripe does not void the invoice ${id}.`);
    }
  }

  /** Makes a coupon, unless it was made before. */
  private async makeCoupon(coupon: Stripe.CouponCreateParams): Promise<void> {
    const found = await known(this.stripe.coupons.retrieve(coupon.id!));
    if (found === 'unknown') {
      await this.stripe.coupons.create(coupon).catch((error: unknown) => {
        if (!(error instanceof Stripe.errors.StripeError && error.code === 'resource_already_exists'))
          throw failureIn(error);
      });
      return;
    }
    const terms = ['percent_off', 'amount_off', 'currency', 'duration', 'duration_in_months'] as const;
    if (terms.some((term) => (found[term] ?? null) !== (coupon[term] ?? null))) {
      throw new BillingFailure(
        'rejected',
        `The coupon ${coupon.id} in Stripe is another discount than its name says. Delete it there, so that this service makes it anew.`,
      );
    }
  }
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
  const isPaused = status === 'paused' && !isCustomersPause(subscription);
  const isOver = status === 'canceled';
  const isLeaving = isOver || endOf(subscription) !== null;
  // Nobody pays for it now, since the period that has begun.
  const isLapsed = status === 'unpaid' || isPaused;
  const begun = Math.min(...subscription.items.data.map((item) => item.current_period_start));
  const times = isLeaving ? [canceled_at, isOver ? ended_at : null] : isLapsed ? [Math.max(begun, from + 1)] : [];
  // Whoever canceled before and was not kept left when it ended.
  const at = times.find((time) => time !== null && time > from);
  return at ? { at: timeOf(at), isProvisional: !isOver } : undefined;
}

/** The pause of a customer who paused the subscription themselves after a time. */
function pauseOf(subscription: Stripe.Subscription, from: number): ReportedOutcome[] {
  const at = subscription.status_details?.paused?.transitioned_at ?? 0;
  if (subscription.status !== 'paused' || !isCustomersPause(subscription) || at <= from) return [];
  return [{ id: `${subscription.id}:paused:${at}`, type: 'paused', at: timeOf(at) }];
}

/** "The reason that the subscription was paused": such as in the portal, and not because nobody pays. */
const isCustomersPause = ({ status_details }: Stripe.Subscription): boolean =>
  status_details?.paused?.subscription?.type === 'pause_requested';

const isPaidFor = ({ status }: Stripe.Subscription): boolean => ['active', 'trialing', 'past_due'].includes(status);
