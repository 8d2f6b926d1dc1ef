import { createHash } from 'node:crypto';
import { claimsFor, secretKey, tokenOf } from '../support/customer-token';
import { serviceForAll, workspaceForEach } from '../support/service';

const FLOW = { name: 'Leaving', product_name: 'Acme <Pro>', cancellation_url: 'https://acme.example/cancel?a=1&b=2' };
const INIT = '/api/v1/runtime/session/init';

describe('The page of a flow', () => {
  const service = serviceForAll();
  const acme = workspaceForEach(service);
  let slug: string;

  beforeEach(async () => {
    ({ slug } = await acme.publishedFlow(FLOW));
  });

  const flowId = async () => (await acme.client.get('/api/v1/public/flows')).body.flows[0].id as string;
  const page = (query = '', headers = {}, name = slug) => service.client.get(`/leave/${name}${query}`, headers);
  const linkOf = (html: string) => /<a [^>]*>/.exec(html)![0];

  it('has a link to the cancellation page, which works without a script, and starts no session itself', async () => {
    const { status, body, headers } = await page('?lang=de');
    expect(status).toBe(200);
    expect(linkOf(body)).toContain('href="https://acme.example/cancel?a=1&#38;b=2"');
    expect(linkOf(body)).toContain('data-lang="de"');
    expect(body).toContain('<html lang="de"');
    expect(body).toContain('Acme &#60;Pro&#62;');
    expect(body.match(/(src|href)="[^"]*"/g)).toEqual([expect.stringContaining('acme.example'), 'src="leave.js"']);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*script-src 'self'/);
    expect((await acme.client.get('/api/v1/public/sessions')).body.sessions).toEqual([]);
    expect((await service.client.get('/leave/leave.js')).status).toBe(200);
  });

  it.each(['https://a;script-src', 'https://a,script-src', "https://a;script-src'x'"])(
    'lets the logo %s say nothing in its policy',
    async (origin) => {
      const { status } = await acme.client.put('/api/v1/public/workspace', { logo_url: `${origin}/logo.svg` });
      expect(status).toBe(200);
      const policy = (await page()).headers.get('content-security-policy')!;
      const names = policy.split(';').map((directive) => directive.trim().split(' ')[0]);
      expect(names.filter((name) => name === 'script-src')).toHaveLength(1);
      expect(/img-src (\S+)/.exec(policy)![1]).toMatch(/^https:\/\/a%/);
    },
  );

  it('has the font, the corners and the scheme of the brand, also in its policy', async () => {
    const brand = { font: "Inter, 'Helvetica Neue', serif", radius: '3px', scheme: 'dark' };
    await acme.client.put('/api/v1/public/workspace', { brand });
    await acme.client.put(`/api/v1/public/flows/${await flowId()}`, { exit: { enabled: true } });
    for (const path of ['leave', 'exit']) {
      const { body, headers } = await service.client.get(`/${path}/${slug}`);
      const [, style] = /<style>(.*)<\/style>/s.exec(body)!;
      expect(style).toContain("font:100%/1.5 Inter, 'Helvetica Neue', serif;");
      expect(style).toContain('color-scheme:dark;--corner:3px;');
      const hash = createHash('sha256').update(style).digest('base64');
      expect(headers.get('content-security-policy')).toContain(`style-src 'sha256-${hash}'`);
    }
    expect(linkOf((await page()).body)).toContain('data-color-scheme="dark"');
  });

  it('has the language of the browser where the link names none', async () => {
    const { body, headers } = await page('', { 'accept-language': 'fr-CA' });
    expect(body).toContain('<html lang="fr"');
    expect(headers.get('vary')).toBe('accept-language');
  });

  it('takes a token from the link, and leads back only to where it may', async () => {
    const key = await secretKey(acme.client);
    const withReturn = (return_to: string) => page(`?token=${tokenOf(key, {}, claimsFor(acme, { return_to }))}`);
    const { body } = await withReturn('https://acme.example/account');
    expect(linkOf(body)).toMatch(
      /data-customer-token="[\w-]+\.[\w-]+\.[\w-]+" data-return-to="https:\/\/acme\.example\/account"/,
    );
    expect((await withReturn('https://evil.example/')).body).not.toContain('evil');
    await acme.client.put('/api/v1/public/workspace', { allowed_origins: ['https://app.acme.example'] });
    expect((await withReturn('https://acme.example/account')).body).not.toContain('data-return-to');
    expect((await withReturn('https://app.acme.example/home')).body).toContain('https://app.acme.example/home');
  });

  it.each(['"><script>alert(1)</script>', '\u0000', 'x'.repeat(5000), '%F0%9F'])(
    'shows nothing of the hostile parameter %#',
    async (hostile) => {
      const value = hostile.startsWith('%') ? hostile : encodeURIComponent(hostile);
      const { status, body } = await page(`?token=${value}&lang=${value}`);
      expect([200, 400]).toContain(status);
      expect(body).not.toContain('<script>alert');
      expect(body.match(/<script/g) ?? []).toHaveLength(status === 200 ? 1 : 0);
    },
  );

  it('is not there for an unknown flow, nor for one that was never published', async () => {
    const { slug: draft } = await acme.flow(FLOW);
    for (const unknown of ['nowhere-x7k2m9qa', draft, 'x'.repeat(500)]) {
      const { status, body } = await page('', {}, unknown);
      expect(status).toBe(404);
      expect(body).not.toContain('acme.example');
    }
  });

  it('starts sessions though only pages of other origins may: it is the service’s own', async () => {
    await acme.client.put('/api/v1/public/workspace', { allowed_origins: ['https://app.acme.example'] });
    const start = async (headers: Record<string, string>) =>
      (await service.client.post(INIT, { flow_slug: slug }, headers)).status;
    const { origin } = new URL(service.client.baseUrl);
    expect(await start({ origin })).toBe(201);
    expect(await start({ origin, 'sec-fetch-site': 'same-origin' })).toBe(201);
    expect(await start({ origin: 'https://evil.example' })).toBe(403);
    expect(await start({ origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' })).toBe(403);
  });
});
