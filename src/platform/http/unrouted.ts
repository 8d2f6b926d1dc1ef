import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../api/problem';

/**
 * Refuses a request without a route before its body is read: 405 with `Allow` if its path takes other methods (RFC 9110,
 * 15.5.6), otherwise 404. Paths are compared as they are written, which is enough to choose between refusals.
 *
 * It has to be called before there are routes.
 */
export function refuseUnrouted(fastify: FastifyInstance): void {
  const routes: { path: RegExp; method: string | string[] }[] = [];
  fastify.addHook('onRoute', ({ url, method }) => {
    if (url.endsWith('*')) return;
    routes.push({ path: new RegExp(`^${url.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}$`), method });
  });
  const refusalOf = ({ url }: FastifyRequest): Problem => {
    const [path] = url.split('?');
    const methods = new Set(routes.filter((route) => route.path.test(path)).flatMap(({ method }) => method));
    if (methods.size === 0) return new Problem('not_found');
    const refusal = new Problem('method_not_allowed');
    refusal.headers.allow = [...methods].join(', ');
    return refusal;
  };
  fastify.addHook('onRequest', (request, _, done) => {
    done(request.surface === 'none' ? refusalOf(request) : undefined);
  });
  // Every other path and method of the runtime API has this route, so that preflights succeed and pages can read the refusal.
  const refuse = (request: FastifyRequest, _: FastifyReply, done: (error: Error) => void) => done(refusalOf(request));
  fastify.all('/api/v1/runtime/*', { onRequest: refuse }, () => {});
}
