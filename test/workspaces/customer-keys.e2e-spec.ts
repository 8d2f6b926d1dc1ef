import { generateKeyPairSync } from 'node:crypto';
import { CUSTOMER_KEYS, keyPair } from '../support/customer-token';
import { serviceForAll, workspaceForEach } from '../support/service';

const UNKNOWN = '019a9f3c-6c1f-7a52-8c55-0a7be1d4f2aa';
const HS256 = { name: 'Account pages', algorithm: 'HS256' };

describe('Customer keys', () => {
  const service = serviceForAll();
  const acme = workspaceForEach(service);

  const create = (body: object) => acme.client.post(CUSTOMER_KEYS, body);
  const list = async () => (await acme.client.get(CUSTOMER_KEYS)).body.customer_keys as { id: string }[];
  const rows = () => service.database.query('SELECT * FROM customer_keys WHERE workspace_id = $1', [acme.id]);

  describe('POST /api/v1/public/customer-keys', () => {
    it('makes a secret of 256 bits for HS256, and shows it only in this response', async () => {
      const { status, headers, body } = await create(HS256);
      expect(status).toBe(201);
      expect(body).toEqual({ id: expect.any(String), ...HS256, secret: expect.stringMatching(/^cksec_[\w-]{43}$/) });
      expect(headers.get('location')).toBe(`${CUSTOMER_KEYS}/${body.id}`);
      expect((await create(HS256)).body.secret).not.toBe(body.secret);
      expect(JSON.stringify(await list())).not.toContain('cksec_');
    });

    it('takes the public key of an Ed25519 pair for EdDSA, and shows it in the list', async () => {
      const { public_key } = keyPair();
      const { status, body } = await create({ name: 'Own', algorithm: 'EdDSA', public_key });
      expect(status).toBe(201);
      expect(body).toEqual({ id: expect.any(String), name: 'Own', algorithm: 'EdDSA', secret: null });
      const created_at = expect.any(String);
      expect(await list()).toEqual([{ id: body.id, name: 'Own', algorithm: 'EdDSA', public_key, created_at }]);
    });

    const ed25519 = keyPair();
    const privateJwk = ed25519.privateKey.export({ format: 'jwk' });
    const otherCurve = (type: 'ed448' | 'x25519') =>
      generateKeyPairSync(type as 'ed448').publicKey.export({ format: 'jwk' });
    const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' });
    const own = (public_key: unknown) => ({ name: 'Own', algorithm: 'EdDSA', public_key });
    it.each<[string, object, string]>([
      ['no name', { algorithm: 'HS256' }, '/name'],
      ['no algorithm', { name: 'Own' }, '/algorithm'],
      ['the algorithm none', { name: 'Own', algorithm: 'none' }, '/algorithm'],
      ['RS256', { name: 'Own', algorithm: 'RS256' }, '/algorithm'],
      ['EdDSA without a key', { name: 'Own', algorithm: 'EdDSA' }, '/public_key'],
      ['HS256 with a key', { ...HS256, public_key: ed25519.public_key }, '/public_key'],
      ['a secret of its own', { ...HS256, secret: 'secret' }, '/secret'],
      ['a private key', own(privateJwk), '/public_key/d'],
      ['the curve Ed448', own(otherCurve('ed448')), '/public_key/crv'],
      ['the curve X25519', own(otherCurve('x25519')), '/public_key/crv'],
      ['the curve P-256', own(p256), '/public_key/kty'],
      ['a key as text', own(JSON.stringify(ed25519.public_key)), '/public_key'],
      ['a key of 31 bytes', own({ ...ed25519.public_key, x: 'A'.repeat(42) }), '/public_key/x'],
      ['a key in base64', own({ ...ed25519.public_key, x: '+'.repeat(43) }), '/public_key/x'],
      ['null as key', own(null), '/public_key'],
    ])('refuses %s with the pointer to it', async (_, body, pointer) => {
      const { status, body: problem } = await create(body);
      expect(status).toBe(400);
      expect(problem.errors.map((error: { pointer: string }) => error.pointer)).toContain(pointer);
      expect(await rows()).toEqual([]);
    });

    it('creates 10 for a workspace at most, also when all are asked for at once', async () => {
      const answers = await Promise.all(Array.from({ length: 12 }, () => create(HS256)));
      const refused = answers.filter(({ status }) => status !== 201);
      expect(refused.map(({ status, body }) => [status, body.code])).toEqual(
        Array.from({ length: 2 }, () => [409, 'customer_key_limit_reached']),
      );
      const [one] = await list();
      await acme.client.delete(`${CUSTOMER_KEYS}/${one.id}`);
      expect((await create(HS256)).status).toBe(201);
      expect(await list()).toHaveLength(10);
    });
  });

  describe('GET /api/v1/public/customer-keys', () => {
    it('lists them newest first, in pages', async () => {
      const ids = [];
      for (const name of ['One', 'Two', 'Three']) ids.unshift((await create({ ...HS256, name })).body.id);
      expect((await list()).map(({ id }) => id)).toEqual(ids);
      const { customer_keys, next_cursor } = (await acme.client.get(`${CUSTOMER_KEYS}?limit=2`)).body;
      expect(customer_keys).toHaveLength(2);
      const rest = (await acme.client.get(`${CUSTOMER_KEYS}?cursor=${next_cursor}`)).body;
      expect(rest).toMatchObject({ customer_keys: [{ id: ids[2], name: 'One', public_key: null }], next_cursor: null });
    });
  });

  describe('DELETE /api/v1/public/customer-keys/:id', () => {
    it('deletes one for good', async () => {
      const { id } = (await create(HS256)).body;
      const { status, body } = await acme.client.delete(`${CUSTOMER_KEYS}/${id}`);
      expect([status, body]).toEqual([200, { deleted: true, id }]);
      expect(await rows()).toEqual([]);
      expect((await acme.client.delete(`${CUSTOMER_KEYS}/${id}`)).status).toBe(404);
    });

    it.each([UNKNOWN, 'ck_1', '0'])('is 404 for %s', async (id) => {
      expect((await acme.client.delete(`${CUSTOMER_KEYS}/${id}`)).status).toBe(404);
    });
  });

  it('are for keys that may write to create and delete, and for others to list', async () => {
    const { id } = (await create(HS256)).body;
    const { key } = (await acme.client.post('/api/v1/public/api-keys', { name: 'Reader', access: 'read' })).body;
    const reader = service.client.with(key);
    expect((await reader.get(CUSTOMER_KEYS)).status).toBe(200);
    for (const { status, body } of [
      await reader.post(CUSTOMER_KEYS, HS256),
      await reader.delete(`${CUSTOMER_KEYS}/${id}`),
    ])
      expect([status, body.code]).toEqual([403, 'insufficient_scope']);
    expect(await rows()).toHaveLength(1);
  });
});
