import type { Answer } from '../../support/client';
import { exchange } from '../../support/exchange';
import { expectProblem } from '../../support/problem';
import { serviceForAll, workspaceForEach } from '../../support/service';

const OFFERS = '/api/v1/public/offers';
const OWN = '/api/v1/public/workspace';
const INIT = '/api/v1/runtime/session/init';
const KIB = 1024;
const JSON_TYPE = { 'content-type': 'application/json' };
const ORIGIN = { origin: 'https://shop.example' };

const offer = { name: 'Half price', offer_type: 'custom' };

describe('CORS', () => {
  const service = serviceForAll();
  const acme = workspaceForEach(service);

  const allowed = ({ headers }: Answer) => headers.get('access-control-allow-origin');
  const corsHeadersOf = ({ headers }: Answer) =>
    [...headers.keys()].filter((name) => name.startsWith('access-control-'));
  const valuesIn = ({ headers }: Answer, name: string) => (headers.get(name) ?? '').toLowerCase().split(/, */);

  it('lets pages of every site call the runtime interface and read its responses, errors too', async () => {
    const { slug } = await acme.publishedFlow();
    const send = (body: string, headers: Record<string, string>, method = 'POST', path = INIT) =>
      service.client.send(method, path, { headers: { ...ORIGIN, ...headers }, body: body || undefined });
    const responses = [
      await send(JSON.stringify({ flow_slug: slug }), JSON_TYPE),
      await send('{}', JSON_TYPE),
      await send('{', JSON_TYPE),
      await send('{"flow_slug":"none-has-it"}', JSON_TYPE),
      await send('a=b', { 'content-type': 'application/x-www-form-urlencoded' }),
      await send(' '.repeat(16 * KIB + 1), JSON_TYPE),
      await send('{}', {}, 'PUT'),
      await send('', {}, 'GET', '/api/v1/runtime/nothing'),
    ];
    expect(responses.map(({ status }) => status)).toEqual([201, 400, 400, 404, 415, 413, 405, 404]);
    expect(responses.map(allowed)).toEqual(responses.map(() => '*'));
    for (const response of responses) {
      expect(valuesIn(response, 'access-control-expose-headers')).toEqual(
        expect.arrayContaining(['retry-after', 'request-id', 'ratelimit', 'ratelimit-policy']),
      );
      expect(corsHeadersOf(response)).not.toContain('access-control-allow-credentials');
    }
  });

  it('allows every origin also without an Origin header, and for the origin null of a sandboxed page', async () => {
    for (const headers of [undefined, { origin: 'null' }]) {
      expect(allowed(await service.client.post(INIT, {}, headers))).toBe('*');
    }
  });

  it('allows JSON and Idempotency-Key in the preflight of a session start, with 204', async () => {
    const response = await service.client.send('OPTIONS', INIT, {
      headers: {
        ...ORIGIN,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type,idempotency-key',
      },
    });
    expect([response.status, response.body]).toEqual([204, '']);
    expect(allowed(response)).toBe('*');
    expect(valuesIn(response, 'access-control-allow-methods')).toContain('post');
    expect(valuesIn(response, 'access-control-allow-headers')).toEqual(
      expect.arrayContaining(['content-type', 'idempotency-key']),
    );
    expect(valuesIn(response, 'access-control-allow-headers')).not.toContain('authorization');
    expect(response.headers.get('access-control-max-age')).toBe('86400');
    expect(corsHeadersOf(response)).not.toContain('access-control-allow-credentials');
  });

  it('responds to an OPTIONS request that is not a preflight with 204 or a problem', async () => {
    for (const headers of [{}, ORIGIN]) {
      const response = await service.client.send('OPTIONS', INIT, { headers });
      if (response.status !== 204) expectProblem(response);
      expect(allowed(response)).toBe('*');
    }
  });

  it.each([
    ...[OFFERS, `${OFFERS}/x`, '/api/v1/public/flows', OWN, '/api/v1/admin/workspaces', '/docs'].map(
      (path) => [path, 405, 'method_not_allowed'] as const,
    ),
    ...['/nothing', '*'].map((path) => [path, 404, 'not_found'] as const),
  ])('is only for the runtime interface: OPTIONS %s is %i', async (path, status, code) => {
    const origin = 'Origin: https://shop.example\r\n';
    for (const headers of ['', origin, `${origin}Access-Control-Request-Method: POST\r\n`]) {
      const request = `OPTIONS ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n`;
      const response = await exchange(service, request);
      expect([response.status, response.body?.code]).toEqual([status, code]);
      expectProblem(response);
      expect(corsHeadersOf(response)).toEqual([]);
    }
  });

  it('is only for the runtime interface: other responses have no CORS headers', async () => {
    const { id } = await acme.offer();
    const responses = [
      await acme.client.get(OFFERS, ORIGIN),
      await acme.client.post(OFFERS, offer, ORIGIN),
      await acme.client.post(OFFERS, {}, ORIGIN),
      await acme.client.delete(`${OFFERS}/${id}`, ORIGIN),
      await service.client.get(OWN, ORIGIN),
      await service.operator.get('/api/v1/admin/workspaces?limit=1', ORIGIN),
      await service.client.get('/docs/nothing', ORIGIN),
      await service.client.get('/docs', ORIGIN),
      await service.client.get('/nothing', ORIGIN),
      await service.client.get('/api/v1/runtime', ORIGIN),
    ];
    expect(responses.map(({ status }) => status)).toEqual([200, 201, 400, 200, 401, 200, 404, 200, 404, 404]);
    expect(responses.map(corsHeadersOf)).toEqual(responses.map(() => []));
  });
});
