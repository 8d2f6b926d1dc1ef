import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** What a subscription was changed to. */
export interface Applied {
  subscription: string;
  coupon: string;
}

interface Offer {
  session: string;
  accepted_at: string;
  metadata: { coupon: string };
}

/** A billing system whose subscriptions change only if they are still as they were read. */
export class Billing {
  /** Every time that an offer was applied to a subscription. */
  readonly applied: Applied[] = [];
  /** Carries out the nth change; it may fail before or after `apply`, or take its time. */
  carryOut: (apply: () => void, n: number, asked: Applied) => Promise<void> | void = (apply) => apply();
  private readonly events = new EventEmitter();
  private readonly offers = new Map<string, Offer>();
  private changes = 0;

  private constructor(private readonly server: Server) {}

  static async start(): Promise<Billing> {
    const billing = new Billing(createServer());
    billing.server.on('request', (request, response) => void billing.answer(request, response));
    billing.server.listen(0, '127.0.0.1');
    await once(billing.server, 'listening');
    return billing;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The coupon that each subscription has. */
  get coupons(): Record<string, string> {
    return Object.fromEntries([...this.offers].map(([subscription, { metadata }]) => [subscription, metadata.coupon]));
  }

  /** Resolves when a change of this subscription is asked for next. */
  async untilAsked(subscription: string): Promise<void> {
    await once(this.events, subscription);
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
    const [, subscription, isChange] = /^\/subscriptions\/(sub_\w+)(\/offer)?$/.exec(request.url!) ?? [];
    const offer = this.offers.get(subscription) ?? null;
    const etag = `"${offer?.session}"`;
    const send = (status: number) => response.writeHead(status, { etag }).end(JSON.stringify({ offer }));
    if (subscription === 'sub_gone') return void send(404);
    if (!isChange) return void send(200);
    const next = JSON.parse(await text(request)) as Offer;
    const asked = { subscription, coupon: next.metadata.coupon };
    const isStill = () => request.headers['if-match'] === `"${this.offers.get(subscription)?.session}"`;
    this.events.emit(subscription);
    if (asked.coupon === 'no-such-coupon') return void send(422);
    if (!isStill()) return void send(412);
    let status = 412;
    const apply = () => {
      if (!isStill()) return;
      this.applied.push(asked);
      this.offers.set(subscription, next);
      this.events.emit('applied');
      status = 200;
    };
    try {
      await this.carryOut(apply, ++this.changes, asked);
    } catch {
      status = 500;
    }
    return void send(status);
  }
}
