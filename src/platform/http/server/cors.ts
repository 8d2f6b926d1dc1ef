import type { FastifyReply, FastifyRequest } from 'fastify';

const CORS_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Retry-After, Request-Id, RateLimit, RateLimit-Policy',
};

const PREFLIGHT_HEADERS = {
  'access-control-allow-methods': 'GET, POST',
  'access-control-allow-headers': 'content-type, idempotency-key',
  'access-control-max-age': '86400',
};

/**
 * Allows every origin, without credentials, on the runtime API and for the widget's files, because widgets run on any
 * site. Nothing else has CORS (Fetch standard, "CORS protocol"). All origins get the same headers, so no `Vary: Origin`
 * is needed.
 */
export function allowAllOrigins({ surface, method }: FastifyRequest, reply: FastifyReply, done: () => void): void {
  if (surface !== 'runtime' && surface !== 'asset') return done();
  reply.headers(CORS_HEADERS);
  if (method !== 'OPTIONS') return done();
  void reply.code(204).headers(PREFLIGHT_HEADERS).send();
}
