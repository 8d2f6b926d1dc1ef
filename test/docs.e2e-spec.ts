import { Service, serviceForAll } from './support/service';

const BUNDLE = '/docs/swagger-ui-bundle.js';

describe('The docs', () => {
  const service = serviceForAll();

  const get = (path: string, headers?: Record<string, string>) =>
    fetch(service.client.baseUrl + path, { headers, redirect: 'manual' });

  it('are where /docs/ redirects to', async () => {
    const { status, headers } = await get('/docs/');
    expect(status).toBe(302);
    expect(new URL(headers.get('location')!, `${service.client.baseUrl}/docs/`).pathname).toBe('/docs');
  });

  it('begin with what the interface is for: Runtime, Flows, Offers, Workspace', async () => {
    const { tags } = (await (await get('/openapi.json')).json()) as { tags: { name: string }[] };
    expect(tags.slice(0, 4).map(({ name }) => name)).toEqual(['Runtime', 'Flows', 'Offers', 'Workspace']);
  });

  it('are a page that loads its scripts and styles from this service, with none inline', async () => {
    const page = await (await get('/docs')).text();
    const files = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file]) => file);
    expect(files).toHaveLength(5);
    for (const file of files) expect([file, (await get(`/${file}`)).status]).toEqual([file, 200]);
    expect(page).not.toMatch(/<style|style=|<script>|https?:/);
  });

  it('are compressed for clients that accept it, and only for them', async () => {
    const responses = ['gzip, br', 'gzip', 'identity', 'gzip;q=0'].map((encoding) =>
      get(BUNDLE, { 'accept-encoding': encoding }),
    );
    const all = await Promise.all(responses);
    expect(all.map(({ headers }) => headers.get('content-encoding'))).toEqual(['br', 'gzip', null, null]);
    for (const { headers } of all.slice(0, 2)) expect(Number(headers.get('content-length'))).toBeLessThan(500_000);
    const texts = await Promise.all(all.map((response) => response.text()));
    expect(new Set(texts).size).toBe(1);
  });

  it('are 304 for a browser that has them', async () => {
    for (const path of ['/docs', BUNDLE, '/openapi.json']) {
      const { headers } = await get(path);
      expect(headers.get('cache-control')).toBe('no-cache');
      const again = await get(path, { 'if-none-match': headers.get('etag')! });
      expect([again.status, await again.text()]).toEqual([304, '']);
    }
  });

  it('are limited to 300 requests a minute from an address', async () => {
    const limited = await Service.start();
    const statuses: number[] = [];
    for (let n = 0; n < 301; n++) statuses.push((await fetch(`${limited.client.baseUrl}/docs`)).status);
    await limited.stop();
    expect(statuses.slice(0, 300)).toEqual(Array(300).fill(200));
    expect(statuses[300]).toBe(429);
  });
});
