import rateLimit, { normalizeIP, type RateLimitOptions } from '@fastify/rate-limit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../common/problem';

const WINDOW_SECONDS = 60;
/** What is remembered of clients is bounded: beyond this many, those that were not seen for longest are forgotten. */
const CLIENTS = 50_000;

export interface RateLimit {
  /** What the headers call it. */
  name: string;
  /** Requests of one client; 0: as many as it likes. */
  perMinute: number;
  /** Whose request it is. */
  clientOf: (request: FastifyRequest) => string;
}

/** Counts a request. One too many is answered with 429. */
export type RateLimiter = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** Has to be awaited before a limiter is created. */
export async function prepareRateLimits(fastify: FastifyInstance): Promise<void> {
  await fastify.register(rateLimit, { global: false });
}

/** Counts within this process, from the first request of a client on, a minute at a time. */
export function createRateLimiter(fastify: FastifyInstance, { name, perMinute, clientOf }: RateLimit): RateLimiter {
  if (perMinute === 0) return () => Promise.resolve();
  const options: RateLimitOptions = {
    max: perMinute,
    timeWindow: WINDOW_SECONDS * 1000,
    keyGenerator: clientOf,
    cache: CLIENTS,
  };
  const count = fastify.createRateLimit(options);
  const policy = `"${name}";q=${perMinute};w=${WINDOW_SECONDS}`;
  return async (request, reply) => {
    const result = await count(request);
    if (result.isAllowed) return;
    // As in draft-ietf-httpapi-ratelimit-headers-10: what may still be asked for, and for how many seconds.
    reply.header('ratelimit-policy', policy);
    reply.header('ratelimit', `"${name}";r=${result.remaining};t=${result.ttlInSeconds}`);
    if (!result.isExceeded) return;
    reply.header('retry-after', String(result.ttlInSeconds));
    throw new Problem('too_many_requests');
  };
}

/** The address of a client; of IPv6 the /64, which is what one client is given. */
export function addressOf(request: FastifyRequest): string {
  // A client that has gone has none any more.
  return normalizeIP(request.ip ?? '', 64);
}
