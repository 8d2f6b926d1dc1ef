import type { FastifyInstance, FastifyRequest } from 'fastify';

/**
 * What a route is for, which decides about its limits, headers and CORS:
 * `runtime` is called by widgets, on any site; `management` with an API key; `operator` with the ADMIN_API_KEY;
 * `page` is shown by a browser; `probe` tells how the service is. A request without a route has `none`.
 */
export type Surface = 'runtime' | 'management' | 'operator' | 'page' | 'probe' | 'none';

const SURFACE_BY_PREFIX: [prefix: string, surface: Surface][] = [
  ['/api/v1/runtime/', 'runtime'],
  ['/api/v1/public/', 'management'],
  ['/api/v1/admin/', 'operator'],
];

declare module 'fastify' {
  interface FastifyContextConfig {
    surface?: Surface;
  }
  interface FastifyRequest {
    surface: Surface;
  }
}

/**
 * Gives each route its surface when it is registered, and each request the surface of its route. One path can be written
 * in many ways (`/%61pi/…`, `http://host/api/…`), so nothing else may look at the URL to decide what a request is.
 */
export function nameSurfaces(fastify: FastifyInstance): void {
  fastify.addHook('onRoute', (route) => {
    const [, surface = 'probe'] = SURFACE_BY_PREFIX.find(([prefix]) => route.url.startsWith(prefix)) ?? [];
    route.config = { surface, ...route.config };
  });
  fastify.decorateRequest('surface', 'none');
  fastify.addHook('onRequest', (request, _, done) => {
    request.surface = request.routeOptions.config?.surface ?? 'none';
    done();
  });
}

/** Whether the request is for the interface, as against pages and probes. */
export function isInterface({ surface }: FastifyRequest): boolean {
  return surface === 'runtime' || surface === 'management' || surface === 'operator';
}
