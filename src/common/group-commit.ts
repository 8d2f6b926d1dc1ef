import { Problem } from './problem';

/** The maximum queue length; further members are rejected. */
export const MAX_WAITING = 1000;

export interface Limits {
  /** How many batches may be in progress at a time. */
  lanes: number;
  /** The maximum size of a batch. */
  batch: number;
  /** Members that have waited longer than this are rejected, because their client may be gone. */
  waitMs: number;
}

interface Entry<Member, Outcome> {
  member: Member;
  resolve: (outcome: Outcome | Promise<Outcome>) => void;
  reject: (error: unknown) => void;
  since: number;
}

/**
 * Commits members in batches, as databases do with their write-ahead log.
 *
 * A member that finds a free lane starts at once, as a batch of one. Members that arrive while all lanes are taken form
 * the next batch. Batches therefore grow with the load, and no timer is needed.
 *
 * `commit` returns one outcome per member, in order, after its transaction is durable. An outcome that takes longer than
 * the batch may be a promise; the lane doesn't wait for it. If `commit` throws, exactly the members of that batch get the
 * error. `whenIdle` is called whenever nothing is left to do.
 */
export class GroupCommit<Member, Outcome> {
  private readonly queue: Entry<Member, Outcome>[] = [];
  private inProgress = 0;

  constructor(
    private readonly limits: Limits,
    private readonly commit: (members: Member[]) => Promise<(Outcome | Promise<Outcome>)[]>,
    private readonly whenIdle = () => {},
  ) {}

  /** Resolves with the member's outcome once it is committed. Rejects with a 503 if the queue is full or the wait too long. */
  submit(member: Member): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      const entry = { member, resolve, reject, since: performance.now() };
      if (this.inProgress < this.limits.lanes) void this.run(entry);
      else if (this.queue.length < MAX_WAITING) this.queue.push(entry);
      else reject(new Problem('service_unavailable'));
    });
  }

  get queueLength(): number {
    return this.queue.length;
  }

  private async run(first: Entry<Member, Outcome>): Promise<void> {
    this.inProgress++;
    for (let batch = [first]; batch.length > 0; batch = this.queue.splice(0, this.limits.batch)) {
      await this.commitBatch(batch);
      this.rejectLate();
    }
    this.inProgress--;
    if (this.inProgress === 0) this.whenIdle();
  }

  private async commitBatch(batch: Entry<Member, Outcome>[]): Promise<void> {
    try {
      const outcomes = await this.commit(batch.map(({ member }) => member));
      for (const [index, { resolve }] of batch.entries()) resolve(outcomes[index]);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  /** Relies on the queue being oldest first. */
  private rejectLate(): void {
    const deadline = performance.now() - this.limits.waitMs;
    const firstInTime = this.queue.findIndex(({ since }) => since > deadline);
    for (const { reject } of this.queue.splice(0, firstInTime < 0 ? this.queue.length : firstInTime)) {
      reject(new Problem('service_unavailable'));
    }
  }
}
