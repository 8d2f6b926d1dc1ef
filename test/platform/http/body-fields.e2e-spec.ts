import { serviceForAll, workspaceForEach } from '../../support/service';
import { expectRefusal } from './refusal';

const OFFERS = '/api/v1/public/offers';
const INIT = '/api/v1/runtime/session/init';

const offer = { name: 'Half price', offer_type: 'custom' };

describe('The fields of a body', () => {
  const service = serviceForAll();
  const acme = workspaceForEach(service);

  it.each([
    ['colour', 'red'],
    ['then', {}],
    ['', 1],
    ['workspace_id', 'x'],
    ['a/b~c', 1],
  ])('are refused with 400 when unknown: %j', async (field, value) => {
    const pointer = `/${field.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    await expectRefusal(
      acme,
      await acme.client.post(OFFERS, { ...offer, [field]: value }),
      400,
      'invalid_request',
      pointer,
    );
    const init = await service.client.post(INIT, { flow_slug: 'x', customer: { id: 'y', [field]: value } });
    expect([init.status, init.body.errors[0].pointer]).toEqual([400, `/customer${pointer}`]);
  });

  it('get an error each: the first 100, and the number of the others', async () => {
    const options = Array.from({ length: 20 }, () => ({ unknown: true, value: 'a', label: 'A' }));
    const node = { key: 'a', type: 'survey', config: { title: 'Why?', options } };
    const definition = { entry: 'a', nodes: Array.from({ length: 6 }, () => node) };
    const { body } = await acme.client.post('/api/v1/public/flows', { definition });
    expect(body.errors).toHaveLength(100);
    expect(body.detail).toMatch(/^\/name must be text of 1 to 200 characters, not blank, and \d+ more\.$/);
  });

  it.each(['[]', '[{}]', '"text"', '1'])('are fields of an object: a body of %s is one error', async (body) => {
    const response = await acme.client.send('POST', OFFERS, { headers: { 'content-type': 'application/json' }, body });
    expect([response.status, response.body.errors]).toEqual([400, [{ pointer: '', message: 'must be an object' }]]);
  });

  it('get one error for a list that is too long, and none for its items', async () => {
    const nodes = Array.from({ length: 51 }, () => ({ unknown: true }));
    const { body } = await acme.client.put(`/api/v1/public/flows/${(await acme.flow()).id}`, {
      definition: { entry: 'a', nodes },
    });
    expect(body.errors).toEqual([{ pointer: '/definition/nodes', message: 'must be a list of 1 to 50 nodes' }]);
  });
});
