import { randomUUID } from 'node:crypto';
import { createDocument } from '../../src/app/openapi/document';
import { StripeDouble } from '../billing/stripe-double';
import { billingAt, Subscribers } from '../billing/subscriber';
import { settingsFor } from '../support/own-resources';
import { Service, serviceForAll } from '../support/service';

const INIT = '/api/v1/runtime/session/init';

describe('The fields of a body', () => {
  let stripe: StripeDouble;
  const service = serviceForAll(async () => {
    stripe = await StripeDouble.start();
    return Service.start({ ...billingAt(stripe), BACKGROUND_JOBS: 'false' });
  });
  afterAll(() => stripe.stop());

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

  /** `note`: the draft was published with the value before. */
  const semantic: Record<string, number> = { flow_slug: 404, customer_token: 401, draft: 404, note: 404 };

  it('get success, 400, 401, 404 or 409 for any value, never 500', async () => {
    const failures: unknown[] = [];
    const operations = operationsWithBody(service);
    expect(operations.length).toBeGreaterThan(8);
    for (const { method, path, success, example } of operations) {
      const operation = `${method} ${path}`;
      /** Sends bodies to what is new, in a workspace that is new: 30 recoveries a minute are enough for others. */
      const toSomethingNew = async () => {
        const tenant = await service.workspace(settingsFor(operation));
        const isForPeople = /\/public\/(people|invitations)\b/.test(path);
        const client = path.startsWith('/api/v1/admin/')
          ? service.operator
          : isForPeople
            ? await service.person(tenant)
            : tenant.client;
        const { slug } = await tenant.publishedFlow({ exit: { enabled: true } });
        const session = (await client.post(INIT, { flow_slug: slug })).body;
        const [collection] = path.split('/{');
        const create = operations.find((one) => one.method === 'POST' && one.path === collection);
        const made = create
          ? (await client.post(collection, { ...create.example, ...newNames(create, 'slug'), write_key: undefined }))
              .body.id
          : session.session_id;
        const idOfViewer = async () =>
          (await (await service.person(tenant, 'viewer')).get('/api/v1/public/me')).body.actor.id as string;
        const idOfFulfilment = async () => {
          const decided = await (await Subscribers.of(service, tenant)).accepts('sub_1', { offer_type: 'custom' });
          await service.database.query(
            `UPDATE fulfilments SET state = 'manual', next_attempt_at = NULL WHERE workspace_id = $1`,
            [tenant.id],
          );
          return decided;
        };
        const idOfDeclaration = async () => {
          const declaration = { kind: 'termination', name: 'Ada', email: 'ada@example.com', contract: '4711' };
          await client.post(`/api/v1/runtime/exit/${slug}`, declaration);
          return (await client.get(collection)).body.declarations[0].id as string;
        };
        const id = collection.endsWith('/people')
          ? await idOfViewer()
          : path.endsWith('/fulfilment')
            ? await idOfFulfilment()
            : collection.endsWith('/declarations')
              ? await idOfDeclaration()
              : made;
        const url = path.replace('{id}', id).replace('{slug}', slug).replace('{version}', '1');
        // It carries out nothing in a dry run.
        if (path.endsWith('/carry-out')) await Subscribers.of(service, tenant);
        if (/draft\/|preview/.test(path)) await client.put(`${collection}/${id}/draft`, { name: 'Next' });
        // All other fields are valid, so that the request gets as far as it can.
        // A simple flow has no split, so no arm to name; a webhook of the standard format takes no write key; and the mails
        // of another person are theirs to choose.
        const valid = {
          ...example,
          ...('flow_slug' in example && { flow_slug: slug }),
          arm: undefined,
          write_key: undefined,
          digest: undefined,
        };
        const names = () => (method === 'POST' ? newNames({ example }, 'key', 'slug') : {});
        return (fields: object) => client.sendJson(method, url, { ...valid, ...names(), ...fields });
      };
      expect(success.map((status) => [operation, status])).toContainEqual([
        operation,
        (await (await toSomethingNew())({})).status,
      ]);
      for (const field of Object.keys(example)) {
        const expected = [...success, 400, semantic[field] ?? 409];
        for (const some of [values.slice(0, 20), values.slice(20)]) {
          const send = await toSomethingNew();
          for (const value of some) {
            const { status } = await send({ [field]: value });
            if (!expected.includes(status)) failures.push({ operation, field, value, status });
          }
        }
      }
    }
    expect(failures).toEqual([]);
  });
});

interface Operation {
  method: string;
  path: string;
  /** The statuses of its responses to a valid request. */
  success: number[];
  /** All fields of its body, with their examples. Of a body that may have several shapes, those of the first. */
  example: Record<string, unknown>;
}

/** New values of those fields that nothing else may have: a key in its workspace, a slug in the service. */
function newNames({ example }: Pick<Operation, 'example'>, ...fields: string[]): Record<string, string> {
  return Object.fromEntries(fields.filter((name) => name in example).map((name) => [name, randomUUID()]));
}

interface Shape {
  properties?: Record<string, { example?: unknown }>;
  oneOf?: { $ref: string }[];
}

/**
 * Every operation of the OpenAPI document that takes a body. Not those that take a password or the token of a link:
 * after ten wrong ones they refuse everything.
 */
function operationsWithBody(service: Service): Operation[] {
  const { paths, components } = createDocument(service.app);
  const shapesOf = ($ref: string): Record<string, { example?: unknown }>[] => {
    const { properties, oneOf } = components!.schemas![$ref.split('/').at(-1)!] as Shape;
    return oneOf ? oneOf.flatMap((one) => shapesOf(one.$ref)) : [properties!];
  };
  return Object.entries(paths).flatMap(([path, item]) =>
    (['post', 'put'] as const).flatMap((method) => {
      const { requestBody: body, responses = {} } = item[method] ?? {};
      const schema = body && 'content' in body ? body.content['application/json']?.schema : undefined;
      if (!schema || !('$ref' in schema)) return [];
      const shapes = shapesOf(schema.$ref);
      if (shapes.some((shape) => 'token' in shape || 'password' in shape)) return [];
      const names = shapes.flatMap((shape) => Object.keys(shape).map((name) => [name, undefined]));
      const examples = Object.entries(shapes[0]).map(([name, field]) => [name, field.example]);
      const success = Object.keys(responses)
        .map(Number)
        .filter((status) => status < 300);
      return [{ method: method.toUpperCase(), path, success, example: Object.fromEntries([...names, ...examples]) }];
    }),
  );
}
