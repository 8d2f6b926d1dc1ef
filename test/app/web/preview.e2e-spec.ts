import { serviceForAll } from '../../support/service';

const CSP =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' https: data:; " +
  "require-trusted-types-for 'script'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

describe('The page of previews', () => {
  const service = serviceForAll();

  it('is a page under a strict policy, of files of its own, which the console alone may frame', async () => {
    const response = await fetch(`${service.client.baseUrl}/preview`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('content-security-policy')).toBe(CSP);
    expect(response.headers.get('x-frame-options')).toBe('SAMEORIGIN');
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    const page = await response.text();
    expect(page).not.toMatch(/<style|style=|<script>|\son\w+=|https?:/);
    const linked = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address);
    expect(linked).toHaveLength(3);
    for (const address of linked) {
      expect([address, (await fetch(new URL(address, response.url))).status]).toEqual([address, 200]);
    }
  });
});
