import { createKey } from '../../../src/workspaces/api-keys/api-key-secret';
import { ApiKeysService } from '../../../src/workspaces/api-keys/api-keys.service';
import type { Answer, Client } from '../../support/client';
import { ADMIN_API_KEY } from '../../support/environment';
import { exchange } from '../../support/exchange';
import { Service, serviceForAll, Tenant } from '../../support/service';

const INIT = '/api/v1/runtime/session/init';
const FLOWS = '/api/v1/public/flows';
const WORKSPACES = '/api/v1/admin/workspaces';

/** Sends this many requests at once and counts their responses by status. */
async function sendMany(times: number, send: () => Promise<Answer>): Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (const { status } of await Promise.all(Array.from({ length: times }, send))) {
    counts[status] = (counts[status] ?? 0) + 1;
  }
  return counts;
}

describe('Rate limits', () => {
  /** Makes what requests are about. */
  const unlimited = serviceForAll();
  let service: Service;
  let acme: Tenant;
  let slug: string;

  /** Starts a service with these limits; `acme` is made before they apply. */
  async function start(env: Record<string, string>): Promise<void> {
    const tenant = await unlimited.workspace();
    const { id, key } = tenant;
    slug = (await tenant.publishedFlow()).slug;
    service = await Service.start(env);
    acme = new Tenant(id, key, service.client.with(key));
  }
  afterEach(() => service.stop());

  const init = (headers?: Record<string, string>): Promise<Answer> =>
    service.client.post(INIT, { flow_slug: slug }, headers);

  describe('of the runtime interface', () => {
    it('accept the configured number of requests a minute from an address, and count no session for the rest', async () => {
      await start({ RUNTIME_REQUESTS_PER_MINUTE: '5' });
      expect(await sendMany(9, init)).toEqual({ 201: 5, 429: 4 });
      expect((await acme.usage()).sessions_used).toBe(5);
    });

    it('are ten times as many for billing systems, which speak for all customers, and count apart', async () => {
      await start({ RUNTIME_REQUESTS_PER_MINUTE: '2' });
      const path = `/api/v1/billing/stripe/webhook/${acme.id}`;
      expect(await sendMany(25, () => service.client.post(path, {}))).toEqual({ 404: 20, 429: 5 });
      expect((await init()).status).toBe(201);
    });

    it('are ten times as many for pictures, of which a page has several, and as many for pages to leave, and count apart', async () => {
      await start({ RUNTIME_REQUESTS_PER_MINUTE: '2' });
      const picture = '/images/019a9f3c-9e21-7b6d-8d2f-1f2e3d4c5b6a';
      expect(await sendMany(25, () => service.client.get(picture))).toEqual({ 404: 20, 429: 5 });
      expect(await sendMany(4, () => service.client.get('/exit/nobodys'))).toEqual({ 404: 2, 429: 2 });
      expect((await init()).status).toBe(201);
    });

    it('say in each response how many requests are left, and in a 429 when to retry', async () => {
      await start({ RUNTIME_REQUESTS_PER_MINUTE: '2' });
      const [first, second, third] = [await init(), await init(), await init()];
      expect([first, second, third].map(({ status }) => status)).toEqual([201, 201, 429]);
      for (const [response, left] of [
        [first, 1],
        [second, 0],
        [third, 0],
      ] as const) {
        expect(response.headers.get('ratelimit-policy')).toBe('"runtime";q=2;w=60');
        expect(response.headers.get('ratelimit')).toMatch(new RegExp(`^"runtime";r=${left};t=([1-9]|[1-5]\\d|60)$`));
      }
      expect(third.headers.get('retry-after')).toMatch(/^([1-9]|[1-5]\d|60)$/);
      expect(third.body.code).toBe('too_many_requests');
      // The widget must be able to read it.
      expect(third.headers.get('access-control-allow-origin')).toBe('*');
    });

    it('count all requests, also for unknown routes, but no preflight', async () => {
      await start({ RUNTIME_REQUESTS_PER_MINUTE: '3' });
      const { client } = service;
      expect(await sendMany(9, () => client.send('OPTIONS', INIT))).toEqual({ 204: 9 });
      expect((await client.get('/api/v1/runtime/nothing')).status).toBe(404);
      expect((await client.post(INIT, { flow_slug: 'nobodys' })).status).toBe(404);
      expect((await client.post(INIT, {})).status).toBe(400);
      expect((await init()).status).toBe(429);
    });

    it.each([
      ['with characters encoded', '/api/v1/%72untime/session/init'],
      ['in the absolute form', `http://retention.example${INIT}`],
    ])('count a request in whatever form its path is written: %s', async (_, path) => {
      await start({ RUNTIME_REQUESTS_PER_MINUTE: '2' });
      const body = JSON.stringify({ flow_slug: slug });
      const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n`;
      const send = () => exchange(service, `${head}Content-Length: ${body.length}\r\n\r\n${body}`);
      const responses = [await send(), await send(), await send()];
      expect(responses.map(({ status }) => status)).toEqual([201, 201, 429]);
      for (const { headers } of responses) {
        expect(headers.get('ratelimit-policy')).toBe('"runtime";q=2;w=60');
        expect(headers.get('access-control-allow-origin')).toBe('*');
        expect(headers.get('cache-control')).toBe('no-store');
      }
    });

    it('count seconds on the monotonic clock, so that a changed system time does not matter', async () => {
      await start({ RUNTIME_REQUESTS_PER_MINUTE: '1' });
      const now = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000);
      await init();
      now.mockRestore();
      const refused = await init();
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    });

    it('are exact for ten addresses at once behind a trusted proxy', async () => {
      await start({ RUNTIME_REQUESTS_PER_MINUTE: '5', TRUST_PROXY: '127.0.0.1, 10.0.0.0/8' });
      const addresses = Array.from({ length: 10 }, (_, number) => `203.0.113.${number}`);
      const counts = await Promise.all(
        // Addresses left of the last untrusted one are the client's own claim.
        addresses.map((address, number) =>
          sendMany(8, () => init({ 'x-forwarded-for': `198.51.100.${number * 8}, ${address}, 10.1.2.3` })),
        ),
      );
      expect(counts).toEqual(addresses.map(() => ({ 201: 5, 429: 3 })));
    });

    it('are shared by the /64 network of an IPv6 client', async () => {
      await start({ RUNTIME_REQUESTS_PER_MINUTE: '5', TRUST_PROXY: '127.0.0.1/32' });
      let number = 0;
      const from = (network: string) => () =>
        init({ 'x-forwarded-for': `${network}:${(number++).toString(16)}:1:1:1` });
      expect(await sendMany(8, from('2001:db8:0:1'))).toEqual({ 201: 5, 429: 3 });
      expect(await sendMany(8, from('2001:db8:0:2'))).toEqual({ 201: 5, 429: 3 });
    });

    it.each([
      ['an IPv4 address', (port: number) => `203.0.113.7:${port}`],
      ['an IPv6 address', (port: number) => `[2001:db8::7]:${port}`],
      ['an address, through a second proxy', (port: number) => `203.0.113.7:${port}, 10.1.2.3:${port}`],
    ])('ignore the port that a proxy writes after %s', async (_, written) => {
      await start({ RUNTIME_REQUESTS_PER_MINUTE: '5', TRUST_PROXY: '127.0.0.1, 10.0.0.0/8' });
      let port = 40_000;
      expect(await sendMany(8, () => init({ 'x-forwarded-for': written(port++) }))).toEqual({ 201: 5, 429: 3 });
    });

    it('count for the proxy itself when it forwards no valid address', async () => {
      await start({ RUNTIME_REQUESTS_PER_MINUTE: '5', TRUST_PROXY: '127.0.0.1' });
      let number = 0;
      expect(await sendMany(8, () => init({ 'x-forwarded-for': `unknown-${number++}` }))).toEqual({ 201: 5, 429: 3 });
    });

    it('ignore the forwarded headers of untrusted clients, with one line in the log', async () => {
      await start({ RUNTIME_REQUESTS_PER_MINUTE: '5', TRUST_PROXY: '192.0.2.1', LOG_LEVEL: 'warn' });
      let number = 0;
      const forged = () => init({ 'x-forwarded-for': `203.0.113.${number++}`, forwarded: 'for=203.0.113.1' });
      expect(await sendMany(8, forged)).toEqual({ 201: 5, 429: 3 });
      expect(service.log.filter((line) => line.includes('forwarded'))).toEqual([expect.stringContaining('127.0.0.1')]);
    });
  });

  describe('of the management interface', () => {
    it('accept the configured number of requests a minute with each key', async () => {
      await start({ MANAGEMENT_REQUESTS_PER_MINUTE: '5' });
      const other = await service.workspace();
      expect(await sendMany(8, () => acme.client.get(FLOWS))).toEqual({ 200: 5, 429: 3 });
      expect(await sendMany(8, () => other.client.get(FLOWS))).toEqual({ 200: 5, 429: 3 });
      const response = await acme.client.get(FLOWS);
      expect(response.body.code).toBe('too_many_requests');
      expect(response.headers.get('ratelimit-policy')).toBe('"management";q=5;w=60');
      expect(response.headers.get('retry-after')).toMatch(/^\d+$/);
    });

    it('accept twice as many requests a minute with all keys of a workspace together', async () => {
      await start({ MANAGEMENT_REQUESTS_PER_MINUTE: '5' });
      const other = await service.workspace();
      const issue = () => service.operator.post(`${WORKSPACES}/${acme.id}/api-keys`, { name: 'Gateway' });
      const keys = await Promise.all([issue(), issue(), issue()]);
      const [second, third, fourth] = keys.map(({ body }) => service.client.with(body.key));
      // What is refused of the first key is not taken from the others.
      expect(await sendMany(20, () => acme.client.get(FLOWS))).toEqual({ 200: 5, 429: 15 });
      expect(await sendMany(3, () => second.get(FLOWS))).toEqual({ 200: 3 });
      expect(await sendMany(3, () => third.get(FLOWS))).toEqual({ 200: 2, 429: 1 });
      const refused = await fourth.get(FLOWS);
      expect([refused.status, refused.body.code]).toEqual([429, 'too_many_requests']);
      expect(refused.headers.get('ratelimit-policy')).toBe('"workspace";q=10;w=60');
      expect(refused.headers.get('retry-after')).toMatch(/^([1-9]|[1-5]\d|60)$/);
      expect((await other.client.get(FLOWS)).headers.get('ratelimit-policy')).toBe('"management";q=5;w=60');
    });

    it('leave the database unchanged for a refused request', async () => {
      await start({ MANAGEMENT_REQUESTS_PER_MINUTE: '2' });
      const create = () => acme.client.post('/api/v1/public/offers', { name: 'Half price', offer_type: 'custom' });
      expect(await sendMany(6, create)).toEqual({ 201: 2, 429: 4 });
      expect(await service.database.query('SELECT FROM offers WHERE workspace_id = $1', [acme.id])).toHaveLength(2);
    });

    it('apply to the operator too', async () => {
      await start({ MANAGEMENT_REQUESTS_PER_MINUTE: '3' });
      expect(await sendMany(5, () => service.operator.get(WORKSPACES))).toEqual({ 200: 3, 429: 2 });
    });
  });

  describe('of failed authentications', () => {
    const guess = (client: Client) => () => client.get(FLOWS);

    it('let an address fail 20 times a minute, with any key or none', async () => {
      await start({ FAILED_AUTHENTICATIONS_PER_MINUTE: '20' });
      expect(await sendMany(7, guess(service.client))).toEqual({ 401: 7 });
      expect(await sendMany(7, guess(service.client.with('wrong')))).toEqual({ 401: 7 });
      expect(await sendMany(9, () => service.client.with('wrong').get(WORKSPACES))).toEqual({ 401: 6, 429: 3 });
      const refused = await service.client.get(FLOWS);
      expect([refused.status, refused.body.code]).toEqual([429, 'too_many_requests']);
      expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    });

    it('never refuse a valid key', async () => {
      await start({ FAILED_AUTHENTICATIONS_PER_MINUTE: '20' });
      expect(await sendMany(30, guess(service.client.with('wrong')))).toEqual({ 401: 20, 429: 10 });
      expect(await sendMany(30, guess(acme.client))).toEqual({ 200: 30 });
      expect(await sendMany(30, () => service.client.with(ADMIN_API_KEY).get(WORKSPACES))).toEqual({ 200: 30 });
    });

    it('look up one key at a time for an address over its limit, and let a valid one through', async () => {
      await start({ FAILED_AUTHENTICATIONS_PER_MINUTE: '20' });
      await acme.client.get(FLOWS);
      const apiKeys = service.app.get(ApiKeysService);
      const lookUp = apiKeys.findUsable.bind(apiKeys);
      let concurrent = 0;
      let most = 0;
      jest.spyOn(apiKeys, 'findUsable').mockImplementation(async (secret) => {
        most = Math.max(most, ++concurrent);
        return lookUp(secret).finally(() => concurrent--);
      });
      const guesses = sendMany(120, () => service.client.with(createKey('live')).get(FLOWS));
      expect(await sendMany(5, () => acme.client.get(FLOWS))).toEqual({ 200: 5 });
      expect(await guesses).toEqual({ 401: 20, 429: 100 });
      // 20 within the limit, 5 with the valid key, and 1 over the limit.
      expect(most).toBeLessThanOrEqual(26);
    });

    it('do not count valid keys, even 60 at once', async () => {
      await start({ FAILED_AUTHENTICATIONS_PER_MINUTE: '20' });
      const { id } = acme;
      const keys = await Promise.all(
        Array.from({ length: 60 }, () =>
          service.operator.post(`${WORKSPACES}/${id}/api-keys`, { name: 'Gateway' }).then(({ body }) => body.key),
        ),
      );
      const first = keys.map((key) => service.client.with(key).get(FLOWS));
      expect((await Promise.all(first)).map(({ status }) => status)).toEqual(keys.map(() => 200));
      expect(await sendMany(25, guess(service.client.with('wrong')))).toEqual({ 401: 20, 429: 5 });
    });

    it('do not count a 403 for a key that may only read', async () => {
      await start({ FAILED_AUTHENTICATIONS_PER_MINUTE: '20' });
      const { body } = await acme.client.post('/api/v1/public/api-keys', { name: 'Reader', access: 'read' });
      const reader = service.client.with(body.key);
      expect(await sendMany(30, () => reader.post('/api/v1/public/offers', {}))).toEqual({ 403: 30 });
    });
  });

  it('are off at 0', async () => {
    await start({
      RUNTIME_REQUESTS_PER_MINUTE: '0',
      MANAGEMENT_REQUESTS_PER_MINUTE: '0',
      FAILED_AUTHENTICATIONS_PER_MINUTE: '0',
    });
    expect(await sendMany(50, init)).toEqual({ 201: 50 });
    expect(await sendMany(50, () => acme.client.get(FLOWS))).toEqual({ 200: 50 });
    expect(await sendMany(50, () => service.client.get(FLOWS))).toEqual({ 401: 50 });
    expect((await init()).headers.get('ratelimit')).toBeNull();
  });
});
