import type { FastifyInstance, FastifyRequest } from 'fastify';

/**
 * The purpose of a route. It decides the route's limits, headers and CORS.
 * - `runtime`: called by widgets, on any site
 * - `billing`: called by billing systems, which sign their bodies
 * - `sign_in`: called by people who are not signed in yet
 * - `management`: called with an API key, or by a person who is signed in
 * - `operator`: called with the ADMIN_API_KEY
 * - `exit`: the page on which customers leave: shown by a browser
 * - `page`: shown by a browser
 * - `asset`: loaded by pages of any site: the widget
 * - `image`: a picture of a workspace: loaded by pages of any site
 * - `probe`: health and metrics
 * - `none`: the request matches no route
 */
export type Surface =
  | 'runtime'
  | 'billing'
  | 'sign_in'
  | 'management'
  | 'operator'
  | 'exit'
  | 'page'
  | 'asset'
  | 'image'
  | 'probe'
  | 'none';

const SURFACE_BY_PREFIX: [prefix: string, surface: Surface][] = [
  ['/api/v1/runtime/', 'runtime'],
  ['/api/v1/billing/', 'billing'],
  ['/api/v1/auth', 'sign_in'],
  ['/api/v1/public/', 'management'],
  ['/api/v1/admin/', 'operator'],
];

export interface KnownRoute {
  url: string;
  methods: string[];
  surface: Surface;
}

/**
 * Sets the surface of each route when it is registered, and of each request from its route. Never classify a request by
 * its URL: one path can be written in many ways (`/%61pi/…`, `http://host/api/…`).
 */
export function assignSurfaces(fastify: FastifyInstance): void {
  fastify.decorate('knownRoutes', []);
  fastify.addHook('onRoute', (route) => {
    const [, surface = 'probe'] = SURFACE_BY_PREFIX.find(([prefix]) => route.url.startsWith(prefix)) ?? [];
    route.config = { surface, ...route.config };
    const { url, method } = route;
    fastify.knownRoutes.push({ url, methods: [method].flat(), surface: route.config.surface! });
  });
  fastify.decorateRequest('surface', 'none');
  fastify.addHook('onRequest', (request, _, done) => {
    request.surface = request.routeOptions.config?.surface ?? 'none';
    done();
  });
}

/** Whether a request is for the API, rather than for a page or a probe. */
export function isApiRequest({ surface }: FastifyRequest): boolean {
  return SURFACE_BY_PREFIX.some(([, ofInterface]) => surface === ofInterface);
}

/** Whether a request is refused while too many wait for the database, rather than be one more. */
export function isShed(request: FastifyRequest): boolean {
  return isApiRequest(request) || request.surface === 'image';
}

/**
 * The surfaces that do work for anybody, without a key; the limit by address that each counts against, and how many
 * times as much as the runtime it allows. A billing system sends webhooks for all workspaces, and a page has many
 * pictures.
 */
export const STRANGERS = {
  runtime: { limit: 'runtime', times: 1 },
  sign_in: { limit: 'runtime', times: 1 },
  exit: { limit: 'exit', times: 1 },
  image: { limit: 'image', times: 10 },
  billing: { limit: 'billing', times: 10 },
};

export function isForStrangers(surface?: Surface): surface is keyof typeof STRANGERS {
  return surface !== undefined && surface in STRANGERS;
}
