import { ADMIN_API_KEY } from '../support/environment';
import { Service, Tenant } from '../support/service';

const ADMIN = '/api/v1/admin/workspaces';
const OWN = '/api/v1/public/workspace';
const UNKNOWN = '019a9f3c-6c1e-7d4a-9f0e-3b1f5a2c7d10';
const NO_ID = ['nonsense', '00000000-0000-0000-0000-000000000000', UNKNOWN, '%00', "'; DROP TABLE workspaces; --"];
const DEFAULTS = { primary_color: '#4f46e5', logo_url: '', allowed_origins: [] };

/** A URL of exactly this many characters. */
const urlOf = (length: number): string => 'https://acme.example/'.padEnd(length, 'x');

const GOOD_SETTINGS: [string, object][] = [
  ['a name of 200 emoji', { name: '🏢'.repeat(200) }],
  ['a name in other scripts', { name: ' Größe 株式会社 ' }],
  ['a colour of three digits', { primary_color: '#fff' }],
  ['a colour in capitals', { primary_color: '#FFAA00' }],
  ['a logo over http', { logo_url: 'http://acme.example/logo.png?size=2#x' }],
  ['a logo with an international name', { logo_url: 'https://größe.example/ü.svg' }],
  ['a logo of 2048 characters', { logo_url: urlOf(2048) }],
  ['no logo', { logo_url: '' }],
  ['origins with and without a port', { allowed_origins: ['https://acme.example', 'http://localhost:8080'] }],
  ['an origin that is an address', { allowed_origins: ['http://127.0.0.1:3000', 'http://[::1]:3000'] }],
  ['no origins', { allowed_origins: [] }],
  [
    'a hundred origins',
    { allowed_origins: Array.from({ length: 100 }, (_, number) => `https://site-${number}.example`) },
  ],
];

const BAD_SETTINGS: [string, object][] = [
  ['an empty name', { name: '' }],
  ['a blank name', { name: ' \u00a0' }],
  ['a name of 201 emoji', { name: '🏢'.repeat(201) }],
  ['a name that is no text', { name: 7 }],
  ['null as name', { name: null }],
  ['the name of a colour', { primary_color: 'red' }],
  ['a colour without #', { primary_color: '4f46e5' }],
  ['a colour with four digits', { primary_color: '#ffff' }],
  ['a colour with eight digits', { primary_color: '#4f46e5ff' }],
  ['a colour with a letter that is no digit', { primary_color: '#ggg' }],
  ['a colour and a line feed', { primary_color: '#fff\n' }],
  ['a colour as CSS', { primary_color: 'rgb(0,0,0)' }],
  ['an empty colour', { primary_color: '' }],
  ['null as colour', { primary_color: null }],
  ['a list as colour', { primary_color: ['#fff'] }],
  ['a logo that is script', { logo_url: 'javascript:alert(1)' }],
  ['a logo that is data', { logo_url: 'data:image/png;base64,AAAA' }],
  ['a logo over ftp', { logo_url: 'ftp://acme.example/logo.png' }],
  ['a relative logo', { logo_url: '/logo.png' }],
  ['a logo without a scheme', { logo_url: '//acme.example/logo.png' }],
  ['a logo without slashes', { logo_url: 'https:acme.example/logo.png' }],
  ['a logo with a backslash', { logo_url: String.raw`https://acme.example\logo.png` }],
  ['a logo with credentials', { logo_url: 'https://user:secret@acme.example/logo.png' }],
  ['a logo with a space', { logo_url: ' https://acme.example/logo.png' }],
  ['a logo of 2049 characters', { logo_url: urlOf(2049) }],
  ['null as logo', { logo_url: null }],
  ['an origin that is not in a list', { allowed_origins: 'https://acme.example' }],
  ['an origin with a slash at its end', { allowed_origins: ['https://acme.example/'] }],
  ['an origin with a path', { allowed_origins: ['https://acme.example/app'] }],
  ['an origin with the default port', { allowed_origins: ['https://acme.example:443'] }],
  ['an origin in capitals', { allowed_origins: ['https://ACME.example'] }],
  ['an origin that is every origin', { allowed_origins: ['*'] }],
  ['an origin with a wildcard, which no browser sends', { allowed_origins: ['https://*.acme.example'] }],
  ['the origin null', { allowed_origins: ['null'] }],
  ['an origin without a scheme', { allowed_origins: ['acme.example'] }],
  ['an origin of files', { allowed_origins: ['file://'] }],
  ['an origin that is no text', { allowed_origins: [null] }],
  [
    'more than a hundred origins',
    { allowed_origins: Array.from({ length: 101 }, (_, number) => `https://site-${number}.example`) },
  ],
  ['null as origins', { allowed_origins: null }],
];

const GOOD_LIMITS = [0, 1, 2_147_483_647];
const BAD_LIMITS = [-1, 2_147_483_648, 1.5, 1e300, '1', '', true, null, [1], {}];

describe('Workspaces', () => {
  let service: Service;

  beforeAll(async () => {
    service = await Service.start();
  });
  afterAll(() => service.stop());

  const asOperator = async (id: string) => (await service.operator.get(`${ADMIN}/${id}`)).body;
  const namesOf = (workspaces: { name: string }[]) => workspaces.map(({ name }) => name);
  const pointersOf = (errors: { pointer: string }[]) => errors.map(({ pointer }) => pointer);

  /** By the database's clock. */
  async function thisMonth(): Promise<{ period_start: string; period_end: string }> {
    const [{ now }] = await service.database.query('SELECT now()');
    const start = (ahead: number) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead)).toISOString();
    return { period_start: start(0), period_end: start(1) };
  }

  async function workspaceCount(): Promise<number> {
    const [{ count }] = await service.database.query('SELECT count(*)::int AS count FROM workspaces');
    return count as number;
  }

  async function startSession(tenant: Tenant): Promise<void> {
    const { slug } = await tenant.publishedFlow();
    expect((await service.client.post('/api/v1/runtime/session/init', { flow_slug: slug })).status).toBe(201);
  }

  describe('POST /api/v1/admin/workspaces', () => {
    it('needs only a name, answers the first API key, and fills in the rest', async () => {
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
        usage: { session_limit: 1000, sessions_used: 0, ...(await thisMonth()) },
        created_at: expect.any(String),
      });
    });

    it('issues a key that reads and writes', async () => {
      const { body } = await service.operator.post(ADMIN, { name: 'Acme' });
      const client = service.client.with(body.api_key.key);
      expect((await client.put(OWN, { name: 'Acme Inc.' })).status).toBe(200);
      expect((await client.get(OWN)).body).toMatchObject({ id: body.id, name: 'Acme Inc.' });
      expect((await client.get('/api/v1/public/api-keys')).body.api_keys).toMatchObject([{ id: body.api_key.id }]);
    });

    it('keeps all settings', async () => {
      const settings = {
        name: 'Acme',
        primary_color: '#ff0000',
        logo_url: 'https://acme.example/logo.svg',
        allowed_origins: ['https://acme.example'],
      };
      const { id } = await service.workspace({ ...settings, session_limit: 25 });
      expect(await asOperator(id)).toMatchObject({ ...settings, usage: { session_limit: 25, sessions_used: 0 } });
    });

    it.each(GOOD_LIMITS)('takes the session_limit %j', async (session_limit) => {
      const { id } = await service.workspace({ session_limit });
      expect((await asOperator(id)).usage.session_limit).toBe(session_limit);
    });

    it.each(BAD_LIMITS)('refuses the session_limit %j and stores nothing', async (session_limit) => {
      const before = await workspaceCount();
      const { status, body } = await service.operator.post(ADMIN, { name: 'Acme', session_limit });
      expect(status).toBe(400);
      expect(pointersOf(body.errors)).toEqual(['/session_limit']);
      expect(await workspaceCount()).toBe(before);
    });

    it.each(GOOD_SETTINGS)('takes %s as it is', async (_, settings) => {
      expect(await asOperator((await service.workspace(settings)).id)).toMatchObject(settings);
    });

    it.each(BAD_SETTINGS)('refuses %s and stores nothing', async (_, settings) => {
      const before = await workspaceCount();
      const { status, body } = await service.operator.post(ADMIN, { name: 'Acme', ...settings });
      expect(status).toBe(400);
      expect(pointersOf(body.errors)).toEqual([`/${Object.keys(settings)[0]}`]);
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

    it('takes the limit that the service is configured with, unless one is given', async () => {
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
    it('lists workspaces newest first, each as it is read alone', async () => {
      const [first, second] = [await service.workspace({ name: 'First' }), await service.workspace({ name: 'Second' })];
      await startSession(first);
      const { status, body } = await service.operator.get(`${ADMIN}?limit=2`);
      expect(status).toBe(200);
      expect(Object.keys(body).toSorted()).toEqual(['next_cursor', 'workspaces']);
      expect(body.workspaces).toEqual([await asOperator(second.id), await asOperator(first.id)]);
      expect(body.workspaces[1].usage.sessions_used).toBe(1);
    });

    it('pages through all workspaces once, to the end', async () => {
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
      expect(pointersOf(body.errors)).toEqual([`/${query.split('=')[0]}`]);
    });
  });

  describe('PUT /api/v1/admin/workspaces/:id', () => {
    it('changes what is sent and leaves the rest', async () => {
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
      expect(await asOperator(other.id)).toMatchObject({ name: 'Acme', usage: { session_limit: 1000 } });
    });

    it.each(GOOD_LIMITS)('takes the session_limit %j', async (session_limit) => {
      const acme = await service.workspace();
      expect((await service.operator.put(`${ADMIN}/${acme.id}`, { session_limit })).status).toBe(200);
      expect((await acme.usage()).session_limit).toBe(session_limit);
    });

    it.each(BAD_LIMITS)('refuses the session_limit %j and changes nothing', async (session_limit) => {
      const { id } = await service.workspace();
      const before = await asOperator(id);
      const { status, body } = await service.operator.put(`${ADMIN}/${id}`, { name: 'After', session_limit });
      expect(status).toBe(400);
      expect(pointersOf(body.errors)).toEqual(['/session_limit']);
      expect(await asOperator(id)).toEqual(before);
    });

    it.each([...BAD_SETTINGS, ['nothing', {}], ['an unknown field', { plan: 'pro' }]] as [string, object][])(
      'refuses %s and changes nothing',
      async (_, changes) => {
        const { id } = await service.workspace();
        const before = await asOperator(id);
        expect((await service.operator.put(`${ADMIN}/${id}`, changes)).status).toBe(400);
        expect(await asOperator(id)).toEqual(before);
      },
    );
  });

  describe('POST /api/v1/admin/workspaces/:id/api-keys', () => {
    it('issues a key for that workspace', async () => {
      const acme = await service.workspace();
      const { status, body } = await service.operator.post(`${ADMIN}/${acme.id}/api-keys`, { name: 'Spare' });
      expect(status).toBe(201);
      expect(body).toEqual({ id: expect.any(String), name: 'Spare', key: expect.any(String) });
      expect((await service.client.with(body.key).get(OWN)).body.id).toBe(acme.id);
      expect((await acme.client.get('/api/v1/public/api-keys')).body.api_keys[0]).toMatchObject({
        id: body.id,
        name: 'Spare',
        access: 'write',
        expires_at: null,
      });
    });

    it('issues one that may only read, and one that expires', async () => {
      const acme = await service.workspace();
      const path = `${ADMIN}/${acme.id}/api-keys`;
      const { body } = await service.operator.post(path, {
        name: 'Reader',
        access: 'read',
        expires_at: '2999-01-01T00:00:00Z',
      });
      const reader = service.client.with(body.key);
      expect((await reader.get(OWN)).status).toBe(200);
      expect((await reader.put(OWN, { name: 'After' })).status).toBe(403);
      expect((await acme.client.get('/api/v1/public/api-keys')).body.api_keys[0]).toMatchObject({
        access: 'read',
        expires_at: '2999-01-01T00:00:00.000Z',
      });
    });

    it.each([
      [{}, '/name'],
      [{ name: ' ' }, '/name'],
      [{ name: 'A', access: 'admin' }, '/access'],
      [{ name: 'A', expires_at: '2020-01-01T00:00:00Z' }, '/expires_at'],
      [{ name: 'A', key: 'rf_live_mine' }, '/key'],
    ])('refuses %j, points to %s and issues nothing', async (request, pointer) => {
      const acme = await service.workspace();
      const { status, body } = await service.operator.post(`${ADMIN}/${acme.id}/api-keys`, request);
      expect(status).toBe(400);
      expect(pointersOf(body.errors)).toEqual([pointer]);
      expect((await acme.client.get('/api/v1/public/api-keys')).body.api_keys).toHaveLength(1);
    });
  });

  describe('An id that no workspace has', () => {
    it.each(NO_ID)('is 404 for the operator: %s', async (unknown) => {
      const path = `${ADMIN}/${encodeURIComponent(unknown)}`;
      const answers = [
        await service.operator.get(path),
        await service.operator.put(path, { name: 'After' }),
        await service.operator.post(`${path}/api-keys`, { name: 'Spare' }),
      ];
      expect(answers.map(({ status, body }) => [status, body.code])).toEqual(answers.map(() => [404, 'not_found']));
    });
  });

  describe("The operator's key", () => {
    const callAll = async (as: Service['client'], id: string) => [
      await as.get(ADMIN),
      await as.post(ADMIN, { name: 'Mine' }),
      await as.get(`${ADMIN}/${id}`),
      await as.put(`${ADMIN}/${id}`, { name: 'Mine' }),
      await as.post(`${ADMIN}/${id}/api-keys`, { name: 'Mine' }),
    ];

    it('is asked for: 401 without one', async () => {
      const { id } = await service.workspace();
      for (const { status, headers, body } of await callAll(service.client, id)) {
        expect([status, body.code]).toEqual([401, 'unauthorized']);
        expect(headers.get('www-authenticate')).toBe('Bearer realm="retention-flow"');
      }
      expect((await asOperator(id)).name).toBe('Acme');
    });

    it('must be the right one: 401 with any other', async () => {
      const acme = await service.workspace();
      const before = await workspaceCount();
      for (const wrong of [acme.key, ADMIN_API_KEY.slice(0, -1), `${ADMIN_API_KEY}x`, ADMIN_API_KEY.toUpperCase()]) {
        for (const { status, headers, body } of await callAll(service.client.with(wrong), acme.id)) {
          expect([status, body.code]).toEqual([401, 'invalid_token']);
          expect(headers.get('www-authenticate')).toBe('Bearer realm="retention-flow", error="invalid_token"');
        }
      }
      expect(await workspaceCount()).toBe(before);
      expect((await asOperator(acme.id)).name).toBe('Acme');
    });

    it('opens no workspace', async () => {
      const { status, body } = await service.operator.get(OWN);
      expect([status, body.code]).toEqual([401, 'invalid_token']);
    });

    it('opens nothing where the service has none: 404 with every key and without', async () => {
      const acme = await service.workspace();
      const before = await workspaceCount();
      const closed = await Service.start({ ADMIN_API_KEY: '' });
      try {
        for (const client of [closed.client, closed.operator, closed.client.with(acme.key)]) {
          const answers = await callAll(client, acme.id);
          expect(answers.map(({ status, body }) => [status, body.code])).toEqual(answers.map(() => [404, 'not_found']));
        }
        expect((await closed.client.with(acme.key).get(OWN)).body.name).toBe('Acme');
      } finally {
        await closed.stop();
      }
      expect(await workspaceCount()).toBe(before);
    });
  });

  describe('GET /api/v1/public/workspace', () => {
    it('answers the workspace of the key, as the operator sees it', async () => {
      const acme = await service.workspace({ session_limit: 7, primary_color: '#123456' });
      const { status, body } = await acme.client.get(OWN);
      expect(status).toBe(200);
      expect(body).toEqual({
        id: acme.id,
        name: 'Acme',
        ...DEFAULTS,
        primary_color: '#123456',
        usage: { session_limit: 7, sessions_used: 0, ...(await thisMonth()) },
        created_at: expect.any(String),
      });
      expect(body).toEqual(await asOperator(acme.id));
    });
  });

  describe('PUT /api/v1/public/workspace', () => {
    it.each(GOOD_SETTINGS)('takes %s as it is and leaves the rest', async (_, changes) => {
      const acme = await service.workspace({
        primary_color: '#111111',
        logo_url: 'https://acme.example/1.svg',
        allowed_origins: ['https://one.example'],
      });
      const before = (await acme.client.get(OWN)).body;
      const { status, body } = await acme.client.put(OWN, changes);
      expect(status).toBe(200);
      expect(body).toEqual({ updated: true, id: acme.id });
      expect((await acme.client.get(OWN)).body).toEqual({ ...before, ...changes });
    });

    it('loses none of several changes at once', async () => {
      const acme = await service.workspace();
      const changes = { name: 'After', primary_color: '#000000', logo_url: 'https://acme.example/2.svg' };
      await Promise.all(Object.entries(changes).map(([field, value]) => acme.client.put(OWN, { [field]: value })));
      expect((await acme.client.get(OWN)).body).toMatchObject(changes);
    });

    it.each([
      ...BAD_SETTINGS,
      ['its own session_limit', { session_limit: 1_000_000 }],
      ['its own usage', { name: 'After', sessions_used: 0 }],
      ['its usage as it reads it', { usage: { session_limit: 1_000_000 } }],
      ['another id', { id: UNKNOWN }],
      ['nothing', {}],
      ['an unknown field', { name: 'After', plan: 'pro' }],
    ] as [string, object][])('refuses %s and changes nothing', async (_, changes) => {
      const acme = await service.workspace();
      const before = (await acme.client.get(OWN)).body;
      const { status, body } = await acme.client.put(OWN, changes);
      expect(status).toBe(400);
      const field = Object.keys(changes).at(-1);
      expect(pointersOf(body.errors)).toEqual([field ? `/${field}` : '']);
      expect((await acme.client.get(OWN)).body).toEqual(before);
    });
  });

  describe('Usage', () => {
    const usages = async (acme: Tenant) => [
      await acme.usage(),
      (await asOperator(acme.id)).usage,
      (await service.operator.get(`${ADMIN}?limit=1`)).body.workspaces[0].usage,
    ];

    it.each([0, 5, 14])('counts in calendar months of UTC and begins anew after one and %d more', async (more) => {
      const acme = await service.workspace({ session_limit: 3 });
      await startSession(acme);
      await startSession(acme);
      const month = { session_limit: 3, ...(await thisMonth()) };
      const [before, after] = [
        { ...month, sessions_used: 2 },
        { ...month, sessions_used: 0 },
      ];
      expect(await usages(acme)).toEqual([before, before, before]);
      await service.endMonth(acme, more);
      expect(await usages(acme)).toEqual([after, after, after]);
      await startSession(acme);
      expect((await acme.usage()).sessions_used).toBe(1);
    });

    it('counts for each workspace alone', async () => {
      const [acme, other] = [await service.workspace(), await service.workspace()];
      await startSession(acme);
      expect([(await acme.usage()).sessions_used, (await other.usage()).sessions_used]).toEqual([1, 0]);
    });

    it('stays when the workspace or its limit is changed', async () => {
      const acme = await service.workspace();
      await startSession(acme);
      await acme.client.put(OWN, { name: 'After' });
      await service.operator.put(`${ADMIN}/${acme.id}`, { session_limit: 10 });
      expect(await acme.usage()).toMatchObject({ session_limit: 10, sessions_used: 1 });
    });
  });
});
