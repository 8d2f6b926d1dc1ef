import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { clientAddress } from '../../platform/http/client-address';
import { rateLimitHook, RateLimits } from '../../platform/http/limits/rate-limits';
import { serveFile } from '../../platform/http/files/served-file';
import { configSchema } from './config-schema';
import { createDocument } from './document';

/** Per client address. The page with all its files takes 7. */
const REQUESTS_PER_MINUTE = 300;

const HTML = 'text/html; charset=utf-8';
const CSS = 'text/css; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';

/**
 * Serves Swagger UI at `/docs`, the OpenAPI document at `/openapi.json`, and at `/config.schema.json` what editors need
 * to know of a workspace in a file.
 *
 * @param folder what `web/build.mjs` wrote
 */
export function serveDocs(app: NestFastifyApplication, folder: string): void {
  const fastify: FastifyInstance = app.getHttpAdapter().getInstance();
  const ofAddress = { name: 'docs', perMinute: REQUESTS_PER_MINUTE, clientOf: clientAddress };
  const limit = app.get(RateLimits).limiting(ofAddress);
  const files: [path: string, type: string, content: () => string | Promise<Buffer>][] = [
    ['/docs', HTML, () => readFile(join(folder, 'docs.html'))],
    ['/docs/docs.js', SCRIPT, () => readFile(join(folder, 'docs.js'))],
    ['/docs/docs.css', CSS, () => readFile(join(folder, 'docs.css'))],
    ['/docs/swagger-ui-bundle.js', SCRIPT, () => readAsset('swagger-ui-bundle.js')],
    ['/docs/swagger-ui.css', CSS, () => readAsset('swagger-ui.css')],
    ['/docs/favicon-32x32.png', 'image/png', () => readAsset('favicon-32x32.png')],
    ['/openapi.json', 'application/json', () => JSON.stringify(createDocument(app))],
    ['/config.schema.json', 'application/json', () => JSON.stringify(configSchema(createDocument(app)))],
  ];
  for (const [path, type, content] of files) serveFile(fastify, { path, type, content }, limit);
  fastify.get('/docs/', { config: { surface: 'page' }, onRequest: rateLimitHook(limit) }, (_, reply) =>
    reply.redirect('../docs'),
  );
}

function readAsset(name: string): Promise<Buffer> {
  return readFile(join(dirname(require.resolve('swagger-ui-dist/package.json')), name));
}
