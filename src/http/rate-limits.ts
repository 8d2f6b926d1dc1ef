import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../common/problem';
import { OwnCounts, SharedCounts } from './rate-limit-counts';
import type { SharedCounter } from './shared-counter';

const WINDOW_SECONDS = 60;

interface RateLimit {
  /** The name of the limit in the response headers. */
  name: string;
  /** Requests allowed per client; 0: unlimited. */
  perMinute: number;
  /** Identifies the client that a request counts against. */
  clientOf: (request: FastifyRequest) => string;
}

export interface RateLimiter {
  /** Counts a request. Returns the 429 to throw if it exceeds the limit. */
  count(request: FastifyRequest, reply: FastifyReply): Promise<Problem | undefined>;
  /** How many more requests the client may send now. */
  remaining(request: FastifyRequest): Promise<number>;
}

/** Must be awaited before a limiter is created. With a counter, all processes that have it count together. */
export async function registerRateLimits(fastify: FastifyInstance, counter?: SharedCounter): Promise<void> {
  const store = counter ? SharedCounts.by(counter) : OwnCounts;
  await fastify.register(rateLimit, { global: false, store });
}

/** Counts in fixed windows of a minute that start with a client's first request. */
export function createRateLimiter(fastify: FastifyInstance, { name, perMinute, clientOf }: RateLimit): RateLimiter {
  if (perMinute === 0) return UNLIMITED;
  const check = fastify.createRateLimit({
    max: perMinute,
    timeWindow: WINDOW_SECONDS * 1000,
    keyGenerator: (request) => `${name}:${clientOf(request)}`,
  });
  const policy = `"${name}";q=${perMinute};w=${WINDOW_SECONDS}`;
  return {
    async count(request, reply) {
      const result = await check(request);
      if (result.isAllowed) return undefined;
      // draft-ietf-httpapi-ratelimit-headers-10: the remaining requests, and the seconds until the window resets.
      reply.header('ratelimit-policy', policy);
      reply.header('ratelimit', `"${name}";r=${result.remaining};t=${result.ttlInSeconds}`);
      return result.isExceeded ? new Problem('too_many_requests').after(result.ttlInSeconds) : undefined;
    },
    async remaining(request) {
      const result = await check(request, { increment: false });
      return result.isAllowed ? Infinity : result.remaining;
    },
  };
}

const UNLIMITED: RateLimiter = { count: () => Promise.resolve(undefined), remaining: () => Promise.resolve(Infinity) };

/** A hook that counts each request and refuses those over the limit. */
export function rateLimitHook(limit: RateLimiter): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  return async (request, reply) => {
    const refusal = await limit.count(request, reply);
    if (refusal) throw refusal;
  };
}
