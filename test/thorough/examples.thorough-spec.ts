import { readFileSync } from 'node:fs';
import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { StripeDouble } from '../billing/stripe-double';
import { OwnResources, settingsFor } from '../support/own-resources';
import { Service, serviceForAll } from '../support/service';

type Scalar = string | number | boolean;
interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  example?: Scalar;
  examples?: Record<string, { value: Scalar }>;
  schema: { example?: Scalar; default?: Scalar; enum?: Scalar[] };
}
interface Operation {
  operationId: string;
  tags: string[];
  security: Record<string, unknown>[];
  parameters?: Parameter[];
  requestBody?: {
    content: { 'application/json': { schema: { $ref: string }; examples?: Record<string, { value: object }> } };
  };
  responses: Record<string, unknown>;
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: { requestBody: { content: Record<string, { schema: object; example: object }> } } }>;
  components: { schemas: Record<string, { properties: Record<string, { default?: unknown }> }> };
}

const { paths, webhooks, components } = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as Document;
/**
 * What programs call. The rest is for people in browsers, with passwords and links of their own:
 * test/workspaces/people.
 */
const operations = Object.entries(paths)
  .flatMap(([path, item]) =>
    Object.entries(item).map(([verb, operation]) => ({ method: verb.toUpperCase(), path, operation })),
  )
  .filter(({ operation: { tags, security } }) => !tags.includes('Sign-in') && !('session' in (security[0] ?? {})));
/** These make something, or the whole. */
const NO_CHANGES = ['/api/v1/public/billing/connection', '/api/v1/public/config'];
const puts = operations
  .filter(({ method, path }) => method === 'PUT' && !NO_CHANGES.includes(path))
  .map((put) => [put.path, put.operation] as const);

/** What Swagger UI can execute: each example of an operation with a body, and each operation without one. */
const offered = operations.flatMap(({ method, path, operation }) =>
  examplesOf(operation).map(([example, body], index) => ({
    title: example ? `${method} ${path}: ${example}` : `${method} ${path}`,
    method,
    path,
    operation,
    body,
    isFirst: index === 0,
  })),
);

function examplesOf({ operationId, requestBody }: Operation): [name: string, body: object | undefined][] {
  if (!requestBody) return [['', undefined]];
  // Swagger UI lets its reader choose a file.
  if (!('application/json' in requestBody.content)) return [];
  const { examples } = requestBody.content['application/json'];
  if (!examples) throw new Error(`A body needs examples (platform/api/fields/api-examples.ts): ${operationId}`);
  return Object.entries(examples).map(([name, { value }]) => [name, value]);
}

/** The value that Swagger UI fills in for a parameter. */
function filledIn({ required, example, examples = {}, schema }: Parameter): Scalar | undefined {
  const [first] = Object.values(examples);
  return first?.value ?? example ?? schema.example ?? schema.default ?? (required ? schema.enum?.[0] : undefined);
}

/** What is gone is not there the second time, and what is being done is not begun again. */
const SECOND: Record<string, number> = {
  'DELETE /api/v1/public/billing/connection': 404,
  'DELETE /api/v1/public/webhooks/{id}': 404,
  'DELETE /api/v1/public/images/{id}': 404,
  'DELETE /api/v1/public/audiences/{id}': 404,
  'DELETE /api/v1/public/customer-keys/{id}': 404,
  'DELETE /api/v1/public/flows/{id}/draft': 404,
  'DELETE /api/v1/public/offers/{id}/draft': 404,
  'POST /api/v1/public/flows/{id}/draft/publish': 404,
  'POST /api/v1/public/offers/{id}/draft/publish': 404,
  'POST /api/v1/public/sessions/{id}/fulfilment': 409,
  'DELETE /api/v1/admin/workspaces/{id}': 404,
};
describe('The examples of the docs', () => {
  let stripe: StripeDouble;
  const service = serviceForAll(async () => {
    stripe = await StripeDouble.start();
    return Service.start({ STRIPE_API_URL: stripe.url });
  });
  afterAll(() => stripe.stop());

  it.each(offered)('can be executed twice as they are: $title', async ({ method, path, operation, ...one }) => {
    const { node_key } = (one.body ?? {}) as { node_key?: string };
    const own = await OwnResources.of(service, node_key, settingsFor(`${method} ${path}`));
    const { parameters = [] } = operation;
    const valuesIn = (place: string) =>
      parameters
        .filter((parameter) => parameter.in === place)
        .flatMap((parameter) => {
          const value = filledIn(parameter);
          return value === undefined ? [] : [[parameter.name, `${value}`] as [string, string]];
        });
    const filled = Object.fromEntries(valuesIn('path'));
    const target = path.replaceAll(/([\w-]+)\/\{(\w+)\}/g, (_, segment: string, name: string) => {
      return `${segment}/${filled[name] ?? own.ids[segment]}`;
    });
    const query = new URLSearchParams(valuesIn('query'));
    const headers = { 'content-type': 'application/json', ...Object.fromEntries(valuesIn('header')) };
    const [scheme] = operation.security.flatMap((keys) => Object.keys(keys));
    const client = { api_key: own.tenant.client, operator_key: service.operator }[scheme] ?? service.client;
    const send = () =>
      client.send(method, query.size > 0 ? `${target}?${query.toString()}` : target, {
        ...(one.body && { headers, body: JSON.stringify(own.fillIn(one.body, one.isFirst)) }),
      });

    const expected = Object.keys(operation.responses)
      .map(Number)
      .filter((status) => status < 300);
    const [first, second] = [await send(), await send()];
    const again = SECOND[`${method} ${path}`];
    if (again) expect(second.status).toBe(again);
    for (const { status, body } of again ? [first] : [first, second]) {
      expect(expected.map((one) => [one, body])).toContainEqual([status, body]);
      const items = Object.values(body as object).find((value) => Array.isArray(value));
      if (body.next_cursor === null) expect(items).not.toEqual([]);
    }
  });

  it.each(Object.entries(webhooks))('fit what is sent: %s', (type, { post }) => {
    const { schema, example } = post.requestBody.content['application/json'];
    const schemas = structuredClone(components.schemas) as Record<string, { additionalProperties?: boolean }>;
    for (const one of Object.values(schemas)) one.additionalProperties ??= false;
    const ajv = addFormats(new Ajv2020({ strict: false }));
    ajv.addFormat('email', /.@./u);
    const validate = ajv.compile({ ...schema, components: { schemas } });
    expect([validate(example), validate.errors]).toEqual([true, null]);
    expect(example).toHaveProperty('type', type);
  });

  it.each(puts)('begin with a change of one field: PUT %s', (_, operation) => {
    const [[, first]] = examplesOf(operation);
    expect(Object.keys(first!)).toHaveLength(1);
    expect(first).not.toHaveProperty('allowed_origins');
  });

  it.each(puts)('document no defaults for a change: PUT %s', (_, { requestBody }) => {
    const name = requestBody!.content['application/json'].schema.$ref.split('/').at(-1)!;
    const defaults = Object.entries(components.schemas[name].properties).filter(([, field]) => 'default' in field);
    expect(defaults).toEqual([]);
  });
});
