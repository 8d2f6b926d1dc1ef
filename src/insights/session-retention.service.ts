import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { DataSource } from 'typeorm';
import { firstIdAt } from '../common/ids';
import { Metrics } from '../common/metrics';
import { Config } from '../config';
import { Loop } from '../database/loop';
import { Transactions } from '../database/transactions';
import { MONTH } from '../workspaces/usage';

const PAUSE_MS = 10 * 60_000;
const BATCH = 1000;

/** $1: whole months. The first instant that is kept: the beginning of a month (UTC). */
const FIRST_KEPT = `SELECT (${MONTH} AT TIME ZONE 'UTC' - $1 * interval '1 month') AT TIME ZONE 'UTC' AS time`;

/** $1: the first id that is kept. In random order, so that a workspace that fails doesn't always hold up the same others. */
const DUE = `SELECT id FROM workspaces WHERE (
    SELECT true FROM flow_sessions WHERE workspace_id = workspaces.id AND flow_sessions.id < $1 ORDER BY flow_sessions.id LIMIT 1)
  ORDER BY random()`;

/**
 * $1: workspace, $2: the first id that is kept, $3: the id to go on after. Deletes what the daily sums contain, so that
 * statistics of whole days stay. Leaves out sessions that somebody has locked. It is not prepared: Postgres plans it for
 * the tables as they are.
 */
const DELETE = `
  WITH old AS (
    SELECT id FROM flow_sessions
    WHERE workspace_id = $1 AND id < $2 AND id > $3
      AND updated_at < (SELECT summed_until FROM sum_cursors WHERE workspace_id = $1)
    ORDER BY id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
  ), steps AS (
    DELETE FROM session_steps WHERE workspace_id = $1 AND flow_session_id = ANY (ARRAY(SELECT id FROM old))
  ), sessions AS (
    DELETE FROM flow_sessions WHERE workspace_id = $1 AND id = ANY (ARRAY(SELECT id FROM old))
  )
  SELECT id FROM old ORDER BY id`;

/** Deletes sessions that began before the months that are kept, with their steps. */
@Injectable()
export class SessionRetention implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly deleted: Counter;
  private readonly loop = new Loop('Deleting old sessions', PAUSE_MS, () => this.deleteOld());
  private isStopping = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly config: Config,
    metrics: Metrics,
  ) {
    this.deleted = metrics.counter('sessions_deleted_total', 'Old sessions that this process deleted', []);
  }

  onApplicationBootstrap(): void {
    const { eventWorkers, sessionRetentionMonths } = this.config;
    if (eventWorkers > 0 && sessionRetentionMonths) this.loop.start();
  }

  onModuleDestroy(): Promise<void> {
    this.isStopping = true;
    return this.loop.stop();
  }

  /** Deletes all old sessions of all workspaces, 1,000 in each transaction. */
  async deleteOld(): Promise<void> {
    const [{ time }] = await this.dataSource.query<{ time: Date }[]>(FIRST_KEPT, [this.config.sessionRetentionMonths]);
    const firstKept = firstIdAt(time);
    for (const { id } of await this.dataSource.query<{ id: string }[]>(DUE, [firstKept])) {
      let last: string | undefined = firstIdAt(new Date(0));
      while (last && !this.isStopping) last = await this.deleteBatch(id, firstKept, last);
    }
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
