import { Problem } from './problem';

/** At most this many wait; one more is turned away. */
export const MAX_WAITING = 1000;

export interface Limits {
  /** How many batches may be under way at a time. */
  lanes: number;
  /** At most this many are committed together. */
  batch: number;
  /** Who has waited for so long is not committed any more, as nobody may be there to be answered. */
  waitMs: number;
}

interface Waiting<Member, Outcome> {
  member: Member;
  resolve: (outcome: Outcome | Promise<Outcome>) => void;
  reject: (error: unknown) => void;
  since: number;
}

/**
 * Commits members together, a batch at a time, as databases do it with their log.
 *
 * A member that finds a free lane is a batch by itself and begins at once. Those that arrive while all lanes are taken
 * wait and form the next, so batches grow by themselves as it gets busier, and no timer is needed.
 *
 * `commit` answers one outcome for each member, in their order, after its transaction is durable; an outcome that takes
 * longer than its batch may be a promise, for which the lane doesn't wait. When it throws, all members of that batch get
 * the error, and nobody else does. `whenIdle` is called each time that nothing is left to do.
 */
export class GroupCommit<Member, Outcome> {
  private readonly queue: Waiting<Member, Outcome>[] = [];
  private underWay = 0;

  constructor(
    private readonly limits: Limits,
    private readonly commit: (members: Member[]) => Promise<(Outcome | Promise<Outcome>)[]>,
    private readonly whenIdle = () => {},
  ) {}

  /** Resolves with the member's outcome once it is committed; rejects with a 503 when too many wait, or for too long. */
  submit(member: Member): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      const waiting = { member, resolve, reject, since: performance.now() };
      if (this.underWay < this.limits.lanes) void this.run(waiting);
      else if (this.queue.length < MAX_WAITING) this.queue.push(waiting);
      else reject(new Problem('service_unavailable'));
    });
  }

  get queueLength(): number {
    return this.queue.length;
  }

  private async run(first: Waiting<Member, Outcome>): Promise<void> {
    this.underWay++;
    for (let batch = [first]; batch.length > 0; batch = this.queue.splice(0, this.limits.batch)) {
      await this.commitBatch(batch);
      this.turnAwayLate();
    }
    this.underWay--;
    if (this.underWay === 0) this.whenIdle();
  }

  private async commitBatch(batch: Waiting<Member, Outcome>[]): Promise<void> {
    try {
      const outcomes = await this.commit(batch.map(({ member }) => member));
      for (const [index, { resolve }] of batch.entries()) resolve(outcomes[index]);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  /** The queue has its oldest first. */
  private turnAwayLate(): void {
    const deadline = performance.now() - this.limits.waitMs;
    const patient = this.queue.findIndex(({ since }) => since > deadline);
    for (const { reject } of this.queue.splice(0, patient < 0 ? this.queue.length : patient)) {
      reject(new Problem('service_unavailable'));
    }
  }
}
