import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../common/problem';

const OPEN = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Retry-After, Request-Id',
};

const PREFLIGHT = {
  'access-control-allow-methods': 'GET, POST',
  'access-control-allow-headers': 'content-type, idempotency-key',
  'access-control-max-age': '86400',
};

/**
 * Widgets run on any site: the runtime interface answers every origin, without credentials, and nothing else has CORS
 * (Fetch standard, "CORS protocol"). As all origins get the same headers, the answers do not vary by them.
 */
export function allowAllOrigins({ surface, method }: FastifyRequest, reply: FastifyReply, done: () => void): void {
  if (surface !== 'runtime') return done();
  reply.headers(OPEN);
  if (method !== 'OPTIONS') return done();
  void reply.code(204).headers(PREFLIGHT).send();
}

/** One route for whatever the runtime interface doesn't have, so that preflights end and pages can read the 404. */
export function routeRestOfRuntime(fastify: FastifyInstance): void {
  const refuse = (_request: FastifyRequest, _reply: FastifyReply, done: (error: Error) => void) =>
    done(new Problem('not_found'));
  fastify.all('/api/v1/runtime/*', { onRequest: refuse }, () => {});
}
