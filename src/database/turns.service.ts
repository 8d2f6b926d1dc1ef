import { Injectable } from '@nestjs/common';
import { Config } from '../config';
import { GroupCommit, type Limits } from '../common/group-commit';

type Work = () => Promise<unknown>;

const WAIT_MS = 3000;

/**
 * Limits the connections of work that may take long: statistics, lists of sessions, erasing, and changes of flows, which
 * wait for each other's locks. Together they use at most half of the pool, and one workspace at most half of that. Work
 * that waits longer than 3 s for its turn is 503.
 */
@Injectable()
export class Turns {
  private readonly all: GroupCommit<Work, unknown>;
  private readonly limitsOfOne: Limits;
  /** One for each workspace that has work under way, by its id. */
  private readonly groups = new Map<string, GroupCommit<Work, unknown>>();

  constructor({ databasePoolSize }: Config) {
    const lanes = Math.max(1, Math.ceil(databasePoolSize / 2) - 1);
    // Each piece of work is a batch of its own.
    this.limitsOfOne = { lanes: Math.ceil(lanes / 2), batch: 1, waitMs: WAIT_MS };
    this.all = new GroupCommit({ ...this.limitsOfOne, lanes }, async ([work]) => [await work()]);
  }

  run<T>(workspaceId: string, work: () => Promise<T>): Promise<T> {
    return this.groupOf(workspaceId).submit(work) as Promise<T>;
  }

  private groupOf(workspaceId: string): GroupCommit<Work, unknown> {
    const current = this.groups.get(workspaceId);
    if (current) return current;
    const turn = async ([work]: Work[]) => [await this.all.submit(work)];
    const group = new GroupCommit(this.limitsOfOne, turn, () => this.groups.delete(workspaceId));
    this.groups.set(workspaceId, group);
    return group;
  }
}
