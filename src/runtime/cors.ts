import type { FastifyReply, FastifyRequest } from 'fastify';

export const RUNTIME_PREFIX = '/api/v1/runtime/';

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
export function allowAllOrigins(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  if (!request.url.startsWith(RUNTIME_PREFIX)) return done();
  reply.headers(OPEN);
  if (request.method !== 'OPTIONS') return done();
  void reply.code(204).headers(PREFLIGHT).send();
}
