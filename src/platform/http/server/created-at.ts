import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AddRouteConfig } from '../route-config';

/** Lets the responses of a route name the path of what it created, in the header Location (RFC 9110, 10.2.2). */
export const CreatedAt = (path: string): MethodDecorator => AddRouteConfig({ createdAt: path });

export function sendLocations(fastify: FastifyInstance): void {
  fastify.addHook('onRoute', (route) => {
    const { createdAt } = route.config ?? {};
    if (createdAt !== undefined) route.preSerialization = locationAt(createdAt);
  });
}

function locationAt(path: string) {
  const [base, field] = path.split(':');
  return (_: FastifyRequest, reply: FastifyReply, created: unknown, done: (error: null, created: unknown) => void) => {
    if (reply.statusCode === 201) reply.header('location', base + (created as Record<string, string>)[field]);
    done(null, created);
  };
}
