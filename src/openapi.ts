import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { version } from '../package.json';
import { ProblemDto } from './common/problem.dto';
import { completeAnswers, HEADERS } from './openapi-answers';

const DESCRIPTION = `
The service behind a "cancel my subscription" button: retention flows, offers, and a session for each customer who is about to leave.

- **Management** (\`/api/v1/public\`): flows, offers, sessions, statistics, API keys and the workspace itself. Send \`Authorization: Bearer <API_KEY>\`.
- **Runtime** (\`/api/v1/runtime\`): what the widget calls, without a key and from any origin.
- **Operator** (\`/api/v1/admin\`): workspaces and their limits. Send the service's \`ADMIN_API_KEY\` as the key; if it has none, every path here is 404.

**To try it on this page**, enter a key under Authorize, create a flow, publish it with PUT, and start a session with its \`slug\`. The
examples work as they are, but for the ids and slugs that they tell you to paste.

**Bodies** are JSON of at most 256 KB (16 KB on the runtime interface). Times are UTC. Text may be in any script and contain any
character but NUL; lengths count characters. Unknown fields and parameters are refused with 400.

**Errors** are problem details ([RFC 9457](https://www.rfc-editor.org/rfc/rfc9457)) with a stable \`code\`. After 408 and 431 the
connection is closed.

**Lists** are newest first. For the next page, send \`next_cursor\` as \`cursor\`, until it is null.

**Rate limits** count the requests of a minute. By default: 600 from one address (IPv6: one /64) to the runtime interface, 1,200 with
one key to the others, and 20 without a valid key from one address. The operator may set others or none, and each process counts by
itself. \`RateLimit\` and \`RateLimit-Policy\` (draft-ietf-httpapi-ratelimit-headers-10) say how many are left; they are missing where
there is no limit, and where a request was refused before it was counted. Above a limit, the answer is 429 with \`Retry-After\`.
`;

const METHODS = ['get', 'post', 'put', 'delete'] as const;

/** The OpenAPI document of the service, made of its controllers and DTOs. */
export function createDocument(app: NestFastifyApplication): OpenAPIObject {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Retention Flow Service')
    .setVersion(version)
    .setDescription(DESCRIPTION.trim())
    .setLicense('MIT', 'https://opensource.org/license/mit')
    .addServer('/', 'Where this document was read, in production or locally.')
    .addSecurity('api_key', { type: 'http', scheme: 'bearer', description: 'An API key of the workspace.' })
    .addSecurity('operator_key', { type: 'http', scheme: 'bearer', description: 'The ADMIN_API_KEY of the service.' })
    .addTag(
      'Runtime',
      'What the widget calls. Give the widget a cancellation URL of its own, for 429, 503 and no answer at all.',
    )
    .addTag('Flows', 'What a customer who is about to leave is shown.')
    .addTag('Offers', 'Reusable alternatives to cancelling.')
    .addTag('Sessions', 'What happened, session by session.')
    .addTag('Statistics', 'What happened, counted.')
    .addTag('Workspace', 'The workspace that the API key belongs to.')
    .addTag('API keys', 'Keys of the workspace.')
    .addTag('Operator', 'Workspaces and their limits, for the operator of the service.')
    .addTag('Operation', 'Health and metrics of the service.')
    .build();
  const document = SwaggerModule.createDocument(app, config, {
    extraModels: [ProblemDto],
    operationIdFactory: (controller, method) => `${controller.replace(/Controller$/, '')}_${method}`,
  });
  // Widgets of any site are meant to reach it.
  for (const server of document.servers!) Object.assign(server, { 'x-internal': false });
  dropDefaultsOfChanges(document);
  const examples = {};
  for (const path of Object.values(document.paths)) {
    for (const method of METHODS) if (path[method]) completeAnswers(path[method], method, examples);
  }
  Object.assign(document.components!, { headers: HEADERS, examples });
  return document;
}

/** What a change leaves out stays as it is: a default would say otherwise, and clients that fill it in would overwrite. */
function dropDefaultsOfChanges({ components }: OpenAPIObject): void {
  for (const [name, schema] of Object.entries(components!.schemas!)) {
    if (!name.startsWith('Update') || !('properties' in schema)) continue;
    for (const property of Object.values(schema.properties!)) if ('default' in property) delete property.default;
  }
}
