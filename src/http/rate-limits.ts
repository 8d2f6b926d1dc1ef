import rateLimit, { type FastifyRateLimitStore } from '@fastify/rate-limit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { Problem } from '../common/problem';

const WINDOW_SECONDS = 60;
/** How many clients a limiter counts; beyond that, it forgets the least recently seen. */
const MAX_CLIENTS = 50_000;

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

/** Must be awaited before a limiter is created. */
export async function registerRateLimits(fastify: FastifyInstance): Promise<void> {
  await fastify.register(rateLimit, { global: false, store: MonotonicStore });
}

/** Counts in this process only, in fixed windows of a minute that start with a client's first request. */
export function createRateLimiter(fastify: FastifyInstance, { name, perMinute, clientOf }: RateLimit): RateLimiter {
  if (perMinute === 0) return UNLIMITED;
  const check = fastify.createRateLimit({
    max: perMinute,
    timeWindow: WINDOW_SECONDS * 1000,
    keyGenerator: clientOf,
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

interface Count {
  current: number;
  /** In milliseconds of `performance.now()`. */
  since: number;
}

type Callback = (error: Error | null, result?: { current: number; ttl: number }) => void;

/**
 * Counts requests per client on a monotonic clock. The plugin's own store uses the wall clock, so setting that back by an
 * hour would lock clients out for an hour.
 */
class MonotonicStore implements FastifyRateLimitStore {
  private readonly counts = new LRUCache<string, Count>({ max: MAX_CLIENTS });

  incr(client: string, callback: Callback, timeWindow: number): void {
    const count = this.countOf(client, timeWindow);
    count.current++;
    this.counts.set(client, count);
    callback(null, resultOf(count, timeWindow));
  }

  read(client: string, callback: Callback, timeWindow: number): void {
    callback(null, resultOf(this.countOf(client, timeWindow), timeWindow));
  }

  /** Each limiter has its own counts. */
  child(): MonotonicStore {
    return new MonotonicStore();
  }

  private countOf(client: string, timeWindow: number): Count {
    const now = Math.trunc(performance.now());
    const count = this.counts.get(client);
    return count && now - count.since < timeWindow ? count : { current: 0, since: now };
  }
}

function resultOf({ current, since }: Count, timeWindow: number): { current: number; ttl: number } {
  return { current, ttl: since + timeWindow - Math.trunc(performance.now()) };
}
