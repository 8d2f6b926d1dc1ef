import type { FastifyInstance } from 'fastify';
import { AddRouteConfig } from './route-config';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What a route takes that takes more than others. */
    largeBody?: { bytes: number; values: number };
  }
}

/** Lets a route take a larger body than others. */
export const LargeBody = (bytes: number, values: number) => AddRouteConfig({ largeBody: { bytes, values } });

export function takeLargeBodies(fastify: FastifyInstance): void {
  fastify.addHook('onRoute', (route) => {
    if (route.config?.largeBody) route.bodyLimit = route.config.largeBody.bytes;
  });
}
