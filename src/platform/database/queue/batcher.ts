import { setImmediate } from 'node:timers/promises';
import { Problem } from '../../api/problems/problem';
import type { ProblemCode } from '../../api/problems/problem-codes';
import { isOfServer } from '../transaction/postgres-errors';

/** The most items of a key that wait, and the most keys of which items wait. Further ones are refused. */
export const MAX_WAITING = 1000;

export interface BatchLimits {
  /** How many batches may be committed at a time. */
  slots: number;
  /** How many of them may contain items of the same key. */
  slotsOfKey: number;
  /** The most keys in a batch. */
  keys: number;
  /** The most items in a batch. */
  items: number;
  /** Items that have waited this long are refused, because their client may be gone. */
  waitMs: number;
  /**
   * Whether a key with more waiting pauses after each batch for as long as the batch took, and leaves its slots to
   * others.
   */
  rests?: boolean;
}

/** The result of each item, in order. An error rejects its item. */
type Results<Result> = (Result | Error)[];

/**
 * Commits groups, each with the items of one key. Returns undefined for a group whose rows are locked by another
 * transaction or are missing. The group is tried again, and waits for the lock then: rows it does not find do not
 * exist.
 */
export type Commit<Item, Result> = (groups: Item[][], isRetry: boolean) => Promise<(Results<Result> | undefined)[]>;

interface Entry<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
  since: number;
}

/** The items of one key that wait, oldest first. */
interface Queue<Item, Result> {
  key: string;
  waiting: Entry<Item, Result>[];
  /** Batches in progress, or to be tried again, that contain items of this key. */
  inProgress: number;
  /** How many of its batches it rests after now. */
  resting: number;
}

interface Group<Item, Result> {
  queue: Queue<Item, Result>;
  entries: Entry<Item, Result>[];
}

/**
 * Commits items in batches, as databases do with their write-ahead log. An item that finds a free slot is committed at
 * once, in a batch of one. Items that arrive while all slots are in use form the next batch, so batches grow with the
 * load, and no timer is needed. Keys take turns. Nobody gets a result before the commit.
 *
 * Groups that were left out are tried again, and so are those of a batch that failed, so that only the bad one fails:
 * up to `slots` at a time, each in a batch of its own. If its connection was lost, the batch is not tried again,
 * because it may be committed.
 */
export class Batcher<Item, Result> {
  private readonly queues = new Map<string, Queue<Item, Result>>();
  /** Queues whose turn comes next. */
  private readonly ready = new Set<Queue<Item, Result>>();
  private readonly retries: Group<Item, Result>[] = [];
  private slotsInUse = 0;
  private retrySlotsInUse = 0;

  constructor(
    private readonly limits: BatchLimits,
    private readonly commit: Commit<Item, Result>,
    /** The problem of a group that is left out again. Without it, nothing is tried again. */
    private readonly missing?: ProblemCode,
  ) {}

  /**
   * Resolves with the item's result once it is committed. Rejects with a 503 if too many wait, or the wait is too long.
   */
  submit(key: string, item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      const queue = this.queues.get(key) ?? { key, waiting: [], inProgress: 0, resting: 0 };
      const keysWaiting = this.ready.size + this.retries.length;
      if (queue.waiting.length >= MAX_WAITING || keysWaiting >= MAX_WAITING) {
        reject(new Problem('service_unavailable'));
        return;
      }
      this.queues.set(key, queue);
      queue.waiting.push({ item, resolve, reject, since: performance.now() });
      this.updateTurn(queue);
      this.fillSlots();
    });
  }

  /** How many items wait for a batch. */
  get queueLength(): number {
    return [...this.queues.values()].reduce((sum, { waiting }) => sum + waiting.length, 0);
  }

  private fillSlots(): void {
    while (this.slotsInUse < this.limits.slots && this.ready.size > 0) {
      const batch = this.nextBatch();
      if (batch.length > 0) void this.tryFirst(batch);
    }
    while (this.retrySlotsInUse < this.limits.slots && this.retries.length > 0) {
      const group = this.retries.shift()!;
      if (this.isInTime(group)) void this.tryAgain(group);
    }
  }

  private nextBatch(): Group<Item, Result>[] {
    const batch: Group<Item, Result>[] = [];
    let room = this.limits.items;
    for (const queue of [...this.ready].slice(0, this.limits.keys)) {
      if (room === 0) break;
      this.ready.delete(queue);
      const group = { queue, entries: queue.waiting.splice(0, room) };
      room -= group.entries.length;
      queue.inProgress++;
      this.updateTurn(queue);
      if (this.isInTime(group)) batch.push(group);
    }
    return batch;
  }

  /** Refuses the items that have waited too long. Returns whether any is left. */
  private isInTime(group: Group<Item, Result>): boolean {
    const latest = performance.now() - this.limits.waitMs;
    const late = group.entries.filter(({ since }) => since <= latest);
    for (const { reject } of late) reject(new Problem('service_unavailable'));
    if (late.length > 0) group.entries = group.entries.filter(({ since }) => since > latest);
    if (group.entries.length === 0) this.leave(group);
    return group.entries.length > 0;
  }

  private async tryFirst(batch: Group<Item, Result>[]): Promise<void> {
    this.slotsInUse++;
    const begun = performance.now();
    const leftOut = await this.settle(batch, false);
    // What is done with the results, such as writing a response, belongs to the work.
    if (this.limits.rests) await setImmediate();
    const took = performance.now() - begun;
    this.slotsInUse--;
    this.retries.push(...leftOut);
    for (const group of batch) {
      if (leftOut.includes(group)) continue;
      if (this.limits.rests && group.queue.waiting.length > 0) this.rest(group.queue, took);
      this.leave(group);
    }
    this.fillSlots();
  }

  private rest(queue: Queue<Item, Result>, ms: number): void {
    queue.resting++;
    this.ready.delete(queue);
    const goOn = () => {
      queue.resting--;
      this.updateTurn(queue);
      this.fillSlots();
    };
    setTimeout(goOn, ms).unref();
  }

  private async tryAgain(group: Group<Item, Result>): Promise<void> {
    this.retrySlotsInUse++;
    const leftOut = await this.settle([group], true);
    for (const { reject } of leftOut.flatMap(({ entries }) => entries)) reject(new Problem(this.missing!));
    this.retrySlotsInUse--;
    this.leave(group);
    this.fillSlots();
  }

  /** Commits groups and settles their items. Returns the groups that have to be tried again. */
  private async settle(groups: Group<Item, Result>[], isRetry: boolean): Promise<Group<Item, Result>[]> {
    const items = groups.map(({ entries }) => entries.map(({ item }) => item));
    try {
      const results = await this.commit(items, isRetry);
      for (const [index, { entries }] of groups.entries()) if (results[index]) settleAll(entries, results[index]);
      const leftOut = groups.filter((_, index) => !results[index]);
      if (leftOut.length > 0 && !this.missing) throw new Error('Items have no result');
      return leftOut;
    } catch (error) {
      if (!isRetry && this.missing && !isOfServer(error)) return groups;
      for (const { reject } of groups.flatMap(({ entries }) => entries)) reject(error);
      return [];
    }
  }

  private leave({ queue }: Group<Item, Result>): void {
    queue.inProgress--;
    this.updateTurn(queue);
  }

  private updateTurn(queue: Queue<Item, Result>): void {
    if (queue.waiting.length === 0) {
      if (queue.inProgress === 0 && queue.resting === 0) this.queues.delete(queue.key);
    } else if (queue.resting === 0 && queue.inProgress < this.limits.slotsOfKey) {
      this.ready.add(queue);
    }
  }
}

function settleAll<Item, Result>(entries: Entry<Item, Result>[], results: Results<Result>): void {
  for (const [index, { resolve, reject }] of entries.entries()) {
    const result = results[index];
    if (result instanceof Error) reject(result);
    else resolve(result);
  }
}
