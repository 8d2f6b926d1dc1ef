import { Injectable } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { DataSource } from 'typeorm';
import { firstIdAt } from '../platform/api/ids';
import { OutcomesService } from '../billing/outcomes.service';
import { Metrics } from '../platform/metrics/metrics';
import { Config } from '../app/config';
import { type Job, Jobs } from '../platform/database/jobs.service';
import { Transactions } from '../platform/database/transactions';
import { MONTH } from '../workspaces/usage';
import { theServiceIn } from '../tenancy/tenant';
import { UnitsOfWork } from '../tenancy/units-of-work.service';
import { firstIdAfterSums } from '../statistics/sums/daily-sums.service';

const EVERY_MS = 10 * 60_000;
const BATCH = 1000;

/** $1: whole months. The first instant that is kept: the beginning of a month (UTC). */
const FIRST_KEPT = `SELECT (${MONTH} AT TIME ZONE 'UTC' - $1 * interval '1 month') AT TIME ZONE 'UTC' AS time`;

/**
 * $1: the first id that is kept, $2: the first instant. In random order, so that a workspace that takes long doesn't hold up the same
 * others.
 */
const DUE = `SELECT id AS workspace_id FROM workspaces WHERE (
    SELECT true FROM flow_sessions WHERE workspace_id = workspaces.id AND flow_sessions.id < $1 ORDER BY flow_sessions.id LIMIT 1)
  OR (SELECT true FROM outcomes WHERE workspace_id = workspaces.id AND at < $2 ORDER BY at LIMIT 1)
  ORDER BY random()`;

/**
 * $1: workspace, $2: the first id that is kept, $3: the id to go on after. Deletes nothing until the daily sums contain all of
 * it, so that statistics of whole days stay. Leaves out sessions that somebody has locked. It is not prepared: Postgres plans
 * it for the tables as they are.
 */
const DELETE = `
  WITH old AS (
    SELECT id FROM flow_sessions
    WHERE workspace_id = $1 AND id < $2 AND id > $3
      AND NOT EXISTS (SELECT FROM flow_sessions WHERE workspace_id = $1 AND id >= ${firstIdAfterSums('$1')} AND id < $2)
    ORDER BY id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
  ), steps AS (
    DELETE FROM session_steps WHERE workspace_id = $1 AND flow_session_id = ANY (ARRAY(SELECT id FROM old))
  ), fulfilments AS (
    DELETE FROM fulfilments WHERE workspace_id = $1 AND flow_session_id = ANY (ARRAY(SELECT id FROM old))
  ), sessions AS (
    DELETE FROM flow_sessions WHERE workspace_id = $1 AND id = ANY (ARRAY(SELECT id FROM old))
  )
  SELECT id FROM old ORDER BY id`;

/** Deletes sessions that began before the months that are kept, with their steps, and outcomes of that time: they say nothing of later ones. */
@Injectable()
export class SessionRetention {
  private readonly deleted: Counter;
  private readonly job?: Job;

  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly units: UnitsOfWork,
    private readonly config: Config,
    private readonly outcomes: OutcomesService,
    metrics: Metrics,
    jobs: Jobs,
  ) {
    this.deleted = metrics.counter('sessions_deleted_total', 'Old sessions that this process deleted', []);
    if (config.sessionRetentionMonths) {
      this.job = jobs.add({ name: 'Deleting old sessions', everyMs: EVERY_MS, run: () => this.deleteOld() });
    }
  }

  /** Deletes all old sessions and outcomes of all workspaces, 1,000 in each transaction. */
  async deleteOld(): Promise<boolean> {
    const job = this.job!;
    const [{ time }] = await this.dataSource.query<{ time: Date }[]>(FIRST_KEPT, [this.config.sessionRetentionMonths]);
    const firstKept = firstIdAt(time);
    const due = await this.dataSource.query<{ workspace_id: string }[]>(DUE, [firstKept, time]);
    await job.forEach(due, async ({ workspace_id }) => {
      let last: string | undefined = firstIdAt(new Date(0));
      while (last && !job.isStopping) {
        last = await this.deleteBatch(workspace_id, firstKept, last);
        job.noteProgress();
      }
      const deleteOutcomes = () =>
        this.units.run(theServiceIn(workspace_id), (work) => this.outcomes.deleteBefore(work, time));
      while (!job.isStopping && (await deleteOutcomes())) job.noteProgress();
    });
    return false;
  }

  /** Returns the last id of a full batch. */
  private async deleteBatch(workspaceId: string, firstKept: string, after: string): Promise<string | undefined> {
    const ids = await this.transactions.run((manager) =>
      manager.query<{ id: string }[]>(DELETE, [workspaceId, firstKept, after]),
    );
    this.deleted.inc(ids.length);
    return ids.length === BATCH ? ids.at(-1)!.id : undefined;
  }
}
