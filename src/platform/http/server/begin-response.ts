import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../api/problems/problem';
import { allowAllOrigins } from './cors';
import { hasLargeUnreadBody } from './problem.filter';
import { setSecurityHeaders } from './security-headers';

/** Methods whose bodies are not read. */
const WITHOUT_BODY = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Begins every response with what all of them have. */
export function beginResponses(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', beginResponse);
  // An unknown expectation may be ignored (RFC 9110, 10.1.1). Node's own 417 would not be a problem of RFC 9457.
  fastify.server.on('checkExpectation', (request, response) => fastify.server.emit('request', request, response));
}

/** Sets what every response has, errors included. */
export function beginResponse(request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void {
  reply.header('request-id', request.id);
  setSecurityHeaders(request, reply);
  if (WITHOUT_BODY.has(request.method) && hasLargeUnreadBody(request)) reply.header('connection', 'close');
  // RFC 9112, 3.2. Node's own 400 would not be a problem of RFC 9457.
  if (request.raw.httpVersion === '1.1' && request.headers.host === undefined) {
    reply.header('connection', 'close');
    done(new Problem('invalid_request'));
  } else {
    allowAllOrigins(request, reply, done);
  }
}
