import type { Client } from '../../support/client';
import { expectNoImplementationDetails } from '../../support/problem';
import { serviceForAll, type Tenant } from '../../support/service';

const OFFERS = '/api/v1/public/offers';
const OWN = '/api/v1/public/workspace';
const INIT = '/api/v1/runtime/session/init';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

describe('The headers of a response', () => {
  const service = serviceForAll();
  let acme: Tenant;

  beforeAll(async () => {
    acme = await service.workspace();
  });

  it('restrict what a browser does with it (CSP, nosniff, no referrer)', async () => {
    for (const path of ['/docs', '/api/v1/public/flows', '/nothing', '/%zz', '/*livez']) {
      const { headers } = await acme.client.get(path);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('content-security-policy')).toMatch(/^default-src 'none';.*frame-ancestors 'none'/);
      expect(headers.get('content-security-policy')).not.toMatch(/unsafe-inline|unsafe-eval|\*|http/);
    }
  });

  it('forbid caches to keep responses of the interface (Cache-Control: no-store)', async () => {
    const { slug: flow_slug } = await acme.publishedFlow();
    const started = await service.client.post(INIT, { flow_slug });
    const responses = [
      started,
      await service.client.get(`/api/v1/runtime/session/${started.body.session_id}`),
      await acme.client.get(`/api/v1/public/sessions/${started.body.session_id}`),
      await acme.client.post('/api/v1/public/api-keys', { name: 'Spare' }),
      await service.operator.post('/api/v1/admin/workspaces', { name: 'Acme' }),
      await service.client.get('/api/v1/public/flows'),
    ];
    expect(responses.map(({ status }) => status)).toEqual([201, 200, 200, 201, 201, 401]);
    for (const { headers } of responses) expect(headers.get('cache-control')).toBe('no-store');
  });

  /** Successes and errors of all kinds of routes. */
  const responsesTo = (as: Client) =>
    Promise.all([
      as.get(OFFERS),
      as.post(OFFERS, { name: 'Half price', offer_type: 'custom' }),
      as.post(OFFERS, {}),
      as.get(`${OFFERS}/nonsense`),
      as.get(OWN),
      as.get('/nothing'),
      as.get('/docs'),
      as.post(INIT, { flow_slug: 'none-has-it' }),
      as.send('OPTIONS', OFFERS),
      as.send('OPTIONS', INIT),
    ]);

  it('include a unique Request-Id', async () => {
    const all = [...(await responsesTo(acme.client)), ...(await responsesTo(service.client))];
    const ids = all.map(({ headers }) => headers.get('request-id'));
    for (const id of ids) expect(id).toMatch(UUID);
    expect(new Set(ids).size).toBe(all.length);
  });

  it('repeat the Request-Id of the request if it has at most 64 safe characters', async () => {
    const requestIdFor = async (id: string) =>
      (await acme.client.get(OWN, { 'request-id': id })).headers.get('request-id');
    for (const id of ['a', 'Trace_7-b', 'x'.repeat(64)]) expect(await requestIdFor(id)).toBe(id);
    for (const id of ['', 'x'.repeat(65), 'a b', 'a"b', '{"level":60}', 'é', 'a, b']) {
      expect(await requestIdFor(id)).toMatch(UUID);
    }
  });

  it('hide the implementation', async () => {
    for (const { headers } of await responsesTo(acme.client)) expectNoImplementationDetails(headers, '');
  });
});
