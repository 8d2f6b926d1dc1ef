import type { FastifyInstance } from 'fastify';
import { Problem } from '../../api/problems/problem';
import { isShed, type Surface } from '../surface';

/** Refuses requests under too much load. Without it, every request would wait until it times out. */
export function shedLoad(fastify: FastifyInstance, isOverloadedFor: (surface: Surface) => boolean): void {
  fastify.addHook('onRequest', (request, _, done) => {
    const isRefused = isShed(request) && isOverloadedFor(request.surface);
    done(isRefused ? new Problem('service_unavailable') : undefined);
  });
}
