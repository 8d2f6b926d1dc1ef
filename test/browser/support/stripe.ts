import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

interface Subscription {
  id: string;
  customer: string;
  metadata: Record<string, string>;
}

/** So much of Stripe as pages show: subscriptions that remember their metadata, coupons, and a key that may be refused. */
export class Stripe {
  private readonly subscriptions = new Map<string, Subscription>();
  private readonly coupons = new Set<string>();
  private readonly refused = new Set<string>();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<Stripe> {
    const stripe = new Stripe(createServer());
    stripe.server.on('request', (request: IncomingMessage, response) => {
      void stripe.answer(request).then(([status, body]) => {
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      });
    });
    stripe.server.listen(0, '127.0.0.1');
    await once(stripe.server, 'listening');
    return stripe;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** A new subscription of a new customer. */
  subscribe({ interval = 'month', id = `sub_${this.subscriptions.size + 1}`, customer = `cus_of_${id}` } = {}) {
    const price = { recurring: { interval, interval_count: 1 } };
    const subscription = {
      id,
      customer,
      metadata: {},
      object: 'subscription',
      status: 'active',
      schedule: null,
      cancel_at: null,
      cancel_at_period_end: false,
      trial_end: null,
      discounts: [],
      items: { data: [{ id: 'si_1', current_period_end: Math.floor(Date.now() / 1000) + 86_400, price }] },
    };
    this.subscriptions.set(id, subscription);
    return subscription;
  }

  createCoupon(id: string): void {
    this.coupons.add(id);
  }

  refuse(key: string): void {
    this.refused.add(key);
  }

  accept(key: string): void {
    this.refused.delete(key);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async answer(request: IncomingMessage): Promise<[status: number, body: object]> {
    const [, kind, id] = new URL(request.url!, this.url).pathname.slice(1).split('/').slice(0, 3);
    const form = new URLSearchParams(await text(request));
    if (this.refused.has(request.headers.authorization!.slice('Bearer '.length)))
      return problem(401, 'Expired API Key provided');
    if (kind === 'coupons' && request.method === 'POST') this.createCoupon(form.get('id')!);
    if (!id) return [200, { object: 'list', data: [], has_more: false, url: `/v1/${kind}` }];
    if (kind === 'coupons') return this.coupons.has(id) ? [200, { id, object: 'coupon' }] : missing('coupon', id);
    const subscription = this.subscriptions.get(id);
    if (!subscription) return missing('subscription', id);
    const named = [...form].filter(([name]) => name.endsWith('[coupon]')).map(([, coupon]) => coupon);
    const unknown = named.find((coupon) => !this.coupons.has(coupon));
    if (unknown) return problem(400, `No such coupon: '${unknown}'`);
    for (const [name, value] of form) {
      const [, metadata] = /^metadata\[(.+)\]$/.exec(name) ?? [];
      if (metadata) subscription.metadata[metadata] = value;
    }
    return [200, subscription];
  }
}

const missing = (what: string, id: string) => problem(404, `No such ${what}: '${id}'`, 'resource_missing');

function problem(status: number, message: string, code?: string): [number, object] {
  return [status, { error: { type: 'invalid_request_error', message, code } }];
}
