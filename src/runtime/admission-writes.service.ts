import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { PoolClient } from 'pg';
import { Clock } from '../common/clock';
import { Metrics } from '../common/metrics';
import { isRefusal } from '../common/postgres-errors';
import { Config } from '../config';
import { Transactions } from '../database/transactions';
import { startOfMonth } from '../workspaces/usage';
import type { Begun, WorkspaceSettings } from './admission-rules';
import { AdmissionStatements, isKeyTaken } from './admission-statements';
import { GroupCommit } from './group-commit';

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
/** Nobody waits longer for the lock of somebody else's workspace. */
const PATIENCE_MS = 100;

/**
 * Writes admissions. Those of different workspaces that wait for a connection share a transaction, so that many quiet
 * workspaces don't need a commit each. They have half of the pool's connections; the other half is for all else.
 */
@Injectable()
export class AdmissionWrites {
  private readonly group: GroupCommit<Write, boolean>;

  constructor(
    private readonly transactions: Transactions,
    private readonly clock: Clock,
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

  /** Whether it was written, durably; if not, nothing was (see `AdmissionStatements.write`). No two of a workspace at once. */
  submit(write: Write): Promise<boolean> {
    return this.group.submit(write);
  }

  private async commit(writes: Write[]): Promise<(boolean | Promise<boolean>)[]> {
    if (writes.length === 1) {
      const written = this.commitAlone(writes[0]);
      await Promise.race([written.catch(() => {}), pause(PATIENCE_MS, undefined, { ref: false })]);
      return [written];
    }
    try {
      return await this.commitTogether(writes);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      // Because of one of them nothing was written. That one alone is to suffer for it.
      return writes.map((write) => this.commitAlone(write));
    }
  }

  private commitAlone(write: Write): Promise<boolean> {
    return this.transactions
      .runStatement((client) => this.send(client, write))
      .catch((error: unknown) => {
        if (isKeyTaken(error)) return false;
        throw error;
      });
  }

  private commitTogether(writes: Write[]): Promise<boolean[]> {
    // Everybody takes locks in one order: transactions that share workspaces wait for each other, and never in a circle.
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
    const now = this.clock.now();
    const statements = new AdmissionStatements(client, workspaceId, this.transactions.hasSessions);
    return statements.write(begun, settings, startOfMonth(now), now);
  }
}
