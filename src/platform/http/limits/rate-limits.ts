import { Injectable, Optional } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { Problem } from '../../api/problems/problem';
import { SharedCounter, type WindowCount } from './shared-counter';

const WINDOW_SECONDS = 60;
/** How many clients a limiter counts; beyond that, it forgets the least recently seen. */
const MAX_CLIENTS = 50_000;

export interface RateLimit {
  /** The name of the limit in the response headers. */
  name: string;
  /** Requests allowed per client; 0: unlimited. */
  perMinute: number;
  /** Whether each process counts for itself, also with REDIS_URL: for what takes time of one process alone. */
  isOfProcess?: true;
  /** Identifies the client that a request counts against. */
  clientOf: (request: FastifyRequest) => string;
}

export interface RateLimiter {
  /** Counts a request. Returns the 429 to throw if it exceeds the limit. */
  count(request: FastifyRequest, reply: FastifyReply): Promise<Problem | undefined>;
  /** How many more requests the client may send now. */
  remaining(request: FastifyRequest): Promise<number>;
}

/** Adds to what a client has done in its window, and returns how much that is. */
export type Count = (client: string, more: number) => Promise<WindowCount>;

/** Makes the limits of what a client may do within a time. */
@Injectable()
export class RateLimits {
  constructor(@Optional() private readonly shared?: SharedCounter) {}

  /**
   * Counts in fixed windows that start with what a client does first: with REDIS_URL, in all processes together.
   * The process counts, too: when Redis goes away, clients go on with what they have left here.
   */
  counting(name: string, windowSeconds: number): Count {
    return createCount(name, windowSeconds, this.shared);
  }

  /** Limits the requests of a client in windows of a minute. */
  limiting({ name, perMinute, isOfProcess, clientOf }: RateLimit): RateLimiter {
    if (perMinute === 0) return UNLIMITED;
    const count = createCount(name, WINDOW_SECONDS, isOfProcess ? undefined : this.shared);
    const add = (request: FastifyRequest, requests: number) => count(clientOf(request), requests);
    const policy = `"${name}";q=${perMinute};w=${WINDOW_SECONDS}`;
    return {
      async count(request, reply) {
        const { current, ttl } = await add(request, 1);
        const isExceeded = current > perMinute;
        // A response shows its first limit, or the one that refuses it.
        if (!isExceeded && reply.hasHeader('ratelimit')) return undefined;
        // draft-ietf-httpapi-ratelimit-headers-10: the remaining requests, and the seconds until the window resets.
        const seconds = Math.ceil(ttl / 1000);
        reply.header('ratelimit-policy', policy);
        reply.header('ratelimit', `"${name}";r=${Math.max(0, perMinute - current)};t=${seconds}`);
        return isExceeded ? new Problem('too_many_requests').after(seconds) : undefined;
      },
      async remaining(request) {
        const { current } = await add(request, 0);
        return Math.max(0, perMinute - current);
      },
    };
  }
}

function createCount(name: string, windowSeconds: number, shared: SharedCounter | undefined): Count {
  const windowMs = windowSeconds * 1000;
  const addHere = createCounts(windowMs);
  return async (client, more) => {
    const here = addHere(client, more);
    return (await shared?.add(`${name}:${client}`, more, windowMs)) ?? here;
  };
}

const UNLIMITED: RateLimiter = { count: () => Promise.resolve(undefined), remaining: () => Promise.resolve(Infinity) };

/** Counts per client in this process, on a monotonic clock: setting the time of the system changes nothing. */
function createCounts(windowMs: number): (client: string, requests: number) => WindowCount {
  const windows = new LRUCache<string, { current: number; end: number }>({
    // With `max`, it would make room for all clients at the start, which takes 7 ms.
    maxSize: MAX_CLIENTS,
    sizeCalculation: () => 1,
  });
  return (client, requests) => {
    const time = Math.trunc(performance.now());
    const known = windows.get(client);
    const window = known && time < known.end ? known : { current: 0, end: time + windowMs };
    window.current += requests;
    if (window !== known) windows.set(client, window);
    return { current: window.current, ttl: window.end - time };
  };
}

/** A hook that counts each request and refuses those over the limit. */
export function rateLimitHook(limit: RateLimiter): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  return async (request, reply) => {
    const refusal = await limit.count(request, reply);
    if (refusal) throw refusal;
  };
}
