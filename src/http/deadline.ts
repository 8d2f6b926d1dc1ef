import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../common/problem';
import { sendProblem } from './problem.filter';

/** Longer than any single wait for the database, and with a second to spare of the ten that a client may count on. */
const DEADLINE_MS = 9000;

/**
 * Nobody waits for longer than this, however many waits add up behind a request. What the request asked for may still
 * happen. (Fastify's own `handlerTimeout` ends with the body of the request: https://github.com/fastify/fastify/pull/6725)
 */
export function answerInTime(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  const giveUp = () => {
    sendProblem(new Problem('service_unavailable'), request, reply);
    // Fastify would log an answer that comes after all, with the URL, in which there may be a session's or a customer's id.
    reply.send = () => reply;
  };
  const timer = setTimeout(giveUp, DEADLINE_MS).unref();
  reply.raw.on('close', () => clearTimeout(timer));
  done();
}
