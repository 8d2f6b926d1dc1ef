import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Problem, type ProblemCode } from '../common/problem';

const CODE_BY_ERROR: Record<string, ProblemCode> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
};

/** The answer that a connection waits for, or had last. */
const lastAnswers = new WeakMap<Socket, ServerResponse>();

/** Answers after which their connection is closed. */
const waiting = new WeakSet<ServerResponse>();

/** Has to be told of every request. */
export function noteRequest({ socket }: IncomingMessage, answer: ServerResponse): void {
  lastAnswers.set(socket, answer);
}

/** Answers what never became a request (broken HTTP, or one that was not sent in time) and closes the connection. */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const last = lastAnswers.get(socket);
  if (last?.writableFinished && !last.req.complete) {
    // It was answered before its body came.
    socket.destroy();
    return;
  }
  if (last?.req.complete && !last.writableFinished) {
    // The next answer on the connection is that of the request which came whole before. More may be broken meanwhile.
    if (!waiting.has(last)) last.once('finish', () => answerBrokenRequest(error, socket));
    waiting.add(last);
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
