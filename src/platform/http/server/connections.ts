import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { Problem } from '../../api/problems/problem';
import type { ProblemCode } from '../../api/problems/problem-codes';
import { admitRequests } from '../../internals/http-parser';

/** How many requests of one connection may be pending at a time (HTTP pipelining, RFC 9112, 9.3.2). */
const MAX_PENDING = 16;

const CODE_BY_ERROR: Record<string, ProblemCode> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
};

/** The requests of a connection. */
interface Requests {
  pending: number;
  /** The latest response: pending, or sent before the body of its request had arrived. */
  latest?: ServerResponse;
  /** The response that has to be written before the latest. */
  preceding?: ServerResponse;
}

const requestsOf = new WeakMap<Socket, Requests>();
/** Responses that already have a listener which closes their connection. */
const closing = new WeakSet<ServerResponse>();

/**
 * Closes a connection at its 17th pending request, and begins a request when the response before is written: a client
 * that sends thousands of requests and reads nothing would fill the memory. The check sits in the parser because Node
 * keeps parsing what a closed connection has already received: one read of 64 KB holds thousands of requests.
 *
 * Its hook has to be the first, so that the time of a request counts from its beginning.
 */
export function limitPipelining(fastify: FastifyInstance): void {
  const { server } = fastify;
  server.on('connection', (socket: Socket) => {
    const requests: Requests = { pending: 0 };
    requestsOf.set(socket, requests);
    admitRequests(socket, () => {
      if (requests.pending === MAX_PENDING) socket.destroy();
      if (socket.destroyed) return false;
      requests.pending++;
      return true;
    });
  });
  // Before Fastify's listener, which calls the hook.
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const requests = requestsOf.get(socket)!;
    requests.preceding = requests.latest?.closed ? undefined : requests.latest;
    requests.latest = response;
    response.on('close', countClosed);
  });
  fastify.addHook('onRequest', ({ raw: { socket } }, { raw: response }, done) => {
    const previous = requestsOf.get(socket)?.preceding;
    if (!previous) done();
    // A response that closes the connection is followed by none: the next one does not get the socket.
    else previous.on('close', () => response.socket && done());
  });
}

function countClosed(this: ServerResponse): void {
  const requests = requestsOf.get(this.req.socket)!;
  requests.pending--;
  // An idle connection keeps no answered request in memory.
  if (requests.preceding === this) requests.preceding = undefined;
  if (this.req.complete && requests.latest === this) requests.latest = undefined;
}

/** Responds to input that never became a request (malformed HTTP, or sent too slowly), and closes the connection. */
export function handleClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const latest = requestsOf.get(socket)?.latest;
  if (latest?.writableFinished && !latest.req.complete) {
    // The error is in the body of a request that already has its response.
    socket.destroy();
    return;
  }
  if (latest?.req.complete && !latest.writableFinished) {
    // The next response on this connection belongs to an earlier, complete request. Further errors may arrive
    // meanwhile.
    if (!closing.has(latest)) latest.once('finish', () => handleClientError(error, socket));
    closing.add(latest);
    return;
  }
  const requestId = randomUUID();
  const problem = new Problem(CODE_BY_ERROR[error.code ?? ''] ?? 'invalid_request').body(requestId);
  const body = JSON.stringify(problem);
  socket.end(
    [
      `HTTP/1.1 ${problem.status} ${problem.title}`,
      'Content-Type: application/problem+json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `Request-Id: ${requestId}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
