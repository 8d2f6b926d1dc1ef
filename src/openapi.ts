import { STATUS_CODES } from 'node:http';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { PROBLEMS_EXTENSION, ProblemDto } from './common/problem.dto';
import { Problem, type ProblemCode, PROBLEMS } from './common/problem';

const DESCRIPTION = `
Retention flows behind a "cancel my subscription" button.

- **Management** (\`/api/v1/public\`): flows, offers, keys and the workspace itself, with \`Authorization: Bearer <API_KEY>\`.
- **Runtime** (\`/api/v1/runtime\`): what the widget calls. No key, every origin.
- **Operator** (\`/api/v1/admin\`): workspaces and their limits, with the \`ADMIN_API_KEY\` of the service.

Bodies are JSON, at most 256 KB (16 KB on the runtime interface); times are UTC. Every error is a problem of
[RFC 9457](https://www.rfc-editor.org/rfc/rfc9457) whose \`code\` is stable. Lists are newest first: follow
\`next_cursor\` until it is null.
`;

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']> & { [PROBLEMS_EXTENSION]?: ProblemCode[] };
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
    .setVersion('1.0.0')
    .setDescription(DESCRIPTION.trim())
    .setLicense('MIT', 'https://opensource.org/license/mit')
    .addServer('/', 'Where this document was read.')
    .addSecurity('api_key', { type: 'http', scheme: 'bearer', description: 'An API key of the workspace.' })
    .addSecurity('operator_key', { type: 'http', scheme: 'bearer', description: 'The ADMIN_API_KEY of the service.' })
    .addTag('Runtime', 'What the widget calls.')
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
  for (const path of Object.values(document.paths)) {
    for (const method of METHODS) {
      const operation: Operation | undefined = path[method];
      if (!operation) continue;
      for (const [status, response] of Object.entries(operation.responses)) {
        if (response && 'description' in response) response.description ||= STATUS_CODES[status]!;
      }
      addProblems(operation, method);
    }
  }
  return document;
}

/** Adds the error answers of an operation: those that follow from its shape, and those its controller names. */
function addProblems(operation: Operation, method: (typeof METHODS)[number]): void {
  const { [PROBLEMS_EXTENSION]: own = [], ...rest } = operation;
  delete operation[PROBLEMS_EXTENSION];
  const codes = [...new Set([...problemsOfShape(rest, method), ...own])];
  for (const code of codes) {
    const response = (operation.responses[PROBLEMS[code].status] ??= {
      description: new Problem(code).body('').title,
      content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/ProblemDto' }, examples: {} } },
    });
    if ('content' in response) {
      response.content!['application/problem+json'].examples![code] = {
        value: new Problem(code).body('3f1c9a52-0c7e-4a8e-9b43-6d1f5b8e2c70'),
      };
    }
  }
}

function problemsOfShape(operation: Operation, method: (typeof METHODS)[number]): ProblemCode[] {
  const parameters = (operation.parameters ?? []) as { in: string }[];
  const schemes = (operation.security ?? []).flatMap((security) => Object.keys(security));
  return [
    'invalid_request',
    ...(schemes.length > 0 ? (['unauthorized', 'invalid_token'] as const) : []),
    ...(schemes.includes('api_key') && method !== 'get' ? (['insufficient_scope'] as const) : []),
    ...(schemes.includes('operator_key') || parameters.some((parameter) => parameter.in === 'path')
      ? (['not_found'] as const)
      : []),
    ...(method !== 'get' ? (['request_timeout', 'payload_too_large', 'unsupported_media_type'] as const) : []),
    ...(operation.tags?.includes('Operation') ? [] : (['too_many_requests'] as const)),
    'internal_error',
    'service_unavailable',
  ];
}
