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

/** Starts of one workspace, to be written if it is as they were decided. */
export interface Write {
  workspaceId: string;
  begun: Begun[];
  settings: WorkspaceSettings;
}

/** So many workspaces share a transaction at most, and what befalls it. */
const WORKSPACES = 32;
/** As for a connection, which is what is waited for here. */
const WAIT_MS = 3000;
/** For how long a locked workspace may hold up the others: with its lock in their transaction, or by being before them. */
const PATIENCE_MS = 100;

/**
 * Writes admissions. Those of different workspaces that wait for a connection share a transaction, so that many quiet
 * workspaces don't need a commit each. Half of the pool's connections do that; what has to wait for a lock does it by
 * itself, on the others.
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

  /**
   * Whether it was written, durably; if not, nothing was (see `AdmissionStatements.write`). There may be one of a workspace
   * at a time.
   */
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
      // Because of one of them none was written (or all were: `isWrittenBefore`). That one alone is to suffer for it.
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
    // Everybody takes locks in one order, so transactions that share workspaces never wait for each other in a circle.
    const inOrder = [...writes.keys()].toSorted((a, b) => (writes[a].workspaceId < writes[b].workspaceId ? -1 : 1));
    return this.transactions.runPipelined((client) => {
      const written: boolean[] = [];
      const impatience = client.query(`SET LOCAL lock_timeout = ${PATIENCE_MS}`);
      const sent = inOrder.map(async (index) => {
        written[index] = await this.send(client, writes[index]);
      });
      return Promise.resolve({ answer: written, sent: [impatience, ...sent] });
    });
  }

  private send(client: PoolClient, { workspaceId, begun, settings }: Write): Promise<boolean> {
    const statements = new AdmissionStatements(client, workspaceId, !this.pooler.isPresent);
    return statements.write(begun, settings);
  }
}

/** Resolves when it is done or has failed, or when patience is over. */
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
