import { randomUUID } from 'node:crypto';
import type { FlowDefinition } from '../../../src/flows/graph/flow-definition';
import { png } from '../../support/pictures';
import { ADMIN_API_KEY } from '../../support/environment';

export interface Flow {
  id: string;
  slug: string;
}

/** What the service has recorded about a session. */
export interface SessionRecord {
  id: string;
  status: string;
  customer_id: string | null;
  current_node: string | null;
  accepted_offer: { name: string } | null;
  results: Record<string, unknown>;
  steps: { node_key: string; action: string; option: string | null; comment: string | null }[];
}

/** Somebody who signs in to the console. */
export interface Person {
  name: string;
  email: string;
  password: string;
  /** The value of the cookie of a session. */
  cookie: string;
}

export const OFFER = {
  name: 'Half price',
  offer_type: 'discount_percentage',
  offer_value: '50%',
  offer_duration: '3 months',
  heading: 'Stay for half the price',
  body: 'Keep everything you have, for half the price over the next three months.',
  cta_accept: 'Take 50 % off',
  cta_decline: 'No thanks',
};

/** A company that uses the service, by the management interface. */
export class Acme {
  private constructor(
    private readonly service: string,
    /** An API key that may write. */
    readonly key: string,
    /** Where the service sends customers who cancel. */
    private readonly cancellationUrl: string,
    /** The id of the workspace. */
    readonly id = '',
  ) {}

  static async create(service: string, cancellationUrl: string, settings: object = {}): Promise<Acme> {
    const admin = new Acme(service, ADMIN_API_KEY, cancellationUrl);
    const workspace = { name: 'Acme', session_limit: 100_000, ...settings };
    const { id, api_key } = await admin.call<{ id: string; api_key: { key: string } }>(
      'POST',
      '/api/v1/admin/workspaces',
      workspace,
    );
    return new Acme(service, api_key.key, cancellationUrl, id);
  }

  /** Uploads a picture. Returns its URL. */
  async picture(width = 920, height = 320): Promise<string> {
    const response = await fetch(`${this.service}/api/v1/public/images`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.key}`, 'content-type': 'image/png' },
      body: new Uint8Array(png(width, height)),
    });
    return ((await response.json()) as { url: string }).url;
  }

  /** A published flow: a start, a survey, an offer, a confirm. */
  async flow(offer: object = {}): Promise<Flow> {
    const { id } = await this.offer(offer);
    return this.publish({ offer_ids: [id] });
  }

  /** A published flow with a graph of its own. */
  async advancedFlow(definition: (offerId: string) => FlowDefinition, offer: object = {}): Promise<Flow> {
    const { id } = await this.offer(offer);
    return this.publish({ flow_mode: 'advanced', definition: definition(id) });
  }

  /** Another API key. */
  async apiKey(settings: object = {}): Promise<{ id: string; key: string }> {
    return this.call('POST', '/api/v1/public/api-keys', { name: 'Another', ...settings });
  }

  /** A link that lets somebody in. */
  async invitation(email: string, role = 'owner'): Promise<string> {
    const path = `/api/v1/admin/workspaces/${this.id}/invitations`;
    const operator = new Acme(this.service, ADMIN_API_KEY, this.cancellationUrl);
    return (await operator.call<{ link: string }>('POST', path, { email, role })).link;
  }

  /** A person of the workspace, who is signed in. One who is known joins it. */
  async person(
    role = 'owner',
    { name = 'Ada Lovelace', email = `${randomUUID()}@acme.example` } = {},
  ): Promise<Person> {
    const password = 'correct horse battery';
    const token = (await this.invitation(email, role)).split('/').at(-1);
    const response = await fetch(`${this.service}/api/v1/auth/invitation/accept`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token, name, password }),
    });
    const [, cookie] = /^rf=([^;]+)/.exec(response.headers.getSetCookie()[0])!;
    return { name, email, password, cookie };
  }

  /** Newest first. */
  async sessions({ id }: Flow): Promise<SessionRecord[]> {
    const path = '/api/v1/public/sessions';
    const { sessions } = await this.call<{ sessions: { id: string }[] }>('GET', `${path}?flow_id=${id}`);
    return Promise.all(sessions.map((session) => this.call<SessionRecord>('GET', `${path}/${session.id}`)));
  }

  private offer(fields: object): Promise<{ id: string }> {
    return this.call('POST', '/api/v1/public/offers', { ...OFFER, ...fields });
  }

  private async publish(fields: object): Promise<Flow> {
    const flow = await this.call<Flow>('POST', '/api/v1/public/flows', {
      name: 'Leaving Acme',
      product_name: 'Acme Pro',
      cancellation_url: this.cancellationUrl,
      ...fields,
    });
    await this.call('PUT', `/api/v1/public/flows/${flow.id}`, { status: 'published' });
    return flow;
  }

  async call<T>(method: string, path: string, body?: object): Promise<T> {
    const response = await fetch(this.service + path, {
      method,
      headers: { authorization: `Bearer ${this.key}`, ...(body && { 'content-type': 'application/json' }) },
      body: body && JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  }
}
