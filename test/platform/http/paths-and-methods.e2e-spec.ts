import { METHODS } from 'node:http';
import { createDocument } from '../../../src/app/openapi/document';
import { exchange } from '../../support/exchange';
import { expectProblem } from '../../support/problem';
import { serviceForAll, workspaceForEach } from '../../support/service';
import { expectRefusal } from './refusal';

const OFFERS = '/api/v1/public/offers';

describe('A request to a path or method without a route', () => {
  const service = serviceForAll();
  const acme = workspaceForEach(service);

  it.each(['/nothing', '/api', '/api/v1', '/api/v2/public/offers', '/api/v1/public//offers', '/docs/nothing'])(
    'is 404 for every method: %s',
    async (path) => {
      for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
        await expectRefusal(acme, await acme.client.send(method, path), 404, 'not_found');
      }
    },
  );

  it('is 405 for every method that the path does not take, and names those that it takes', async () => {
    const { paths } = createDocument(service.app);
    const items = Object.entries({ ...paths, '/docs': { get: {} }, '/console': { get: {} }, '/demo': { get: {} } });
    const takenBy = (path: string) =>
      items
        .filter(([form]) => new RegExp(`^${form.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path))
        .flatMap(([, item]) => Object.keys(item))
        .flatMap((method) => (method === 'get' ? ['GET', 'HEAD'] : method.toUpperCase()))
        .toSorted();
    const wrong: unknown[] = [];
    for (const [form] of items) {
      const path = form.replaceAll(/\{\w+\}/g, '019a9f3c-8b44-7f10-9a4e-5c6d7e8f9a0b');
      const taken = takenBy(path);
      for (const method of METHODS.filter((one) => one !== 'CONNECT' && !taken.includes(one))) {
        // On the runtime interface, it is a preflight.
        if (method === 'OPTIONS' && path.includes('/runtime/')) continue;
        const request = `${method} ${path}?x=1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
        const { status, headers, body } = await exchange(service, request);
        const allow = headers.get('allow')?.split(', ').toSorted();
        const isProblem = method === 'HEAD' || body.code === 'method_not_allowed';
        if (status !== 405 || !isProblem || String(allow) !== String(taken))
          wrong.push({ method, path, status, allow });
      }
    }
    expect(wrong).toEqual([]);
  });

  it('is 405 for a changed field sent with PATCH, and changes nothing', async () => {
    const { id } = await acme.offer({ name: 'Before' });
    const response = await acme.client.sendJson('PATCH', `${OFFERS}/${id}`, { name: 'After' });
    expect([response.status, response.body.code, response.headers.get('allow')]).toEqual([
      405,
      'method_not_allowed',
      'GET, HEAD, PUT, DELETE',
    ]);
    expectProblem(response);
    expect((await acme.client.get(`${OFFERS}/${id}`)).body.name).toBe('Before');
  });

  it.each([
    ['a percent sign alone', '/%'],
    ['a percent sign without digits', '/%zz'],
    ['a byte that is not UTF-8', '/%ff'],
    ['a malformed path below /docs', '/docs/%zz'],
    ['NUL below /docs', '/docs/%00'],
    ['a path out of /docs', '/docs/..%2f..%2fpackage.json'],
    ['a percent sign as id', `${OFFERS}/%`],
    ['a percent sign without digits as id', `${OFFERS}/%zz`],
    ['bytes that are not UTF-8 as id', `${OFFERS}/%c3%28`],
    ['NUL as id', `${OFFERS}/%00`],
    ['a relative path as id', `${OFFERS}/..%2fworkspace`],
    ['an id of 5000 characters', `${OFFERS}/${'x'.repeat(5000)}`],
  ])('is 400 or 404 for a malformed path: %s', async (_, path) => {
    const response = await acme.client.get(path);
    expect([400, 404]).toContain(response.status);
    expectProblem(response);
  });

  it('is 400 or 404 for a malformed path, also for PUT and DELETE', async () => {
    for (const method of ['PUT', 'DELETE']) {
      const response = await acme.client.send(method, `${OFFERS}/%zz`);
      expect([400, 404]).toContain(response.status);
      expectProblem(response);
    }
  });

  it('is 400 or 404 where a client lost the id of the path, and changes nothing', async () => {
    const { id } = await acme.offer();
    const { slug: flow_slug } = await acme.publishedFlow({ offer_ids: [id] });
    await service.client.post('/api/v1/runtime/session/init', { flow_slug, customer: { id: 'cus_1' } });
    const { paths } = createDocument(service.app);
    const deletable = Object.keys(paths).filter((path) => 'delete' in paths[path] && path.endsWith('}'));
    expect(deletable.length).toBeGreaterThan(4);
    for (const path of deletable) {
      for (const lost of ['', '/', '//']) {
        const client = path.includes('/admin/') ? service.operator : acme.client;
        const response = await client.delete(path.replace(/\/\{\w+\}$/, lost));
        expect([400, 404, 405]).toContain(response.status);
        expectProblem(response);
      }
    }
    expect((await acme.client.get(OFFERS)).body.offers).toHaveLength(1);
    expect((await acme.client.get('/api/v1/public/sessions')).body.sessions[0].customer_id).toBe('cus_1');
  });
});
