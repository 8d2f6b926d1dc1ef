import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type Stripe from 'stripe';

export const API_KEY = 'rk_test_51Q2w3E4r5T6y7U8';
const now = (): number => Math.floor(Date.now() / 1000);
const DAY = 24 * 60 * 60;

/** What the service reads of a subscription. */
type Known = Pick<
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
  | 'cancel_at_period_end'
  | 'pause_collection'
> & {
  discounts: Discount[];
  cancellation_details: Record<string, string>;
  items: { data: Item[] };
};
type Discount = Pick<Stripe.Discount, 'id' | 'object'> & { source: { type: 'coupon'; coupon: string } };
type Item = Pick<Stripe.SubscriptionItem, 'id' | 'current_period_end'> & {
  price: { id: string; recurring: { interval: 'month' | 'year'; interval_count: number } };
};
type Invoice = Pick<Stripe.Invoice, 'id' | 'object' | 'amount_paid' | 'currency' | 'created'> & {
  subscription: string;
  status: 'paid';
  status_transitions: { paid_at: number };
};

interface Result {
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
 * Stripe's routes that the service calls, with its habits: an Idempotency-Key repeats its first result, a 500 too, until it is forgotten;
 * a list of discounts replaces those that there are; a schedule refuses a cancellation. `carryOut` makes it unkind.
 */
export class StripeDouble {
  readonly subscriptions = new Map<string, Known>();
  readonly coupons = new Map<string, object>();
  readonly invoices: Invoice[] = [];
  /** All changes that were asked for, and those that were made. */
  readonly asked: Change[] = [];
  readonly made: Change[] = [];
  /** Paths that the key may not call. */
  forbidden = /^$/;
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

  add(id: string, fields: Partial<Known> & { interval?: 'month' | 'year' } = {}): Known {
    const { interval = 'month', ...others } = fields;
    const price = { id: 'price_pro', recurring: { interval, interval_count: 1 } };
    const subscription: Known = {
      id,
      object: 'subscription',
      customer: 'cus_ada',
      status: 'active',
      metadata: {},
      schedule: null,
      trial_end: null,
      cancel_at: null,
      canceled_at: null,
      cancel_at_period_end: false,
      pause_collection: null,
      discounts: [],
      cancellation_details: {},
      items: { data: [{ id: `si_${id}`, current_period_end: now() + 10 * DAY, price }] },
      ...others,
    };
    this.subscriptions.set(id, subscription);
    return subscription;
  }

  couponsOf(id: string): string[] {
    return this.subscriptions.get(id)!.discounts.map(({ source }) => source.coupon);
  }

  discount(coupon: string): Discount {
    return { id: `di_${++this.count}`, object: 'discount', source: { type: 'coupon', coupon } };
  }

  pay(subscription: string, id: string, amount_paid: number, paid_at = now() + 60): void {
    const invoice = { id, object: 'invoice' as const, amount_paid, currency: 'eur', created: now(), subscription };
    this.invoices.push({ ...invoice, status: 'paid', status_transitions: { paid_at } });
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url!, this.url);
    const form = await text(request);
    await this.heard(`${request.method} ${pathname}`);
    let result: Result;
    try {
      if (request.headers.authorization !== `Bearer ${API_KEY}`) result = problem(401, 'Invalid API Key provided');
      else if (this.forbidden.test(`${request.method} ${pathname}`)) {
        result = problem(403, 'The provided key does not have the required permissions for this endpoint');
      } else if (request.method === 'GET') result = this.read(pathname, searchParams);
      else result = await this.once({ path: pathname, form, key: String(request.headers['idempotency-key'] ?? '') });
    } catch (error) {
      if (error instanceof Cut) return void request.socket.destroy();
      result = problem(500, (error as Error).message, 'api_error');
    }
    response.writeHead(result.status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(result.body));
  }

  private read(path: string, query: URLSearchParams): Result {
    const [, , kind, id] = path.split('/');
    if (kind === 'invoices') return list(this.invoices.filter((one) => one.subscription === query.get('subscription')));
    if (!id) return list([]);
    const found = kind === 'coupons' ? this.coupons.get(id) : this.subscriptions.get(id);
    return found
      ? { status: 200, body: found }
      : problem(404, `No such ${kind.slice(0, -1)}: '${id}'`, 'resource_missing');
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
    if (kind === 'coupons') {
      if (this.coupons.has(fields.id!)) return problem(400, 'Coupon already exists.', 'resource_already_exists');
      this.coupons.set(fields.id!, { object: 'coupon', ...fields });
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

  private refusalOf({ schedule, discounts }: Known, fields: Fields): Result | undefined {
    if (schedule && fields.cancel_at_period_end)
      return problem(400, 'The subscription is managed by a subscription schedule.');
    for (const { coupon, discount } of fields.discounts ?? []) {
      if (coupon && !this.coupons.has(coupon)) return problem(400, `No such coupon: '${coupon}'`, 'resource_missing');
      if (discount && !discounts.some(({ id }) => id === discount))
        return problem(400, `No such discount: '${discount}'`);
    }
    return undefined;
  }

  private make(subscription: Known, fields: Fields): void {
    const { metadata, discounts, trial_end, cancel_at_period_end, cancellation_details, pause_collection, items } =
      fields;
    Object.assign(subscription.metadata, metadata);
    if (trial_end) subscription.trial_end = Number(trial_end);
    if (cancel_at_period_end) subscription.cancel_at_period_end = true;
    if (cancellation_details) subscription.cancellation_details = cancellation_details;
    if (pause_collection) {
      const { behavior, resumes_at } = pause_collection;
      subscription.pause_collection = { behavior: behavior as 'void', resumes_at: Number(resumes_at) };
    }
    if (items) subscription.items.data[0].price.id = items[0].price;
    if (discounts) {
      const kept = new Map(subscription.discounts.map((one) => [one.id, one]));
      subscription.discounts = discounts.map(({ coupon, discount }) =>
        coupon ? this.discount(coupon) : kept.get(discount!)!,
      );
    }
  }
}

interface Fields {
  id?: string;
  metadata?: Record<string, string>;
  discounts?: { coupon?: string; discount?: string }[];
  trial_end?: string;
  cancel_at_period_end?: string;
  cancellation_details?: Record<string, string>;
  pause_collection?: { behavior: string; resumes_at: string };
  items?: { id: string; price: string }[];
}

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

function problem(status: number, message: string, code?: string): Result {
  const type = code === 'api_error' || code === 'idempotency_error' ? code : 'invalid_request_error';
  return { status, body: { error: { type, message, ...(code && { code }) } } };
}
