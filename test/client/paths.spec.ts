import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { RetentionFlow } from '@retention-flow/client';

describe('A call of the client', () => {
  let server: Server;
  let rf: RetentionFlow;
  let asked: string[];
  let body: string;
  const FLOWS = '{"flows":[],"next_cursor":null}';

  beforeEach(async () => {
    asked = [];
    body = FLOWS;
    server = createServer(({ method, url }, response) => {
      asked.push(`${method} ${url}`);
      // As a proxy does that has another opinion about paths.
      if (method === 'POST') return response.writeHead(302, { location: url }).end();
      return response.writeHead(200, { 'content-type': 'application/json' }).end(body);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    rf = new RetentionFlow({ baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, apiKey: 'key' });
  });

  afterEach(() => new Promise((done) => server.close(done)));

  it('follows no redirect, which would turn a creation into a read', async () => {
    const creation = rf.flows.create({
      name: 'Leaving',
      product_name: 'Pro',
      cancellation_url: 'https://acme.example',
    });
    await expect(creation).rejects.toMatchObject({ name: 'ApiError', status: 302, code: 'unknown' });
    expect(asked).toEqual(['POST /api/v1/public/flows']);
  });

  it.each(['..', '.', '', undefined as never])('with the id %j is refused, not sent to another path', async (id) => {
    for (const call of [
      () => rf.flows.stats(id),
      () => rf.flows.get(id),
      () => rf.customers.erase(id),
      () => rf.runtime.get(id),
    ]) {
      await expect(call()).rejects.toThrow(TypeError);
    }
    expect(asked).toEqual([]);
  });

  it('asks for the time of a Date', async () => {
    await rf.sessions.list({ updated_since: new Date(Date.UTC(2026, 0, 1)) as never, limit: 5, cursor: undefined });
    expect(asked).toEqual(['GET /api/v1/public/sessions?updated_since=2026-01-01T00%3A00%3A00.000Z&limit=5']);
  });

  it.each(['', FLOWS.slice(0, -3)])('has no answer in JSON that was cut off: %j', async (cut) => {
    body = cut;
    const once = new RetentionFlow({
      baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      retries: 0,
    });
    await expect(once.flows.list()).rejects.toMatchObject({ name: 'ConnectionError' });
  });

  it.each<[string, object]>([
    ['a time-out that no timer can wait for', { timeout: Infinity }],
    ['no time at all', { timeout: 0 }],
    ['no number of retries', { retries: NaN }],
    ['a key that fetch would repeat in its error', { apiKey: 'rf_live_a\nb' }],
  ])('is refused before it is made, with %s', (_, options) => {
    const refused = expect(() => new RetentionFlow({ baseUrl: 'http://127.0.0.1', ...options }));
    refused.toThrow(/^(timeout|apiKey)/);
    refused.not.toThrow('rf_live_a');
  });

  it('encodes all other ids', async () => {
    await rf.customers.erase('a/../../b?c#d%2F{id}');
    await rf.flows.version('...', 2);
    expect(asked).toEqual([
      'DELETE /api/v1/public/customers/a%2F..%2F..%2Fb%3Fc%23d%252F%7Bid%7D',
      'GET /api/v1/public/flows/.../versions/2',
    ]);
  });
});
