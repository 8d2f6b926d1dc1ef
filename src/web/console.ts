import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { serveFile } from '../http/served-file';
import { STRICT } from './strict-policy';

const FILES = [
  ['/console', 'text/html; charset=utf-8', 'console.html'],
  ['/console/console.js', 'text/javascript; charset=utf-8', 'console.js'],
  ['/console/console.css', 'text/css; charset=utf-8', 'console.css'],
  ['/console/icon.svg', 'image/svg+xml', 'console.svg'],
];

/**
 * Serves the console at `/console`. The page is the same for everyone: who signs in, and with what, is between the page and
 * the interface that it calls.
 *
 * @param folder what `web/build.mjs` wrote
 */
export function serveConsole(fastify: FastifyInstance, folder: string): void {
  for (const [path, type, name] of FILES) {
    serveFile(fastify, { path, type, content: () => readFile(join(folder, name)), headers: STRICT });
  }
  fastify.get('/console/', { config: { surface: 'page' } }, (_, reply) => reply.redirect('../console'));
}
