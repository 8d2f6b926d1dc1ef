import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../common/problem';
import { sendProblem } from './problem.filter';

/** Longer than any single wait for the database, and one second less than the ten promised to clients. */
const DEADLINE_MS = 9000;

/**
 * Responds with 503 when a request takes longer than the deadline. Its work is not cancelled and may still succeed.
 * (Fastify's `handlerTimeout` stops counting at the end of the request body: https://github.com/fastify/fastify/pull/6725)
 */
export function enforceDeadline(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  const giveUp = () => {
    sendProblem(new Problem('service_unavailable'), request, reply);
    // Fastify would log a late response with its URL, which may contain the id of a session or a customer.
    reply.send = () => reply;
  };
  const timer = setTimeout(giveUp, DEADLINE_MS).unref();
  reply.raw.on('close', () => clearTimeout(timer));
  done();
}
