import { RouteConfig } from '@nestjs/platform-fastify';
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants.js';
import type { FastifyContextConfig } from 'fastify';

/** Adds to the configuration of a route. Nest's `RouteConfig` replaces what another decorator has set. */
export function AddRouteConfig(more: FastifyContextConfig): MethodDecorator {
  return (target, key, descriptor) => {
    const before = Reflect.getMetadata(FASTIFY_ROUTE_CONFIG_METADATA, descriptor.value as object) as object | undefined;
    RouteConfig({ ...before, ...more })(target, key, descriptor);
  };
}
