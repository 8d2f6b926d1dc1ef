import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import type { Redis } from 'ioredis';
import { Config } from '../../../settings/config';
import { Metrics } from '../../metrics/metrics';

/** The keys of the service in Redis. */
const PREFIX = 'retention-flow:';
/** The longest that a request waits for a reply of Redis. After that, no request waits until Redis has replied. */
const MAX_WAIT_MS = 250;
/** How long a connection may be without a reply before it is replaced. */
const SILENT_MS = 2000;

/**
 * Adds ARGV[1] to a count that ends ARGV[2] milliseconds after it began. One without an end would refuse its client for
 * ever.
 */
const ADD = `
  local current = redis.call('INCRBY', KEYS[1], ARGV[1])
  if redis.call('PTTL', KEYS[1]) < 0 then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
  return {current, redis.call('PTTL', KEYS[1])}`;

/** Requests of a client in its window. */
export interface WindowCount {
  current: number;
  /** Milliseconds until the window ends. */
  ttl: number;
}

/** Where all processes count together; undefined without REDIS_URL. */
async function createSharedCounter({ redisUrl }: Config, host: HttpAdapterHost, metrics: Metrics) {
  if (!redisUrl) return undefined;
  // Loaded only here, because most installations don't use it.
  const { Redis } = await import('ioredis');
  const redis = new Redis(redisUrl, {
    lazyConnect: true,
    keyPrefix: PREFIX,
    connectionName: 'retention-flow',
    connectTimeout: SILENT_MS,
    socketTimeout: SILENT_MS,
    // A waiting command's request was answered without Redis long ago.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
  });
  const counter = new SharedCounter(redis, host);
  metrics.gauge('redis_up', '1 while Redis counts requests for all processes, else 0', () => +counter.isUp);
  return counter;
}

/**
 * Counts in Redis. A count that Redis does not give at once is undefined: no request fails or waits because of Redis.
 */
export class SharedCounter implements OnApplicationBootstrap, OnApplicationShutdown {
  private isLate = false;
  /** Whether Redis was usable when the log last said so. Undefined until the first connection or its failure. */
  private wasUsable?: boolean;

  constructor(
    private readonly redis: Redis,
    private readonly host: HttpAdapterHost,
  ) {
    redis.on('ready', () => this.report(true));
    redis.on('error', (error: Error) => this.report(false, error.message));
    redis.on('close', () => this.report(false, 'the connection was closed'));
  }

  /** Connects once all is ready: a connection would keep a process going whose start fails. */
  onApplicationBootstrap(): void {
    this.fastify.addHook('onReady', (done) => {
      // A failure is reported as an event, too.
      this.redis.connect().catch(() => undefined);
      done();
    });
  }

  onApplicationShutdown(): void {
    this.redis.removeAllListeners('close').disconnect();
  }

  /** Whether Redis counts, as far as is known. */
  get isUp(): boolean {
    return this.isUsable && this.wasUsable === true;
  }

  private get isUsable(): boolean {
    return this.redis.status === 'ready' && !this.isLate;
  }

  /** Adds to a count, which ends this long after it began, by the clock of Redis. */
  async add(key: string, requests: number, windowMs: number): Promise<WindowCount | undefined> {
    if (!this.isUsable) return undefined;
    let hasReplied = false;
    let timer: NodeJS.Timeout;
    const late = new Promise<undefined>((resolve) => {
      // A reply that came while this process was busy is read before an immediate.
      timer = setTimeout(() => setImmediate(() => resolve(hasReplied ? undefined : this.giveUp())), MAX_WAIT_MS);
    });
    const reply = this.redis
      .eval(ADD, 1, key, requests, windowMs)
      .then(
        (result) => {
          this.report(true);
          const [current, ttl] = result as [number, number];
          return { current, ttl };
        },
        (error: Error) => this.report(false, error.message),
      )
      .finally(() => {
        hasReplied = true;
        this.isLate = false;
        clearTimeout(timer);
      });
    return Promise.race([reply, late]);
  }

  private giveUp(): undefined {
    this.isLate = true;
    this.report(false, `no reply within ${MAX_WAIT_MS} ms`);
  }

  /** Writes a line when it changes. */
  private report(isUsable: boolean, reason?: string): undefined {
    if (isUsable === this.wasUsable) return;
    this.wasUsable = isUsable;
    const { log } = this.fastify;
    if (isUsable) log.info('Redis counts requests against the limits, for all processes.');
    else log.warn(`Redis can't count requests (${reason}): each process has its own limits.`);
  }

  private get fastify(): FastifyInstance {
    return this.host.httpAdapter.getInstance<FastifyInstance>();
  }
}

/** Counts in Redis, if a service is given one. */
export const SHARED_COUNTER = {
  provide: SharedCounter,
  inject: [Config, HttpAdapterHost, Metrics],
  useFactory: createSharedCounter,
};
