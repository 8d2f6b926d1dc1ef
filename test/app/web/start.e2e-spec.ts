import { serviceForAll } from '../../support/service';

describe('The page at /', () => {
  const service = serviceForAll();

  it('leads to the console, the demo and the reference, and needs no script', async () => {
    const response = await fetch(`${service.client.baseUrl}/`);
    const page = await response.text();
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page).not.toMatch(/<script|style=|<style|https?:/);
    const doors = [...page.matchAll(/<a href="([^"]+)"/g)].map(([, path]) => path);
    expect(doors).toEqual(['console', 'demo', 'docs']);
    for (const [, path] of page.matchAll(/href="([^"]+)"/g))
      expect([path, (await fetch(`${service.client.baseUrl}/${path}`)).status]).toEqual([path, 200]);
  });
});
