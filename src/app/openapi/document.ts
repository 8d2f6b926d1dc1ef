import { isDeepStrictEqual } from 'node:util';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { bugs, version } from '../../../package.json';
import { EVENT_TYPES } from '../../outbox/event-types';
import { FLOW_STATUSES } from '../../flows/flow.entity';
import { OFFER_TYPES } from '../../offers/terms/types';
import { isPlainObject } from '../../platform/common/json';
import { PROBLEMS } from '../../platform/api/problems/problem-codes';
import { FIELD_ERROR_SCHEMA, ProblemDto } from '../../platform/api/problems/problem.dto';
import { SESSION_STATUSES } from '../../sessions/session-status';
import { STEP_SCHEMA } from '../../runtime/step/step-request.dto';
import { ROLES } from '../../tenancy/access/role';
import { completeResponses, HEADERS, type Operation } from './responses';
import { samplesOf } from './samples';
import { documentWebhooks, eventSchemas } from './webhooks';

const DESCRIPTION = `
The open, self-hosted service behind a "cancel my subscription" button. It asks customers why they leave, shows them offers to stay, sends
those who still want to go on to your cancellation page, and counts the outcome.

A customer who is about to leave starts a **session** on a **flow**: a graph of pages, survey questions and **offers**. The session ends
saved or canceled. All of them belong to a **workspace**, which has API keys.

| Interface | Path | Who calls it | Key |
| --- | --- | --- | --- |
| Runtime | \`/api/v1/runtime\` | the widget on your page, from any origin that the workspace allows (by default, all) | none |
| Sign-in | \`/api/v1/auth\` | the console, to let people in | none |
| Management | \`/api/v1/public\` | your backend, and people in the console | \`Authorization: Bearer <API_KEY>\`, or the cookie of a session |
| Operator | \`/api/v1/admin\` | whoever runs the service; without an \`ADMIN_API_KEY\` in its settings, every path here is 404 | \`Authorization: Bearer <ADMIN_API_KEY>\` |

## The first three calls

The first start of the service prints an API key. Set it, and the address of the service:

\`\`\`sh
SERVICE=http://127.0.0.1:3000
API=$SERVICE/api/v1
API_KEY=rf_live_...
\`\`\`

1\\. Create a flow. The response has its \`id\` and its \`slug\`: set \`FLOW_ID\` and \`FLOW_SLUG\` to them.

\`\`\`sh
curl -s "$API/public/flows" -H "Authorization: Bearer $API_KEY" \\
  -H 'Content-Type: application/json' -d '{
    "name": "Leaving Acme Pro",
    "product_name": "Acme Pro",
    "cancellation_url": "https://acme.example/account/cancel"
  }'
\`\`\`

2\\. Publish it.

\`\`\`sh
curl -s -X PUT "$API/public/flows/$FLOW_ID" -H "Authorization: Bearer $API_KEY" \\
  -H 'Content-Type: application/json' -d '{ "status": "published" }'
\`\`\`

3\\. Start a session, as the widget does. The response has the first page to show.

\`\`\`sh
curl -s "$API/runtime/session/init" \\
  -H 'Content-Type: application/json' -d '{ "flow_slug": "'"$FLOW_SLUG"'" }'
\`\`\`

**In JavaScript**, there is the package \`@retention-flow/client\`, in the folder \`client\` of the service. Each operation below has a sample of both. In samples, \`$FLOW_ID\` and \`flowId\`
stand for an id of yours; \`baseUrl\` is the address of the service.

**On this page**, enter the key under Authorize, open an operation, and choose Try it out. The examples work as they are, except for the
ids and slugs that they tell you to paste.

## What holds everywhere

**Requests** have JSON bodies of at most 256 KB (16 KB on the runtime API, 8 MiB to \`/config\`). Text may contain any character except NUL; lengths
count Unicode characters. Unknown fields and parameters are refused with 400.

**Times** in responses are UTC.

**Errors** are problem details ([RFC 9457](https://www.rfc-editor.org/rfc/rfc9457)) with a stable \`code\`. The section Errors, at the end of
this page, lists them all with what to do. After 408 and 431 the connection is closed.

**Lists** are newest first. To get the next page, send \`next_cursor\` as \`cursor\`. On the last page it is null.

**Versions** are [semantic](https://semver.org). Within a major version, operations, fields, values, types of nodes, events and errors are
added. Ignore fields that you don't know, and expect values that you don't know.

**Rate limits** are per minute. The defaults are 600 requests per client address (IPv6: per /64) to the runtime API, 1,200 per key to the
other two and twice as many for all keys of a workspace together, and 20 per address without a valid key. The operator can change them or turn them off. A workspace may ask 30 times a minute
for tests of webhooks, recoveries and events to be sent again. Each process counts separately, unless the operator gave all of them one
Redis.
\`RateLimit\` and \`RateLimit-Policy\` (draft-ietf-httpapi-ratelimit-headers-10) show what remains. They are absent where there is no
limit, and where a request was refused before it was counted. Over a limit, the response is 429 with \`Retry-After\`.
`;

const METHODS = ['get', 'post', 'put', 'delete'] as const;

/** The OpenAPI document, generated from the controllers and DTOs. */
export function createDocument(app: NestFastifyApplication): OpenAPIObject {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Retention Flow Service')
    .setVersion(version)
    .setDescription(unwrapped(DESCRIPTION.trim()))
    .setLicense('MIT', 'https://opensource.org/license/mit')
    .addServer('/', 'The server of this document, in production or locally.')
    .addSecurity('api_key', { type: 'http', scheme: 'bearer', description: 'An API key of the workspace.' })
    .addSecurity('session', {
      type: 'apiKey',
      in: 'cookie',
      name: '__Host-rf',
      description:
        'The session of a person, by the cookie that signing in sets: `rf` over plain http on this machine. A change has to come from a ' +
        'page of this service. A person of several workspaces names one by its id in the header `Workspace-Id`. ' +
        'With `Person-Id`, the request is refused if the cookie is of anybody else.',
    })
    .addSecurity('operator_key', { type: 'http', scheme: 'bearer', description: 'The ADMIN_API_KEY of the service.' })
    .addTag(
      'Runtime',
      'Called by the widget. Give the widget a cancellation URL of its own, for 429, 503 and no response at all.',
    )
    .addTag('Flows', 'The pages, questions and offers that a customer who is about to leave goes through.')
    .addTag('Offers', 'Reusable alternatives to cancelling.')
    .addTag('Workspace', 'The workspace that the API key belongs to.')
    .addTag('Audiences', 'Conditions with a name, which branches of several flows go by.')
    .addTag('Images', 'Pictures that pages and offers show.')
    .addTag('Sessions', 'What each customer was shown and did.')
    .addTag('Billing', 'The connection to the billing system, in which decisions of customers are carried out.')
    .addTag('Declarations', 'What customers declared on exit pages: that a contract ends.')
    .addTag('Outcomes', 'What became of customers after their sessions.')
    .addTag('Statistics', 'Customers saved and canceled, reasons for leaving and results of offers.')
    .addTag('Webhooks', 'Your endpoints, which are told what happens.')
    .addTag('Events', 'What happened, and where it was sent.')
    .addTag('Changes', 'Who changed what.')
    .addTag('Configuration', 'The workspace as one document, to keep it in git.')
    .addTag('People', 'The people of the workspace, and what they may do.')
    .addTag('Account', 'Who asks, and their password and sessions.')
    .addTag('Sign-in', 'How people come in. Called by the console.')
    .addTag('API keys', 'The keys of the workspace.')
    .addTag('Customer keys', 'The keys that your backend signs customer tokens with.')
    .addTag('Operator', 'Workspaces and their limits, managed by the operator of the service.')
    .addTag('Health', 'Health and metrics of the service.')
    .build();
  // The builder knows no contact without an address.
  config.info.contact = { name: 'Retention Flow Service', url: bugs };
  const document = SwaggerModule.createDocument(app, config, {
    extraModels: [ProblemDto],
    operationIdFactory: (controller, method) =>
      `${controller[0].toLowerCase()}${controller.slice(1).replace(/Controller$/, '')}_${method}`,
  });
  // Satisfies the OWASP rules: the API is meant to be reachable from any site.
  for (const server of document.servers!) Object.assign(server, { 'x-internal': false });
  dropUpdateDefaults(document);
  // A class can't say that it is one of others.
  Object.assign(document.components!.schemas!, {
    FieldErrorDto: FIELD_ERROR_SCHEMA,
    StepDto: STEP_SCHEMA,
    ...eventSchemas(),
  });
  const shared = { responses: {}, examples: {} };
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of METHODS) {
      const operation = item[method];
      if (!operation) continue;
      if (method === 'post') allowNoBody(operation, document);
      completeResponses(operation, method, shared);
      const samples = samplesOf(operation, method, path);
      if (samples.length > 0) Object.assign(operation, { 'x-codeSamples': samples });
    }
  }
  Object.assign(document.components!, { headers: HEADERS, ...shared });
  const whole = nameEnums(
    named(Object.assign(document, { webhooks: documentWebhooks(), 'x-errors': documentErrors() })),
  );
  for (const [name, values] of Object.entries(ENUMS)) {
    whole.components!.schemas![name] = { type: 'string', enum: [...values] };
  }
  return ordered(whole);
}

/** Paths stand in the order of their tags, and schemas in that of their names, whatever order the modules have. */
function ordered(document: OpenAPIObject): OpenAPIObject {
  const { tags, paths, components } = document;
  const placeOf = (path: string) => {
    const [operation] = METHODS.flatMap((method) => paths[path][method] ?? []);
    return tags!.findIndex(({ name }) => name === operation.tags![0]);
  };
  const inOrder = Object.keys(paths).toSorted((one, other) => placeOf(one) - placeOf(other));
  const byName = Object.entries(components!.schemas!).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return {
    ...document,
    paths: Object.fromEntries(inOrder.map((path) => [path, paths[path]])),
    components: { ...components, schemas: Object.fromEntries(byName) },
  };
}

/** Readers of Markdown may show the end of a line as one: a paragraph has to be a single line. */
function unwrapped(markdown: string): string {
  const isProse = (block: string) => !/^(\||```)/.test(block);
  const blocks = markdown.split('\n\n');
  return blocks.map((block) => (isProse(block) ? block.replaceAll('\n', ' ') : block)).join('\n\n');
}

/** Schemas are named as programs call them: `Flow`, not `FlowDto`. */
function named(document: OpenAPIObject): OpenAPIObject {
  const { components } = document;
  const schemas = Object.entries(components!.schemas!).map(([name, schema]) => [name.replace(/Dto$/, ''), schema]);
  const renamed = { ...document, components: { ...components, schemas: Object.fromEntries(schemas) as object } };
  return JSON.parse(JSON.stringify(renamed).replaceAll(/(#\/components\/schemas\/\w+?)Dto"/g, '$1"')) as OpenAPIObject;
}

/** A request without a body is one with an empty object. An update needs a field. */
function allowNoBody({ requestBody }: Operation, { components }: OpenAPIObject): void {
  if (!requestBody || !('content' in requestBody)) return;
  const schema = requestBody.content['application/json']?.schema;
  const name = schema && '$ref' in schema && schema.$ref.split('/').at(-1)!;
  const body = name && components!.schemas![name];
  const isObject = body && 'properties' in body;
  if (isObject && !body.required?.length) requestBody.required = false;
}

/** Values that programs know by a name, wherever they stand. */
const ENUMS: Record<string, readonly string[]> = {
  EventType: EVENT_TYPES,
  FlowStatus: FLOW_STATUSES,
  OfferType: OFFER_TYPES,
  Role: ROLES,
  SessionStatus: SESSION_STATUSES,
};

/** Lets schemas refer to these values by their name, with what they say beside it. */
function nameEnums<T>(value: T): T {
  if (Array.isArray(value)) return value.map(nameEnums) as T;
  if (!isPlainObject(value)) return value;
  const { enum: values, type, ...others } = value;
  const found = Object.entries(ENUMS).find(([, known]) => isDeepStrictEqual(values, known));
  if (found && type === 'string') return { $ref: `#/components/schemas/${found[0]}`, ...others } as T;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, nameEnums(one)])) as T;
}

/** Omitted fields of an update stay unchanged. Clients that fill in defaults would overwrite them. */
function dropUpdateDefaults({ components }: OpenAPIObject): void {
  for (const [name, schema] of Object.entries(components!.schemas!)) {
    if (!name.startsWith('Update') || !('properties' in schema)) continue;
    for (const property of Object.values(schema.properties!)) if ('default' in property) delete property.default;
  }
}

/** Every error with what to do about it: the table of errors in the docs. */
function documentErrors(): object[] {
  return Object.entries(PROBLEMS)
    .map(([code, { status, detail, advice }]) => ({ status, code, when: detail, advice }))
    .toSorted((one, other) => one.status - other.status);
}
