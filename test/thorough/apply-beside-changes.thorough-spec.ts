import { serviceForAll, type Tenant } from '../support/service';
import { png } from '../support/pictures';

const PAIRS = 1000;
const AT_ONCE = 4;
const PUBLIC = '/api/v1/public';

/** Every kind of change of what a document has. Each runs beside one. */
const CHANGES: Record<string, (tenant: Tenant, made: Made, n: number) => Promise<{ status: number }>> = {
  'an offer is changed': ({ client }, { offer }, n) => client.put(`${PUBLIC}/offers/${offer}`, { body: `Body ${n}` }),
  'an offer is created': ({ client }, _, n) => client.post(`${PUBLIC}/offers`, offerOf(`Another ${n}`)),
  'an offer is archived': async (tenant, _, n) => {
    const { id } = await tenant.offer({ name: `Archived ${n}` });
    return tenant.client.delete(`${PUBLIC}/offers/${id}`);
  },
  'a draft of an offer is published': async ({ client }, { offer }, n) => {
    await client.put(`${PUBLIC}/offers/${offer}/draft`, { heading: `Draft ${n}` });
    return client.post(`${PUBLIC}/offers/${offer}/draft/publish`, {}, { 'if-match': '*' });
  },
  'a version of an offer is restored': ({ client }, { offer }) =>
    client.post(`${PUBLIC}/offers/${offer}/versions/1/restore`, {}),
  'a flow is changed': ({ client }, { flow }, n) =>
    client.put(`${PUBLIC}/flows/${flow}`, { product_name: `Product ${n}` }),
  'a flow is created': ({ client }, _, n) => client.post(`${PUBLIC}/flows`, { ...FLOW, name: `Another ${n}` }),
  'a draft of a flow is published': async ({ client }, { flow }, n) => {
    await client.put(`${PUBLIC}/flows/${flow}/draft`, { product_name: `Draft ${n}` });
    return client.post(`${PUBLIC}/flows/${flow}/draft/publish`, {});
  },
  'a version of a flow is restored': ({ client }, { flow }) =>
    client.post(`${PUBLIC}/flows/${flow}/versions/1/restore`, {}),
  'a webhook is changed': ({ client }, { webhook }, n) =>
    client.put(`${PUBLIC}/webhooks/${webhook}`, { description: `Hook ${n}` }),
  'a webhook is created and deleted': async ({ client }) => {
    const { status, body } = await client.post(`${PUBLIC}/webhooks`, { url: 'https://acme.example/other' });
    return status === 201 ? client.delete(`${PUBLIC}/webhooks/${body.id}`) : { status };
  },
  'the secret of a webhook is rotated': ({ client }, { webhook }) =>
    client.post(`${PUBLIC}/webhooks/${webhook}/rotate-secret`, {}),
  'settings are changed': ({ client }, _, n) =>
    client.put(`${PUBLIC}/workspace`, { primary_color: `#00${String(1000 + (n % 9000))}` }),
  'a picture is uploaded and deleted': async ({ client }, _, n) => {
    const upload = { body: png(1 + (n % 50), 1 + n), headers: { 'content-type': 'image/png' } };
    const { status, body } = await client.send('POST', `${PUBLIC}/images`, upload);
    return status < 300 ? client.delete(`${PUBLIC}/images/${body.id}?force=true`) : { status };
  },
  'a key is created': async ({ client }) => {
    const { status, body } = await client.post(`${PUBLIC}/api-keys`, { name: 'Beside' });
    return status === 201 ? client.delete(`${PUBLIC}/api-keys/${body.id}`) : { status };
  },
  'another document is applied': ({ client }, _, n) => client.put(`${PUBLIC}/config`, documentOf(n + 1)),
};

interface Made {
  offer: string;
  flow: string;
  webhook: string;
}

const FLOW = { name: 'Leaving', product_name: 'Acme', cancellation_url: 'https://acme.example/cancel' };

const offerOf = (name: string) => ({
  name,
  offer_type: 'custom',
  offer_value: '50 %',
  offer_duration: '3 months',
  heading: 'Stay',
  body: '',
  cta_accept: 'Yes',
  cta_decline: 'No',
});

/** A document that changes everything in it, each time. */
const documentOf = (n: number) => ({
  settings: { primary_color: `#ff${String(1000 + (n % 9000))}` },
  offers: ['offer-a', 'offer-b', `offer-${n % 20}`].map((key) => ({ key, ...offerOf(`${key} ${n}`) })),
  flows: ['flow-a', 'flow-b'].map((key) => ({
    key,
    ...FLOW,
    product_name: `${key} ${n}`,
    offer_keys: ['offer-b', 'offer-a'],
  })),
  webhooks: [{ key: 'hook-a', url: 'https://acme.example/hook', description: `${n}` }],
});

describe(`A document that is applied ${PAIRS} times beside every kind of change`, () => {
  const service = serviceForAll();

  it('waits for it or is waited for: there is no deadlock, and nothing takes too long', async () => {
    const deadlocks = async (): Promise<number> => {
      const [row] = await service.database.query(
        'SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()',
      );
      return row.deadlocks;
    };
    const before = await deadlocks();
    const failed = new Map<string, number>();
    const note = (what: string, { status }: { status: number }) => {
      const key = `${what}: ${status}`;
      if (status >= 500) failed.set(key, (failed.get(key) ?? 0) + 1);
    };
    const kinds = Object.entries(CHANGES);
    let next = 0;
    const run = async () => {
      const tenant = await service.workspace();
      const made = await begin(tenant);
      for (let n = next++; n < PAIRS; n = next++) {
        const [what, change] = kinds[n % kinds.length];
        const [applied, changed] = await Promise.all([
          tenant.client.put(`${PUBLIC}/config`, documentOf(n)),
          change(tenant, made, n),
        ]);
        note(`the document while ${what}`, applied);
        note(what, changed);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, run));
    expect(Object.fromEntries(failed)).toEqual({});
    expect((await deadlocks()) - before).toBe(0);
  });
});

async function begin({ client }: Tenant): Promise<Made> {
  expect((await client.put(`${PUBLIC}/config`, documentOf(0))).status).toBe(200);
  const idIn = async (things: string, key: string): Promise<string> => {
    const { body } = await client.get(`${PUBLIC}/${things}?limit=100`);
    for (const { id } of body[things] as { id: string }[]) {
      if ((await client.get(`${PUBLIC}/${things}/${id}`)).body.key === key) return id;
    }
    throw new Error(`There is no ${key}`);
  };
  return {
    offer: await idIn('offers', 'offer-a'),
    flow: await idIn('flows', 'flow-a'),
    webhook: await idIn('webhooks', 'hook-a'),
  };
}
