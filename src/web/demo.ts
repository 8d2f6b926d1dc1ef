import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { fileHandler, serveFile } from '../http/served-file';
import { STRICT } from './strict-policy';

const HTML = 'text/html; charset=utf-8';

/**
 * Serves `/demo`, the account page of an imaginary shop with the widget in it, and `/demo/canceled`, where its link leads.
 * The pages are the same for everyone: what a query says is read by the script of the page. Only `?script=blocked` is read
 * here: the page comes without the widget, as if something had blocked it.
 *
 * @param folder what `web/build.mjs` wrote
 */
export function serveDemo(fastify: FastifyInstance, folder: string): void {
  const read = (name: string) => readFile(join(folder, name));
  const page = fileHandler({ type: HTML, content: () => read('demo.html'), headers: STRICT });
  const withoutWidget = fileHandler({
    type: HTML,
    content: async () => without(await read('demo.html')),
    headers: STRICT,
  });
  fastify.get('/demo', { config: { surface: 'page' } }, (request, reply) =>
    isBlocked(request) ? withoutWidget(request, reply) : page(request, reply),
  );
  const files = [
    ['/demo/canceled', HTML, 'canceled.html'],
    ['/demo/demo.js', 'text/javascript; charset=utf-8', 'demo.js'],
    ['/demo/logo.svg', 'image/svg+xml', 'logo.svg'],
    ['/demo/demo.css', 'text/css; charset=utf-8', 'demo.css'],
  ];
  for (const [path, type, name] of files) {
    serveFile(fastify, { path, type, content: () => read(name), headers: STRICT });
  }
}

function isBlocked({ query }: FastifyRequest): boolean {
  return (query as { script?: unknown }).script === 'blocked';
}

function without(page: Buffer): Buffer {
  return Buffer.from(page.toString().replace(/<script async .*<\/script>\n/, ''));
}
