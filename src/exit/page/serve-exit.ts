import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readExitRequest } from '../exit-request';
import type { ExitPage, ExitPages, Sent } from './exit-pages';
import { styleFor } from './form';
import type { LeaveQuery } from './leave';

interface Route {
  Params: { slug: string; file: string; key: string };
  Querystring: { kind?: unknown } & LeaveQuery;
}

/**
 * Serves `/leave/:slug`, a flow as a page; and `/exit/:slug`, where customers leave, with their receipts. The exit page
 * takes forms, which need no script: there is no cookie, so a page of another site can send nothing in the name of its
 * visitors.
 */
export function serveExit(fastify: FastifyInstance, pages: ExitPages): void {
  void fastify.register((scope, _, done) => {
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, read) =>
      read(null, Object.fromEntries(new URLSearchParams(body as string))),
    );
    scope.setErrorHandler((error, request, reply) =>
      answer(request, reply, pages.failed(error, readExitRequest(request))),
    );
    const config = { surface: 'exit' as const };
    scope.get<Route>('/exit/:slug', { config }, async (request, reply) => {
      const { params, query } = request;
      return answer(request, reply, await pages.form(params.slug, query.kind, readExitRequest(request)));
    });
    scope.post<Route>('/exit/:slug', { config }, async (request, reply) => {
      const { params, query, body } = request;
      const sent = (body ?? {}) as Sent;
      return answer(request, reply, await pages.declare(params.slug, query.kind, sent, readExitRequest(request)));
    });
    scope.get<Route>('/exit/:slug/receipt/:file', { config }, async (request, reply) => {
      const { params } = request;
      return answer(request, reply, await pages.receipt(params.slug, params.file, readExitRequest(request)));
    });
    for (const method of ['GET', 'POST'] as const) {
      const handler = async (request: FastifyRequest<Route>, reply: FastifyReply) => {
        const { slug, key } = request.params;
        return answer(request, reply, await pages.confirmation(slug, key, readExitRequest(request), method === 'POST'));
      };
      scope.route<Route>({ method, url: '/exit/:slug/confirm/:key', config, handler });
    }
    scope.get<Route>('/leave/:slug', { config }, async (request, reply) => {
      const { params, query } = request;
      return answer(request, reply, await pages.leave(params.slug, query, readExitRequest(request)));
    });
    done();
  });
}

function answer(_: FastifyRequest, reply: FastifyReply, page: ExitPage): FastifyReply {
  const { status, flow, body = '', hasWidget, file, location, retryAfter } = page;
  reply.code(status).header('cache-control', 'no-store').header('vary', 'accept-language');
  reply.header('content-security-policy', policyFor(flow, hasWidget));
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter));
  if (location !== undefined) reply.header('location', location);
  if (file !== undefined) reply.header('content-disposition', `attachment; filename="${file}"`);
  return reply.type(file?.endsWith('.txt') ? 'text/plain; charset=utf-8' : 'text/html; charset=utf-8').send(body);
}

/**
 * Nothing but the style in the page, the logo of the workspace, and the form; or in its place the widget with its
 * pictures.
 */
function policyFor(flow: ExitPage['flow'], hasWidget = false): string {
  const hash = createHash('sha256').update(styleFor(flow)).digest('base64');
  const images = [
    ...(flow?.logo_url ? [sourceOf(flow.logo_url)] : []),
    ...(hasWidget ? ["'self'", ...(flow?.image_hosts ?? []).map((host) => sourceOf(`https://${host}`))] : []),
  ];
  return [
    "default-src 'none'",
    `style-src 'sha256-${hash}'`,
    `img-src ${images.join(' ') || "'none'"}`,
    "base-uri 'none'",
    ...(hasWidget
      ? ["script-src 'self'", "connect-src 'self'", "require-trusted-types-for 'script'", "form-action 'none'"]
      : ["form-action 'self'"]),
    "frame-ancestors 'none'",
  ].join('; ');
}

/**
 * The origin of a URL as a source of a policy. A host may have characters that end a source or a policy (CSP Level 3,
 * 2.3.1).
 */
function sourceOf(url: string): string {
  return new URL(url).origin.replaceAll(/[;,\s']/g, (character) => `%${character.charCodeAt(0).toString(16)}`);
}
