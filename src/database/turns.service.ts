import { Injectable } from '@nestjs/common';
import { Config } from '../config';
import { GroupCommit } from './group-commit';

type Work = () => Promise<unknown>;

/**
 * Limits the connections of work that may take long: statistics, lists of sessions, erasing, and what waits for locks:
 * changes and previews of flows, creations with an Idempotency-Key. Together they use at most half of the pool, and one
 * workspace at most half of that. Work that waits longer than 3 s for its turn is 503.
 */
@Injectable()
export class Turns {
  private readonly group: GroupCommit<Work, unknown>;

  constructor({ databasePoolSize }: Config) {
    const lanes = Math.max(1, Math.ceil(databasePoolSize / 2) - 1);
    // Each piece of work is a batch of its own.
    const batch = { keys: 1, membersOfKey: 1, members: 1, aloneLanes: 0 };
    const limits = { lanes, lanesOfKey: Math.ceil(lanes / 2), ...batch, waitMs: 3000 };
    this.group = new GroupCommit(limits, { together: async ([[work]]) => [[await work()]] });
  }

  run<T>(workspaceId: string, work: () => Promise<T>): Promise<T> {
    return this.group.submit(workspaceId, work) as Promise<T>;
  }
}
