import { Batcher } from './batcher';

/**
 * Runs work: at most so much at a time, and so much of it for one key, by default half. Keys take turns. Work that has
 * waited too long when its turn comes, by default 3 s, is 503. With `rests`, a key of which more waits has its slots
 * half of the time.
 */
export class ConcurrencyLimit {
  private readonly batcher: Batcher<() => Promise<unknown>, unknown>;

  constructor(slots: number, { ofKey = Math.ceil(slots / 2), waitMs = 3000, rests = false } = {}) {
    const limits = { slots, slotsOfKey: ofKey, keys: 1, items: 1, waitMs, rests };
    this.batcher = new Batcher(limits, async ([[work]]) => [[await work()]]);
  }

  /** Runs work as soon as it gets a slot. The work must not ask for another slot of this limit. */
  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    return this.batcher.submit(key, work) as Promise<T>;
  }

  /** How much work waits for a slot. */
  get queueLength(): number {
    return this.batcher.queueLength;
  }
}
