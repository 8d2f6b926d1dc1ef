import { createDocument } from '../../src/openapi';
import { Service, Tenant } from '../support/service';
import { expectRefusal } from './refusal';

const OFFERS = '/api/v1/public/offers';
const INIT = '/api/v1/runtime/session/init';

const offer = { name: 'Half price', offer_type: 'custom' };

describe('The fields of a body', () => {
  let service: Service;
  let acme: Tenant;

  beforeAll(async () => {
    service = await Service.start();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    acme = await service.workspace();
  });

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

  it('get one error for a list that is too long, and none for its items', async () => {
    const nodes = Array.from({ length: 51 }, () => ({ unknown: true }));
    const { body } = await acme.client.put(`/api/v1/public/flows/${(await acme.flow()).id}`, {
      definition: { entry: 'a', nodes },
    });
    expect(body.errors).toEqual([{ pointer: '/definition/nodes', message: 'must be a list of 1 to 50 nodes' }]);
  });

  const long = 'x'.repeat(6000);
  const groups: unknown[][] = [
    [null, true, 0, -1, 1.5, 1e308, 2 ** 31, -(2 ** 63)],
    ['', ' ', '0', 'null', '💸', '\u202e', '\uffff', '\\', long, "';--", '$1', '%00', '${x}'],
    ['javascript:1', 'https://', 'http://[::1', 'a@b', '0000-01-01T00:00:00Z', '9999-12-31T23:59:59-23:59'],
    [[], {}, [null], [[]], [{}], [long], { length: 1e9 }, { id: {} }],
    [Array.from({ length: 200 }, (_, number) => `https://site-${number}.example`)],
    [Object.fromEntries(Array.from({ length: 200 }, (_, number) => [`key${number}`, number]))],
  ];
  const values = groups.flat();

  const semantic: Record<string, number> = { flow_slug: 404, customer_token: 401 };

  it('get success, 400, 401, 404 or 409 for any value, never 500', async () => {
    const failures: unknown[] = [];
    const operations = operationsWithBody(service);
    expect(operations.length).toBeGreaterThan(8);
    for (const { method, path, success, example } of operations) {
      const operation = `${method} ${path}`;
      const tenant = await service.workspace();
      const client = path.startsWith('/api/v1/admin/') ? service.operator : tenant.client;
      const { slug } = await tenant.publishedFlow();
      const session = (await client.post(INIT, { flow_slug: slug })).body;
      const [collection] = path.split('/{');
      const create = operations.find((one) => one.method === 'POST' && one.path === collection);
      const id = create ? (await client.post(collection, create.example)).body.id : session.session_id;
      const send = (body: object) => client.sendJson(method, path.replace('{id}', id), body);

      // All other fields are valid, so that the request gets as far as it can.
      const valid = 'flow_slug' in example ? { ...example, flow_slug: slug } : example;
      expect([operation, (await send(valid)).status]).toEqual([operation, success]);
      for (const field of Object.keys(example)) {
        const responses = await Promise.all(values.map((value) => send({ ...valid, [field]: value })));
        const expected = [success, 400, semantic[field] ?? 409];
        const failed = values.filter((_, index) => !expected.includes(responses[index].status));
        if (failed.length > 0) failures.push({ operation, field, failed });
      }
    }
    expect(failures).toEqual([]);
  }, 60_000);
});

interface Operation {
  method: string;
  path: string;
  /** The status of its response to a valid request. */
  success: number;
  /** All fields of its body, with their examples. Of a body that may have several shapes, those of the first. */
  example: Record<string, unknown>;
}

interface Shape {
  properties?: Record<string, { example?: unknown }>;
  oneOf?: { $ref: string }[];
}

/** Every operation of the OpenAPI document that takes a body. */
function operationsWithBody(service: Service): Operation[] {
  const { paths, components } = createDocument(service.app);
  const shapesOf = ($ref: string): Record<string, { example?: unknown }>[] => {
    const { properties, oneOf } = components!.schemas![$ref.split('/').at(-1)!] as Shape;
    return oneOf ? oneOf.flatMap((one) => shapesOf(one.$ref)) : [properties!];
  };
  return Object.entries(paths).flatMap(([path, item]) =>
    (['post', 'put'] as const).flatMap((method) => {
      const { requestBody: body, responses = {} } = item[method] ?? {};
      const schema = body && 'content' in body ? body.content['application/json'].schema : undefined;
      if (!schema || !('$ref' in schema)) return [];
      const shapes = shapesOf(schema.$ref);
      const names = shapes.flatMap((shape) => Object.keys(shape).map((name) => [name, undefined]));
      const examples = Object.entries(shapes[0]).map(([name, field]) => [name, field.example]);
      const success = Number(Object.keys(responses).find((status) => status.startsWith('2')));
      return [{ method: method.toUpperCase(), path, success, example: Object.fromEntries([...names, ...examples]) }];
    }),
  );
}
