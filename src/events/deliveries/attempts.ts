import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import type { Counter, Histogram } from 'prom-client';
import { Metrics } from '../../platform/metrics/metrics';
import { Batcher } from '../../platform/database/queue/batcher';
import { isOfServer } from '../../platform/database/transaction/postgres-errors';
import { theServiceIn } from '../../tenancy/work/tenant';
import { TRANSPORTS } from './delivery.entity';
import type { EventBody } from '../event-body';
import { EventBodies } from '../event-bodies.service';
import {
  type Claim,
  type Ending,
  OUTCOMES,
  type Recipient,
  type Result,
  resultOf,
  roomFor,
  type Shares,
  type Transport,
} from './attempt-rules';
import { DeliveryQueue } from './delivery-queue';
import { WebhookHealth } from '../webhooks/webhook-health';

/** How often a result is stored again if the database doesn't take it. After a minute the delivery is claimed again. */
const STORE_TRIES = 30;
const STORE_PAUSE_MS = 1000;
const RESULTS = { slots: 2, slotsOfKey: 1, keys: 1, items: 500, waitMs: 30_000 };
/** Most take less than 0.1 s. After 60 s something is wrong. */
const LAG_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60, 600];

const DROPPED: Ending = {
  isDelivered: false,
  error: 'The session was deleted before the event was sent.',
  isFinal: true,
  isUnsent: true,
};
const UNREAD: Ending = { isDelivered: false, error: 'The event could not be read.', isUnsent: true };
/** Seconds until an event is read again that the database did not return. */
const READ_AGAIN = 5;
const STOPPED: Ending = { isDelivered: false, error: 'The service stopped.', isUnsent: true, putBackFor: 0 };

/** The body of an event, undefined if its session is gone; or how the attempt ends without one. */
type Read = { body?: EventBody } | { ending: Ending };

/** Attempts to deliver: each event is made of its rows and sent, and the result is stored. */
@Injectable()
export class Attempts {
  private readonly logger = new Logger(Attempts.name);
  /** Claims without a stored result. */
  private readonly underWay = new Map<Claim, Result | undefined>();
  private readonly results: Batcher<Result, void>;
  private readonly counter: Counter;
  private readonly lag: Histogram;
  private onceEmpty?: () => void;
  /** Whether attempts that are still under way are put back, so that their results don't count. */
  private hasEnded = false;

  constructor(
    private readonly bodies: EventBodies,
    queue: DeliveryQueue,
    health: WebhookHealth,
    metrics: Metrics,
  ) {
    this.counter = metrics.counter('deliveries_total', 'Attempts to deliver an event, by webhook or by mail', [
      'transport',
      'result',
    ]);
    // A series that begins with its first delivery has no increase.
    for (const transport of TRANSPORTS) for (const result of OUTCOMES) this.counter.inc({ transport, result }, 0);
    this.lag = metrics.histogram(
      'deliveries_lag_seconds',
      'Time from an event to the end of the first attempt to deliver it to a webhook',
      LAG_BUCKETS,
    );
    metrics.gauge('deliveries_under_way', 'Attempts under way in this process', () => this.underWay.size);
    this.results = new Batcher<Result, void>(RESULTS, async ([results]) => {
      const { workspace_id } = results[0].claim.target;
      await health.note(workspace_id, await queue.storeResults(workspace_id, results));
      return [results.map(() => undefined)];
    });
  }

  /**
   * How many more attempts may begin at a recipient. None begins before half of its own have ended, so that many are
   * claimed at once.
   */
  roomAt({ workspace_id, id, transport }: Recipient, { all, ofWorkspace, ofRecipient }: Shares): number {
    const targets = [...this.underWay.keys()]
      .map(({ target }) => target)
      .filter((target) => target.transport === transport);
    const atWorkspace = targets.filter((target) => target.workspace_id === workspace_id);
    const atRecipient = atWorkspace.filter((target) => target.id === id).length;
    if (atRecipient > ofRecipient / 2) return 0;
    const shared = roomFor(atWorkspace.length, all - targets.length);
    return Math.max(0, Math.min(ofRecipient - atRecipient, ofWorkspace - atWorkspace.length, shared));
  }

  /**
   * Begins an attempt at each delivery to a recipient. `onEnd` is called when one has ended and its result is stored.
   */
  async begin(transport: Transport, claims: Claim[], onEnd: () => void): Promise<void> {
    for (const claim of claims) this.underWay.set(claim, undefined);
    const reads = await this.read(claims);
    for (const [index, claim] of claims.entries()) {
      void this.make(transport, claim, reads[index]).then(() => {
        this.underWay.delete(claim);
        if (this.underWay.size === 0) this.onceEmpty?.();
        onEnd();
      });
    }
  }

  /** Resolves when all attempts have ended, or after a time: what has no result by then is cut off, then put back. */
  async end(waitMs: number, cutOff: () => void): Promise<void> {
    const empty = new Promise<void>((resolve) => (this.onceEmpty = resolve));
    if (this.underWay.size > 0) await Promise.race([empty, pause(waitMs, undefined, { ref: false })]);
    this.hasEnded = true;
    cutOff();
    // One with a result keeps it, though it may not be stored yet.
    const results = [...this.underWay].map(([claim, result]) => result ?? resultOf(claim, STOPPED));
    await Promise.allSettled(results.map((result) => this.submit(result)));
  }

  /** One event that can't be read doesn't keep the others from being sent. */
  private async read(claims: Claim[]): Promise<Read[]> {
    try {
      const tenant = theServiceIn(claims[0].target.workspace_id);
      const bodies = await this.bodies.of(
        tenant,
        claims.map(({ event }) => event),
      );
      return bodies.map((body) => ({ body }));
    } catch (error) {
      if (isOfServer(error)) {
        this.logger.warn(`Events could not be read: ${String(error)}`);
        return claims.map(() => ({ ending: { ...UNREAD, putBackFor: READ_AGAIN } }));
      }
      if (claims.length > 1) {
        const reads: Read[] = [];
        for (const claim of claims) reads.push(...(await this.read([claim])));
        return reads;
      }
      this.logger.error(error);
      return [{ ending: UNREAD }];
    }
  }

  private async make(transport: Transport, claim: Claim, read: Read): Promise<void> {
    if (this.hasEnded) return;
    const ending = await this.endingOf(transport, claim, read);
    if (this.hasEnded) return;
    const result = resultOf(claim, ending);
    this.underWay.set(claim, result);
    await this.store(result);
  }

  private async endingOf(transport: Transport, claim: Claim, read: Read): Promise<Ending> {
    if ('ending' in read) return read.ending;
    if (!read.body && !claim.is_summary) return DROPPED;
    try {
      return await transport.send(claim, read.body);
    } catch (error) {
      this.logger.error(error);
      return { isDelivered: false, error: 'The attempt failed.' };
    } finally {
      const isFirst = claim.target.transport === 'webhook' && claim.happened_at !== null;
      if (isFirst && !this.hasEnded) this.lag.observe((performance.now() - claim.happened_at!) / 1000);
    }
  }

  private async store(result: Result): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        await this.submit(result);
        this.counter.inc({ transport: result.claim.target.transport, result: result.outcome });
        return;
      } catch (error) {
        if (tries === STORE_TRIES) return this.logger.warn(`The result of a delivery was not stored: ${String(error)}`);
        await pause(STORE_PAUSE_MS, undefined, { ref: false });
      }
    }
  }

  private submit(result: Result): Promise<void> {
    return this.results.submit(result.claim.target.workspace_id, result);
  }
}
