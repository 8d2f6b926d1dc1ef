import { serviceForAll, workspaceForEach } from '../../support/service';
import { expectRefusal } from './refusal';

const OFFERS = '/api/v1/public/offers';
const OWN = '/api/v1/public/workspace';
const INIT = '/api/v1/runtime/session/init';

describe('Query parameters', () => {
  const service = serviceForAll();
  const acme = workspaceForEach(service);

  it.each(['colour=red', 'limit[]=1', 'Limit=1', '__proto__=1', 'constructor=1', 'toString=1', '=1'])(
    'are refused with 400 when unknown: ?%s',
    async (query) => {
      await expectRefusal(
        acme,
        await acme.client.get(`${OFFERS}?${query}`),
        400,
        'invalid_request',
        query.split('=')[0],
      );
    },
  );

  it.each([
    ['GET', OWN],
    ['PUT', OWN],
    ['DELETE', '/api/v1/public/customers/cus_1'],
    ['POST', INIT],
  ])('are refused with 400 by operations that take none: %s %s', async (method, path) => {
    await expectRefusal(
      acme,
      await acme.client.sendJson(method, `${path}?dry_run=true`, undefined),
      400,
      'invalid_request',
      'dry_run',
    );
  });

  it.each(['limit=%zz', 'limit=%00', 'cursor=%00', 'cursor=%ff', 'status=%ed%a0%80', 'limit=%F0%9F%92%B8'])(
    'are refused with 400 when their value is malformed: ?%s',
    async (query) => {
      await expectRefusal(acme, await acme.client.get(`${OFFERS}?${query}`), 400, 'invalid_request');
    },
  );
});
