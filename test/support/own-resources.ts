import { API_KEY } from '../billing/stripe-double';
import { png } from './pictures';
import type { Service, Tenant } from './service';

/** The steps of a customer through the flow. */
const STEPS = [
  { node_key: 'start', action: 'continue' },
  { node_key: 'reason', action: 'answer', option: 'other', comment: 'Twice the price of last year.' },
  { node_key: 'offer_1', action: 'decline' },
];

/** The steps of one who stays. */
const STAYS = [...STEPS.slice(0, 2), { node_key: 'offer_1', action: 'accept' }];

/** A flow that begins with a page of the site's own. */
const OWN_PAGE = {
  entry: 'nps',
  nodes: [
    { key: 'nps', type: 'custom', config: { title: 'Would you recommend us?', kind: 'nps' }, next: 'confirm' },
    { key: 'confirm', type: 'confirm', config: { title: 'Cancel?' } },
  ],
};

/** The steps that lead to a node: all of them to the last. */
function stepsTo(node: string): object[] {
  const index = STEPS.findIndex(({ node_key }) => node_key === node);
  return index < 0 ? STEPS : STEPS.slice(0, index);
}

/** Operations of test workspaces, with their names in the document. */
const OF_TEST_WORKSPACES = new Map([
  ['workspace_passTime', 'POST /api/v1/public/workspace/time'],
  ['workspaces_delete', 'DELETE /api/v1/admin/workspaces/{id}'],
]);

/** The settings of a workspace in which an operation succeeds, by its method and path, or by its name. */
export const settingsFor = (operation: string): object =>
  [...OF_TEST_WORKSPACES].flat().includes(operation) ? { test: true } : {};

/** The ids that a reader replaces with those of their own resources. */
export class OwnResources {
  private constructor(
    readonly tenant: Tenant,
    /** By the segment before an id in a path. */
    readonly ids: Record<string, string>,
    readonly slug: string,
  ) {}

  /**
   * @param service knows a double of Stripe
   * @param node where the customer of the session stands
   * @param settings of the workspace
   */
  static async of(service: Service, node?: string, settings?: object): Promise<OwnResources> {
    const tenant = await service.workspace(settings);
    const offer = await tenant.offer();
    const exit = { enabled: true, kinds: ['termination', 'withdrawal'] };
    const flow = await tenant.publishedFlow({ offer_ids: [offer.id], exit });
    const connection = await tenant.client.put('/api/v1/public/billing/connection', { api_key: API_KEY, mode: 'live' });
    expect(connection.status).toBe(200);
    await tenant.client.put(`/api/v1/public/flows/${flow.id}/draft`, { product_name: 'Acme Max' });
    await tenant.client.put(`/api/v1/public/offers/${offer.id}/draft`, { heading: 'Stay' });
    const key = await tenant.client.post('/api/v1/public/api-keys', { name: 'Spare' });
    const customerKey = await tenant.client.post('/api/v1/public/customer-keys', { name: 'Spare', algorithm: 'HS256' });
    const walk = async (steps: object[], { slug } = flow) => {
      const start = { flow_slug: slug, customer: { id: 'cus_4711', attributes: { plan: 'pro' } }, locale: 'de' };
      const { body } = await service.client.post('/api/v1/runtime/session/init', start);
      for (const step of steps) await service.client.post(`/api/v1/runtime/session/${body.session_id}/step`, step);
      return body.session_id as string;
    };
    await walk(STEPS);
    const decided = await walk(STAYS);
    await service.database.query(
      `UPDATE fulfilments SET state = 'manual', next_attempt_at = NULL WHERE workspace_id = $1`,
      [tenant.id],
    );
    const isOwn = node === OWN_PAGE.nodes[0].key;
    const sessionId = isOwn
      ? await walk([], await tenant.publishedFlow({ flow_mode: 'advanced', definition: OWN_PAGE }))
      : await walk(node ? stepsTo(node) : []);
    const declaration = { kind: 'termination', name: 'Ada', email: 'ada@example.com', contract: 'Customer 4711' };
    await service.client.post(`/api/v1/runtime/exit/${flow.slug}`, declaration);
    const { declarations } = (await tenant.client.get('/api/v1/public/declarations')).body;
    const webhook = await tenant.client.post('/api/v1/public/webhooks', { url: 'https://acme.example/' });
    const test = await tenant.client.send('POST', `/api/v1/public/webhooks/${webhook.body.id}/test`);
    const preview = await tenant.client.send('POST', `/api/v1/public/flows/${flow.id}/preview`);
    const file = { body: png(3, 3), headers: { 'content-type': 'image/png' } };
    const image = await tenant.client.send('POST', '/api/v1/public/images', file);
    const when = { all: [{ fact: 'months', is: '>=', value: 12 }] };
    const audience = await tenant.client.post('/api/v1/public/audiences', { name: 'Loyal', when });
    const ids = {
      audiences: audience.body.id,
      webhooks: webhook.body.id,
      events: test.body.event_id,
      flows: flow.id,
      offers: offer.id,
      session: sessionId,
      sessions: decided,
      declarations: declarations[0].id,
      exit: flow.slug,
      preview: preview.body.session_id,
      customers: 'cus_4711',
      'api-keys': key.body.id,
      'customer-keys': customerKey.body.id,
      images: image.body.id,
      workspaces: tenant.id,
    };
    return new OwnResources(tenant, ids, flow.slug);
  }

  /** Replaces the slug always, and ids of offers in every example but the first. */
  fillIn(body: object, isFirst: boolean): unknown {
    const json = JSON.stringify({ ...body, ...('flow_slug' in body && { flow_slug: this.slug }) });
    return JSON.parse(isFirst ? json : json.replaceAll('019a9f3c-8b44-7f10-9a4e-5c6d7e8f9a0b', this.ids.offers));
  }
}
