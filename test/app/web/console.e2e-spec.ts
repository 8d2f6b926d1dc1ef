import { serviceForAll } from '../../support/service';

const CSP =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' https: data:; " +
  "require-trusted-types-for 'script'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const FILES = ['/console', '/console/chunk.js', '/console/console.js', '/console/console.css', '/console/icon.svg'];
const EDITOR = '/console/editor.js';

describe('The console', () => {
  const service = serviceForAll();

  const get = (path: string, headers?: Record<string, string>) =>
    fetch(service.client.baseUrl + path, { headers, redirect: 'manual' });

  it.each([
    ['/console', 'text/html; charset=utf-8'],
    ['/console/console.js', 'text/javascript; charset=utf-8'],
    ['/console/chunk.js', 'text/javascript; charset=utf-8'],
    [EDITOR, 'text/javascript; charset=utf-8'],
    ['/console/console.css', 'text/css; charset=utf-8'],
    ['/console/icon.svg', 'image/svg+xml'],
  ])('is under a strict policy, and never out of date: %s', async (path, type) => {
    const { status, headers } = await get(path);
    expect([status, Object.fromEntries(headers)]).toEqual([
      200,
      expect.objectContaining({
        'content-type': type,
        // It shows previews in a frame.
        'content-security-policy': path === '/console' ? CSP.replace('frame-a', "frame-src 'self'; frame-a") : CSP,
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-cache',
      }),
    ]);
    expect((await get(path, { 'if-none-match': headers.get('etag')! })).status).toBe(304);
  });

  it('is a page of files of its own, without a line of script or style in it', async () => {
    const page = await (await get('/console')).text();
    expect(page).not.toMatch(/<style|style=|<script>|\son\w+=|https?:/);
    const linked = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => `/${address}`);
    expect(linked.toSorted()).toEqual(FILES.slice(1).toSorted());
  });

  it('is at most 130 kB in all, and the editor that is loaded when it is opened at most 80 kB', async () => {
    const sizeOf = async (path: string) =>
      Number((await get(path, { 'accept-encoding': 'gzip' })).headers.get('content-length'));
    const [editor, ...others] = await Promise.all([EDITOR, ...FILES].map(sizeOf));
    expect(Math.min(editor, ...others)).toBeGreaterThan(0);
    expect(others.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(130_000);
    expect(editor).toBeLessThanOrEqual(80_000);
  });

  it('is the same page whatever the query says', async () => {
    const page = await (await get('/console')).text();
    for (const query of ['key=rf_live_x', '%22%3E%3Cscript%3Ealert(1)%3C%2Fscript%3E', '__proto__=x', '%00=%zz&%ff']) {
      const response = await get(`/console?${query}`);
      expect([query, response.status, await response.text()]).toEqual([query, 200, page]);
    }
  });

  it('is found with a slash behind, also under a path of a proxy', async () => {
    const { status, headers } = await get('/console/');
    expect([status, headers.get('location')]).toEqual([302, '../console']);
  });

  it('needs no key, and gets none: no cookie is set', async () => {
    for (const path of FILES) expect((await get(path)).headers.get('set-cookie')).toBeNull();
  });

  it.each([
    '/console/console.html',
    '/console/index.html',
    '/console/console.js.map',
    '/console/..%2fpackage.json',
    '/console/%00',
    '/console/flows',
  ])('has no other files: %s is 404', async (path) => expect((await get(path)).status).toBe(404));

  it('answers HEAD like GET, and 405 to other methods', async () => {
    for (const path of FILES) {
      const head = await fetch(service.client.baseUrl + path, { method: 'HEAD' });
      expect([head.status, await head.text(), head.headers.get('etag')]).toEqual([
        200,
        '',
        (await get(path)).headers.get('etag'),
      ]);
      for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
        expect((await fetch(service.client.baseUrl + path, { method })).status).toBe(405);
      }
    }
  });
});
