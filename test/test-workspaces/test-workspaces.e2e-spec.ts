import { API_KEY, StripeDouble } from '../billing/stripe-double';
import { billingAt } from '../billing/subscriber';
import { OwnResources } from '../support/own-resources';
import { png } from '../support/pictures';
import { Receiver, TO_LOOPBACK } from '../support/receiver';
import { Service, serviceForAll, Tenant, workspaceForEach } from '../support/service';

const ADMIN = '/api/v1/admin/workspaces';
const OWN = '/api/v1/public/workspace';
const CONFIG = '/api/v1/public/config';
const FLOWS = '/api/v1/public/flows';
const UNCHANGED = { create: [], update: [], archive: [], unchanged: expect.any(Number) };
const INIT = '/api/v1/runtime/session/init';

describe('Test workspaces', () => {
  let stripe: StripeDouble;
  let receiver: Receiver;
  beforeAll(async () => {
    stripe = await StripeDouble.start();
    receiver = await Receiver.start();
  });
  afterAll(async () => {
    await stripe.stop();
    await receiver.stop();
  });
  const service = serviceForAll(() => Service.start({ ...TO_LOOPBACK, ...billingAt(stripe) }));
  const live = workspaceForEach(service);
  const test = workspaceForEach(service, { test: true });
  const start = (slug: string) => service.client.post(INIT, { flow_slug: slug });

  /** A client of the answer that has a workspace with its first key. */
  const tenantOf = ({ id, api_key }: { id: string; api_key: { key: string } }) =>
    new Tenant(id, api_key.key, service.client.with(api_key.key));
  const besides = async (): Promise<Tenant> => tenantOf((await live.client.send('POST', `${OWN}/test`)).body);

  describe('that the operator makes', () => {
    it('say so, have keys that show it, and no session limit unless they are given one', async () => {
      expect(test.key).toMatch(/^rf_test_[0-9A-Za-z]{49}$/);
      const { body } = await test.client.get(OWN);
      expect(body).toMatchObject({ test: true, usage: { session_limit: null, sessions_used: 0 } });
      const { slug } = await test.publishedFlow();
      expect((await start(slug)).status).toBe(201);
      expect((await test.usage()).sessions_used).toBe(1);
      await service.operator.put(`${ADMIN}/${test.id}`, { session_limit: 1 });
      expect((await start(slug)).body.code).toBe('session_limit_reached');
      expect((await live.client.get(OWN)).body.test).toBe(false);
    });

    it('can be issued more keys, all of them for tests', async () => {
      const own = await test.client.post('/api/v1/public/api-keys', { name: 'Spare' });
      const issued = await service.operator.post(`${ADMIN}/${test.id}/api-keys`, { name: 'Spare' });
      for (const { body } of [own, issued]) expect(body.key).toMatch(/^rf_test_/);
    });

    it('stay what they are', async () => {
      for (const [client, path] of [
        [test.client, OWN],
        [service.operator, `${ADMIN}/${test.id}`],
      ] as const) {
        expect((await client.put(path, { test: false })).status).toBe(400);
      }
      expect((await test.client.get(OWN)).body.test).toBe(true);
    });
  });

  describe('that owners make beside a live one', () => {
    it('have its configuration and pictures, their maker, and nothing that reaches anybody outside', async () => {
      const file = { body: png(3, 3), headers: { 'content-type': 'image/png' } };
      const { url } = (await live.client.send('POST', '/api/v1/public/images', file)).body;
      const offer = await live.offer({ image: { url, alt: 'A map' } });
      const exit = {
        enabled: true,
        kinds: ['termination'],
        recipient_email: 'legal@acme.example',
        session_receipts: true,
      };
      await live.publishedFlow({
        offer_ids: [offer.id],
        notification_email: 'team@acme.example',
        exit,
        slug: 'leaving',
      });
      await live.client.put(OWN, { jurisdictions: ['de'], allowed_origins: ['https://acme.example'] });
      await live.client.post('/api/v1/public/webhooks', { url: receiver.url });
      const owner = await service.person(live);
      await service.person(live, 'editor');

      const made = await owner.send('POST', `${OWN}/test`);
      expect(made.status).toBe(201);
      const beside = tenantOf(made.body);
      expect((await beside.client.get(OWN)).body).toMatchObject({
        name: 'Acme (test)',
        test: true,
        jurisdictions: ['de'],
        allowed_origins: ['https://acme.example'],
      });
      const document = (await beside.client.get(`${CONFIG}?environment=true`)).body;
      const { settings, flows, webhooks, ...same } = (await live.client.get(`${CONFIG}?environment=true`)).body;
      expect(document).toEqual({
        ...same,
        settings: { ...settings, name: 'Acme (test)' },
        flows: [
          {
            ...flows[0],
            notification_email: null,
            exit: { ...flows[0].exit, recipient_email: null, session_receipts: false },
          },
        ],
        webhooks: [],
      });
      expect(webhooks).toHaveLength(1);
      const { workspaces } = (await owner.get('/api/v1/public/me')).body;
      expect(workspaces).toContainEqual({ id: beside.id, name: 'Acme (test)', role: 'owner' });
      const people = await service.database.query('SELECT FROM members WHERE workspace_id = $1', [beside.id]);
      expect(people).toHaveLength(1);
    });

    it('start their flows by slugs of their own, which documents leave out', async () => {
      const slug = `leaving-${live.id.slice(-8)}`;
      await live.publishedFlow({ slug });
      const beside = await besides();
      const [flow] = (await beside.client.get(FLOWS)).body.flows;
      expect(flow.slug).toBe(`test-${beside.id.slice(-6)}-${slug}`);
      expect((await start(flow.slug)).status).toBe(201);
      expect((await live.usage()).sessions_used).toBe(0);
      const exported = (await beside.client.get(CONFIG)).body;
      expect(exported.flows[0]).toMatchObject({ key: slug, slug });
      for (const { client } of [live, beside]) {
        expect((await client.put(CONFIG, exported)).body).toEqual(UNCHANGED);
      }
    });

    it('are made of whatever slugs the live one has', async () => {
      const long = 'x'.repeat(62);
      await live.publishedFlow({ slug: `${long}a`, name: 'A' });
      await live.publishedFlow({ slug: `${long}b`, name: 'B' });
      const old = await live.publishedFlow({ name: 'Old' });
      // As versions before test workspaces made them.
      for (const table of ['flows', 'flow_slugs'])
        await service.database.query(`UPDATE ${table} SET slug = $1 WHERE workspace_id = $2 AND slug = $3`, [
          `test-flow-${live.id.slice(-8)}`,
          live.id,
          old.slug,
        ]);
      const beside = await besides();
      const document = (await live.client.get(CONFIG)).body;
      for (const { client } of [live, beside]) expect((await client.put(CONFIG, document)).body).toEqual(UNCHANGED);
      expect((await live.client.put(CONFIG, (await beside.client.get(CONFIG)).body)).body).toEqual(UNCHANGED);
    });

    it('hold up no start of a session meanwhile', async () => {
      const { slug } = await live.publishedFlow();
      const making = live.client.send('POST', `${OWN}/test`);
      const lock = 'SELECT FROM workspaces WHERE id = $1 FOR UPDATE NOWAIT';
      while (!(await settled(making))) await service.database.query(lock, [live.id]);
      expect((await making).status).toBe(201);
      expect((await start(slug)).status).toBe(201);
    });

    it('keep nobody of the live one from getting a password link', async () => {
      const owner = await service.person(live);
      const { id } = (await owner.get('/api/v1/public/me')).body.actor;
      await owner.send('POST', `${OWN}/test`);
      const other = await service.person(live);
      expect((await other.send('POST', `/api/v1/public/people/${id}/password-link`)).status).toBe(200);
    });

    it('are for owners only, ten at most, and not beside one of themselves', async () => {
      const editor = await service.person(live, 'editor');
      expect((await editor.send('POST', `${OWN}/test`)).status).toBe(403);
      const made = await Promise.all(Array.from({ length: 12 }, () => live.client.send('POST', `${OWN}/test`)));
      expect(made.filter(({ status }) => status === 201)).toHaveLength(10);
      expect(made.filter(({ body }) => body.code === 'test_workspace_limit_reached')).toHaveLength(2);
      expect((await test.client.send('POST', `${OWN}/test`)).body.code).toBe('not_a_live_workspace');
    });
  });

  describe('have slugs that no live workspace takes', () => {
    it('as it may not begin one with test-', async () => {
      const flow = {
        name: 'A',
        product_name: 'B',
        cancellation_url: 'https://acme.example/',
        slug: 'test-abcdef-leaving',
      };
      const { status, body: refused } = await live.client.post(FLOWS, flow);
      expect([status, refused.errors]).toEqual([
        400,
        [{ pointer: '/slug', message: expect.stringContaining('test-') }],
      ]);
      expect((await test.client.post(FLOWS, flow)).status).toBe(201);
      const entry = { key: 'a', ...flow };
      const { body } = await live.client.put(CONFIG, { flows: [entry] });
      expect(body.errors).toEqual([expect.objectContaining({ pointer: '/flows/0/slug' })]);
    });

    it('nor gets one from a name that does', async () => {
      expect((await live.flow({ name: 'Test' })).slug).toMatch(/^flow-test-[a-z0-9]{8}$/);
      expect((await test.flow({ name: 'Test' })).slug).toMatch(/^test-[0-9a-f]{6}-flow-test-[a-z0-9]{8}$/);
    });

    it('however long they are', async () => {
      const { slug } = await test.flow({ slug: 'x'.repeat(63) });
      expect(slug).toMatch(new RegExp(`^test-${test.id.slice(-6)}-x{42}-[0-9a-f]{8}$`));
      expect((await test.flow({ name: 'y'.repeat(200) })).slug).toMatch(/^test-[0-9a-f]{6}-y{42}-[a-z0-9]{8}$/);
      const document = (await test.client.get(`${CONFIG}?environment=true`)).body;
      expect((await test.client.put(CONFIG, document)).body).toEqual(UNCHANGED);
    });

    it('and know their own with and without it', async () => {
      const { id, slug } = await test.flow({ slug: 'leaving' });
      expect((await test.client.get(`${FLOWS}/${id}`)).body).toMatchObject({ key: 'leaving', slug });
      expect(
        (
          await test.client.post(FLOWS, {
            name: 'A',
            product_name: 'B',
            cancellation_url: 'https://acme.example/',
            slug,
          })
        ).body.code,
      ).toBe('slug_taken');
    });
  });

  it('say livemode: false in the bodies of their webhooks, and live ones true', async () => {
    for (const tenant of [live, test]) {
      const { body } = await tenant.client.post('/api/v1/public/webhooks', { url: receiver.url + tenant.id });
      await tenant.publishedFlow();
      for (const type of ['session.saved', undefined])
        await tenant.client.post(`/api/v1/public/webhooks/${body.id}/test`, { type });
      const mine = () => receiver.received.filter(({ path }) => path === `/${tenant.id}`);
      await receiver.until(() => mine().length === 3);
      for (const { text } of mine()) {
        expect(text).toMatch(new RegExp(`^\\{"type":"[a-z.]+","livemode":${tenant === live},"timestamp"`));
      }
    }
  });

  describe('that the operator deletes', () => {
    it('leave nothing behind', async () => {
      const { tenant, ids, slug } = await OwnResources.of(service, undefined, { test: true });
      await service.person(tenant, 'editor');
      await tenant.client.delete('/api/v1/public/customers/cus_4711');
      expect(await tablesWith(tenant)).toEqual(
        expect.arrayContaining(['flow_sessions', 'changes', 'members', 'images']),
      );
      const { status, body } = await service.operator.delete(`${ADMIN}/${tenant.id}`);
      expect([status, body]).toEqual([200, { deleted: true, id: tenant.id }]);
      expect(await tablesWith(tenant)).toEqual([]);
      expect((await tenant.client.get(OWN)).status).toBe(401);
      expect((await start(slug)).status).toBe(404);
      expect((await service.client.get(`/api/v1/runtime/session/${ids.session}`)).status).toBe(404);
      expect((await service.operator.delete(`${ADMIN}/${tenant.id}`)).status).toBe(404);
    });

    it('take nothing of others with them', async () => {
      const { slug } = await live.publishedFlow();
      const beside = await besides();
      const before = await service.database.query('SELECT count(*) FROM flows WHERE workspace_id = $1', [live.id]);
      await service.operator.delete(`${ADMIN}/${beside.id}`);
      expect(await service.database.query('SELECT count(*) FROM flows WHERE workspace_id = $1', [live.id])).toEqual(
        before,
      );
      expect((await start(slug)).status).toBe(201);
      // There is room for another one.
      expect((await live.client.send('POST', `${OWN}/test`)).status).toBe(201);
    });

    it('are never live ones', async () => {
      const { status, body } = await service.operator.delete(`${ADMIN}/${live.id}`);
      expect([status, body.code]).toEqual([409, 'not_a_test_workspace']);
      expect((await live.client.get(OWN)).status).toBe(200);
    });

    it('once, whoever asks at the same time', async () => {
      const answers = await Promise.all([1, 2, 3].map(() => service.operator.delete(`${ADMIN}/${test.id}`)));
      for (const { status } of answers) expect([200, 404]).toContain(status);
      expect(await tablesWith(test)).toEqual([]);
    });
  });

  it('are deleted while customers walk in them', async () => {
    const { slug } = await test.publishedFlow();
    const statuses = new Set<number>();
    const walk = async () => {
      for (let sessions = 0; sessions < 20; sessions++) {
        const started = await start(slug);
        statuses.add(started.status);
        const path = `/api/v1/runtime/session/${started.body.session_id}/step`;
        statuses.add((await service.client.post(path, { action: 'keep' })).status);
      }
    };
    const walks = Array.from({ length: 5 }, walk);
    let status = 0;
    while (status !== 200) {
      ({ status } = await service.operator.delete(`${ADMIN}/${test.id}`));
      expect([200, 409, 503]).toContain(status);
    }
    await Promise.all(walks);
    for (const one of statuses) expect([200, 201, 400, 404, 409, 503]).toContain(one);
    expect(await tablesWith(test)).toEqual([]);
  });

  it('take the people with them who are in no other workspace', async () => {
    const own = await service.person(test);
    const { id } = (await own.get('/api/v1/public/me')).body.actor;
    await service.operator.delete(`${ADMIN}/${test.id}`);
    expect(await service.database.query('SELECT FROM people WHERE id = $1', [id])).toEqual([]);
    expect((await own.get('/api/v1/public/me')).status).toBe(401);
  });

  it('may have a billing system of tests', async () => {
    const { status } = await test.client.put('/api/v1/public/billing/connection', { api_key: API_KEY, mode: 'live' });
    expect(status).toBe(200);
  });

  const settled = (answer: Promise<unknown>) =>
    Promise.race([answer.then(() => true), new Promise((resolve) => setImmediate(() => resolve(false)))]);

  /** The tables that have rows of a workspace. */
  async function tablesWith({ id }: Tenant): Promise<string[]> {
    const tables: { table: string }[] = await service.database.query(
      `SELECT table_name AS "table" FROM information_schema.columns
        WHERE table_schema = 'public' AND column_name = 'workspace_id'`,
    );
    const found: string[] = [];
    for (const [table, column] of [...tables.map(({ table }) => [table, 'workspace_id']), ['workspaces', 'id']]) {
      const rows: unknown[] = await service.database.query(`SELECT FROM ${table} WHERE ${column} = $1 LIMIT 1`, [id]);
      if (rows.length > 0) found.push(table);
    }
    return found;
  }
});
