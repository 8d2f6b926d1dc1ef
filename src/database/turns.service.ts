import { Injectable } from '@nestjs/common';
import { Config } from '../config';
import { GroupCommit, type Limits } from '../common/group-commit';

type Work = () => Promise<unknown>;

const WAIT_MS = 3000;

/**
 * Lets work take turns that may hold a connection for long: statistics, lists of sessions, erasing, and changes of flows,
 * which wait for each other. All of it uses at most half of the pool's connections, and that of one workspace half of that.
 * What waits too long is 503.
 */
@Injectable()
export class Turns {
  private readonly all: GroupCommit<Work, unknown>;
  private readonly limitsOfOne: Limits;
  /** Of each workspace that has work under way, by its id. */
  private readonly groups = new Map<string, GroupCommit<Work, unknown>>();

  constructor({ databasePoolSize }: Config) {
    const lanes = Math.max(1, Math.ceil(databasePoolSize / 2) - 1);
    // Each is a batch by itself.
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
