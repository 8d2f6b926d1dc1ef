import { Problem } from '../common/problem';

/** At most this many wait for one key; one more is turned away. */
export const MAX_WAITING = 1000;
/** At most this many are committed together. */
export const MAX_BATCH = 128;
/** Who has waited for so long is not committed any more, as nobody may be there to be answered. */
const MAX_WAIT_MS = 5000;

interface Waiting<Member, Outcome> {
  member: Member;
  resolve: (outcome: Outcome) => void;
  reject: (error: unknown) => void;
  since: number;
}

/**
 * Commits the members of a key together, one batch at a time, as databases do it with their log.
 *
 * A member that finds no batch of its key under way begins one at once. Those that arrive meanwhile wait and form the
 * next, so batches grow by themselves as a key gets busier, and no timer is needed. Keys do not wait for each other.
 *
 * `commit` answers one outcome for each member, in their order, after its transaction is durable. When it throws, all
 * members of that batch get the error, and nobody else does.
 */
export class GroupCommit<Member, Outcome> {
  /** Who waits, for each key that has a batch under way. */
  private readonly waiting = new Map<string, Waiting<Member, Outcome>[]>();

  constructor(private readonly commit: (key: string, members: Member[]) => Promise<Outcome[]>) {}

  /** Resolves with the member's outcome once it is committed; rejects with a 503 when too many wait, or for too long. */
  submit(key: string, member: Member): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      const queue = this.waiting.get(key);
      const waiting = { member, resolve, reject, since: performance.now() };
      if (!queue) void this.run(key, waiting);
      else if (queue.length < MAX_WAITING) queue.push(waiting);
      else reject(new Problem('service_unavailable'));
    });
  }

  /** How many wait, of all keys together. */
  get queueLength(): number {
    let length = 0;
    for (const { length: waiting } of this.waiting.values()) length += waiting;
    return length;
  }

  private async run(key: string, first: Waiting<Member, Outcome>): Promise<void> {
    const queue: Waiting<Member, Outcome>[] = [];
    this.waiting.set(key, queue);
    for (let batch = [first]; batch.length > 0; batch = queue.splice(0, MAX_BATCH)) {
      await this.commitBatch(key, batch);
      turnAwayLate(queue);
    }
    this.waiting.delete(key);
  }

  private async commitBatch(key: string, batch: Waiting<Member, Outcome>[]): Promise<void> {
    try {
      const outcomes = await this.commit(
        key,
        batch.map(({ member }) => member),
      );
      for (const [index, { resolve }] of batch.entries()) resolve(outcomes[index]);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}

/** A queue has its oldest first. */
function turnAwayLate(queue: Waiting<unknown, never>[]): void {
  const deadline = performance.now() - MAX_WAIT_MS;
  const patient = queue.findIndex(({ since }) => since > deadline);
  for (const { reject } of queue.splice(0, patient < 0 ? queue.length : patient)) {
    reject(new Problem('service_unavailable'));
  }
}
