import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../settings/config';
import { fileHandler, serveFile } from '../../platform/http/files/served-file';

const HTML = 'text/html; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';
const CSS = 'text/css; charset=utf-8';
const SVG = 'image/svg+xml';

const FILES = [
  ['/', HTML, 'start.html'],
  ['/start/start.css', CSS, 'start.css'],
  ['/console/console.js', SCRIPT, 'console.js'],
  ['/console/chunk.js', SCRIPT, 'chunk.js'],
  ['/console/editor.js', SCRIPT, 'editor.js'],
  ['/console/console.css', CSS, 'console.css'],
  ['/console/icon.svg', SVG, 'console.svg'],
  ['/demo/canceled', HTML, 'canceled.html'],
  ['/demo/demo.js', SCRIPT, 'demo.js'],
  ['/demo/demo.css', CSS, 'demo.css'],
  ['/demo/logo.svg', SVG, 'logo.svg'],
  ['/preview/preview.js', SCRIPT, 'preview.js'],
  ['/preview/preview.css', CSS, 'preview.css'],
  ['/leave/leave.js', SCRIPT, 'leave.js'],
];

/** The strictest policy, under which the widget promises to work. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  // The logo of a workspace is on any site.
  "img-src 'self' https: data:",
  "require-trusted-types-for 'script'",
  "base-uri 'none'",
  "form-action 'none'",
];
const withPolicy = (...more: string[]) => ({ 'content-security-policy': [...POLICY, ...more].join('; ') });
const headers = withPolicy("frame-ancestors 'none'");

/**
 * Serves our own pages:
 * - `/`, the doors to the others.
 * - `/console`, which is the same for everyone and calls the interface. On a copy that sends nothing it shows a banner.
 * - `/preview`, which shows the preview whose id is behind `#` to whoever has the link. The console shows it in a
 *   frame.
 * - `/demo`, the account page of an imaginary shop with the widget in it, and `/demo/canceled`, where its link leads.
 *   With
 *   `?script=blocked` the page comes without the widget, as if something had blocked it.
 *
 * @param folder what `web/build.mjs` wrote
 */
export function servePages(fastify: FastifyInstance, folder: string, { sendNothing }: Config): void {
  const read = (name: string) => readFile(join(folder, name));
  const changed = async (name: string, text: string | RegExp, replacement: string) =>
    Buffer.from((await read(name)).toString().replace(text, replacement));
  for (const [path, type, name] of FILES) {
    serveFile(fastify, { path, type, content: () => read(name), headers });
  }

  const banner = () => changed('console.html', '<body>', '<body data-sends-nothing>');
  const content = sendNothing ? banner : () => read('console.html');
  const framing = withPolicy("frame-src 'self'", "frame-ancestors 'none'");
  serveFile(fastify, { path: '/console', type: HTML, content, headers: framing });
  fastify.get('/console/', { config: { surface: 'page' } }, (_, reply) => reply.redirect('../console'));

  const framed = withPolicy("frame-ancestors 'self'");
  serveFile(fastify, { path: '/preview', type: HTML, content: () => read('preview.html'), headers: framed });

  // By the address of the page, the service knows whose sessions its widget starts.
  const naming = { ...headers, 'referrer-policy': 'same-origin' };
  const demo = fileHandler({ type: HTML, content: () => read('demo.html'), headers: naming });
  const withoutWidget = () => changed('demo.html', /<script async .*<\/script>\n/, '');
  const blocked = fileHandler({ type: HTML, content: withoutWidget, headers });
  fastify.get<{ Querystring: { script?: string } }>('/demo', { config: { surface: 'page' } }, (request, reply) =>
    request.query.script === 'blocked' ? blocked(request, reply) : demo(request, reply),
  );
}
