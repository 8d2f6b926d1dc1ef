import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../common/problem';
import { sendProblem } from './problem.filter';

/** Longer than any single wait for the database, and one second less than the ten promised to clients. */
const DEADLINE_MS = 9000;

/**
 * Responds with 503 when a response has not begun at the deadline. The work is not cancelled and may still succeed. A response
 * that has begun goes on: a download takes as long as it takes.
 * (Fastify's `handlerTimeout` stops counting at the end of the request body: https://github.com/fastify/fastify/pull/6725)
 */
export function enforceDeadline(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  const giveUp = () => {
    if (reply.raw.headersSent) return;
    sendProblem(new Problem('service_unavailable'), request, reply);
    // Fastify would log a late response with its URL, which may contain the id of a session or a customer.
    reply.send = () => reply;
  };
  const timer = setTimeout(giveUp, DEADLINE_MS).unref();
  reply.raw.on('close', () => clearTimeout(timer));
  done();
}
