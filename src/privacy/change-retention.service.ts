import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { firstIdOf } from '../platform/api/ids';
import { Config } from '../app/config';
import { type Job, Jobs } from '../platform/database/jobs.service';
import { Transactions } from '../platform/database/transactions';
import { MONTH } from '../workspaces/usage';

const EVERY_MS = 10 * 60_000;
const BATCH = 1000;

/** In SQL: the first id that is kept. $2: whole months, in addition to the current one. */
const FIRST_KEPT = firstIdOf(`(${MONTH} AT TIME ZONE 'UTC' - $2 * interval '1 month') AT TIME ZONE 'UTC'`);

/** $1: workspace, $2: whole months. */
const DELETE = `
  DELETE FROM changes WHERE workspace_id = $1 AND id = ANY (ARRAY(
    SELECT id FROM changes WHERE workspace_id = $1 AND id < ${FIRST_KEPT} ORDER BY id LIMIT ${BATCH}))`;

/** Deletes changes of the log that are older than the operator keeps them. */
@Injectable()
export class ChangeRetention {
  private readonly job?: Job;

  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly config: Config,
    jobs: Jobs,
  ) {
    if (config.changesRetentionMonths) {
      this.job = jobs.add({ name: 'Deleting old changes', everyMs: EVERY_MS, run: () => this.deleteOld() });
    }
  }

  /** Deletes all old changes of all workspaces, 1,000 in each transaction. */
  async deleteOld(): Promise<boolean> {
    const job = this.job!;
    const all = await this.dataSource.query<{ workspace_id: string }[]>('SELECT id AS workspace_id FROM workspaces');
    await job.forEach(all, async ({ workspace_id }) => {
      while (!job.isStopping && (await this.deleteBatch(workspace_id))) job.noteProgress();
    });
    return false;
  }

  /** Whether there may be more. */
  private async deleteBatch(workspaceId: string): Promise<boolean> {
    const [, deleted] = await this.transactions.run((manager) =>
      manager.query<[unknown, number]>(DELETE, [workspaceId, this.config.changesRetentionMonths]),
    );
    return deleted === BATCH;
  }
}
