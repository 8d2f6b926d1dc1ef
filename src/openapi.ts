import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { version } from '../package.json';
import { ProblemDto } from './common/problem.dto';
import { completeAnswers, HEADERS } from './openapi-answers';

const DESCRIPTION = `
Retention flows behind a "cancel my subscription" button.

- **Management** (\`/api/v1/public\`): flows, offers, keys and the workspace itself, with \`Authorization: Bearer <API_KEY>\`.
- **Runtime** (\`/api/v1/runtime\`): what the widget calls. No key, every origin.
- **Operator** (\`/api/v1/admin\`): workspaces and their limits, with the \`ADMIN_API_KEY\` of the service (without one, all of it is 404).

**Bodies** are JSON, at most 256 KB (16 KB on the runtime interface); times are UTC. Text may be in any script and hold
any character but NUL; lengths count characters. A field or parameter that is not known is refused.

**Errors** are problems of [RFC 9457](https://www.rfc-editor.org/rfc/rfc9457) whose \`code\` is stable. 408 and 431 come
from the connection, which is closed then.

**Lists** are newest first: follow \`next_cursor\` until it is null.

**Rate limits** hold for a minute each, by default: 600 requests of one address (of IPv6: one /64) to the runtime
interface; 1,200 with one key to the others; and 20 of one address that carry no key that is good. Whoever runs the service
may set others, or none. Each process counts by itself. \`RateLimit\` and \`RateLimit-Policy\` (draft-ietf-httpapi-ratelimit-headers-10)
tell where a client stands; they are left out where there is no limit, and where a request was refused before it
was counted. One too many is 429, with \`Retry-After\`.
`;

const METHODS = ['get', 'post', 'put', 'delete'] as const;

/** Serves Swagger UI at `/docs` and the document itself at `/openapi.json`. */
export function serveDocs(app: NestFastifyApplication): void {
  SwaggerModule.setup('docs', app, () => createDocument(app), {
    jsonDocumentUrl: 'openapi.json',
    customSiteTitle: 'Retention Flow Service',
    raw: ['json'],
  });
}

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
      'What the widget calls. Let it hold a cancellation URL of its own: for 429, 503, and no answer at all.',
    )
    .addTag('Flows', 'What is shown to a customer who is about to leave.')
    .addTag('Offers', 'Reusable alternatives to cancelling.')
    .addTag('Sessions', 'What happened, session by session.')
    .addTag('Numbers', 'What happened, counted.')
    .addTag('Workspace', 'The workspace that the API key belongs to.')
    .addTag('API keys', 'Keys of the workspace.')
    .addTag('Operator', 'Workspaces, for whoever runs the service.')
    .addTag('Operation', 'How the service is.')
    .build();
  const document = SwaggerModule.createDocument(app, config, {
    extraModels: [ProblemDto],
    operationIdFactory: (controller, method) => `${controller.replace(/Controller$/, '')}_${method}`,
  });
  // Widgets of any site are meant to reach it.
  for (const server of document.servers!) Object.assign(server, { 'x-internal': false });
  const examples = {};
  for (const path of Object.values(document.paths)) {
    for (const method of METHODS) if (path[method]) completeAnswers(path[method], method, examples);
  }
  Object.assign(document.components!, { headers: HEADERS, examples });
  return document;
}
