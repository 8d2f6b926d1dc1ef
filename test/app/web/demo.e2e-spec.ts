import { serviceForAll } from '../../support/service';

const CSP =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' https: data:; " +
  "require-trusted-types-for 'script'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The addresses that a page loads or leads to. */
const linked = (page: string) => [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address);

describe('The demo', () => {
  const service = serviceForAll();

  const get = (path: string, headers?: Record<string, string>) => fetch(service.client.baseUrl + path, { headers });
  const textOf = async (path: string) => (await get(path)).text();

  it.each(['/demo', '/demo/canceled'])('is a page under a strict policy, of files of its own: %s', async (path) => {
    const response = await get(path);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('content-security-policy')).toBe(CSP);
    // By its address, the service knows its sessions.
    expect(response.headers.get('referrer-policy')).toBe(path === '/demo' ? 'same-origin' : 'no-referrer');
    expect(response.headers.get('cache-control')).toBe('no-cache');
    const page = await response.text();
    expect(page).not.toMatch(/<style|style=|<script>|\son\w+=|https?:/);
    const base = new URL(path, service.client.baseUrl);
    for (const address of linked(page)) {
      expect([address, (await fetch(new URL(address, base))).status]).toEqual([address, 200]);
    }
  });

  it('is 304 for a browser that has it', async () => {
    for (const path of ['/demo', '/demo?script=blocked', '/demo/canceled', '/demo/demo.js', '/demo/demo.css']) {
      const { headers } = await get(path);
      expect((await get(path, { 'if-none-match': headers.get('etag')! })).status).toBe(304);
    }
  });

  it('has the line that every page needs, and a link that works without it', async () => {
    const page = await textOf('/demo');
    expect(page).toContain('<script async src="widget/v1.js"></script>');
    expect(page).toMatch(/<a [^>]*href="demo\/canceled"[^>]*>Cancel subscription<\/a>/);
  });

  it('comes without the widget when asked to', async () => {
    const page = await textOf('/demo');
    const blocked = await textOf('/demo?script=blocked&flow=x');
    expect(linked(page).filter((address) => !linked(blocked).includes(address))).toEqual(['widget/v1.js']);
  });

  it('is the same page whatever the query says', async () => {
    const page = await textOf('/demo');
    const queries = [
      'flow=leaving-acme',
      'flow=%22%3E%3Cscript%3Ealert(1)%3C%2Fscript%3E',
      'session=javascript:alert(1)',
      'script=other',
      'script=blocked&script=blocked',
      'script[]=blocked',
      '__proto__=x',
      '%00=%zz&%ff',
      '&&&=',
      `flow=${'x'.repeat(8000)}`,
    ];
    for (const query of queries) {
      for (const path of ['/demo', '/demo/canceled']) {
        const response = await get(`${path}?${query}`);
        expect([query, response.status]).toEqual([query, 200]);
        if (path === '/demo') expect(await response.text()).toBe(page);
      }
    }
  });

  it.each(['/demo/demo.html', '/demo/v1.js', '/demo/..%2fpackage.json', '/demo/%00'])(
    'has no other files: %s is 404',
    async (path) => expect((await get(path)).status).toBe(404),
  );
});
