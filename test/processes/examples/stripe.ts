import { EventEmitter, on, once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

interface Result {
  status: number;
  body: object;
}
type Saved = { request: string; result: Result | 'under way' };

export interface Applied {
  subscription: string;
  coupon: string;
}

/**
 * Subscriptions at Stripe, with Idempotency-Keys as Stripe documents them: the first result of a key, a failure as well, is
 * the result of every later request with it; another body is refused, and so is a request while the first is under way.
 */
export class Stripe {
  /** Every time that a coupon was applied to a subscription. */
  readonly applied: Applied[] = [];
  /** The coupon that each subscription has. */
  readonly coupons = new Map<string, string>();
  /** Coupons that nobody has created. */
  readonly missing = new Set(['no-such-coupon']);
  /** Carries out the nth change; it may fail before or after `apply`, or take its time. */
  carryOut: (apply: () => void, n: number, applied: Applied) => Promise<void> | void = (apply) => apply();
  private readonly events = new EventEmitter();
  private readonly metadata = new Map<string, Record<string, string>>();
  private saved = new Map<string, Saved>();
  private changes = 0;

  private constructor(private readonly server: Server) {}

  static async start(): Promise<Stripe> {
    const stripe = new Stripe(createServer());
    stripe.server.on('request', (request, response) => void stripe.answer(request, response));
    stripe.server.listen(0, '127.0.0.1');
    await once(stripe.server, 'listening');
    return stripe;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** A day passes. */
  forgetKeys(): void {
    this.saved = new Map();
  }

  /** Resolves when so many more requests for a change of a subscription have come. */
  async untilAsked(subscription: string, times: number): Promise<void> {
    let left = times;
    for await (const [asked] of on(this.events, 'asked')) if (asked === subscription && --left === 0) return;
  }

  async untilApplied(count: number): Promise<void> {
    while (this.applied.length < count) await once(this.events, 'applied');
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, subscription] = /^\/v1\/subscriptions\/(sub_\w+)$/.exec(request.url!) ?? [];
    const isKnown = request.headers.authorization === 'Bearer sk_test_stand_in';
    const { status, body, isReplayed } = !isKnown
      ? problem(401, 'Invalid API Key provided')
      : !subscription
        ? problem(404, `No such subscription: ${request.url}`)
        : request.method === 'GET'
          ? { status: 200, body: { id: subscription, metadata: this.metadata.get(subscription) ?? {} } }
          : await this.change(subscription, String(request.headers['idempotency-key']), await text(request));
    response.writeHead(status, {
      'content-type': 'application/json',
      ...(isReplayed && { 'idempotent-replayed': 'true' }),
    });
    response.end(JSON.stringify(body));
  }

  private async change(subscription: string, key: string, form: string): Promise<Result & { isReplayed?: boolean }> {
    const request = `${subscription} ${form}`;
    const fields = Object.fromEntries(new URLSearchParams(form));
    const coupon = fields['discounts[0][coupon]'];
    this.events.emit('asked', subscription);
    const saved = this.saved.get(key);
    if (saved && saved.request !== request) return problem(400, 'Keys can only be used with the same parameters');
    if (saved?.result === 'under way') return problem(409, 'There is another request in progress that uses this key');
    if (saved) return { ...saved.result, isReplayed: true };

    this.saved.set(key, { request, result: 'under way' });
    const apply = () => {
      this.applied.push({ subscription, coupon });
      this.coupons.set(subscription, coupon);
      const remembered = Object.entries(fields).flatMap(([name, value]) => {
        const [, metadata] = /^metadata\[(.{1,40})\]$/.exec(name) ?? [];
        return metadata ? [[metadata, value]] : [];
      });
      this.metadata.set(subscription, { ...this.metadata.get(subscription), ...Object.fromEntries(remembered) });
      this.events.emit('applied');
    };
    let result: Result;
    try {
      if (this.missing.has(coupon)) result = problem(400, `No such coupon: ${coupon}`);
      else {
        await this.carryOut(apply, ++this.changes, { subscription, coupon });
        result = { status: 200, body: { id: subscription, metadata: this.metadata.get(subscription) } };
      }
    } catch (error) {
      result = problem(500, (error as Error).message);
    }
    // Unless the key was forgotten meanwhile.
    if (this.saved.has(key)) this.saved.set(key, { request, result });
    return result;
  }
}

function problem(status: number, message: string): Result & { isReplayed?: boolean } {
  return { status, body: { error: { message } } };
}
