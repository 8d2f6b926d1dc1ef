import type { Socket } from 'node:net';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { Problem } from '../../api/problems/problem';
import { ignoreLateResponse } from '../../internals/fastify-reply';
import { sendProblem } from './problem.filter';
import { AddRouteConfig } from '../route-config';

/**
 * Longer than any single wait for the database, except on routes that may take longer. With the interval, at least a
 * second less than the ten promised to clients.
 */
const DEADLINE_MS = 8500;
const INTERVAL_MS = 500;

export interface Unanswered {
  reply: FastifyReply;
  since: number;
}

/** Gives a route more time than others. It should stop its work when its `Client` has gone. */
export const MayTake = (deadlineMs: number): MethodDecorator => AddRouteConfig({ deadlineMs });

/**
 * A signal that aborts when nobody waits for the response any more: it was sent, or the client has closed its
 * connection.
 */
export const Client = createParamDecorator((_: unknown, context: ExecutionContext): AbortSignal => {
  const { raw } = context.switchToHttp().getResponse<FastifyReply>();
  const closed = new AbortController();
  if (raw.destroyed) closed.abort();
  raw.once('close', () => closed.abort());
  return closed.signal;
});

/**
 * Responds with 503 when a response has not begun at the deadline. The work is not cancelled and may still succeed. A
 * response that has begun goes on: a download takes as long as it takes. (Fastify's `handlerTimeout` stops counting at
 * the end of the request body: https://github.com/fastify/fastify/pull/6725)
 *
 * Its hook comes behind the one of `limitPipelining`, which lets a connection begin one request at a time.
 */
export function enforceDeadline(fastify: FastifyInstance): void {
  const unanswered = new Map<Socket, Unanswered>();
  fastify.decorate('unanswered', unanswered);
  fastify.addHook('onRequest', ({ raw, routeOptions }, reply, done) => {
    const { deadlineMs } = routeOptions.config;
    // Its connection may be silent for longer than others. Node sets the time-out anew for the next request.
    if (deadlineMs) raw.socket.setTimeout(deadlineMs + DEADLINE_MS);
    unanswered.set(raw.socket, { reply, since: performance.now() });
    done();
  });
  fastify.addHook('onResponse', ({ raw }, reply, done) => {
    if (unanswered.get(raw.socket)?.reply === reply) unanswered.delete(raw.socket);
    done();
  });
  // One timer instead of one for each request.
  const timer = setInterval(() => {
    const now = performance.now();
    for (const [socket, { reply, since }] of unanswered) {
      if (socket.closed) unanswered.delete(socket);
      else if (now - since >= (reply.request.routeOptions.config.deadlineMs ?? DEADLINE_MS)) giveUp(reply);
    }
  }, INTERVAL_MS).unref();
  fastify.addHook('onClose', () => clearInterval(timer));
}

function giveUp(reply: FastifyReply): void {
  if (reply.raw.headersSent) return;
  sendProblem(new Problem('service_unavailable'), reply.request, reply);
  ignoreLateResponse(reply);
}
