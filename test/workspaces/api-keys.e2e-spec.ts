import { createHash } from 'node:crypto';
import type { Client } from '../support/client';
import { Service, serviceForAll, workspaceForEach } from '../support/service';
import { API_KEYS, inAnHour, issueKey, type ListedKey, listKeys } from './issued-key';

const OWN = '/api/v1/public/workspace';
const UNKNOWN = '019a9f3c-6c1f-7a52-8c55-0a7be1d4f2aa';

describe('API keys', () => {
  const service = serviceForAll();
  const acme = workspaceForEach(service);

  const issue = (fields?: object) => issueKey(service, acme, fields);
  const list = () => listKeys(acme);
  const listed = async (id: string) => (await list()).find((item) => item.id === id)!;
  const statusOf = async (client: Client): Promise<number> => (await client.get(OWN)).status;
  const pointersOf = (errors: { pointer: string }[]) => errors.map(({ pointer }) => pointer).toSorted();

  describe('POST /api/v1/public/api-keys', () => {
    it('issues a key that works at once, and shows its secret only in this response', async () => {
      const { status, body } = await acme.client.post(API_KEYS, { name: 'Billing integration' });
      expect(status).toBe(201);
      expect(body).toEqual({ id: expect.any(String), name: 'Billing integration', key: expect.any(String) });
      expect(body.key).toMatch(/^rf_live_[0-9A-Za-z]{43}[0-9A-Za-z]{6}$/);
      expect((await service.client.with(body.key).get(OWN)).body.id).toBe(acme.id);
    });

    it('issues no more than 50 that can be used; revoked and expired ones do not count, and the operator may issue more', async () => {
      const second = await Service.start();
      const ask = (one = service) =>
        one.client.with(acme.key).post(API_KEYS, { name: 'Spare', expires_at: inAnHour() });
      // The workspace came with one.
      for (let n = 0; n < 47; n++) expect((await ask()).status).toBe(201);
      const answers = await Promise.all([ask(), ask(second), ask(), ask(second)]);
      await second.stop();
      expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([201, 201, 409, 409]);
      expect((await ask()).body).toMatchObject({
        code: 'api_key_limit_reached',
        detail: 'The workspace has 50 API keys in use, the most it may have.',
      });
      const asked = await service.operator.post(`/api/v1/admin/workspaces/${acme.id}/api-keys`, { name: 'Support' });
      expect(asked.status).toBe(201);
      const [revoked, expired] = (await list()).slice(1);
      await acme.client.delete(`${API_KEYS}/${revoked.id}`);
      await service.database.query(`UPDATE api_keys SET expires_at = now() - interval '1 s' WHERE id = $1`, [
        expired.id,
      ]);
      expect([(await ask()).status, (await ask()).status]).toEqual([201, 409]);
    });

    it('never issues the same key twice', async () => {
      const keys = (await Promise.all(Array.from({ length: 20 }, () => issue()))).map(({ key }) => key);
      expect(new Set(keys).size).toBe(20);
      expect(new Set(keys.map((key) => key.slice(8, 24))).size).toBe(20);
    });

    it('gives write access without expiry by default', async () => {
      const [byDefault, given] = [
        await issue(),
        await issue({ name: '🔑'.repeat(200), access: 'read', expires_at: '2999-12-31T23:00:00-01:00' }),
      ];
      expect(await listed(byDefault.id)).toMatchObject({ name: 'Spare', access: 'write', expires_at: null });
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
      ['a name that is not text', { name: 1 }, '/name'],
      ['an unknown access', { access: 'admin' }, '/access'],
      ['an access in capitals', { access: 'READ' }, '/access'],
      ['an access that is a list', { access: ['read'] }, '/access'],
      ['null as access', { access: null }, '/access'],
      ['a key of its choice', { key: 'rf_live_mine' }, '/key'],
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
    ])('refuses %j as expires_at: not an RFC 3339 timestamp', async (expires_at) => {
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
    it('lists keys newest first, without their secret', async () => {
      const { id, key } = await issue({ access: 'read', expires_at: '2999-01-01T00:00:00Z' });
      const { status, body } = await acme.client.get(API_KEYS);
      expect(status).toBe(200);
      expect(body.next_cursor).toBeNull();
      expect(body.api_keys.map(({ name }: ListedKey) => name)).toEqual(['Spare', 'First key']);
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

    it('shows neither a secret nor its hash', async () => {
      const { key } = await issue();
      const text = JSON.stringify((await acme.client.get(API_KEYS)).body);
      const hash = createHash('sha256').update(key).digest();
      for (const secret of [key, key.slice(8, 51), key.slice(12, 20)]) expect(text).not.toContain(secret);
      for (const encoding of ['hex', 'base64', 'base64url'] as const) {
        expect(text.toLowerCase()).not.toContain(hash.toString(encoding).toLowerCase());
      }
    });

    it('cannot show a secret: only its SHA-256 is stored', async () => {
      const { id, key } = await issue();
      const [{ row, hash }] = await service.database.query(
        'SELECT k::text AS row, hash FROM api_keys k WHERE workspace_id = $1 AND id = $2',
        [acme.id, id],
      );
      expect(hash).toEqual(createHash('sha256').update(key).digest());
      expect(row).not.toContain(key.slice(12, 20));
      expect(row).not.toContain(Buffer.from(key).toString('hex'));
    });

    it('pages through all keys, each once, with revoked and expired ones', async () => {
      const revoked = await issue({ name: 'Revoked' });
      await issue({ name: 'Expired', expires_at: inAnHour() });
      await acme.client.delete(`${API_KEYS}/${revoked.id}`);
      await service.letPass('2 hours', acme);
      const first = (await acme.client.get(`${API_KEYS}?limit=2`)).body;
      await issue({ name: 'Created meanwhile' });
      const second = (await acme.client.get(`${API_KEYS}?limit=2&cursor=${first.next_cursor}`)).body;
      const names = [first, second].map(({ api_keys }) => api_keys.map(({ name }: ListedKey) => name));
      expect(names).toEqual([['Expired', 'Revoked'], ['First key']]);
      expect(second.next_cursor).toBeNull();
    });

    it.each(['limit=0', 'limit=501', 'cursor=broken', 'status=active'])('refuses ?%s', async (query) => {
      const { status, body } = await acme.client.get(`${API_KEYS}?${query}`);
      expect(status).toBe(400);
      expect(body.errors).toMatchObject([{ parameter: query.split('=')[0] }]);
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

    it('revokes it in another process that looks up many keys at once', async () => {
      const other = await Service.start();
      try {
        const { id, key } = await issue();
        const elsewhere = other.client.with(key);
        const others = other.client.with(acme.key);
        const burst = (client: Client) => Array.from({ length: 32 }, () => statusOf(client));
        const before = [...burst(elsewhere), ...burst(others)];
        await acme.client.delete(`${API_KEYS}/${id}`);
        const after = [...burst(others), ...burst(elsewhere)];
        expect(await Promise.all(after)).toEqual([...Array(32).fill(200), ...Array(32).fill(401)]);
        await Promise.all(before);
      } finally {
        await other.stop();
      }
    });

    it('is idempotent: the second request changes nothing', async () => {
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

    it("is 404 for another workspace's key, which stays", async () => {
      const other = await service.workspace();
      const { id, client } = await issue();
      const { status, body } = await other.client.delete(`${API_KEYS}/${id}`);
      expect([status, body.code]).toEqual([404, 'not_found']);
      expect(await statusOf(client)).toBe(200);
      expect((await listed(id)).revoked_at).toBeNull();
    });

    it.each([UNKNOWN, 'nonsense', '%00'])('is 404 for the id %s', async (id) => {
      expect((await acme.client.delete(`${API_KEYS}/${encodeURIComponent(id)}`)).status).toBe(404);
    });
  });
});
