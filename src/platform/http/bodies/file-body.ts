import type { FastifyInstance } from 'fastify';
import { Problem } from '../../api/problems/problem';
import { AddRouteConfig } from '../route-config';

/** Lets a route take a file as its body, which it gets as a Buffer. */
export const TakesFiles = (): MethodDecorator => AddRouteConfig({ takesFiles: true });

/**
 * Reads files, where a route takes them. Like JSON, their types need a preflight (Fetch standard, "CORS-safelisted
 * request-header"), so no page of another site can send one in the name of its visitor.
 */
export function takeFiles(fastify: FastifyInstance, types: readonly string[]): void {
  fastify.addContentTypeParser([...types, 'application/octet-stream'], { parseAs: 'buffer' }, (request, body, done) => {
    if (request.routeOptions.config.takesFiles) done(null, body);
    else done(new Problem('unsupported_media_type'));
  });
}
