import type { FastifyInstance } from 'fastify';
import { clientAddress } from '../client-address';
import { isForStrangers, STRANGERS } from '../surface';
import { rateLimitHook, type RateLimits } from './rate-limits';

const BODY_LIMIT = 16 * 1024;

/** Limits the bodies that anybody may send. Events of billing systems have whole invoices in them. */
export function limitBodiesOfStrangers(fastify: FastifyInstance): void {
  fastify.addHook('onRoute', (route) => {
    const surface = route.config?.surface;
    if (isForStrangers(surface) && surface !== 'billing') route.bodyLimit = BODY_LIMIT;
  });
}

/** Limits what anybody may call by address, before the body is read. */
export function limitStrangers(fastify: FastifyInstance, limits: RateLimits, requestsPerMinute: number): void {
  const hooks = new Map<string, ReturnType<typeof rateLimitHook>>();
  for (const { limit: name, times } of Object.values(STRANGERS)) {
    if (hooks.has(name)) continue;
    const perMinute = requestsPerMinute * times;
    hooks.set(name, rateLimitHook(limits.limiting({ name, perMinute, clientOf: clientAddress })));
  }
  fastify.addHook('onRequest', async (request, reply) => {
    if (isForStrangers(request.surface)) await hooks.get(STRANGERS[request.surface].limit)!(request, reply);
  });
}
