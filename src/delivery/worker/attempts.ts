import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import type { Counter, Histogram } from 'prom-client';
import { version } from '../../../package.json';
import { Metrics } from '../../common/metrics';
import { Config } from '../../config';
import { GroupCommit } from '../../database/group-commit';
import { isOfServer } from '../../database/postgres-errors';
import { Outbound, OutboundError } from '../../http/outbound';
import { type Attempt, droppedResult, type Ending, putBackResult, resultOf } from './attempt-result';
import { type Claim, type Target, type WebhookKey, WorkerStatements } from './worker-statements';
import { MAX_WEBHOOKS } from '../webhook.entity';
import type { EventBody } from '../event-body';
import { EventBodies } from '../event-bodies.service';
import { sign } from './signature';
import { WebhookHealth } from './webhook-health';

/** The share of a workspace in the attempts under way, and of a webhook in those of its workspace: hanging ones leave room. */
const WORKSPACE_SHARE = 1 / 4;
const WEBHOOK_SHARE = 1 / MAX_WEBHOOKS;
/** How often a result is stored again if the database doesn't take it. After a minute the delivery is claimed again. */
const STORE_TRIES = 30;
const STORE_PAUSE_MS = 1000;
const RESULTS = { lanes: 2, lanesOfKey: 1, keys: 1, membersOfKey: 500, members: 500, aloneLanes: 0, waitMs: 30_000 };
/** Most take less than 0.1 s. After 60 s something is wrong. */
const LAG_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60, 600];

const USER_AGENT = `retention-flow-service/${version}`;

/** The body of an event, undefined if its session is gone; or whose fault it is that it could not be read. */
type Read = { body?: EventBody } | { faultOf: 'event' | 'server' };

const UNREAD = 'The event could not be read.';
/** Seconds until an event is read again that the database did not return. */
const READ_AGAIN = 5;

/** Attempts to deliver: each event is made of its rows, signed and sent, and the result is stored. */
@Injectable()
export class Attempts {
  private readonly logger = new Logger(Attempts.name);
  /** What was claimed and has no stored result yet. */
  private readonly underWay = new Map<Claim, Target>();
  private readonly results: GroupCommit<Attempt, void>;
  private readonly counter: Counter;
  private readonly lag: Histogram;
  private onceEmpty?: () => void;
  /** What is under way from now on is put back: its results don't count. */
  private hasEnded = false;

  constructor(
    private readonly config: Config,
    private readonly statements: WorkerStatements,
    private readonly bodies: EventBodies,
    private readonly outbound: Outbound,
    health: WebhookHealth,
    metrics: Metrics,
  ) {
    this.counter = metrics.counter('deliveries_total', 'Attempts to deliver an event to a webhook', ['result']);
    this.lag = metrics.histogram(
      'deliveries_lag_seconds',
      'Time from an event to the end of the first attempt to deliver it to a webhook',
      LAG_BUCKETS,
    );
    metrics.gauge('deliveries_under_way', 'Attempts under way in this process', () => this.underWay.size);
    this.results = new GroupCommit<Attempt, void>(RESULTS, {
      together: async ([attempts]) => {
        const [{ workspace_id }] = attempts;
        await health.note(workspace_id, await this.statements.close(workspace_id, attempts));
        return [attempts.map(() => undefined)];
      },
    });
  }

  /** How many more attempts may begin at a webhook. None before half of them have ended, so that many are claimed at once. */
  roomAt(webhook: WebhookKey): number {
    const { eventWorkers } = this.config;
    const ofWorkspace = Math.ceil(eventWorkers * WORKSPACE_SHARE);
    const ofWebhook = Math.ceil(ofWorkspace * WEBHOOK_SHARE);
    const targets = [...this.underWay.values()];
    const atWorkspace = targets.filter(({ workspace_id }) => workspace_id === webhook.workspace_id);
    const atWebhook = atWorkspace.filter(({ id }) => id === webhook.id);
    if (atWebhook.length > ofWebhook / 2) return 0;
    const room = [ofWebhook - atWebhook.length, ofWorkspace - atWorkspace.length, eventWorkers - targets.length];
    return Math.max(0, Math.min(...room));
  }

  /** Begins an attempt at each delivery. `onEnd` is called when one has ended and its result is stored. */
  async begin(target: Target, claims: Claim[], onEnd: () => void): Promise<void> {
    for (const claim of claims) this.underWay.set(claim, target);
    const reads = await this.read(target, claims);
    for (const [index, claim] of claims.entries()) {
      void this.make(target, claim, reads[index]).then(() => {
        this.underWay.delete(claim);
        if (this.underWay.size === 0) this.onceEmpty?.();
        onEnd();
      });
    }
  }

  /** Resolves when all attempts have ended, or after a time: what has no result by then is put back. */
  async end(waitMs: number): Promise<void> {
    const empty = new Promise<void>((resolve) => (this.onceEmpty = resolve));
    if (this.underWay.size > 0) await Promise.race([empty, pause(waitMs, undefined, { ref: false })]);
    this.hasEnded = true;
    const left = [...this.underWay].map(([claim, target]) => putBackResult(target, claim, 'The service stopped.', 0));
    await Promise.allSettled(left.map((attempt) => this.results.submit(attempt.workspace_id, attempt)));
    this.outbound.close();
  }

  /** One event that can't be read doesn't keep the others from being sent. */
  private async read(target: Target, claims: Claim[]): Promise<Read[]> {
    const events = claims.map(({ event }) => event);
    try {
      return (await this.bodies.of(target.workspace_id, events)).map((body) => ({ body }));
    } catch (error) {
      if (claims.length > 1 && !isOfServer(error)) {
        const reads: Read[] = [];
        for (const claim of claims) reads.push(...(await this.read(target, [claim])));
        return reads;
      }
      const faultOf = isOfServer(error) ? 'server' : 'event';
      if (faultOf === 'server') this.logger.warn(`Events could not be read: ${String(error)}`);
      else this.logger.error(error);
      return claims.map(() => ({ faultOf }));
    }
  }

  private async make(target: Target, claim: Claim, read: Read): Promise<void> {
    if (this.hasEnded) return;
    if ('faultOf' in read) {
      const failed = { ...resultOf(target, claim, { error: UNREAD }), isCounted: false };
      return this.store(read.faultOf === 'event' ? failed : putBackResult(target, claim, UNREAD, READ_AGAIN));
    }
    if (!read.body) return this.store(droppedResult(target, claim));
    const ending = await this.send(target, claim, read.body);
    if (this.hasEnded) return;
    if (claim.happened_at !== null) this.lag.observe((performance.now() - claim.happened_at) / 1000);
    await this.store(resultOf(target, claim, ending));
  }

  private async send({ url, secrets }: Target, { event: { id }, begun_at }: Claim, body: EventBody): Promise<Ending> {
    const text = JSON.stringify(body);
    const headers = {
      'content-type': 'application/json',
      'user-agent': USER_AGENT,
      'webhook-id': id,
      'webhook-timestamp': String(begun_at),
      'webhook-signature': sign(secrets, id, begun_at, text),
    };
    try {
      return { response: await this.outbound.post(url, headers, text) };
    } catch (error) {
      if (!(error instanceof OutboundError)) this.logger.error(error);
      return { error: error instanceof OutboundError ? error.message : 'The attempt failed.' };
    }
  }

  private async store(attempt: Attempt): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        await this.results.submit(attempt.workspace_id, attempt);
        this.counter.inc({ result: attempt.outcome });
        return;
      } catch (error) {
        if (tries === STORE_TRIES) return this.logger.warn(`The result of a delivery was not stored: ${String(error)}`);
        await pause(STORE_PAUSE_MS, undefined, { ref: false });
      }
    }
  }
}
