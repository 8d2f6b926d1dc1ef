import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type Stripe from 'stripe';
import { type PhaseFields, SchedulesDouble } from './schedules-double';

export const API_KEY = 'rk_test_51Q2w3E4r5T6y7U8';
const now = (): number => Math.floor(Date.now() / 1000);
const DAY = 24 * 60 * 60;

/** What the service reads of a subscription. */
export type Known = Pick<
  Stripe.Subscription,
  | 'id'
  | 'object'
  | 'customer'
  | 'status'
  | 'metadata'
  | 'schedule'
  | 'trial_end'
  | 'cancel_at'
  | 'canceled_at'
  | 'ended_at'
  | 'created'
  | 'cancel_at_period_end'
  | 'pause_collection'
  | 'billing_cycle_anchor'
  | 'currency'
  | 'status_details'
  | 'test_clock'
  | 'start_date'
  | 'default_tax_rates'
> & {
  discounts: Discount[];
  cancellation_details: Record<string, string>;
  items: { data: Item[] };
};
export type Discount = Pick<Stripe.Discount, 'id' | 'object' | 'end'> & { source: { type: 'coupon'; coupon: string } };
type Price = Pick<
  Stripe.Price,
  | 'id'
  | 'product'
  | 'transform_quantity'
  | 'nickname'
  | 'lookup_key'
  | 'active'
  | 'billing_scheme'
  | 'currency'
  | 'unit_amount'
> & {
  recurring: {
    interval: 'day' | 'week' | 'month' | 'year';
    interval_count: number;
    usage_type?: 'licensed' | 'metered';
  };
};
type Item = Pick<
  Stripe.SubscriptionItem,
  'id' | 'current_period_start' | 'current_period_end' | 'quantity' | 'discounts'
> & {
  price: Price;
};
type Invoice = Pick<
  Stripe.Invoice,
  'id' | 'object' | 'amount_paid' | 'currency' | 'created' | 'post_payment_credit_notes_amount'
> & {
  subscription: string;
  status: 'paid' | 'open' | 'void';
  status_transitions: { paid_at: number };
};

/** `item` and `price`: of the only item. */
type SubscriptionFields = Partial<Known> & { item?: Partial<Item>; price?: Partial<Price> };

export interface Result {
  status: number;
  body: object;
}

/** A request that changes something. */
export interface Change {
  path: string;
  form: string;
  key: string;
}

/** The line is cut, after what has happened until then. */
export class Cut extends Error {}

/**
 * Stripe's routes that the service calls, with its habits: an Idempotency-Key repeats its first result, a 500 too,
 * until it is forgotten; a list of discounts replaces those that there are; a schedule refuses a cancellation; another
 * price resets the quantity. `carryOut` makes it unkind.
 */
export class StripeDouble {
  readonly subscriptions = new Map<string, Known>();
  readonly coupons = new Map<string, object>();
  /** Those that differ from the usual one: monthly, in euros. */
  readonly prices = new Map<string, Partial<Price>>();
  /** Customers whose name or address is known. */
  readonly customers = new Map<string, { name?: string; email?: string; address?: { country: string | null } }>();
  /** Those whose name is known. */
  readonly products = new Map<string, { name: string }>();
  /** The customers' own discounts. */
  readonly discountsOf = new Map<string, Discount>();
  readonly invoices: Invoice[] = [];
  readonly schedules = new SchedulesDouble(this);
  /** The times that tests have set, in seconds. */
  readonly clocks = new Map<string, number>();
  /** All changes that were asked for, and those that were made. */
  readonly asked: Change[] = [];
  readonly made: Change[] = [];
  /** Paths that the key may not call. */
  forbidden = /^$/;
  /** Whether the key is taken for none. */
  isKeyRefused = false;
  /** Whether the customer's card is declined. */
  isCardDeclined = false;
  /** The connected accounts that were asked for; '' is that of the key. */
  readonly accounts = new Set<string>();
  /** Is told each call, such as `GET /v1/subscriptions/sub_1`, before anything is done. */
  heard: (call: string) => Promise<unknown> | void = () => undefined;
  /** Makes a change of a subscription; it may fail before or after it. */
  carryOut: (make: () => void, change: Change) => Promise<unknown> | void = (make) => make();
  private saved = new Map<string, { form: string; result?: Result }>();
  private count = 0;

  private constructor(private readonly server: Server) {}

  static async start(): Promise<StripeDouble> {
    const stripe = new StripeDouble(createServer());
    stripe.server.on('request', (request, response) => void stripe.answer(request, response));
    stripe.server.listen(0, '127.0.0.1');
    await once(stripe.server, 'listening');
    return stripe;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  /** A day passes. */
  forgetKeys(): void {
    this.saved = new Map();
  }

  add(id: string, { item, price, ...fields }: SubscriptionFields = {}): Known {
    const only = this.item(id, { ...item, price: this.price('price_pro', price) });
    const subscription: Known = {
      id,
      object: 'subscription',
      customer: 'cus_ada',
      status: 'active',
      metadata: {},
      schedule: null,
      default_tax_rates: [],
      trial_end: null,
      cancel_at: null,
      canceled_at: null,
      ended_at: null,
      created: now() - 90 * DAY,
      start_date: now() - 90 * DAY,
      cancel_at_period_end: false,
      pause_collection: null,
      discounts: [],
      cancellation_details: {},
      billing_cycle_anchor: only.current_period_end,
      currency: 'eur',
      test_clock: null,
      items: { data: [only] },
      ...fields,
    };
    this.subscriptions.set(id, subscription);
    return subscription;
  }

  item(id: string, fields: Partial<Item> = {}): Item {
    const price = this.price('price_pro');
    const period = { current_period_start: now() - 20 * DAY, current_period_end: now() + 10 * DAY };
    return { id: `si_${id}`, quantity: 1, discounts: [], ...period, price, ...fields };
  }

  price(id: string, fields?: Partial<Price>): Price {
    const recurring = { interval: 'month' as const, interval_count: 1, usage_type: 'licensed' as const };
    const names = { nickname: null, lookup_key: null, billing_scheme: 'per_unit' as const };
    const amount = { currency: 'eur', unit_amount: 1000, transform_quantity: null };
    const usual = { id, ...names, active: true, product: 'prod_pro', ...amount, recurring };
    return { ...usual, ...this.prices.get(id), ...fields };
  }

  /** The coupons that count: a subscription inherits the customer's own while it has none. */
  couponsOf(id: string): string[] {
    const { discounts, customer } = this.subscriptions.get(id)!;
    const inherited = [this.discountsOf.get(customer as string) ?? []].flat();
    return (discounts.length > 0 ? discounts : inherited).map(({ source }) => source.coupon);
  }

  discount(coupon: string): Discount {
    return { id: `di_${++this.count}`, object: 'discount', end: null, source: { type: 'coupon', coupon } };
  }

  pay(subscription: string, id: string, amount_paid: number, paid_at = now() + 60): void {
    const invoice = { id, object: 'invoice' as const, amount_paid, currency: 'eur', created: now(), subscription };
    const paid = { status: 'paid' as const, status_transitions: { paid_at }, post_payment_credit_notes_amount: 0 };
    this.invoices.push({ ...invoice, ...paid });
  }

  /** An invoice that is not paid. */
  owe(subscription: string, id: string): void {
    this.pay(subscription, id, 0, 0);
    this.invoices.at(-1)!.status = 'open';
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url!, this.url);
    const form = await text(request);
    let result: Result;
    try {
      await this.heard(`${request.method} ${pathname}`);
      this.accounts.add(String(request.headers['stripe-account'] ?? ''));
      const isKnown = request.headers.authorization === `Bearer ${API_KEY}` && !this.isKeyRefused;
      if (!isKnown) result = problem(401, 'Invalid API Key provided');
      else if (this.forbidden.test(`${request.method} ${pathname}`)) {
        result = problem(403, 'The provided key does not have the required permissions for this endpoint');
      } else if (request.method === 'GET') result = this.read(pathname, searchParams);
      else if (request.method === 'DELETE') result = this.cancel(pathname);
      else if (this.isOfNothing(pathname)) result = problem(404, 'No such thing', 'resource_missing');
      else result = await this.once({ path: pathname, form, key: String(request.headers['idempotency-key'] ?? '') });
    } catch (error) {
      if (error instanceof Cut) return void request.socket.destroy();
      result = problem(500, (error as Error).message, 'api_error');
    }
    response.writeHead(result.status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(result.body));
  }

  private read(path: string, query: URLSearchParams): Result {
    const [, , kind, id, clock] = path.split('/');
    if (kind === 'test_helpers') return { status: 200, body: { id: clock, frozen_time: this.clocks.get(clock) } };
    if (kind === 'invoices') {
      const { subscription, status } = Object.fromEntries(query);
      return list(this.invoices.filter((one) => one.subscription === subscription && one.status === status));
    }
    // "By default, returns a list of subscriptions that have not been canceled."
    if (kind === 'subscriptions' && !id) {
      const customer = query.get('customer');
      const found = [...this.subscriptions.values()].filter(
        (one) => (customer === null || one.customer === customer) && one.status !== 'canceled',
      );
      if (![...query.values()].includes('data.customer')) return list(found);
      if (this.forbidden.test('GET /v1/customers'))
        return problem(403, 'The provided key does not have the required permissions');
      return list(found.map((one) => ({ ...one, customer: this.found('customers', one.customer as string) })));
    }
    // "Only return prices that are active": the prices that a test has named.
    if (kind === 'prices' && !id) {
      const { active, type } = Object.fromEntries(query);
      if (active !== 'true' || type !== 'recurring') return list([]);
      return list([...this.prices.keys()].map((known) => this.price(known)).filter((price) => price.active));
    }
    if (kind === 'coupons' && !id) return list([...this.coupons.values()].map((one) => ({ ...PLAIN_COUPON, ...one })));
    if (!id) return list([]);
    const found = this.found(kind, id);
    return found
      ? { status: 200, body: this.expanded(found, query) }
      : problem(404, `No such ${kind.slice(0, -1)}: '${id}'`, 'resource_missing');
  }

  /** Whether a thing is to be changed that there is not. */
  private isOfNothing(path: string): boolean {
    const [, , kind, id] = path.split('/');
    if (kind === 'subscription_schedules') return id !== undefined && !this.schedules.has(id);
    if (kind === 'invoices') return id !== 'create_preview' && !this.invoices.some((one) => one.id === id);
    return (kind === 'coupons' && id !== undefined) || (kind === 'subscriptions' && !this.subscriptions.has(id));
  }

  /** Coupons are ids, unless they are to be expanded. */
  private expanded(found: object, query: URLSearchParams): object {
    const expands = (path: string) => [...query.values()].some((value) => value.startsWith(path));
    const withCoupon = (discount: Discount) => {
      const { coupon } = discount.source;
      const known = { ...PLAIN_COUPON, id: coupon, ...this.coupons.get(coupon) };
      return { ...discount, source: { type: 'coupon', coupon: known } };
    };
    const { discounts, discount } = found as { discounts?: Discount[]; discount?: Discount | null };
    return {
      ...found,
      ...(discounts && expands('discounts.source.coupon') && { discounts: discounts.map(withCoupon) }),
      ...(discount && expands('discount.source.coupon') && { discount: withCoupon(discount) }),
    };
  }

  private found(kind: string, id: string): object | undefined {
    if (kind === 'coupons') return this.coupons.has(id) ? { ...PLAIN_COUPON, ...this.coupons.get(id) } : undefined;
    if (kind === 'prices') return id === 'price_gone' ? undefined : this.price(id);
    if (kind === 'products')
      return this.products.has(id) ? { id, object: 'product', ...this.products.get(id) } : undefined;
    if (kind === 'customers') {
      const { name = null, email = null, address = null } = this.customers.get(id) ?? {};
      return { id, object: 'customer', name, email, address, discount: this.discountsOf.get(id) ?? null };
    }
    return kind === 'subscription_schedules' ? this.schedules.get(id) : this.subscriptions.get(id);
  }

  private async once(change: Change): Promise<Result> {
    this.asked.push(change);
    const { form, key } = change;
    const saved = key ? this.saved.get(key) : undefined;
    if (saved && saved.form !== form)
      return problem(400, 'Keys can only be used with the same parameters', 'idempotency_error');
    if (saved) return saved.result ?? problem(409, 'There is another request in progress that uses this key');
    const entry: { form: string; result?: Result } = { form };
    if (key) this.saved.set(key, entry);
    try {
      return (entry.result = await this.change(change));
    } catch (error) {
      entry.result = problem(500, (error as Error).message, 'api_error');
      throw error;
    }
  }

  private async change(change: Change): Promise<Result> {
    const [, , kind, id] = change.path.split('/');
    const fields = nested(new URLSearchParams(change.form)) as Fields;
    if (kind === 'invoices') return id === 'create_preview' ? this.preview(fields) : this.void(change);
    if (kind === 'subscription_schedules') {
      let result: Result | undefined;
      await this.carryOut(() => {
        this.made.push(change);
        result = this.schedules.change(change, fields);
      }, change);
      return result!;
    }
    if (kind === 'coupons') {
      if (this.coupons.has(fields.id!)) return problem(400, 'Coupon already exists.', 'resource_already_exists');
      const numbers = ['percent_off', 'amount_off', 'duration_in_months'].filter((name) => name in fields);
      const made = numbers.map((name) => [name, Number((fields as Record<string, unknown>)[name])]);
      this.coupons.set(fields.id!, { object: 'coupon', percent_off: null, ...fields, ...Object.fromEntries(made) });
      return { status: 200, body: this.coupons.get(fields.id!)! };
    }
    const subscription = this.subscriptions.get(id);
    if (!subscription) return problem(404, `No such subscription: '${id}'`, 'resource_missing');
    const refusal = this.refusalOf(subscription, fields);
    if (refusal) return refusal;
    await this.carryOut(() => {
      this.made.push(change);
      this.make(subscription, fields);
    }, change);
    return { status: 200, body: subscription };
  }

  /** "Mark a finalized invoice as void." */
  private void(change: Change): Result {
    const [, , , id] = change.path.split('/');
    const invoice = this.invoices.find((one) => one.id === id)!;
    if (invoice.status !== 'open') return problem(400, 'You can only pass in open invoices.');
    this.made.push(change);
    return { status: 200, body: Object.assign(invoice, { status: 'void' }) };
  }

  /**
   * "At any time, you can preview the upcoming invoice for a subscription or subscription schedule." Its lines: each
   * item, less what the discounts take off its product, one after another.
   */
  private preview({ subscription: named, schedule }: Fields): Result {
    const id = named ?? this.schedules.get(schedule!)!.subscription;
    const subscription = this.subscriptions.get(id);
    if (!subscription) return problem(404, `No such subscription: '${id}'`, 'resource_missing');
    const data = subscription.items.data.map(({ price: now, quantity }) => {
      const price = (schedule !== undefined && this.schedules.nextPrice(schedule)) || now;
      const amount = (price.unit_amount ?? 0) * (quantity ?? 0);
      let left = amount;
      const discount_amounts = this.couponsOf(id).flatMap((coupon) => {
        const { percent_off, amount_off, applies_to } = {
          ...PLAIN_COUPON,
          ...this.coupons.get(coupon),
        } as Stripe.Coupon;
        if (applies_to && !applies_to.products.includes(price.product as string)) return [];
        const off = Math.min(left, amount_off ?? Math.round((left * percent_off!) / 100));
        left -= off;
        return [{ amount: off, discount: coupon }];
      });
      const parent = { type: 'subscription_item_details', subscription_item_details: { proration: false } };
      return { object: 'line_item', amount, discount_amounts, parent };
    });
    return { status: 200, body: { object: 'invoice', lines: { object: 'list', data, has_more: false } } };
  }

  /** "The customer won't be charged again for the subscription. After it's canceled, the subscription is largely immutable." */
  private cancel(path: string): Result {
    const [, , , id] = path.split('/');
    const subscription = this.subscriptions.get(id);
    if (!subscription || subscription.status === 'canceled') {
      return problem(404, `No such subscription: '${id}'`, 'resource_missing');
    }
    this.made.push({ path, form: '', key: '' });
    return {
      status: 200,
      body: Object.assign(subscription, { status: 'canceled', canceled_at: now(), ended_at: now() }),
    };
  }

  private refusalOf({ schedule, discounts, status, customer }: Known, fields: Fields): Result | undefined {
    if (schedule && Object.keys(fields).some((field) => field !== 'metadata'))
      return problem(400, `The subscription is managed by the subscription schedule \`${schedule as string}\`.`);
    // "A subscription in this status can only have metadata and default_source updated."
    if (status === 'incomplete' && Object.keys(fields).some((field) => field !== 'metadata'))
      return problem(400, 'This subscription is incomplete.');
    if (this.isCardDeclined && fields.payment_behavior === 'error_if_incomplete')
      return problem(402, 'Your card was declined.', 'card_declined');
    for (const { coupon, discount } of fields.discounts ?? []) {
      if (coupon && !this.coupons.has(coupon)) return problem(400, `No such coupon: '${coupon}'`, 'resource_missing');
      const reusable = [...discounts, this.discountsOf.get(customer as string) ?? []].flat();
      if (discount && !reusable.some(({ id }) => id === discount))
        return problem(400, `No such discount: '${discount}'`);
    }
    return undefined;
  }

  private make(subscription: Known, fields: Fields): void {
    const { metadata, discounts, trial_end, cancel_at_period_end, cancellation_details, pause_collection, items } =
      fields;
    for (const [name, value] of Object.entries(metadata ?? {})) {
      // "Individual keys can be unset by posting an empty value to them."
      if (value === '') delete subscription.metadata[name];
      else subscription.metadata[name] = value;
    }
    const [item] = subscription.items.data;
    if (trial_end) subscription.trial_end = item.current_period_end = Number(trial_end);
    if (cancel_at_period_end) {
      const isEnd = cancel_at_period_end === 'true';
      subscription.cancel_at_period_end = isEnd;
      subscription.cancel_at = isEnd ? item.current_period_end : null;
      subscription.canceled_at = isEnd ? now() : null;
    }
    Object.assign(subscription.cancellation_details, cancellation_details);
    if (pause_collection) {
      const { behavior, resumes_at } = pause_collection;
      subscription.pause_collection = { behavior: behavior as 'void', resumes_at: Number(resumes_at) };
    }
    if (items) {
      // "quantity is set to 1 unless a quantity parameter is provided."
      const quantity = Number(items[0].quantity ?? 1);
      Object.assign(item, { price: this.price(items[0].price), quantity });
    }
    if (discounts) {
      const own = this.discountsOf.get(subscription.customer as string);
      const kept = new Map([...subscription.discounts, own ?? []].flat().map((one) => [one.id, one]));
      subscription.discounts = discounts.map(({ coupon, discount }) =>
        coupon ? this.discount(coupon) : kept.get(discount!)!,
      );
    }
  }
}

export interface Fields {
  id?: string;
  subscription?: string;
  schedule?: string;
  from_subscription?: string;
  end_behavior?: string;
  phases?: PhaseFields[];
  metadata?: Record<string, string>;
  discounts?: { coupon?: string; discount?: string }[];
  trial_end?: string;
  cancel_at_period_end?: string;
  cancellation_details?: Record<string, string>;
  pause_collection?: { behavior: string; resumes_at: string };
  items?: { id: string; price: string; quantity?: string }[];
  payment_behavior?: string;
}

/** As far as a test says nothing else. */
const PLAIN_COUPON = {
  object: 'coupon',
  valid: true,
  percent_off: 10,
  amount_off: null,
  currency: null,
  duration: 'forever',
  duration_in_months: null,
};

/** `a[0][b]=c` → `{a: [{b: 'c'}]}`. */
function nested(form: URLSearchParams): object {
  const root: Record<string, unknown> = {};
  for (const [name, value] of form) {
    const keys = name.split(/[[\]]+/).filter(Boolean);
    let at: Record<string, unknown> = root;
    keys.forEach((key, index) => {
      const next = keys.at(index + 1);
      at = (at[key] ??= next === undefined ? value : /^\d+$/.test(next) ? [] : {}) as Record<string, unknown>;
    });
  }
  return root;
}

const list = (data: object[]): Result => ({ status: 200, body: { object: 'list', data, has_more: false } });

export function problem(status: number, message: string, code?: string): Result {
  const type = code === 'api_error' || code === 'idempotency_error' ? code : 'invalid_request_error';
  return { status, body: { error: { type, message, ...(code && { code }) } } };
}
