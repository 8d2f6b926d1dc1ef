import { Client } from '../../support/client';
import { claimsFor, secretKey, type SigningKey, tokenOf } from '../../support/customer-token';
import { ADMIN_API_KEY } from '../../support/environment';

/** A workspace of a service in another process, and the customers who leave it. */
export class Acme {
  private constructor(
    readonly id: string,
    readonly apiKey: string,
    readonly client: Client,
    private readonly key: SigningKey,
  ) {}

  static async at(address: string): Promise<Acme> {
    const anybody = new Client(address);
    const { body } = await anybody.with(ADMIN_API_KEY).post('/api/v1/admin/workspaces', { name: 'Acme' });
    const client = anybody.with(body.api_key.key as string);
    return new Acme(body.id as string, body.api_key.key as string, client, await secretKey(client));
  }

  /** What a program needs to call the service. */
  get env(): Record<string, string> {
    return { RETENTION_FLOW_URL: this.client.baseUrl, RETENTION_FLOW_API_KEY: this.apiKey };
  }

  async list(resource: 'offers' | 'flows'): Promise<Record<string, unknown>[]> {
    return (await this.client.get(`/api/v1/public/${resource}`)).body[resource];
  }

  /** The customer who has a subscription, as the backend signs it. */
  signed(subscription: string): object {
    const claims = claimsFor(this, { sub: `cus_${subscription}`, subscription: { id: subscription } });
    return { customer_token: tokenOf(this.key, {}, claims) };
  }

  /** Walks a customer up to the offer for a reason, and returns what accepts it. */
  async walkToOffer(
    customer: object,
    flow_slug: string,
    option: string,
    node_key: string,
  ): Promise<() => Promise<void>> {
    const session = '/api/v1/runtime/session';
    const { body } = await this.client.post(`${session}/init`, { flow_slug, ...customer });
    const step = async (fields: object) => {
      const { status, body: answer } = await this.client.post(`${session}/${body.session_id}/step`, fields);
      if (status !== 200) throw new Error(JSON.stringify(answer));
    };
    await step({ node_key: 'start', action: 'continue' });
    await step({ node_key: 'reason', action: 'answer', option });
    return () => step({ node_key, action: 'accept' });
  }
}
