import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../api/problems/problem';

/**
 * Refuses a request without a route before its body is read: 405 with `Allow` if its path takes other methods (RFC
 * 9110, 15.5.6), otherwise 404. Paths are compared as they are written, which is enough to choose between refusals.
 */
export function refuseUnrouted(fastify: FastifyInstance): void {
  const forms = new Map<string, RegExp>();
  const takes = (route: string, path: string) => {
    const form = forms.get(route) ?? new RegExp(`^${route.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}$`);
    forms.set(route, form);
    return form.test(path);
  };
  const refusalOf = ({ url }: FastifyRequest): Problem => {
    const [path] = url.split('?');
    const known = fastify.knownRoutes.filter((route) => !route.url.endsWith('*') && takes(route.url, path));
    const methods = new Set(known.flatMap((route) => route.methods));
    if (methods.size === 0) return new Problem('not_found');
    const refusal = new Problem('method_not_allowed');
    refusal.headers.allow = [...methods].join(', ');
    return refusal;
  };
  fastify.addHook('onRequest', (request, _, done) => {
    done(request.surface === 'none' ? refusalOf(request) : undefined);
  });
  // Every other path and method of the runtime API has this route, so that preflights succeed and pages can read the
  // refusal.
  const refuse = (request: FastifyRequest, _: FastifyReply, done: (error: Error) => void) => done(refusalOf(request));
  fastify.all('/api/v1/runtime/*', { onRequest: refuse }, () => {});
}
