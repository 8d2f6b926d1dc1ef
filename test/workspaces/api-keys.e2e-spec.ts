import { createHash } from 'node:crypto';
import { createKey } from '../../src/workspaces/api-key-secret';
import type { Client } from '../support/client';
import { Service, Tenant } from '../support/service';

const API_KEYS = '/api/v1/public/api-keys';
const OWN = '/api/v1/public/workspace';
const OFFERS = '/api/v1/public/offers';
const FLOWS = '/api/v1/public/flows';
const UNKNOWN = '019a9f3c-6c1f-7a52-8c55-0a7be1d4f2aa';

const CHALLENGE = 'Bearer realm="retention-flow"';

/** The key with another checksum. */
const withBadChecksum = (key: string): string => key.slice(0, -1) + (key.endsWith('0') ? '1' : '0');

interface Issued {
  id: string;
  key: string;
  client: Client;
}

interface Item {
  id: string;
  name: string;
  last_used_at: string | null;
  revoked_at: string | null;
}

describe('API keys', () => {
  let service: Service;
  let acme: Tenant;

  beforeAll(async () => {
    service = await Service.start();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    acme = await service.workspace();
  });

  async function issue(fields: object = {}): Promise<Issued> {
    const { id, key } = (await acme.client.post(API_KEYS, { name: 'Spare', ...fields })).body;
    return { id, key, client: service.client.with(key) };
  }

  const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();
  const list = async (): Promise<Item[]> => (await acme.client.get(API_KEYS)).body.api_keys;
  const listed = async (id: string): Promise<Item> => (await list()).find((item) => item.id === id)!;
  const statusOf = async (client: Client): Promise<number> => (await client.get(OWN)).status;
  const pointersOf = (errors: { pointer: string }[]) => errors.map(({ pointer }) => pointer).toSorted();

  describe('POST /api/v1/public/api-keys', () => {
    it('issues a key that works at once and shows its secret in this answer alone', async () => {
      const { status, body } = await acme.client.post(API_KEYS, { name: 'Billing integration' });
      expect(status).toBe(201);
      expect(body).toEqual({ id: expect.any(String), name: 'Billing integration', key: expect.any(String) });
      expect(body.key).toMatch(/^rf_live_[0-9A-Za-z]{43}[0-9A-Za-z]{6}$/);
      expect((await service.client.with(body.key).get(OWN)).body.id).toBe(acme.id);
    });

    it('never issues the same key twice', async () => {
      const keys = (await Promise.all(Array.from({ length: 20 }, () => issue()))).map(({ key }) => key);
      expect(new Set(keys).size).toBe(20);
      expect(new Set(keys.map((key) => key.slice(8, 24))).size).toBe(20);
    });

    it('gives write access that never ends, unless something else is asked for', async () => {
      const [left, given] = [
        await issue(),
        await issue({ name: '🔑'.repeat(200), access: 'read', expires_at: '2999-12-31T23:00:00-01:00' }),
      ];
      expect(await listed(left.id)).toMatchObject({ name: 'Spare', access: 'write', expires_at: null });
      expect(await listed(given.id)).toMatchObject({
        name: '🔑'.repeat(200),
        access: 'read',
        expires_at: '3000-01-01T00:00:00.000Z',
      });
    });

    it.each([
      ['no name', { name: undefined }, '/name'],
      ['a blank name', { name: ' ' }, '/name'],
      ['a name of 201 emoji', { name: '🔑'.repeat(201) }, '/name'],
      ['a name that is no text', { name: 1 }, '/name'],
      ['an unknown access', { access: 'admin' }, '/access'],
      ['an access in capitals', { access: 'READ' }, '/access'],
      ['an access that is a list', { access: ['read'] }, '/access'],
      ['null as access', { access: null }, '/access'],
      ['a key of its own', { key: 'rf_live_mine' }, '/key'],
      ['another workspace', { workspace_id: UNKNOWN }, '/workspace_id'],
    ])('refuses %s and issues nothing', async (_, fields, pointer) => {
      const { status, body } = await acme.client.post(API_KEYS, { name: 'Spare', ...fields });
      expect(status).toBe(400);
      expect(pointersOf(body.errors)).toEqual([pointer]);
      expect(await list()).toHaveLength(1);
    });

    it.each([
      '',
      'tomorrow',
      '2999-01-01',
      '2999-01-01T00:00:00',
      '2999-01-01 00:00:00Z',
      '2999-01-01T00:00Z',
      '2999-13-01T00:00:00Z',
      '2999-02-30T00:00:00Z',
      '2999-01-01T24:00:00Z',
      '2999-01-01T00:00:00+25:00',
      '+012999-01-01T00:00:00Z',
      '9999-12-31T23:59:59-00:01',
      32_472_144_000,
      true,
      {},
    ])('refuses %j as expires_at: it is no timestamp', async (expires_at) => {
      const { status, body } = await acme.client.post(API_KEYS, { name: 'Spare', expires_at });
      expect(status).toBe(400);
      expect(pointersOf(body.errors)).toEqual(['/expires_at']);
      expect(await list()).toHaveLength(1);
    });

    it('refuses an expires_at that is not in the future', async () => {
      const statusFor = async (expires_at: string) =>
        (await acme.client.post(API_KEYS, { name: 'Spare', expires_at })).status;
      expect(await statusFor('2020-01-01T00:00:00Z')).toBe(400);
      const [{ now }] = await service.database.query('SELECT now()');
      expect(await statusFor(now.toISOString())).toBe(400);
      expect(await list()).toHaveLength(1);
      expect(await statusFor(inAnHour())).toBe(201);
    });
  });

  describe('GET /api/v1/public/api-keys', () => {
    it('tells of each key what tells it from others, newest first', async () => {
      const { id, key } = await issue({ access: 'read', expires_at: '2999-01-01T00:00:00Z' });
      const { status, body } = await acme.client.get(API_KEYS);
      expect(status).toBe(200);
      expect(body.next_cursor).toBeNull();
      expect(body.api_keys.map(({ name }: Item) => name)).toEqual(['Spare', 'First key']);
      expect(body.api_keys[0]).toEqual({
        id,
        name: 'Spare',
        access: 'read',
        prefix: key.slice(0, 12),
        last_four: key.slice(-4),
        created_at: expect.any(String),
        last_used_at: null,
        expires_at: '2999-01-01T00:00:00.000Z',
        revoked_at: null,
      });
    });

    it('shows neither the secret nor its hash', async () => {
      const { key } = await issue();
      const text = JSON.stringify((await acme.client.get(API_KEYS)).body);
      const hash = createHash('sha256').update(key).digest();
      for (const secret of [key, key.slice(8, 51), key.slice(12, 20)]) expect(text).not.toContain(secret);
      for (const encoding of ['hex', 'base64', 'base64url'] as const) {
        expect(text.toLowerCase()).not.toContain(hash.toString(encoding).toLowerCase());
      }
    });

    it('could not show the secret: only its SHA-256 is stored', async () => {
      const { id, key } = await issue();
      const [{ row, hash }] = await service.database.query(
        'SELECT k::text AS row, hash FROM api_keys k WHERE workspace_id = $1 AND id = $2',
        [acme.id, id],
      );
      expect(hash).toEqual(createHash('sha256').update(key).digest());
      expect(row).not.toContain(key.slice(12, 20));
      expect(row).not.toContain(Buffer.from(key).toString('hex'));
    });

    it('pages through all keys once, the revoked and the expired too', async () => {
      const revoked = await issue({ name: 'Revoked' });
      await issue({ name: 'Expired', expires_at: inAnHour() });
      await acme.client.delete(`${API_KEYS}/${revoked.id}`);
      await service.letPass('2 hours', acme);
      const first = (await acme.client.get(`${API_KEYS}?limit=2`)).body;
      await issue({ name: 'Created meanwhile' });
      const second = (await acme.client.get(`${API_KEYS}?limit=2&cursor=${first.next_cursor}`)).body;
      const names = [first, second].map(({ api_keys }) => api_keys.map(({ name }: Item) => name));
      expect(names).toEqual([['Expired', 'Revoked'], ['First key']]);
      expect(second.next_cursor).toBeNull();
    });

    it.each(['limit=0', 'limit=501', 'cursor=broken', 'status=active'])('refuses ?%s', async (query) => {
      const { status, body } = await acme.client.get(`${API_KEYS}?${query}`);
      expect(status).toBe(400);
      expect(pointersOf(body.errors)).toEqual([`/${query.split('=')[0]}`]);
    });
  });

  describe('DELETE /api/v1/public/api-keys/:id', () => {
    it('revokes the key: the very next request with it is refused', async () => {
      const { id, client } = await issue();
      expect(await statusOf(client)).toBe(200);
      const { status, body } = await acme.client.delete(`${API_KEYS}/${id}`);
      expect(status).toBe(200);
      expect(body).toEqual({ revoked: true, id });
      expect(await statusOf(client)).toBe(401);
      expect(await statusOf(acme.client)).toBe(200);
    });

    it('revokes it in every process', async () => {
      const other = await Service.start();
      try {
        const { id, key, client } = await issue();
        const elsewhere = other.client.with(key);
        expect([await statusOf(client), await statusOf(elsewhere)]).toEqual([200, 200]);
        await acme.client.delete(`${API_KEYS}/${id}`);
        expect(await statusOf(elsewhere)).toBe(401);
        expect(await statusOf(client)).toBe(401);
      } finally {
        await other.stop();
      }
    });

    it('can be asked for twice; the first time counts', async () => {
      const { id, client } = await issue();
      const revoke = async () => {
        const { status, body } = await acme.client.delete(`${API_KEYS}/${id}`);
        expect(status).toBe(200);
        expect(body).toEqual({ revoked: true, id });
      };
      await revoke();
      await service.letPass('1 day', acme);
      const { revoked_at } = await listed(id);
      await revoke();
      expect(await listed(id)).toMatchObject({ revoked_at });
      expect(await statusOf(client)).toBe(401);
    });

    it('lets a key revoke itself', async () => {
      const { id, client } = await issue();
      expect((await client.delete(`${API_KEYS}/${id}`)).status).toBe(200);
      expect((await client.delete(`${API_KEYS}/${id}`)).status).toBe(401);
    });

    it("answers 404 for another workspace's key, which stays", async () => {
      const other = await service.workspace();
      const { id, client } = await issue();
      const { status, body } = await other.client.delete(`${API_KEYS}/${id}`);
      expect([status, body.code]).toEqual([404, 'not_found']);
      expect(await statusOf(client)).toBe(200);
      expect((await listed(id)).revoked_at).toBeNull();
    });

    it.each([UNKNOWN, 'nonsense', '%00'])('answers 404 for the id %s', async (id) => {
      expect((await acme.client.delete(`${API_KEYS}/${encodeURIComponent(id)}`)).status).toBe(404);
    });
  });

  describe('A key with read access', () => {
    it('may read everything', async () => {
      const { client } = await issue({ access: 'read' });
      const [offer, flow] = [await acme.offer(), await acme.flow()];
      for (const path of [OWN, API_KEYS, OFFERS, `${OFFERS}/${offer.id}`, FLOWS, `${FLOWS}/${flow.id}`]) {
        expect([path, (await client.get(path)).status]).toEqual([path, 200]);
      }
    });

    it('may write nothing: 403, and nothing changes', async () => {
      const { id, client } = await issue({ access: 'read' });
      const [offer, flow] = [await acme.offer(), await acme.flow()];
      const answers = [
        await client.post(OFFERS, { name: 'Mine', offer_type: 'custom' }),
        await client.put(`${OFFERS}/${offer.id}`, { name: 'Mine' }),
        await client.delete(`${OFFERS}/${offer.id}`),
        await client.post(FLOWS, { name: 'A', product_name: 'B', cancellation_url: 'https://acme.example/' }),
        await client.put(`${FLOWS}/${flow.id}`, { name: 'Mine' }),
        await client.delete(`${FLOWS}/${flow.id}`),
        await client.put(OWN, { name: 'Mine' }),
        await client.post(API_KEYS, { name: 'Mine', access: 'write' }),
        await client.delete(`${API_KEYS}/${id}`),
      ];
      for (const { status, headers, body } of answers) {
        expect([status, body.code]).toEqual([403, 'insufficient_scope']);
        expect(headers.get('www-authenticate')).toBe(`${CHALLENGE}, error="insufficient_scope", scope="write"`);
      }
      expect((await acme.client.get(OFFERS)).body.offers).toMatchObject([{ id: offer.id, name: offer.name }]);
      expect((await acme.client.get(FLOWS)).body.flows).toMatchObject([{ id: flow.id, name: flow.name }]);
      expect((await acme.client.get(OWN)).body.name).toBe('Acme');
      expect(await list()).toMatchObject([{ id, revoked_at: null }, { name: 'First key' }]);
    });

    it('is told 403 ahead of what else is wrong with its request', async () => {
      const { client } = await issue({ access: 'read' });
      expect((await client.post(OFFERS, {})).status).toBe(403);
      expect((await client.delete(`${OFFERS}/${UNKNOWN}`)).status).toBe(403);
    });
  });

  describe('expires_at', () => {
    it('refuses the key from that moment on', async () => {
      const { client } = await issue({ expires_at: inAnHour() });
      await service.letPass('55 minutes', acme);
      expect(await statusOf(client)).toBe(200);
      await service.letPass('5 minutes', acme);
      expect(await statusOf(client)).toBe(401);
    });
  });

  describe('A request without a usable key', () => {
    it.each([
      ['no header', undefined],
      ['an empty header', ''],
      ['another scheme', 'Basic YWNtZTpzZWNyZXQ='],
      ['the scheme alone', 'Bearer'],
      ['the key without a scheme', 'KEY'],
      ['another scheme with the key', 'Token KEY'],
      ['no space before the key', 'BearerKEY'],
      ['a colon after the scheme', 'Bearer: KEY'],
      ['the key twice', 'Bearer KEY KEY'],
      ['a list of credentials', 'Basic YQ==, Bearer KEY'],
      ['a header in quotes', '"Bearer KEY"'],
      ['characters beyond ASCII', 'Bearer schlüssel'],
    ])('is asked for one: %s', async (_, header) => {
      const headers = header === undefined ? undefined : { authorization: header.replaceAll('KEY', acme.key) };
      const { status, headers: answered, body } = await service.client.get(OWN, headers);
      expect([status, body.code]).toEqual([401, 'unauthorized']);
      expect(answered.get('www-authenticate')).toBe(CHALLENGE);
    });

    it.each([
      ['in the query', `${OWN}?api_key=KEY`, {}],
      ['in the query, as RFC 6750 has it', `${OWN}?access_token=KEY`, {}],
      ['in a header of another name', OWN, { 'x-api-key': 'KEY' }],
    ])('is asked for one: a key %s', async (_, path, headers) => {
      const withKey = Object.fromEntries(Object.entries(headers).map(([name]) => [name, acme.key]));
      expect((await service.client.get(path.replace('KEY', acme.key), withKey)).status).toBe(401);
    });

    it('is refused alike for a key that is unknown, mistyped, expired or revoked', async () => {
      const expired = await issue({ expires_at: inAnHour() });
      const revoked = await issue();
      await acme.client.delete(`${API_KEYS}/${revoked.id}`);
      await service.letPass('2 hours', acme);
      const answers = await Promise.all(
        [
          expired.key,
          revoked.key,
          createKey(),
          withBadChecksum(acme.key),
          acme.key.toLowerCase(),
          `${acme.key}0`,
          acme.key.replace('live', 'test'),
          'nonsense',
        ].map((key) => service.client.with(key).get(OWN)),
      );
      const [first] = answers;
      for (const { status, headers, body } of answers) {
        expect(status).toBe(401);
        expect(headers.get('www-authenticate')).toBe(`${CHALLENGE}, error="invalid_token"`);
        expect(body).toEqual({ ...first.body, request_id: headers.get('request-id') });
        expect([...headers.keys()]).toEqual([...first.headers.keys()]);
      }
      expect(first.body.code).toBe('invalid_token');
      expect(new Set(answers.map(({ body }) => body.request_id)).size).toBe(answers.length);
    });

    it('costs no look-up when the checksum is wrong', async () => {
      const runner = service.database.createQueryRunner();
      await runner.startTransaction();
      try {
        await runner.query('LOCK TABLE api_keys IN ACCESS EXCLUSIVE MODE');
        expect(await statusOf(service.client.with(withBadChecksum(acme.key)))).toBe(401);
      } finally {
        await runner.rollbackTransaction();
        await runner.release();
      }
    });

    it.each(['Bearer', 'bearer', 'BEARER'])('is admitted with one, whose scheme is written %s', async (scheme) => {
      expect((await service.client.get(OWN, { authorization: `${scheme} ${acme.key}` })).status).toBe(200);
    });
  });

  describe('last_used_at', () => {
    it('tells when the key was used', async () => {
      const { id, client } = await issue();
      await service.letPass('1 day', acme);
      expect((await listed(id)).last_used_at).toBeNull();
      expect(await statusOf(client)).toBe(200);
      // Nobody waits for it to be written, so this does.
      const deadline = Date.now() + 10_000;
      while (Date.now() < deadline && !(await listed(id)).last_used_at) continue;
      const [{ ago }] = await service.database.query(
        `SELECT now() - last_used_at < '1 minute' AS ago FROM api_keys WHERE id = $1`,
        [id],
      );
      expect(ago).toBe(true);
    });

    it('is written at most once a minute, whichever process the key is used in', async () => {
      const { id, key } = await issue();
      await useInAnotherProcess(key);
      await service.letPass('30 seconds', acme);
      const { last_used_at } = await listed(id);
      expect(last_used_at).not.toBeNull();
      await useInAnotherProcess(key);
      expect((await listed(id)).last_used_at).toBe(last_used_at);
      await service.letPass('30 seconds', acme);
      await useInAnotherProcess(key);
      expect(Date.parse((await listed(id)).last_used_at!)).toBeGreaterThan(Date.parse(last_used_at!));
    });

    it('is not told of a key that was refused', async () => {
      const { id, key } = await issue();
      await acme.client.delete(`${API_KEYS}/${id}`);
      await useInAnotherProcess(key);
      expect((await listed(id)).last_used_at).toBeNull();
    });

    /** Which has finished whatever it wrote when it has stopped. */
    async function useInAnotherProcess(key: string): Promise<void> {
      const process = await Service.start();
      await process.client.with(key).get(OWN);
      await process.stop();
    }
  });
});
