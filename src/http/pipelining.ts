import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Requests of one connection that may wait for their answers at a time (HTTP pipelining, RFC 9112, 9.3.2). */
const MAX_UNANSWERED = 16;

const unanswered = new WeakMap<Socket, number>();

/**
 * Closes a connection with its 17th unanswered request, and drops what else had arrived on it. Answers have to wait for
 * the ones before them, so a client that sends thousands of requests and reads nothing would fill the memory.
 */
export function boundPipeline({ raw: { socket } }: FastifyRequest, reply: FastifyReply, done: () => void): void {
  const count = (unanswered.get(socket) ?? 0) + 1;
  unanswered.set(socket, count);
  if (count > MAX_UNANSWERED) {
    reply.hijack();
    socket.destroy();
  } else {
    reply.raw.on('close', countAnswer);
    done();
  }
}

function countAnswer(this: ServerResponse): void {
  const { socket } = this.req;
  unanswered.set(socket, unanswered.get(socket)! - 1);
}
