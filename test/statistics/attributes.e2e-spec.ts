import { claimsFor, secretKey, tokenOf } from '../support/customer-token';
import { serviceForAll, workspaceForEach } from '../support/service';

const ATTRIBUTES = '/api/v1/public/workspace/attributes';

describe('The attributes of customers', () => {
  const service = serviceForAll();
  const acme = workspaceForEach(service);

  const come = async (...customers: object[]) => {
    const { slug: flow_slug } = await acme.publishedFlow();
    for (const [index, attributes] of customers.entries()) {
      const customer = { id: `c${index}`, attributes };
      expect((await service.client.post('/api/v1/runtime/session/init', { flow_slug, customer })).status).toBe(201);
    }
  };
  const seen = async () => (await acme.client.get(ATTRIBUTES)).body.attributes;

  it('are listed with the values that several have, the most frequent first', async () => {
    await come(
      { plan: 'basic', seats: 5, first_name: 'Ada' },
      { plan: 'pro', seats: 5, first_name: 'Grace' },
      { plan: 'pro', trial: true },
      { plan: 'basic', trial: true },
      { plan: 'pro', seats: '5' },
    );
    // A customer who comes twice is one.
    await come({ plan: 'basic', seats: 5, first_name: 'Ada' });
    expect(await seen()).toEqual([
      { name: 'plan', values: ['pro', 'basic'] },
      { name: 'seats', values: [5] },
      { name: 'first_name', values: [] },
      { name: 'trial', values: [true] },
    ]);
  });

  it('are listed with the facts that were known of them', async () => {
    const key = await secretKey(acme.client);
    const { slug: flow_slug } = await acme.publishedFlow();
    for (const [sub, plan] of [
      ['ada', 'Pro'],
      ['eve', 'Pro'],
      ['joe', 'Team'],
    ]) {
      const customer_token = tokenOf(key, {}, claimsFor(acme, { sub, subscription: { plan } }));
      await service.client.post('/api/v1/runtime/session/init', { flow_slug, customer_token });
    }
    const { body } = await acme.client.get(ATTRIBUTES);
    expect(body).toEqual({ attributes: [], facts: [{ name: 'plan', values: ['Pro'] }] });
  });

  it('are none without customers, and those of other workspaces are not among them', async () => {
    expect(await seen()).toEqual([]);
    await come({ plan: 'pro' });
    const other = await service.workspace();
    expect((await other.client.get(ATTRIBUTES)).body).toEqual({ attributes: [], facts: [] });
  });
});
