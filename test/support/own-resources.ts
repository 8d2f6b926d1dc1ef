import type { Service, Tenant } from './service';

/** The steps of a customer through the flow. */
const STEPS = [
  { node_key: 'start', action: 'continue' },
  { node_key: 'reason', action: 'answer', option: 'other', comment: 'Twice the price of last year.' },
  { node_key: 'offer_1', action: 'decline' },
];

/** The steps that lead to a node: all of them to the last. */
function stepsTo(node: string): object[] {
  const index = STEPS.findIndex(({ node_key }) => node_key === node);
  return index < 0 ? STEPS : STEPS.slice(0, index);
}

/** The ids that a reader replaces with those of their own resources. */
export class OwnResources {
  private constructor(
    readonly tenant: Tenant,
    /** By the segment before an id in a path. */
    readonly ids: Record<string, string>,
    readonly slug: string,
  ) {}

  /** @param node where the customer of the session stands */
  static async of(service: Service, node?: string): Promise<OwnResources> {
    const tenant = await service.workspace();
    const offer = await tenant.offer();
    const flow = await tenant.publishedFlow({ offer_ids: [offer.id] });
    await tenant.client.put(`/api/v1/public/flows/${flow.id}/draft`, { product_name: 'Acme Max' });
    const key = await tenant.client.post('/api/v1/public/api-keys', { name: 'Spare' });
    const customerKey = await tenant.client.post('/api/v1/public/customer-keys', { name: 'Spare', algorithm: 'HS256' });
    const walk = async (steps: object[]) => {
      const start = { flow_slug: flow.slug, customer: { id: 'cus_4711' } };
      const { body } = await service.client.post('/api/v1/runtime/session/init', start);
      for (const step of steps) await service.client.post(`/api/v1/runtime/session/${body.session_id}/step`, step);
      return body.session_id as string;
    };
    await walk(STEPS);
    const sessionId = await walk(node ? stepsTo(node) : []);
    const webhook = await tenant.client.post('/api/v1/public/webhooks', { url: 'https://acme.example/' });
    const test = await tenant.client.send('POST', `/api/v1/public/webhooks/${webhook.body.id}/test`);
    const preview = await tenant.client.send('POST', `/api/v1/public/flows/${flow.id}/preview`);
    const ids = {
      webhooks: webhook.body.id,
      events: test.body.event_id,
      flows: flow.id,
      offers: offer.id,
      session: sessionId,
      sessions: sessionId,
      preview: preview.body.session_id,
      customers: 'cus_4711',
      'api-keys': key.body.id,
      'customer-keys': customerKey.body.id,
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
