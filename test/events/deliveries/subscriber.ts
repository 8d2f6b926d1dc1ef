import type { SubscribableType } from '../../../src/outbox/event-types';
import type { Answer } from '../../support/client';
import { contract } from '../../support/contract';
import { connected, workerDatabaseUrl } from '../../support/database';
import { type Received, Receiver, type Reply, TO_LOOPBACK } from '../../support/receiver';
import { Service, type Tenant } from '../../support/service';
import { until } from '../../support/until';

const WEBHOOKS = '/api/v1/public/webhooks';
/** The credential of a session is a UUID v8. Nothing else is. */
const SESSION_ID = /[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-/;

/** The longest time from each attempt to the next one: the schedule and 20 %. */
export const LONGEST_WAITS = [6, 360, 2160, 8640, 21_600, 43_200, 60_480, 86_400, 103_680].map((s) => `${s} seconds`);

interface Delivery {
  event_id: string;
  type: string;
  status: 'pending' | 'delivered' | 'failed';
  attempts: number;
  last_status: number | null;
  last_error: string | null;
  next_attempt_at: string | null;
}

/** The service as it delivers. What earlier tests left to deliver is gone. */
export async function startDelivering(env: NodeJS.ProcessEnv = {}): Promise<Service> {
  await connected(workerDatabaseUrl(), (client) => client.query('TRUNCATE outbox, events, webhooks CASCADE'));
  return Service.start({ ...TO_LOOPBACK, ...env });
}

/** Resolves when the results of all attempts are stored. */
export async function untilIdle({ client }: Service): Promise<void> {
  const metrics = async () => (await client.get('/metrics')).body as string;
  await until(metrics, (text) => text.includes('retention_deliveries_under_way 0\n'));
}

/** A reply that waits until the test has one. */
export function held(): { reply: () => Promise<Reply>; answer: (reply: Reply) => void } {
  let answer!: (reply: Reply) => void;
  const promise = new Promise<Reply>((resolve) => (answer = resolve));
  return { reply: () => promise, answer };
}

/** An integrator: a webhook of a workspace, and the endpoint behind it. */
export class Subscriber {
  private static readonly all: Subscriber[] = [];

  private constructor(
    readonly tenant: Tenant,
    readonly receiver: Receiver,
    readonly id: string,
    readonly secret: string,
  ) {}

  /** Without types it asks for all but starts. */
  static async of(
    tenant: Tenant,
    event_types: SubscribableType[] = [],
    reply?: Receiver['reply'],
  ): Promise<Subscriber> {
    const receiver = await Receiver.start(reply);
    const { body } = await tenant.client.post(WEBHOOKS, { url: receiver.url, event_types });
    const subscriber = new Subscriber(tenant, receiver, body.id, body.secret);
    Subscriber.all.push(subscriber);
    return subscriber;
  }

  get received(): Received[] {
    return this.receiver.received;
  }

  set reply(reply: Receiver['reply']) {
    this.receiver.reply = reply;
  }

  untilReceived(count: number): Promise<Received[]> {
    return this.receiver.untilReceived(count);
  }

  async webhook(): Promise<{ status: string; disabled_reason: string | null }> {
    return (await this.tenant.client.get(`${WEBHOOKS}/${this.id}`)).body;
  }

  update(fields: object): Promise<Answer> {
    return this.tenant.client.put(`${WEBHOOKS}/${this.id}`, fields);
  }

  delete(): Promise<Answer> {
    return this.tenant.client.delete(`${WEBHOOKS}/${this.id}`);
  }

  /** Without a body. */
  post(path: string, body?: object): Promise<Answer> {
    const { client } = this.tenant;
    const url = `${WEBHOOKS}/${this.id}/${path}`;
    return body ? client.post(url, body) : client.send('POST', url);
  }

  /** The deliveries, newest event first. */
  async deliveries(): Promise<Delivery[]> {
    return (await this.tenant.client.get(`${WEBHOOKS}/${this.id}/deliveries?limit=500`)).body.deliveries;
  }

  /** Resolves with the deliveries when something holds of them. */
  untilDeliveries(holds: (deliveries: Delivery[]) => boolean): Promise<Delivery[]> {
    return until(() => this.deliveries(), holds);
  }

  /** Resolves with the newest delivery when something holds of it. */
  async untilNewest(holds: (delivery: Delivery) => boolean): Promise<Delivery> {
    return (await this.untilDeliveries(([newest]) => newest !== undefined && holds(newest)))[0];
  }

  /** Ends a test: holds everything that was received against the OpenAPI document, and stops. */
  static async stopAll(service: Service): Promise<void> {
    const subscribers = Subscriber.all.splice(0);
    for (const { receiver } of subscribers) await receiver.stop();
    await service.database.query('DELETE FROM webhooks');
    for (const { headers, text, body } of subscribers.flatMap(({ received }) => received)) {
      contract.checkSent(headers, body);
      expect(text).not.toMatch(SESSION_ID);
    }
  }
}
