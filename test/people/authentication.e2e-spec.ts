import { createKey } from '../../src/workspaces/api-keys/api-key-secret';
import type { Client } from '../support/client';
import { serviceForAll, workspaceForEach } from '../support/service';
import { API_KEYS, inAnHour, issueKey, listKeys } from '../workspaces/issued-key';

const OWN = '/api/v1/public/workspace';
const OFFERS = '/api/v1/public/offers';
const FLOWS = '/api/v1/public/flows';
const UNKNOWN = '019a9f3c-6c1f-7a52-8c55-0a7be1d4f2aa';

const CHALLENGE = 'Bearer realm="retention-flow"';

/** The key with a wrong checksum. */
const withBadChecksum = (key: string): string => key.slice(0, -1) + (key.endsWith('0') ? '1' : '0');

describe('Authentication with an API key', () => {
  const service = serviceForAll();
  const acme = workspaceForEach(service);

  const issue = (fields?: object) => issueKey(service, acme, fields);
  const statusOf = async (client: Client): Promise<number> => (await client.get(OWN)).status;

  describe('A key with read access', () => {
    it('may read the workspace, API keys, offers and flows', async () => {
      const { client } = await issue({ access: 'read' });
      const [offer, flow] = [await acme.offer(), await acme.flow()];
      for (const path of [OWN, API_KEYS, OFFERS, `${OFFERS}/${offer.id}`, FLOWS, `${FLOWS}/${flow.id}`]) {
        expect([path, (await client.get(path)).status]).toEqual([path, 200]);
      }
    });

    it('is 403 for every change, and nothing changes', async () => {
      const { id, client } = await issue({ access: 'read' });
      const [offer, flow] = [await acme.offer(), await acme.flow()];
      const responses = [
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
      for (const { status, headers, body } of responses) {
        expect([status, body.code]).toEqual([403, 'insufficient_scope']);
        expect(headers.get('www-authenticate')).toBe(`${CHALLENGE}, error="insufficient_scope", scope="write"`);
      }
      expect((await acme.client.get(OFFERS)).body.offers).toMatchObject([{ id: offer.id, name: offer.name }]);
      expect((await acme.client.get(FLOWS)).body.flows).toMatchObject([{ id: flow.id, name: flow.name }]);
      expect((await acme.client.get(OWN)).body.name).toBe('Acme');
      expect(await listKeys(acme)).toMatchObject([{ id, revoked_at: null }, { name: 'First key' }]);
    });

    it('is 403 before any other error of the request', async () => {
      const { client } = await issue({ access: 'read' });
      expect((await client.post(OFFERS, {})).status).toBe(403);
      expect((await client.delete(`${OFFERS}/${UNKNOWN}`)).status).toBe(403);
    });
  });

  describe('An expired key', () => {
    it('is refused from expires_at on', async () => {
      const { client } = await issue({ expires_at: inAnHour() });
      await service.letPass('55 minutes', acme);
      expect(await statusOf(client)).toBe(200);
      await service.letPass('5 minutes', acme);
      expect(await statusOf(client)).toBe(401);
    });
  });

  describe('A request', () => {
    it.each([
      ['no header', undefined],
      ['an empty header', ''],
      ['another scheme', 'Basic YWNtZTpzZWNyZXQ='],
      ['the scheme alone', 'Bearer'],
      ['the key without a scheme', 'KEY'],
      ['the key with another scheme', 'Token KEY'],
      ['no space before the key', 'BearerKEY'],
      ['a colon after the scheme', 'Bearer: KEY'],
      ['the key twice', 'Bearer KEY KEY'],
      ['a list of credentials', 'Basic YQ==, Bearer KEY'],
      ['a header in quotes', '"Bearer KEY"'],
      ['characters beyond ASCII', 'Bearer schlüssel'],
    ])('is 401 with a WWW-Authenticate challenge: %s', async (_, header) => {
      const headers = header === undefined ? undefined : { authorization: header.replaceAll('KEY', acme.key) };
      const { status, headers: received, body } = await service.client.get(OWN, headers);
      expect([status, body.code]).toEqual([401, 'unauthorized']);
      expect(received.get('www-authenticate')).toBe(CHALLENGE);
    });

    it.each([
      ['in the query', `${OWN}?api_key=KEY`, {}],
      ['in the query, as in RFC 6750', `${OWN}?access_token=KEY`, {}],
      ['in a header of another name', OWN, { 'x-api-key': 'KEY' }],
    ])('is 401 for a key %s', async (_, path, headers) => {
      const withKey = Object.fromEntries(Object.entries(headers).map(([name]) => [name, acme.key]));
      expect((await service.client.get(path.replace('KEY', acme.key), withKey)).status).toBe(401);
    });

    it('gets the same 401 for an unknown, mistyped, expired or revoked key', async () => {
      const expired = await issue({ expires_at: inAnHour() });
      const revoked = await issue();
      await acme.client.delete(`${API_KEYS}/${revoked.id}`);
      await service.letPass('2 hours', acme);
      const responses = await Promise.all(
        [
          expired.key,
          revoked.key,
          createKey('live'),
          withBadChecksum(acme.key),
          acme.key.toLowerCase(),
          `${acme.key}0`,
          acme.key.replace('live', 'test'),
          'nonsense',
        ].map((key) => service.client.with(key).get(OWN)),
      );
      const [first] = responses;
      for (const { status, headers, body } of responses) {
        expect(status).toBe(401);
        expect(headers.get('www-authenticate')).toBe(`${CHALLENGE}, error="invalid_token"`);
        expect(body).toEqual({ ...first.body, request_id: headers.get('request-id') });
        expect([...headers.keys()]).toEqual([...first.headers.keys()]);
      }
      expect(first.body.code).toBe('invalid_token');
      expect(new Set(responses.map(({ body }) => body.request_id)).size).toBe(responses.length);
    });

    it('gets its own answer among 64 at once, with valid, expired, revoked and unknown keys of several workspaces', async () => {
      const others = [await service.workspace(), await service.workspace(), await service.workspace()];
      const expected: [key: string, answer: string | number][] = [[createKey('live'), 401]];
      for (const tenant of [acme, ...others]) {
        const expired = await issueKey(service, tenant, { expires_at: inAnHour() });
        await service.letPass('2 hours', tenant);
        const revoked = await issueKey(service, tenant);
        await tenant.client.delete(`${API_KEYS}/${revoked.id}`);
        expected.push([tenant.key, tenant.id], [expired.key, 401], [revoked.key, 401], [tenant.key, tenant.id]);
      }
      const requests = Array.from({ length: 64 }, (_, index) => expected[index % expected.length]);
      const answers = await Promise.all(
        requests.map(async ([key]) => {
          const { status, body } = await service.client.with(key).get(OWN);
          return status === 200 ? (body.id as string) : status;
        }),
      );
      expect(answers).toEqual(requests.map(([, answer]) => answer));
    });

    it('is refused without a database query when the checksum is wrong', async () => {
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

    it.each(['Bearer', 'bearer', 'BEARER'])('is accepted with the scheme written as %s', async (scheme) => {
      expect((await service.client.get(OWN, { authorization: `${scheme} ${acme.key}` })).status).toBe(200);
    });
  });
});
