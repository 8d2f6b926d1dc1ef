import { setImmediate as turn } from 'node:timers/promises';

/** The longest that work keeps other requests waiting, in milliseconds. A start needs several turns. */
const BUSY_MS = 10;

/** Divides work that takes long, so that other requests have their turn in between. */
export class Turns {
  private begunAt = performance.now();

  /** Whether the work has kept the others waiting for 10 ms. */
  get isOver(): boolean {
    return performance.now() - this.begunAt >= BUSY_MS;
  }

  /** Call it before each part: gives the others their turn if the work has kept them waiting. */
  async next(): Promise<void> {
    if (!this.isOver) return;
    await turn();
    this.begunAt = performance.now();
  }
}
