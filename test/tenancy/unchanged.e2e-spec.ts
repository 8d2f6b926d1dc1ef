import { serviceForAll, type Tenant, workspaceForEach } from '../support/service';

const PUBLIC = '/api/v1/public';

/** Each thing that can be changed: makes it, and returns its path. */
const THINGS: Record<string, (tenant: Tenant) => Promise<string>> = {
  'an offer': async (tenant) => `${PUBLIC}/offers/${(await tenant.offer()).id}`,
  'a flow': async (tenant) => `${PUBLIC}/flows/${(await tenant.publishedFlow({ estimated_monthly_value: 12.5 })).id}`,
  'a webhook': async ({ client }) => {
    const webhook = { url: 'https://acme.example/hook', event_types: ['session.saved'], description: 'Ours' };
    return `${PUBLIC}/webhooks/${(await client.post(`${PUBLIC}/webhooks`, webhook)).body.id}`;
  },
  'the workspace': async ({ client }) => {
    await client.put(`${PUBLIC}/workspace`, { allowed_origins: ['https://acme.example'], jurisdictions: ['de'] });
    return `${PUBLIC}/workspace`;
  },
  'a draft of an offer': async (tenant) => {
    const path = `${PUBLIC}/offers/${(await tenant.offer()).id}/draft`;
    await tenant.client.put(path, { heading: 'Another' });
    return path;
  },
  'a draft of a flow': async (tenant) => {
    const path = `${PUBLIC}/flows/${(await tenant.flow()).id}/draft`;
    await tenant.client.put(path, { product_name: 'Another' });
    return path;
  },
};
/** What no change may name. */
const READ_ONLY = new Set(
  (
    'id slug current_version offer_ids created_at updated_at updated_by based_on_version faults usage session_limit survey definition audiences_changed ' +
    'test attention failing_since disabled_reason previous_secret_expires_at secret write_key'
  ).split(' '),
);

describe('A change to what something is already', () => {
  const service = serviceForAll();
  const acme = workspaceForEach(service);
  const changes = async () => (await acme.client.get(`${PUBLIC}/changes`)).body.changes;

  it.each(Object.entries(THINGS))('of %s is answered, and nothing is written, nor logged', async (_, make) => {
    const path = await make(acme);
    const before = await acme.client.get(path);
    const logged = await changes();
    const fields = Object.entries(before.body).filter(([name, value]) => !READ_ONLY.has(name) && value !== null);
    expect(fields.length).toBeGreaterThan(2);
    for (const sent of [Object.fromEntries(fields), Object.fromEntries([fields.at(-1)!])]) {
      const { status } = await acme.client.put(path, sent);
      expect([sent, status]).toEqual([sent, 200]);
    }
    const after = await acme.client.get(path);
    expect([after.body, after.headers.get('etag')]).toEqual([before.body, before.headers.get('etag')]);
    expect(await changes()).toEqual(logged);
  });

  it.each(['offers', 'flows'])('of %s that are archived is answered as before', async (things) => {
    const { id } = things === 'offers' ? await acme.offer() : await acme.flow();
    const path = `${PUBLIC}/${things}/${id}`;
    const first = await acme.client.delete(path);
    const { body } = await acme.client.get(path);
    const logged = await changes();
    expect((await acme.client.delete(path)).body).toEqual(first.body);
    expect((await acme.client.get(path)).body).toEqual(body);
    expect(await changes()).toEqual(logged);
  });

  it('logs the fields that differ, and no others', async () => {
    const { id } = await acme.flow({ description: 'Ours' });
    await acme.client.put(`${PUBLIC}/flows/${id}`, { description: 'Ours', product_name: 'New', metadata: { a: 'b' } });
    expect((await changes())[0].details.fields.toSorted()).toEqual(['metadata', 'product_name']);
  });

  it('is one of a webhook that has failures, and is enabled', async () => {
    const path = await THINGS['a webhook'](acme);
    await service.database.query('UPDATE webhooks SET failures = 3, failing_since = now() WHERE workspace_id = $1', [
      acme.id,
    ]);
    await acme.client.put(path, { status: 'enabled' });
    expect((await acme.client.get(path)).body.failing_since).toBeNull();
    expect((await changes())[0]).toMatchObject({ action: 'webhook.changed', details: { fields: ['status'] } });
  });
});
