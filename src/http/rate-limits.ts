import rateLimit, { type FastifyRateLimitStore } from '@fastify/rate-limit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
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

export interface RateLimiter {
  /** Counts a request. Of one too many it answers the 429 to throw. */
  count(request: FastifyRequest, reply: FastifyReply): Promise<Problem | undefined>;
  /** How many more requests of the client would be let through. */
  left(request: FastifyRequest): Promise<number>;
}

/** Has to be awaited before a limiter is created. */
export async function prepareRateLimits(fastify: FastifyInstance): Promise<void> {
  await fastify.register(rateLimit, { global: false, store: SteadyStore });
}

/** Counts within this process, from the first request of a client on, a minute at a time. */
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
      // As in draft-ietf-httpapi-ratelimit-headers-10: what may still be asked for, and for how many seconds.
      reply.header('ratelimit-policy', policy);
      reply.header('ratelimit', `"${name}";r=${result.remaining};t=${result.ttlInSeconds}`);
      return result.isExceeded ? new Problem('too_many_requests').after(result.ttlInSeconds) : undefined;
    },
    async left(request) {
      const result = await check(request, { increment: false });
      return result.isAllowed ? Infinity : result.remaining;
    },
  };
}

const UNLIMITED: RateLimiter = { count: () => Promise.resolve(undefined), left: () => Promise.resolve(Infinity) };

/** A hook that counts each request and refuses one too many. */
export function limiting(limit: RateLimiter): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  return async (request, reply) => {
    const refusal = await limit.count(request, reply);
    if (refusal) throw refusal;
  };
}

interface Count {
  current: number;
  /** On the clock of `performance.now()`. */
  since: number;
}

type Report = (error: Error | null, result?: { current: number; ttl: number }) => void;

/**
 * Counts by client on a clock that only goes forward. The plugin's own store reads the wall clock, and one that is set back
 * by an hour would lock clients out for that hour.
 */
class SteadyStore implements FastifyRateLimitStore {
  private readonly counts = new LRUCache<string, Count>({ max: CLIENTS });

  incr(client: string, report: Report, timeWindow: number): void {
    const count = this.countOf(client, timeWindow);
    count.current++;
    this.counts.set(client, count);
    report(null, resultOf(count, timeWindow));
  }

  read(client: string, report: Report, timeWindow: number): void {
    report(null, resultOf(this.countOf(client, timeWindow), timeWindow));
  }

  /** Each limiter counts by itself. */
  child(): SteadyStore {
    return new SteadyStore();
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
