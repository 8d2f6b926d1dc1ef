import type { FastifyRateLimitStore } from '@fastify/rate-limit';
import { LRUCache } from 'lru-cache';
import type { SharedCounter, WindowCount } from './shared-counter';

/** How many clients a limiter counts; beyond that, it forgets the least recently seen. */
const MAX_CLIENTS = 50_000;

interface Count {
  current: number;
  /** In milliseconds of `performance.now()`. */
  since: number;
}

type Callback = (error: Error | null, result?: WindowCount) => void;

/**
 * Counts requests per client in this process, on a monotonic clock. The plugin's own store uses the wall clock, so setting
 * that back by an hour would lock clients out for an hour.
 */
export class OwnCounts implements FastifyRateLimitStore {
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
  child(): OwnCounts {
    return new OwnCounts();
  }

  private countOf(client: string, timeWindow: number): Count {
    const now = Math.trunc(performance.now());
    const count = this.counts.get(client);
    return count && now - count.since < timeWindow ? count : { current: 0, since: now };
  }
}

function resultOf({ current, since }: Count, timeWindow: number): WindowCount {
  return { current, ttl: since + timeWindow - Math.trunc(performance.now()) };
}

/** Counts requests per client in all processes together; while that is not possible, in this process. */
export class SharedCounts implements FastifyRateLimitStore {
  private readonly own = new OwnCounts();

  constructor(private readonly counter: SharedCounter) {}

  /** The class that the plugin makes its store of. */
  static by(counter: SharedCounter): new () => SharedCounts {
    return class extends SharedCounts {
      constructor() {
        super(counter);
      }
    };
  }

  /** The process counts, too: when Redis goes away, clients go on with what they have left here. */
  incr(client: string, callback: Callback, timeWindow: number): void {
    const own = (_: unknown, result?: WindowCount) =>
      void this.prefer(this.counter.add(client, timeWindow), result!, callback);
    this.own.incr(client, own, timeWindow);
  }

  read(client: string, callback: Callback, timeWindow: number): void {
    const own = (_: unknown, result?: WindowCount) => void this.prefer(this.counter.read(client), result!, callback);
    this.own.read(client, own, timeWindow);
  }

  child(): SharedCounts {
    return new SharedCounts(this.counter);
  }

  private async prefer(shared: Promise<WindowCount | undefined>, own: WindowCount, callback: Callback): Promise<void> {
    callback(null, (await shared) ?? own);
  }
}
