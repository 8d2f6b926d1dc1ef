import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Config } from '../../config';
import { isOfServer } from '../../database/postgres-errors';
import { Outbox } from '../../events/outbox.service';
import { Attempts } from './attempts';
import { WorkerStatements, type Target, type WebhookKey } from './worker-statements';
import { FanOut } from './fan-out';
import { Loop } from '../../database/loop';

/** How often the tables are searched for what was not announced in this process. */
const POLL_MS = 1000;
/** What is announced within this time is fanned out together. */
const GATHER_MS = 20;
/** After this many failures in a row, a webhook gets one attempt at a time, with pauses. */
const MANY_FAILURES = 20;
/** How long attempts under way may take when the service stops. */
const STOP_MS = 5000;

/**
 * Sends events to webhooks: fans out what happened to deliveries, claims those that are due, and makes an attempt at each. Any
 * number of processes share the work.
 */
@Injectable()
export class DeliveryWorker implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(DeliveryWorker.name);
  private readonly loop = new Loop('Deliveries', POLL_MS, () => this.work());
  /** Workspaces with entries in the outbox. */
  private readonly announced = new Set<string>();
  /** Webhooks that may have deliveries to claim, by id. */
  private readonly due = new Map<string, WebhookKey>();
  private gathering?: NodeJS.Timeout;
  private lastPoll = -Infinity;
  private stopping?: Promise<void>;

  constructor(
    private readonly config: Config,
    private readonly fanOut: FanOut,
    private readonly statements: WorkerStatements,
    private readonly attempts: Attempts,
    private readonly outbox: Outbox,
  ) {}

  onApplicationBootstrap(): void {
    if (this.config.eventWorkers === 0) return;
    this.outbox.onAppended((workspaceId) => this.gather(workspaceId));
    this.loop.start();
  }

  /** Claims nothing more, and waits up to 5 s for the attempts under way. Then it puts back those without a response. */
  stop(): Promise<void> {
    return (this.stopping ??= this.loop.stop().then(() => this.attempts.end(STOP_MS)));
  }

  onModuleDestroy(): Promise<void> {
    return this.stop();
  }

  /** Says that deliveries of webhooks have become due. Without it they are found within a second. */
  wake(workspaceId: string, webhookIds: string[]): void {
    if (this.config.eventWorkers === 0) return;
    for (const id of webhookIds) this.due.set(id, { workspace_id: workspaceId, id });
    this.loop.wake();
  }

  private gather(workspaceId: string): void {
    this.announced.add(workspaceId);
    this.gathering ??= setTimeout(() => {
      this.gathering = undefined;
      this.loop.wake();
    }, GATHER_MS).unref();
  }

  private async work(): Promise<void> {
    const isPoll = performance.now() - this.lastPoll >= POLL_MS;
    if (isPoll) {
      this.lastPoll = performance.now();
      for (const workspaceId of await this.fanOut.workspaces()) this.announced.add(workspaceId);
    }
    const announced = [...this.announced];
    this.announced.clear();
    await this.each(inGroups(announced, this.fanOut.most), (workspaceIds) => this.fanOutGroup(workspaceIds));
    if (isPoll) for (const webhook of await this.statements.due()) this.due.set(webhook.id, webhook);
    await this.each([...this.due.values()], (webhook) => this.claim(webhook));
  }

  /** Two at a time, until the service stops. One that fails doesn't keep the others from their turn, unless the server fails. */
  private async each<T>(items: T[], work: (item: T) => Promise<void>): Promise<void> {
    const left = [...items];
    let failure: unknown;
    const lane = async () => {
      for (let item = left.shift(); item !== undefined && !this.stopping; item = left.shift()) {
        try {
          await work(item);
        } catch (error) {
          if (!isOfServer(error)) this.logger.error(error);
          else {
            failure = error;
            left.length = 0;
          }
        }
      }
    };
    await Promise.all([lane(), lane()]);
    if (failure) throw failure;
  }

  /** Together, or each by itself if that fails or is too much, so that one workspace doesn't hold up the others. */
  private async fanOutGroup(workspaceIds: string[]): Promise<void> {
    try {
      const isFull = await this.fanOutSome(workspaceIds);
      if (!isFull) return;
    } catch (error) {
      if (isOfServer(error) || workspaceIds.length === 1) throw error;
    }
    if (workspaceIds.length === 1) this.gather(workspaceIds[0]);
    else await this.each(workspaceIds, (workspaceId) => this.fanOutGroup([workspaceId]));
  }

  private async fanOutSome(workspaceIds: string[]): Promise<boolean> {
    const { webhooks, isFull } = await this.fanOut.run(workspaceIds);
    for (const webhook of webhooks) this.due.set(webhook.id, webhook);
    return isFull;
  }

  /** Begins the attempts that there is room for. A webhook without room keeps its turn. */
  private async claim(webhook: WebhookKey): Promise<void> {
    const room = this.attempts.roomAt(webhook);
    if (room === 0) return;
    this.due.delete(webhook.id);
    const target = await this.statements.target(webhook);
    if (!target) return;
    for (const [which, most] of await this.turnsOf(target, room)) {
      const claims = await this.statements.claim(webhook, most, which);
      // After each attempt the next may be due: of the same session, or one that there was no room for.
      if (claims.length > 0) void this.attempts.begin(target, claims, () => this.claimAgain(webhook));
    }
  }

  /** What may be claimed of a webhook: tests always; of one that fails all the time, one delivery now and then. */
  private async turnsOf(target: Target, room: number): Promise<['all' | 'tests', number][]> {
    if (target.status === 'disabled') {
      if (await this.statements.failPending(target, 'The webhook is disabled.')) this.claimAgain(target);
      return [['tests', room]];
    }
    if (target.failures < MANY_FAILURES) return [['all', room]];
    const mayProbe = await this.statements.mayProbe(target);
    const tests: ['tests', number] = ['tests', room];
    return mayProbe ? [tests, ['all', 1]] : [tests];
  }

  private claimAgain({ workspace_id, id }: WebhookKey): void {
    this.wake(workspace_id, [id]);
  }
}

function inGroups(workspaceIds: string[], most: number): string[][] {
  const count = Math.ceil(workspaceIds.length / most);
  return Array.from({ length: count }, (_, n) => workspaceIds.slice(n * most, (n + 1) * most));
}
