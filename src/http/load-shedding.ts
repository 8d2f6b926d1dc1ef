import type { FastifyInstance } from 'fastify';
import { Problem } from '../common/problem';
import { isApiRequest } from './surface';

/**
 * Responds to requests with 503 at once while there is more work than can be done in time. Without it, under too much load,
 * every request would wait until it times out.
 */
export function shedLoad(fastify: FastifyInstance, isOverloaded: () => boolean): void {
  fastify.addHook('onRequest', (request, _, done) => {
    done(isApiRequest(request) && isOverloaded() ? new Problem('service_unavailable') : undefined);
  });
}
