import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Problem, type ProblemCode } from '../common/problem';

const CODE_BY_ERROR: Record<string, ProblemCode> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
};

/** The latest response of each connection, pending or sent. */
const latestResponses = new WeakMap<Socket, ServerResponse>();

/** Responses that already have a listener which closes their connection. */
const closing = new WeakSet<ServerResponse>();

/** Must be called with every request. */
export function trackResponse({ socket }: IncomingMessage, response: ServerResponse): void {
  latestResponses.set(socket, response);
}

/** Responds to input that never became a request (malformed HTTP, or sent too slowly), and closes the connection. */
export function handleClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const latest = latestResponses.get(socket);
  if (latest?.writableFinished && !latest.req.complete) {
    // The error is in the body of a request that already has its response.
    socket.destroy();
    return;
  }
  if (latest?.req.complete && !latest.writableFinished) {
    // The next response on this connection belongs to an earlier, complete request. Further errors may arrive meanwhile.
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
