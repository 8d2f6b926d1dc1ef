import { expectProblem } from '../support/problem';
import { Service, Tenant } from '../support/service';
import { expectRefusal } from './refusal';

const OFFERS = '/api/v1/public/offers';
const OWN = '/api/v1/public/workspace';
const INIT = '/api/v1/runtime/session/init';

describe('A request to a path or method without a route', () => {
  let service: Service;
  let acme: Tenant;

  beforeAll(async () => {
    service = await Service.start();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    acme = await service.workspace();
  });

  it.each(['/nothing', '/api', '/api/v1', '/api/v2/public/offers', '/api/v1/public//offers', '/docs/nothing'])(
    'is 404 for every method: %s',
    async (path) => {
      for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
        await expectRefusal(acme, await acme.client.send(method, path), 404, 'not_found');
      }
    },
  );

  it.each([
    ['PATCH', OFFERS],
    ['DELETE', OFFERS],
    ['PUT', OFFERS],
    ['PURGE', OFFERS],
    ['POST', `${OFFERS}/019a9f3c-8b44-7f10-9a4e-5c6d7e8f9a0b`],
    ['DELETE', OWN],
    ['GET', INIT],
    ['PUT', INIT],
    ['GET', '/api/v1/admin/workspaces/019a9f3c-8b44-7f10-9a4e-5c6d7e8f9a0b/api-keys'],
  ])('is 404 or 405 for a method that the path does not have: %s %s', async (method, path) => {
    const response = await acme.client.send(method, path);
    expect([404, 405]).toContain(response.status);
    expectProblem(response);
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
});
