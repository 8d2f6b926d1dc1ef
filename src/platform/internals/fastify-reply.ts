import type { FastifyReply } from 'fastify';

/**
 * Ignores a response to a request that has its response already. Fastify would log it with the URL, which may contain
 * the id of a session or a customer.
 */
export function ignoreLateResponse(reply: FastifyReply): void {
  reply.send = () => reply;
}
