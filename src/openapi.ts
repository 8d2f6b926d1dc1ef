import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { version } from '../package.json';
import { ProblemDto } from './common/problem.dto';
import { documentErrors } from './openapi-errors';
import { completeResponses, HEADERS } from './openapi-responses';
import { samplesOf } from './openapi-samples';
import { documentWebhooks } from './openapi-webhooks';

const DESCRIPTION = `
The service behind a "cancel my subscription" button. When a customer is about to leave, the widget starts a **session** on a **flow**,
a graph of pages, survey questions and **offers** that ends with the subscription kept or cancelled. All of them belong to a **workspace**.

- **Runtime** (\`/api/v1/runtime\`): called by the widget, without a key, from any origin that the workspace allows (by default, all).
- **Management** (\`/api/v1/public\`): called by your backend, to manage flows, offers, sessions, statistics, API keys and the workspace.
  Send \`Authorization: Bearer <API_KEY>\`.
- **Webhooks**: the service calls your backend when something happens, signed. What it sends is at the end of this page.
- **Operator** (\`/api/v1/admin\`): called by the operator of the service, to manage workspaces and their limits. Send the service's
  \`ADMIN_API_KEY\` as the key. If the service has none, every path here is 404.

**To try it on this page**, enter a key under Authorize, create a flow, publish it with PUT, and start a session with its \`slug\`. The
examples work as they are, except for the ids and slugs that they tell you to paste.

**Requests** have JSON bodies of at most 256 KB (16 KB on the runtime API). Text may contain any character except NUL; lengths
count Unicode characters. Unknown fields and parameters are refused with 400.

**Times** in responses are UTC.

**Errors** are problem details ([RFC 9457](https://www.rfc-editor.org/rfc/rfc9457)) with a stable \`code\`. After 408 and 431 the
connection is closed.

**Lists** are newest first. To get the next page, send \`next_cursor\` as \`cursor\`. On the last page it is null.

**Rate limits** are per minute. The defaults are 600 requests per client address (IPv6: per /64) to the runtime API, 1,200 per key to the
other two, and 20 per address without a valid key. The operator can change them or turn them off, and each process counts separately.
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
    .setDescription(DESCRIPTION.trim())
    .setLicense('MIT', 'https://opensource.org/license/mit')
    .addServer('/', 'The server of this document, in production or locally.')
    .addSecurity('api_key', { type: 'http', scheme: 'bearer', description: 'An API key of the workspace.' })
    .addSecurity('operator_key', { type: 'http', scheme: 'bearer', description: 'The ADMIN_API_KEY of the service.' })
    .addTag(
      'Runtime',
      'Called by the widget. Give the widget a cancellation URL of its own, for 429, 503 and no response at all.',
    )
    .addTag('Flows', 'The pages, questions and offers that a customer who is about to leave goes through.')
    .addTag('Offers', 'Reusable alternatives to cancelling.')
    .addTag('Sessions', 'What each customer was shown and did.')
    .addTag('Statistics', 'Save rates, reasons for leaving and results of offers.')
    .addTag('Webhooks', 'Your endpoints, which are told what happens.')
    .addTag('Events', 'What happened, and where it was sent.')
    .addTag('Workspace', 'The workspace that the API key belongs to.')
    .addTag('API keys', 'The keys of the workspace.')
    .addTag('Customer keys', 'The keys that your backend signs customer tokens with.')
    .addTag('Operator', 'Workspaces and their limits, managed by the operator of the service.')
    .addTag('Operation', 'Health and metrics of the service.')
    .build();
  const document = SwaggerModule.createDocument(app, config, {
    extraModels: [ProblemDto],
    operationIdFactory: (controller, method) =>
      `${controller[0].toLowerCase()}${controller.slice(1).replace(/Controller$/, '')}_${method}`,
  });
  // Satisfies the OWASP rules: the API is meant to be reachable from any site.
  for (const server of document.servers!) Object.assign(server, { 'x-internal': false });
  dropUpdateDefaults(document);
  const shared = { responses: {}, examples: {} };
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of METHODS) {
      const operation = item[method];
      if (!operation) continue;
      completeResponses(operation, method, shared);
      Object.assign(operation, { 'x-codeSamples': samplesOf(operation, method, path) });
    }
  }
  Object.assign(document.components!, { headers: HEADERS, ...shared });
  return named(Object.assign(document, { webhooks: documentWebhooks(), 'x-errors': documentErrors() }));
}

/** Schemas are named as programs call them: `Flow`, not `FlowDto`. */
function named(document: OpenAPIObject): OpenAPIObject {
  const { components } = document;
  const schemas = Object.entries(components!.schemas!).map(([name, schema]) => [name.replace(/Dto$/, ''), schema]);
  const renamed = { ...document, components: { ...components, schemas: Object.fromEntries(schemas) as object } };
  return JSON.parse(JSON.stringify(renamed).replaceAll(/(#\/components\/schemas\/\w+?)Dto"/g, '$1"')) as OpenAPIObject;
}

/** Omitted fields of an update stay unchanged. Clients that fill in defaults would overwrite them. */
function dropUpdateDefaults({ components }: OpenAPIObject): void {
  for (const [name, schema] of Object.entries(components!.schemas!)) {
    if (!name.startsWith('Update') || !('properties' in schema)) continue;
    for (const property of Object.values(schema.properties!)) if ('default' in property) delete property.default;
  }
}
