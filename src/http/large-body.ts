import type { FastifyInstance } from 'fastify';
import { AddRouteConfig } from './route-config';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What a route takes that takes more than others. Without `bytes` it takes as many as they do. */
    largeBody?: { values: number; bytes?: number };
  }
}

/** Lets a route take a larger body than others. */
export const LargeBody = (most: { values: number; bytes?: number }) => AddRouteConfig({ largeBody: most });

export function takeLargeBodies(fastify: FastifyInstance): void {
  fastify.addHook('onRoute', (route) => {
    const { bytes } = route.config?.largeBody ?? {};
    if (bytes !== undefined) route.bodyLimit = bytes;
  });
}
