import { Problem } from '../common/problem';
import { isOfServer } from './postgres-errors';

/** At most this many members of a key wait, and this many keys. Further members are rejected. */
export const MAX_WAITING = 1000;

export interface Limits {
  /** How many batches may be in progress at a time. */
  lanes: number;
  /** How many of them may contain members of the same key. */
  lanesOfKey: number;
  /** The most keys in a batch. */
  keys: number;
  /** The most members of one key in a batch. */
  membersOfKey: number;
  /** How many members end a batch: it takes no further key. */
  members: number;
  /** How many groups may go alone at a time. */
  aloneLanes: number;
  /** Members that have waited longer than this are rejected, because their client may be gone. */
  waitMs: number;
}

/** An error rejects its member. */
type Outcomes<Outcome> = (Outcome | Error)[];

/** How batches are committed. Outcomes are in the order of the members. */
export interface Committer<Member, Outcome> {
  /** Commits several groups, each with the members of one key. A group without outcomes was left out: nothing of it was done. */
  together(groups: Member[][]): Promise<(Outcomes<Outcome> | undefined)[]>;
  /**
   * Commits a group that was left out, or each group of a batch that failed, so that only the bad one fails. It may wait for a
   * lock: nothing but its own key waits for it. A batch whose connection was lost is not tried again, because it may be committed.
   * Without `alone`, an error of the batch is the error of all its members.
   */
  alone?(group: Member[]): Promise<Outcomes<Outcome>>;
}

interface Entry<Member, Outcome> {
  member: Member;
  resolve: (outcome: Outcome) => void;
  reject: (error: unknown) => void;
  since: number;
}

/** The members of one key, oldest first. */
interface Line<Member, Outcome> {
  key: string;
  waiting: Entry<Member, Outcome>[];
  /** Batches in progress that contain members of this key. */
  inProgress: number;
  /** Once alone, a line goes on alone until it is empty. Another process may keep it busy. */
  isAlone: boolean;
}

interface Group<Member, Outcome> {
  line: Line<Member, Outcome>;
  entries: Entry<Member, Outcome>[];
}

/**
 * Commits members in batches, as databases do with their write-ahead log.
 *
 * Members stand in line by key; the lines take turns. A member that finds a free lane starts at once, as a batch of one.
 * Members that arrive while all lanes are taken form the next batch. Batches therefore grow with the load, and no timer is
 * needed. Nobody gets an outcome before the commit. (It also batches queries, and gives turns to work that isn't batched.)
 */
export class GroupCommit<Member, Outcome> {
  private readonly lines = new Map<string, Line<Member, Outcome>>();
  /** Lines whose turn comes next. */
  private readonly ready = new Set<Line<Member, Outcome>>();
  /** Groups that are to go alone. */
  private readonly alone: Group<Member, Outcome>[] = [];
  private lanesInUse = 0;
  private aloneLanesInUse = 0;
  private waiting = 0;

  constructor(
    private readonly limits: Limits,
    private readonly committer: Committer<Member, Outcome>,
  ) {}

  /** Resolves with the member's outcome once it is committed. Rejects with a 503 if too many wait, or the wait is too long. */
  submit(key: string, member: Member): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      const line = this.lines.get(key) ?? { key, waiting: [], inProgress: 0, isAlone: false };
      const keysWaiting = this.ready.size + this.alone.length;
      if (line.waiting.length >= MAX_WAITING || keysWaiting >= MAX_WAITING) {
        reject(new Problem('service_unavailable'));
        return;
      }
      this.lines.set(key, line);
      line.waiting.push({ member, resolve, reject, since: performance.now() });
      this.waiting++;
      this.updateTurn(line);
      this.fillLanes();
    });
  }

  /** How many members wait for a batch. */
  get queueLength(): number {
    return this.waiting;
  }

  private fillLanes(): void {
    while (this.lanesInUse < this.limits.lanes && this.ready.size > 0) {
      const batch = this.nextBatch();
      if (batch.length > 0) void this.commit(batch);
    }
    while (this.aloneLanesInUse < this.limits.aloneLanes && this.alone.length > 0) {
      const group = this.alone.shift()!;
      if (this.isInTime(group)) void this.commitAlone(group);
    }
  }

  private nextBatch(): Group<Member, Outcome>[] {
    const batch: Group<Member, Outcome>[] = [];
    let members = 0;
    for (const line of [...this.ready].slice(0, this.limits.keys)) {
      if (members >= this.limits.members) break;
      this.ready.delete(line);
      const group = this.nextGroup(line);
      if (this.isInTime(group)) batch.push(group);
      members += group.entries.length;
    }
    return batch;
  }

  private nextGroup(line: Line<Member, Outcome>): Group<Member, Outcome> {
    const entries = line.waiting.splice(0, this.limits.membersOfKey);
    this.waiting -= entries.length;
    line.inProgress++;
    this.updateTurn(line);
    return { line, entries };
  }

  /** Rejects the members that have waited too long. Returns whether any is left. */
  private isInTime(group: Group<Member, Outcome>): boolean {
    const latest = performance.now() - this.limits.waitMs;
    const late = group.entries.filter(({ since }) => since <= latest);
    for (const { reject } of late) reject(new Problem('service_unavailable'));
    if (late.length > 0) group.entries = group.entries.filter(({ since }) => since > latest);
    if (group.entries.length === 0) this.leave(group);
    return group.entries.length > 0;
  }

  private async commit(batch: Group<Member, Outcome>[]): Promise<void> {
    this.lanesInUse++;
    const leftOut = await this.commitTogether(batch);
    this.lanesInUse--;
    for (const group of batch) {
      if (leftOut.includes(group)) this.goAlone(group);
      else this.leave(group);
    }
    this.fillLanes();
  }

  /** Settles the members, except of groups that have to go alone: it returns those. */
  private async commitTogether(groups: Group<Member, Outcome>[]): Promise<Group<Member, Outcome>[]> {
    try {
      const outcomes = await this.committer.together(groups.map(membersOf));
      for (const [index, group] of groups.entries()) if (outcomes[index]) settle(group, outcomes[index]);
      return groups.filter((_, index) => !outcomes[index]);
    } catch (error) {
      if (this.committer.alone && !isOfServer(error)) return groups;
      for (const group of groups) rejectAll(group, error);
      return [];
    }
  }

  private async commitAlone(group: Group<Member, Outcome>): Promise<void> {
    this.aloneLanesInUse++;
    try {
      settle(group, await this.committer.alone!(membersOf(group)));
    } catch (error) {
      rejectAll(group, error);
    }
    this.aloneLanesInUse--;
    this.leave(group);
    this.fillLanes();
  }

  private goAlone(group: Group<Member, Outcome>): void {
    group.line.isAlone = true;
    this.alone.push(group);
  }

  private leave({ line }: Group<Member, Outcome>): void {
    line.inProgress--;
    this.updateTurn(line);
  }

  private updateTurn(line: Line<Member, Outcome>): void {
    if (line.waiting.length === 0) {
      if (line.inProgress === 0) this.lines.delete(line.key);
    } else if (line.inProgress < this.limits.lanesOfKey) {
      if (line.isAlone) this.goAlone(this.nextGroup(line));
      else this.ready.add(line);
    }
  }
}

function membersOf<Member, Outcome>({ entries }: Group<Member, Outcome>): Member[] {
  return entries.map(({ member }) => member);
}

function settle<Member, Outcome>({ entries }: Group<Member, Outcome>, outcomes: (Outcome | Error)[]): void {
  for (const [index, { resolve, reject }] of entries.entries()) {
    const outcome = outcomes[index];
    if (outcome instanceof Error) reject(outcome);
    else resolve(outcome);
  }
}

function rejectAll<Member, Outcome>({ entries }: Group<Member, Outcome>, error: unknown): void {
  for (const { reject } of entries) reject(error);
}
