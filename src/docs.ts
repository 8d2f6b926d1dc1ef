import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { clientAddress } from './http/client-address';
import { createRateLimiter, rateLimitHook } from './http/rate-limits';
import { serveFile } from './http/served-file';
import { createDocument } from './openapi';

/** Per client address. The page with all its files takes 6. */
const REQUESTS_PER_MINUTE = 300;

const HTML = 'text/html; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Retention Flow Service</title>
    <link rel="stylesheet" href="docs/swagger-ui.css" />
    <link rel="icon" type="image/png" sizes="32x32" href="docs/favicon-32x32.png" />
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="docs/swagger-ui-bundle.js"></script>
    <script src="docs/start.js"></script>
  </body>
</html>
`;

const START = `SwaggerUIBundle({ url: 'openapi.json', dom_id: '#swagger-ui', deepLinking: true });
`;

/** Serves Swagger UI at `/docs` and the OpenAPI document at `/openapi.json`; `/` redirects to `/docs`. */
export function serveDocs(app: NestFastifyApplication): void {
  const fastify: FastifyInstance = app.getHttpAdapter().getInstance();
  const limit = createRateLimiter(fastify, { name: 'docs', perMinute: REQUESTS_PER_MINUTE, clientOf: clientAddress });
  const files: [path: string, type: string, content: () => string | Promise<Buffer>][] = [
    ['/docs', HTML, () => PAGE],
    ['/docs/start.js', SCRIPT, () => START],
    ['/docs/swagger-ui-bundle.js', SCRIPT, () => readAsset('swagger-ui-bundle.js')],
    ['/docs/swagger-ui.css', 'text/css; charset=utf-8', () => readAsset('swagger-ui.css')],
    ['/docs/favicon-32x32.png', 'image/png', () => readAsset('favicon-32x32.png')],
    ['/openapi.json', 'application/json', () => JSON.stringify(createDocument(app))],
  ];
  for (const [path, type, content] of files) serveFile(fastify, { path, type, content }, limit);
  for (const path of ['/', '/docs/']) {
    fastify.get(path, { config: { surface: 'page' }, onRequest: rateLimitHook(limit) }, (_, reply) =>
      reply.redirect(path === '/' ? 'docs' : '../docs'),
    );
  }
}

function readAsset(name: string): Promise<Buffer> {
  return readFile(join(dirname(require.resolve('swagger-ui-dist/package.json')), name));
}
