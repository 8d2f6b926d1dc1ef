import { Injectable } from '@nestjs/common';
import { Config } from '../config';
import { GroupCommit, type Limits } from './group-commit';

type Read = () => Promise<unknown>;

const WAIT_MS = 3000;

/**
 * Lets reads that may take long take turns: statistics, and lists of sessions. All of them use at most half of the pool's
 * connections, and those of one workspace half of that. One that waits too long is 503.
 */
@Injectable()
export class LongReads {
  private readonly all: GroupCommit<Read, unknown>;
  private readonly limitsOfOne: Limits;
  /** Of each workspace that has a read under way, by its id. */
  private readonly groups = new Map<string, GroupCommit<Read, unknown>>();

  constructor({ databasePoolSize }: Config) {
    const lanes = Math.max(1, Math.ceil(databasePoolSize / 2) - 1);
    // Each is a batch by itself.
    this.limitsOfOne = { lanes: Math.ceil(lanes / 2), batch: 1, waitMs: WAIT_MS };
    this.all = new GroupCommit({ ...this.limitsOfOne, lanes }, async ([read]) => [await read()]);
  }

  run<T>(workspaceId: string, read: () => Promise<T>): Promise<T> {
    return this.groupOf(workspaceId).submit(read) as Promise<T>;
  }

  private groupOf(workspaceId: string): GroupCommit<Read, unknown> {
    const current = this.groups.get(workspaceId);
    if (current) return current;
    const turn = async ([read]: Read[]) => [await this.all.submit(read)];
    const group = new GroupCommit(this.limitsOfOne, turn, () => this.groups.delete(workspaceId));
    this.groups.set(workspaceId, group);
    return group;
  }
}
