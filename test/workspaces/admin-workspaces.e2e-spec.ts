import { Service, serviceForAll, type Tenant } from '../support/service';
import { currentMonth } from './current-month';
import { INVALID_SETTINGS, VALID_SETTINGS } from './settings';

const ADMIN = '/api/v1/admin/workspaces';
const OWN = '/api/v1/public/workspace';
const UNKNOWN = '019a9f3c-6c1e-7d4a-9f0e-3b1f5a2c7d10';
const DEFAULTS = {
  primary_color: '#4f46e5',
  logo_url: '',
  brand: { font: null, radius: null, scheme: null },
  allowed_origins: [],
  jurisdictions: [],
  image_hosts: [],
  require_customer_token: false,
  offer_limit: null,
  ending_notice_days: 3,
};

const VALID_LIMITS = [0, 1, 2_147_483_647];
const INVALID_LIMITS = [-1, 2_147_483_648, 1.5, 1e300, '1', '', true, null, [1], {}];

describe('Workspaces for the operator', () => {
  const service = serviceForAll();

  const asOperator = async (id: string) => (await service.operator.get(`${ADMIN}/${id}`)).body;
  const namesOf = (workspaces: { name: string }[]) => workspaces.map(({ name }) => name);
  const pointersOf = (errors: { pointer: string }[]) => errors.map(({ pointer }) => pointer);

  async function workspaceCount(): Promise<number> {
    const [{ count }] = await service.database.query('SELECT count(*)::int AS count FROM workspaces');
    return count as number;
  }

  async function startSession(tenant: Tenant): Promise<void> {
    const { slug } = await tenant.publishedFlow();
    expect((await service.client.post('/api/v1/runtime/session/init', { flow_slug: slug })).status).toBe(201);
  }

  describe('POST /api/v1/admin/workspaces', () => {
    it('needs only a name, returns the first API key, and fills in defaults', async () => {
      const { status, body } = await service.operator.post(ADMIN, { name: 'Acme' });
      expect(status).toBe(201);
      expect(body).toEqual({
        id: expect.any(String),
        name: 'Acme',
        api_key: { id: expect.any(String), key: expect.stringMatching(/^rf_live_[0-9A-Za-z]{49}$/) },
      });
      expect(await asOperator(body.id)).toEqual({
        id: body.id,
        name: 'Acme',
        ...DEFAULTS,
        test: false,
        usage: { session_limit: 1_000_000, sessions_used: 0, ...(await currentMonth(service)) },
        created_at: expect.any(String),
      });
    });

    it('issues a key that may read and write', async () => {
      const { body } = await service.operator.post(ADMIN, { name: 'Acme' });
      const client = service.client.with(body.api_key.key);
      expect((await client.put(OWN, { name: 'Acme Inc.' })).status).toBe(200);
      expect((await client.get(OWN)).body).toMatchObject({ id: body.id, name: 'Acme Inc.' });
      expect((await client.get('/api/v1/public/api-keys')).body.api_keys).toMatchObject([{ id: body.api_key.id }]);
    });

    it('stores all settings', async () => {
      const settings = {
        name: 'Acme',
        primary_color: '#ff0000',
        logo_url: 'https://acme.example/logo.svg',
        allowed_origins: ['https://acme.example'],
        require_customer_token: true,
      };
      const { id } = await service.workspace({ ...settings, session_limit: 25 });
      expect(await asOperator(id)).toMatchObject({ ...settings, usage: { session_limit: 25, sessions_used: 0 } });
    });

    it.each(VALID_LIMITS)('accepts the session_limit %j', async (session_limit) => {
      const { id } = await service.workspace({ session_limit });
      expect((await asOperator(id)).usage.session_limit).toBe(session_limit);
    });

    it.each(INVALID_LIMITS)('refuses the session_limit %j and stores nothing', async (session_limit) => {
      const before = await workspaceCount();
      const { status, body } = await service.operator.post(ADMIN, { name: 'Acme', session_limit });
      expect(status).toBe(400);
      expect(pointersOf(body.errors)).toEqual(['/session_limit']);
      expect(await workspaceCount()).toBe(before);
    });

    it.each(VALID_SETTINGS)('stores %s unchanged', async (_, settings) => {
      expect(await asOperator((await service.workspace(settings)).id)).toMatchObject(settings);
    });

    it.each(INVALID_SETTINGS)('refuses %s and stores nothing', async (_, settings) => {
      const before = await workspaceCount();
      const { status, body } = await service.operator.post(ADMIN, { name: 'Acme', ...settings });
      expect(status).toBe(400);
      expect(pointersOf(body.errors).map((pointer) => pointer.split('/')[1])).toEqual([Object.keys(settings)[0]]);
      expect(await workspaceCount()).toBe(before);
    });

    it.each([
      [{}, '/name'],
      [{ name: 'Acme', plan: 'pro' }, '/plan'],
      [{ name: 'Acme', id: UNKNOWN }, '/id'],
      [{ name: 'Acme', sessions_used: 0 }, '/sessions_used'],
    ])('refuses %j and points to %s', async (settings, pointer) => {
      const { status, body } = await service.operator.post(ADMIN, settings);
      expect(status).toBe(400);
      expect(pointersOf(body.errors)).toEqual([pointer]);
    });

    it('sets DEFAULT_SESSION_LIMIT unless the request has a session_limit', async () => {
      const other = await Service.start({ DEFAULT_SESSION_LIMIT: '7' });
      try {
        const [given, left] = [await other.workspace({ session_limit: 3 }), await other.workspace()];
        expect([await given.usage(), await left.usage()]).toMatchObject([{ session_limit: 3 }, { session_limit: 7 }]);
      } finally {
        await other.stop();
      }
    });
  });

  describe('GET /api/v1/admin/workspaces', () => {
    it('lists workspaces newest first, each as GET by id shows it', async () => {
      const [first, second] = [await service.workspace({ name: 'First' }), await service.workspace({ name: 'Second' })];
      await startSession(first);
      const { status, body } = await service.operator.get(`${ADMIN}?limit=2`);
      expect(status).toBe(200);
      expect(Object.keys(body).toSorted()).toEqual(['next_cursor', 'workspaces']);
      expect(body.workspaces).toEqual([await asOperator(second.id), await asOperator(first.id)]);
      expect(body.workspaces[1].usage.sessions_used).toBe(1);
    });

    it('pages through all workspaces, each once', async () => {
      for (let number = 1; number <= 5; number++) await service.workspace({ name: `Page me ${number}` });
      const first = (await service.operator.get(`${ADMIN}?limit=3`)).body;
      expect(namesOf(first.workspaces)).toEqual(['Page me 5', 'Page me 4', 'Page me 3']);
      await service.workspace({ name: 'Created meanwhile' });
      const second = (await service.operator.get(`${ADMIN}?limit=2&cursor=${first.next_cursor}`)).body;
      expect(namesOf(second.workspaces)).toEqual(['Page me 2', 'Page me 1']);
      const seen = new Set<string>();
      let workspaces = 0;
      for (let cursor: string | null = ''; cursor !== null;) {
        const { body } = await service.operator.get(`${ADMIN}?limit=500${cursor && `&cursor=${cursor}`}`);
        for (const { id } of body.workspaces) seen.add(id);
        workspaces += body.workspaces.length;
        cursor = body.next_cursor;
      }
      expect([seen.size, workspaces]).toEqual([await workspaceCount(), await workspaceCount()]);
    });

    it.each(['limit=0', 'limit=501', 'cursor=broken', 'status=active'])('refuses ?%s', async (query) => {
      const { status, body } = await service.operator.get(`${ADMIN}?${query}`);
      expect(status).toBe(400);
      expect(body.errors).toMatchObject([{ parameter: query.split('=')[0] }]);
    });
  });

  describe('PUT /api/v1/admin/workspaces/:id', () => {
    it('changes only the fields of the request', async () => {
      const { id } = await service.workspace({ name: 'Before', logo_url: 'https://acme.example/logo.svg' });
      const before = await asOperator(id);
      const { status, body } = await service.operator.put(`${ADMIN}/${id}`, { name: 'After', session_limit: 5 });
      expect(status).toBe(200);
      expect(body).toEqual({ updated: true, id });
      expect(await asOperator(id)).toEqual({ ...before, name: 'After', usage: { ...before.usage, session_limit: 5 } });
    });

    it('changes no other workspace', async () => {
      const [acme, other] = [await service.workspace(), await service.workspace()];
      await service.operator.put(`${ADMIN}/${acme.id}`, { name: 'After', session_limit: 5 });
      expect(await asOperator(other.id)).toMatchObject({ name: 'Acme', usage: { session_limit: 1_000_000 } });
    });

    it.each(VALID_LIMITS)('accepts the session_limit %j', async (session_limit) => {
      const acme = await service.workspace();
      expect((await service.operator.put(`${ADMIN}/${acme.id}`, { session_limit })).status).toBe(200);
      expect((await acme.usage()).session_limit).toBe(session_limit);
    });

    it.each(INVALID_LIMITS)('refuses the session_limit %j and changes nothing', async (session_limit) => {
      const { id } = await service.workspace();
      const before = await asOperator(id);
      const { status, body } = await service.operator.put(`${ADMIN}/${id}`, { name: 'After', session_limit });
      expect(status).toBe(400);
      expect(pointersOf(body.errors)).toEqual(['/session_limit']);
      expect(await asOperator(id)).toEqual(before);
    });

    it.each([...INVALID_SETTINGS, ['nothing', {}], ['an unknown field', { plan: 'pro' }]] as [string, object][])(
      'refuses %s and changes nothing',
      async (_, changes) => {
        const { id } = await service.workspace();
        const before = await asOperator(id);
        expect((await service.operator.put(`${ADMIN}/${id}`, changes)).status).toBe(400);
        expect(await asOperator(id)).toEqual(before);
      },
    );
  });
});
