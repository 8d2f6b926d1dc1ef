import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { ADMIN_API_KEY } from '../support/environment';
import { freePort } from '../support/free-port';
import { databasesForAll, ServiceProcess } from '../support/service-process';
import { until } from '../support/until';
import { Proxy, type Response } from './support/proxies';
import { Upstream } from './support/upstream';

const RUNTIME = '/api/v1/runtime/session';
/** The paths of the interface, but for the operator's. */
function publicPaths(): string[] {
  const { paths } = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as { paths: object };
  const documented = Object.keys(paths).map((path) => path.replace(/\{\w+\}/g, 'x'));
  const areInside = /^\/(api\/v1\/admin\/|metrics|livez|readyz)/;
  return [
    ...documented.filter((path) => !areInside.test(path)),
    '/api/v1/billing/stripe/webhook/x',
    '/exit/x',
    '/leave/x',
    '/images/x',
  ];
}

/** Requests to the runtime interface that a client may send in a minute. */
const LIMIT = 20;

describe.each(['nginx', 'caddy'] as const)('%s, with the file of deploy/', (name) => {
  const databases = databasesForAll();
  let address: string;
  let key: string;
  let slug: string;
  let proxy: Proxy;

  const post = (path: string, body: object, bearer = key) =>
    fetch(`${address}/api/v1/${path}`, {
      method: path.includes('flows/') ? 'PUT' : 'POST',
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }).then((response) => response.json());

  beforeAll(async () => {
    const env = { TRUST_PROXY: '127.0.0.1', RUNTIME_REQUESTS_PER_MINUTE: String(LIMIT) };
    const service = ServiceProcess.start({ DATABASE_URL: await databases.create(), ...env });
    address = await service.address();
    key = (await post('admin/workspaces', { name: 'Acme' }, ADMIN_API_KEY)).api_key.key;
    const flow = { name: 'Leaving', product_name: 'Acme', cancellation_url: 'https://acme.example/cancel' };
    const { id, slug: made } = await post('public/flows', flow);
    await post(`public/flows/${id}`, { status: 'published', exit: { enabled: true } });
    slug = made;
    proxy = await Proxy[name]([new URL(address).host]);
  });
  afterAll(() => proxy?.stop());

  const start = (from: string, headers = {}) =>
    proxy.send('POST', `${RUNTIME}/init`, { from, headers, body: JSON.stringify({ flow_slug: slug }) });
  const bodyOf = ({ text }: Response) => JSON.parse(text);

  it('lets a customer through a session, and logs neither its id nor a customer', async () => {
    const from = '127.0.0.9';
    const { session_id } = bodyOf(await start(from));
    const step = (body: object) =>
      proxy.send('POST', `${RUNTIME}/${session_id}/step`, { from, body: JSON.stringify(body) });
    expect((await step({ node_key: 'start', action: 'continue' })).status).toBe(200);
    expect(bodyOf(await step({ action: 'cancel' }))).toMatchObject({ status: 'canceled' });
    expect((await proxy.send('GET', `${RUNTIME}/${session_id}?secret=1`, { from })).status).toBe(400);
    expect((await proxy.send('GET', `/%61pi/v1/runtime/session/${session_id}`, { from })).status).toBe(200);
    const headers = { authorization: `Bearer ${key}` };
    expect((await proxy.send('DELETE', '/api/v1/public/customers/cus_secret', { headers })).status).toBe(200);
    await untilLogged('DELETE');
    expect(proxy.log).toContain(RUNTIME);
    for (const secret of [session_id, key, 'secret']) expect(proxy.log).not.toContain(secret);
  });

  it('lets a customer leave on the exit page, whose receipt has a link by https that no log shows', async () => {
    const page = await proxy.send('GET', `/exit/${slug}`);
    expect([page.status, page.headers['content-type']]).toEqual([200, expect.stringMatching(/html/)]);
    const declaration = { kind: 'termination', name: 'Ada Lovelace', contract: '4711', email: 'ada@example.com' };
    const declared = await proxy.send('POST', `/api/v1/runtime/exit/${slug}`, { body: JSON.stringify(declaration) });
    expect(declared.status).toBe(201);
    const { pathname, protocol } = new URL(bodyOf(declared).receipt_url);
    // The test speaks plain HTTP to Caddy.
    expect(protocol).toBe(name === 'nginx' ? 'https:' : 'http:');
    for (const path of [pathname, pathname.replace('/exit', '/%65xit')]) {
      const receipt = await proxy.send('GET', path);
      expect([receipt.status, receipt.text]).toEqual([200, expect.stringContaining('Ada Lovelace')]);
    }
    await untilLogged('/exit/');
    const [key] = pathname.split('/').slice(-1);
    expect(key.length).toBeGreaterThan(30);
    expect(proxy.log).not.toContain(key);
  });

  it('takes a workspace as a document of several MB', async () => {
    const offers = Array.from({ length: 600 }, (_, n) => {
      return { key: `offer-${n}`, name: 'Stay', offer_type: 'custom', body: 'x'.repeat(5000) };
    });
    const headers = { authorization: `Bearer ${key}` };
    const { status } = await proxy.send('PUT', '/api/v1/public/config?dry_run=true', {
      headers,
      body: JSON.stringify({ offers }),
    });
    expect(status).toBe(200);
  });

  it.each(publicPaths())('lets through what the interface documents: %s', async (path) => {
    const { headers } = await proxy.send('GET', path, { from: '127.0.0.8' });
    // The service's own 404 has one.
    expect(headers).toHaveProperty('request-id');
  });

  it('tells the service the address of each client, whatever the client says', async () => {
    const statuses: number[] = [];
    for (let n = 0; n <= LIMIT; n++) {
      const forged = { 'x-forwarded-for': `192.0.2.${n}`, forwarded: `for=192.0.2.${n}`, 'x-real-ip': `192.0.2.${n}` };
      statuses.push((await start('127.0.0.2', forged)).status);
    }
    expect(statuses).toEqual([...Array<number>(LIMIT).fill(201), 429]);
    expect((await start('127.0.0.3')).status).toBe(201);
  });

  it.each([
    '/metrics',
    '/readyz',
    '/livez',
    '/%6detrics',
    '//metrics',
    '/./metrics',
    '/widget/../metrics',
    '/widget/..%2fmetrics',
    '/widget/%2e%2e/metrics',
    '/metrics/../widget/v1.js',
    '/metrics%3f/../widget/v1.js',
    '/metrics;/../widget/v1.js',
    'http://acme.test/metrics',
    '/api/v1/admin/workspaces',
    '/api/v1/public/../admin/workspaces',
    '/api/v1/public/..%2fadmin/workspaces',
    '/api/v1/public/%2e%2e/admin/workspaces',
    '/api/v1/admin/../public/workspaces',
    '/api/v1/%61dmin/workspaces',
  ])('keeps inside: %s', async (path) => {
    const { status, text } = await proxy.send('GET', path, { headers: { authorization: `Bearer ${ADMIN_API_KEY}` } });
    // The widget is public, however its path is written.
    if (path.endsWith('v1.js') && status === 200) expect(text).toContain('data-retention-flow');
    else expect([400, 404]).toContain(status);
    expect(text).not.toMatch(/retention_|alive|ready|Acme/);
  });

  it.each([
    ['/widget/v1.js', /javascript/],
    ['/console', /html/],
    ['/docs', /html/],
    ['/demo', /html/],
    ['/preview', /html/],
    ['/openapi.json', /json/],
    ['/config.schema.json', /json/],
  ])('serves %s, and what it loads', async (path, type) => {
    const { status, headers, text } = await proxy.send('GET', path);
    expect([status, headers['content-type']]).toEqual([200, expect.stringMatching(type)]);
    if (!type.test('html')) return;
    const loaded = [...text.matchAll(/<(?:script|link)[^>]+(?:src|href)="([^":]+)"/g)].map(([, url]) => url);
    expect(loaded.length).toBeGreaterThan(0);
    for (const url of loaded) {
      const { pathname } = new URL(url.replaceAll('&amp;', '&'), `http://acme.test${path}`);
      expect([pathname, (await proxy.send('GET', pathname)).status]).toEqual([pathname, 200]);
    }
  });

  describe('in front of a server that misbehaves', () => {
    const opened: { stop(): Promise<void> }[] = [];
    afterEach(async () => {
      for (const one of opened.splice(0).toReversed()) await one.stop();
    });

    async function behind(...respond: Parameters<typeof Upstream.start>[0][]) {
      const upstreams = await Promise.all(respond.map((one) => Upstream.start(one)));
      opened.push(...upstreams);
      const own = await Proxy[name](upstreams.map((upstream) => upstream.address));
      opened.push(own);
      return { own, received: () => upstreams.flatMap(({ received }) => received) };
    }

    it('repeats no POST that was sent, and does not log the session of the one that failed', async () => {
      const die = ({ socket }: { socket: { destroy(): void } }) => socket.destroy();
      const { own, received } = await behind(die, die);
      const { status } = await own.send('POST', `${RUNTIME}/the-session/step`, { body: '{}' });
      expect([status, received().length]).toEqual([502, 1]);
      expect(received()[0]).toMatchObject({ httpVersion: '1.1', method: 'POST' });
      expect(own.log).not.toContain('the-session');
    });

    it('sends a POST to another process when one does not listen', async () => {
      const upstream = await Upstream.start((_, response) => response.end('done'));
      opened.push(upstream);
      const gone = `127.0.0.1:${await freePort()}`;
      const own = await Proxy[name]([gone, upstream.address]);
      opened.push(own);
      for (let n = 0; n < 3; n++) expect((await own.send('POST', `${RUNTIME}/init`, { body: '{}' })).text).toBe('done');
      expect(upstream.received.length).toBe(3);
      const logged = name === 'nginx' ? `"upstream":"${gone}, ${upstream.address}","upstream_status":"502, 200"` : gone;
      await untilLogged(logged, own);
    });

    it('sends a request on when no process is ready, so that the process says why', async () => {
      const upstream = await Upstream.start((_, response) => response.writeHead(503).end('No database.'), {
        isReady: false,
      });
      opened.push(upstream);
      const own = await Proxy[name]([upstream.address]);
      opened.push(own);
      // When it asks again, it knows the first answer. nginx never asks.
      if (name === 'caddy')
        await until(
          async () => upstream.probes,
          (probes) => probes >= 2,
        );
      expect(await own.send('POST', `${RUNTIME}/init`, { body: '{}' })).toMatchObject({
        status: 503,
        text: 'No database.',
      });
    });

    /** Opens a download, of which one line has come. */
    async function download(path = '/api/v1/public/sessions.csv') {
      let rest!: ServerResponse;
      const { own } = await behind((_, response) => {
        rest = response.writeHead(200, { 'content-type': 'text/csv' });
        response.write('id\r\n');
      });
      const response = await own.open('GET', path);
      expect(String((await once(response, 'data'))[0])).toBe('id\r\n');
      return { response, rest };
    }

    it.each(publicPaths().filter((path) => path.endsWith('.csv')))(
      'passes a download on as it comes: %s',
      async (path) => {
        const { response, rest } = await download(path);
        const line = once(response, 'data');
        rest.write('1\r\n');
        expect(String((await line)[0])).toBe('1\r\n');
        rest.end();
        await once(response.resume(), 'end');
      },
    );

    // Caddy 2.6.2 ends it as if it were whole; deploy/README.md says so. When this passes, that sentence has to go.
    const itBreaks = name === 'caddy' ? it.failing : it;
    itBreaks('breaks a download off if the service does', async () => {
      const { response, rest } = await download();
      rest.destroy();
      await expect(once(response.resume(), 'end')).rejects.toThrow();
    });

    it('waits 12 s for a response', async () => {
      const { own } = await behind((_, response) => {
        setTimeout(() => response.end('late'), 12_000);
      });
      expect((await own.send('GET', `${RUNTIME}/id`)).text).toBe('late');
    });
  });

  /** A line is written after its response was sent. */
  async function untilLogged(text: string, by = proxy): Promise<void> {
    while (!by.log.includes(text)) await by.send('GET', '/nothing');
  }
});
