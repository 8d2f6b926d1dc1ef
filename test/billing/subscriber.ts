import { createHmac } from 'node:crypto';
import { Jobs } from '../../src/platform/database/queue/jobs.service';
import { ENCRYPTION_KEY } from '../support/environment';
import { claimsFor, secretKey, type SigningKey, tokenOf } from '../support/customer-token';
import type { Service, Tenant } from '../support/service';
import { until } from '../support/until';
import { API_KEY, type StripeDouble } from './stripe-double';

export const CONNECTION = '/api/v1/public/billing/connection';

/** The settings of a service that works for billing at a double. */
export const billingAt = (stripe: StripeDouble) => ({
  BACKGROUND_JOBS: 'true',
  ENCRYPTION_KEY,
  STRIPE_API_URL: stripe.url,
});

export const WEBHOOK_SECRET = 'whsec_51Q2w3E4r5T6y7U8';

/** Sends an event to the webhook of a workspace, as Stripe signs it. */
export function postEvent(service: Service, { id }: Tenant, event: object, secret = WEBHOOK_SECRET): Promise<Response> {
  const body = JSON.stringify(event);
  const time = Math.floor(Date.now() / 1000);
  const signature = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
  return fetch(`${service.client.baseUrl}/api/v1/billing/stripe/webhook/${id}`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', 'stripe-signature': `t=${time},v1=${signature}` },
  });
}

/** A workspace that is connected to a double, and its subscribers on their way through a flow. */
export class Subscribers {
  private constructor(
    private readonly service: Service,
    readonly acme: Tenant,
    private readonly key: SigningKey,
  ) {}

  static async of(service: Service, acme: Tenant, connection: object = {}): Promise<Subscribers> {
    const { status } = await acme.client.put(CONNECTION, { api_key: API_KEY, mode: 'live', ...connection });
    expect(status).toBe(200);
    return new Subscribers(service, acme, await secretKey(acme.client));
  }

  /** A token for a subscription of `cus_ada`, unless told otherwise. */
  token(subscription: string | undefined, claims: object = {}): string {
    const named = { sub: 'ada', customer_id: 'cus_ada', subscription: subscription && { id: subscription } };
    return tokenOf(this.key, {}, claimsFor(this.acme, { ...named, ...claims }));
  }

  /**
   * Accepts a new offer. Returns the session_id.
   *
   * @param meanwhile what happens while the customer looks at it
   */
  async accepts(
    subscription: string | undefined,
    offer: object,
    customer?: object,
    meanwhile: () => unknown = () => undefined,
  ): Promise<string> {
    const { id } = await this.acme.offer(offer);
    const sessionId = await this.begins({ offer_ids: [id] }, customer ?? { customer_token: this.token(subscription) });
    await this.steps(sessionId, { node_key: 'start', action: 'continue' });
    await this.steps(sessionId, { node_key: 'reason', action: 'answer', option: 'too_expensive' });
    meanwhile();
    await this.steps(sessionId, { node_key: 'offer_1', action: 'accept' });
    return sessionId;
  }

  /** Ends a session at its start. Returns the session_id. */
  async ends(action: 'cancel' | 'keep', customer: object): Promise<string> {
    const sessionId = await this.begins({ cancel_in_billing: true }, customer);
    await this.steps(sessionId, { action });
    return sessionId;
  }

  async begins(flow: object, customer: object): Promise<string> {
    const { slug: flow_slug } = await this.acme.publishedFlow(flow);
    return (await this.service.client.post('/api/v1/runtime/session/init', { flow_slug, ...customer })).body.session_id;
  }

  async steps(sessionId: string, step: object) {
    const { status, body } = await this.service.client.post(`/api/v1/runtime/session/${sessionId}/step`, step);
    expect(status).toBe(200);
    return body;
  }

  async fulfilment(sessionId: string) {
    return (await this.acme.client.get(`/api/v1/public/sessions/${sessionId}`)).body.fulfilment;
  }

  /** Waits for an end. What is due within a minute is tried now. */
  ended(sessionId: string): Promise<{ state: string; detail: string | null; url: string | null }> {
    const read = async () => {
      await this.service.database.query(
        `UPDATE fulfilments SET next_attempt_at = now()
          WHERE workspace_id = $1 AND state = 'pending' AND next_attempt_at < now() + interval '60 seconds'`,
        [this.acme.id],
      );
      this.service.app.get(Jobs).runNow('Fulfilments');
      return this.fulfilment(sessionId);
    };
    return until(read, ({ state }) => state !== 'pending');
  }
}
