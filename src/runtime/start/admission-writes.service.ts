import { Injectable } from '@nestjs/common';
import type { PoolClient } from 'pg';
import { Metrics } from '../../common/metrics';
import { isRefusal } from '../../database/postgres-errors';
import { Config } from '../../config';
import { Pooler } from '../../database/pooler';
import { Transactions } from '../../database/transactions';
import type { Begun, WorkspaceSettings } from './admission-rules';
import { AdmissionStatements, isKeyTaken, isWrittenBefore } from './admission-statements';
import { GroupCommit } from '../../common/group-commit';

/** Starts of one workspace, to be written if nothing has changed since they were decided. */
export interface Write {
  workspaceId: string;
  begun: Begun[];
  settings: WorkspaceSettings;
}

/** The most workspaces that share a transaction. */
const WORKSPACES = 32;
/** The longest wait for a connection. */
const WAIT_MS = 3000;
/** The longest that a locked workspace may hold up others, in a shared transaction or in the queue before them. */
const PATIENCE_MS = 100;

/**
 * Writes admissions. Workspaces that wait for a connection at the same time share a transaction, so that many quiet
 * workspaces don't need a commit each. This uses half of the pool; a write that has to wait for a lock does so alone, on
 * the other half.
 */
@Injectable()
export class AdmissionWrites {
  private readonly group: GroupCommit<Write, boolean>;

  constructor(
    private readonly transactions: Transactions,
    private readonly pooler: Pooler,
    { databasePoolSize }: Config,
    metrics: Metrics,
  ) {
    const limits = { lanes: Math.ceil(databasePoolSize / 2), batch: WORKSPACES, waitMs: WAIT_MS };
    this.group = new GroupCommit(limits, (writes) => this.commit(writes));
    metrics.gauge(
      'session_start_writes_waiting',
      'Batches of starts that wait for a connection',
      () => this.group.queueLength,
    );
  }

  /** Whether the write was made, durably; if not, nothing was written. One write of a workspace at a time. */
  submit(write: Write): Promise<boolean> {
    return this.group.submit(write);
  }

  private async commit(writes: Write[]): Promise<(boolean | Promise<boolean>)[]> {
    if (writes.length === 1) {
      const written = this.commitAlone(writes[0]);
      await settledSoon(written);
      return [written];
    }
    try {
      return await this.commitTogether(writes);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      // One bad write undid all of them. Retry each alone, so that only the bad one fails.
      return writes.map((write) => this.commitAlone(write));
    }
  }

  private async commitAlone(write: Write): Promise<boolean> {
    try {
      return await this.transactions.runStatement((client) => this.send(client, write));
    } catch (error) {
      if (isKeyTaken(error)) return false;
      if (isWrittenBefore(error)) return true;
      throw error;
    }
  }

  private commitTogether(writes: Write[]): Promise<boolean[]> {
    // All transactions lock workspaces in the same order, so they can't deadlock.
    const inOrder = [...writes.keys()].toSorted((a, b) => (writes[a].workspaceId < writes[b].workspaceId ? -1 : 1));
    return this.transactions.runPipelined((client) => {
      const written: boolean[] = [];
      const impatience = client.query(`SET LOCAL lock_timeout = ${PATIENCE_MS}`);
      const sent = inOrder.map(async (index) => {
        written[index] = await this.send(client, writes[index]);
      });
      return Promise.resolve({ result: written, sent: [impatience, ...sent] });
    });
  }

  private send(client: PoolClient, { workspaceId, begun, settings }: Write): Promise<boolean> {
    const statements = new AdmissionStatements(client, workspaceId, !this.pooler.isPresent);
    return statements.write(begun, settings);
  }
}

/** Resolves when the work is done or has failed, at the latest after PATIENCE_MS. */
function settledSoon(work: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, PATIENCE_MS);
    const settle = () => {
      clearTimeout(timer);
      resolve();
    };
    work.then(settle, settle);
  });
}
