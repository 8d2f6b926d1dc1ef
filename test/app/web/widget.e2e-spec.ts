import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { exchange } from '../../support/exchange';
import { workerDatabaseUrl } from '../../support/database';
import { Service, serviceForAll } from '../../support/service';
import { TcpProxy } from '../../support/tcp-proxy';

const SCRIPT = '/widget/v1.js';
const MODULE = '/widget/v1.mjs';
const FILES = [SCRIPT, MODULE, '/widget/v1.d.ts', '/widget/v1.json'];

interface Pinned {
  url: string;
  integrity: string;
}

describe('The widget', () => {
  const service = serviceForAll();

  const get = (path: string, headers?: Record<string, string>) => fetch(service.client.baseUrl + path, { headers });
  const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

  it.each([
    [SCRIPT, 'text/javascript; charset=utf-8'],
    [MODULE, 'text/javascript; charset=utf-8'],
    ['/widget/v1.d.ts', 'text/plain; charset=utf-8'],
    ['/widget/v1.json', 'application/json'],
  ])('is for pages of every site: %s', async (path, type) => {
    const response = await get(path, { origin: 'https://shop.example' });
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': expect.stringContaining(type),
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
      vary: 'accept-encoding',
    });
    expect(response.headers.get('access-control-allow-credentials')).toBeNull();
  });

  it('is at most 12 kB', async () => {
    const { headers } = await get(SCRIPT, { 'accept-encoding': 'gzip' });
    expect(Number(headers.get('content-length'))).toBeLessThanOrEqual(12_000);
  });

  it('is up to date within five minutes, and stays usable for a week while the service is down', async () => {
    const cacheControl = 'public, max-age=300, stale-while-revalidate=86400, stale-if-error=604800';
    for (const path of [SCRIPT, MODULE, '/widget/v1.d.ts']) {
      const { headers } = await get(path);
      expect(headers.get('cache-control')).toBe(cacheControl);
      const again = await get(path, { 'if-none-match': headers.get('etag')! });
      expect([again.status, await again.text()]).toEqual([304, '']);
      expect(again.headers.get('cache-control')).toBe(cacheControl);
      expect(again.headers.get('access-control-allow-origin')).toBe('*');
    }
  });

  it('is compressed with what the browser prefers and accepts', async () => {
    const encodings = ['gzip, deflate, br', 'gzip', 'br;q=0, gzip', 'identity', 'gzip;q=0, br;q=0.0'];
    const responses = await Promise.all(
      encodings.map((encoding) =>
        exchange(
          service,
          `GET ${SCRIPT} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAccept-Encoding: ${encoding}\r\n\r\n`,
        ),
      ),
    );
    expect(responses.map(({ headers }) => headers.get('content-encoding'))).toEqual(['br', 'gzip', 'gzip', null, null]);
  });

  it('has the same content however it is compressed', async () => {
    const texts = ['br', 'gzip', 'identity'].map(async (encoding) =>
      (await get(SCRIPT, { 'accept-encoding': encoding })).text(),
    );
    expect(new Set(await Promise.all(texts)).size).toBe(1);
  });

  it('can be pinned: /widget/v1.json has names that never change their content, and its hashes', async () => {
    const pinned = (await (await get('/widget/v1.json')).json()) as { script: Pinned; module: Pinned };
    expect(Object.keys(pinned)).toEqual(['script', 'module']);
    for (const [{ url, integrity }, path] of [
      [pinned.script, SCRIPT],
      [pinned.module, MODULE],
    ] as const) {
      const content = await bytesOf(await get(path));
      const hash = createHash('sha256').update(content).digest('hex').slice(0, 20);
      expect(url).toBe(path.replace('v1.', `v1.${hash}.`));
      expect(integrity).toBe(`sha384-${createHash('sha384').update(content).digest('base64')}`);
      const response = await get(url);
      expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      expect(await bytesOf(response)).toEqual(content);
    }
  });

  it('can be imported on a server, where there is no DOM', async () => {
    const url = `data:text/javascript;base64,${(await bytesOf(await get(MODULE))).toString('base64')}`;
    const code = `import(${JSON.stringify(url)}).then((module) => console.log(Object.keys(module).join()))`;
    const printed = execFileSync(process.execPath, ['-e', code], { encoding: 'utf8' });
    expect(printed.trim()).toBe('RetentionFlowElement,show');
  });

  it.each([`/widget/v1.${'0'.repeat(20)}.js`, '/widget/v2.js', '/widget/', '/widget', '/widget/..%2fv1.js'])(
    'is 404 under another name: %s',
    async (path) => {
      const response = await get(path);
      expect([response.status, response.headers.get('cache-control')]).toEqual([404, 'no-store']);
    },
  );

  it('answers HEAD like GET, and 405 to other methods', async () => {
    for (const path of FILES) {
      const head = await fetch(service.client.baseUrl + path, { method: 'HEAD' });
      expect([head.status, await head.text()]).toEqual([200, '']);
      expect(head.headers.get('etag')).toBe((await get(path)).headers.get('etag'));
      for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
        expect((await fetch(service.client.baseUrl + path, { method })).status).toBe(405);
      }
    }
  });

  it('has no limit: all customers behind one proxy would lose it together', async () => {
    const limited = await Service.start({ RUNTIME_REQUESTS_PER_MINUTE: '5' });
    for (let n = 0; n < 400; n++) expect((await limited.client.get(SCRIPT)).status).toBe(200);
    await limited.stop();
  });

  it.each([
    ['is gone', (proxy: TcpProxy) => proxy.close()],
    ['hangs', (proxy: TcpProxy) => proxy.freeze()],
  ])('is served while the database %s, and so is the demo', async (_, breakOff) => {
    const proxy = await TcpProxy.start(workerDatabaseUrl());
    const cutOff = await Service.start({ DATABASE_URL: proxy.url });
    breakOff(proxy);
    while ((await cutOff.client.get('/readyz')).status === 200);
    const statuses = await Promise.all(
      [...FILES, '/demo'].map(async (path) => (await fetch(cutOff.client.baseUrl + path)).status),
    );
    proxy.close();
    await cutOff.stop();
    expect(statuses).toEqual([200, 200, 200, 200, 200]);
  });
});
