import type { FastifyBaseLogger } from 'fastify';
import type { ChainableCommander, Redis } from 'ioredis';

/** The keys of the service in Redis. */
const PREFIX = 'retention-flow:';
/** The longest that a request waits for a reply of Redis. After that, no request waits until Redis has replied. */
const MAX_WAIT_MS = 250;
/** A connection without a reply for so long is given up, and another one is made. */
const SILENT_MS = 2000;

/** Requests of a client in its window. */
export interface WindowCount {
  current: number;
  /** Milliseconds until the window ends. */
  ttl: number;
}

/**
 * Counts in Redis, for all processes that use it. A count that Redis does not give at once is undefined; no request fails
 * or waits because of Redis.
 */
export class SharedCounter {
  private isLate = false;
  /** Undefined until the first connection or its failure. */
  private wasUsable?: boolean;

  private constructor(
    private readonly redis: Redis,
    private readonly log: FastifyBaseLogger,
  ) {
    redis.on('ready', () => this.report(true));
    redis.on('error', (error: Error) => this.report(false, error.message));
    redis.on('close', () => this.report(false, 'the connection was closed'));
  }

  /** The package is loaded only here, because most installations don't use it. */
  static async create(url: string, log: FastifyBaseLogger): Promise<SharedCounter> {
    const { Redis } = await import('ioredis');
    const redis = new Redis(url, {
      lazyConnect: true,
      keyPrefix: PREFIX,
      connectionName: 'retention-flow',
      connectTimeout: SILENT_MS,
      socketTimeout: SILENT_MS,
      // What waits was answered without Redis long ago.
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
    });
    return new SharedCounter(redis, log);
  }

  get isUsable(): boolean {
    return this.redis.status === 'ready' && !this.isLate;
  }

  /** Connects in the background, and again whenever the connection is lost. */
  open(): void {
    // What fails is reported as an event, too.
    this.redis.connect().catch(() => undefined);
  }

  close(): void {
    this.redis.removeAllListeners('close').disconnect();
  }

  /** Counts one more. A count ends this long after it began, by the clock of Redis. */
  add(key: string, windowMs: number): Promise<WindowCount | undefined> {
    return this.ask((redis) => redis.set(key, 0, 'PX', windowMs, 'NX').incr(key).pttl(key));
  }

  read(key: string): Promise<WindowCount | undefined> {
    return this.ask((redis) => redis.get(key).pttl(key));
  }

  /** The commands end with one that replies the count and one that replies its time. */
  private async ask(commands: (redis: ChainableCommander) => ChainableCommander): Promise<WindowCount | undefined> {
    if (!this.isUsable) return undefined;
    let hasReplied = false;
    let timer: NodeJS.Timeout;
    const late = new Promise<undefined>((resolve) => {
      // A reply that came while this process was busy is read before an immediate.
      timer = setTimeout(() => setImmediate(() => resolve(hasReplied ? undefined : this.giveUp())), MAX_WAIT_MS);
    });
    const reply = this.send(commands(this.redis.multi())).finally(() => {
      hasReplied = true;
      clearTimeout(timer);
    });
    return Promise.race([reply, late]);
  }

  private giveUp(): undefined {
    this.isLate = true;
    this.report(false, `no reply within ${MAX_WAIT_MS} ms`);
  }

  /** Never fails. */
  private async send(transaction: ChainableCommander): Promise<WindowCount | undefined> {
    try {
      const replies = await transaction.exec();
      const [[currentError, current], [ttlError, ttl]] = replies!.slice(-2);
      if (currentError ?? ttlError) throw (currentError ?? ttlError)!;
      this.isLate = false;
      this.report(true);
      return { current: Number(current ?? 0), ttl: Math.max(Number(ttl), 0) };
    } catch (error) {
      this.isLate = false;
      this.report(false, (error as Error).message);
      return undefined;
    }
  }

  /** Writes a line when it changes. */
  private report(isUsable: boolean, reason?: string): void {
    if (isUsable === this.wasUsable) return;
    this.wasUsable = isUsable;
    if (isUsable) this.log.info('Redis counts requests against the limits, for all processes.');
    else this.log.warn(`Redis can't count requests (${reason}): each process has its own limits.`);
  }
}
