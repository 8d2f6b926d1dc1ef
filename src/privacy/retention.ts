import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Config } from '../app/config';
import { KEYS_LAST } from '../platform/database/idempotency-key.entity';
import { type Job, Jobs } from '../platform/database/jobs.service';
import { NOW } from '../platform/database/time';
import { Transactions } from '../platform/database/transactions';
import { PREVIEWS_LAST } from '../runtime/preview/preview.entity';

const EVERY_MS = 60_000;
const BATCH = 1000;

/** $1: an age, such as `30 days`. The ids of the oldest rows, by workspace. */
const oldOf = (table: string, id: string) => `
  SELECT workspace_id, array_agg(${id}) AS ids FROM (
    SELECT workspace_id, ${id} FROM ${table} WHERE created_at < ${NOW} - $1::interval ORDER BY created_at LIMIT ${BATCH}
  ) AS old GROUP BY workspace_id`;

/** $1 workspace, $2 ids. Leaves out rows that somebody has locked, so that processes don't wait for each other. */
const deleteFrom = (table: string, id: string) => `
  DELETE FROM ${table} WHERE workspace_id = $1 AND ${id} = ANY (ARRAY(
    SELECT ${id} FROM ${table} WHERE workspace_id = $1 AND ${id} = ANY ($2) FOR UPDATE SKIP LOCKED))`;

/**
 * Deletes old events, delivered or not, and with them their deliveries, and old declarations. Deletes previews of flows and idempotency keys after
 * 24 hours, from when on they count as gone.
 */
@Injectable()
export class Retention {
  private readonly job: Job;

  constructor(
    private readonly transactions: Transactions,
    private readonly dataSource: DataSource,
    private readonly config: Config,
    jobs: Jobs,
  ) {
    this.job = jobs.add({
      name: 'Deleting old events, previews, declarations and idempotency keys',
      everyMs: EVERY_MS,
      run: () => this.deleteOld(),
    });
  }

  /** Deletes up to 1,000 rows of each table. Returns whether there may be more. */
  async deleteOld(): Promise<boolean> {
    const events = await this.delete('events', 'id', `${this.config.eventRetentionDays} days`);
    const previews = await this.delete('previews', 'session_id', PREVIEWS_LAST);
    const declarations = await this.delete('declarations', 'id', `${this.config.declarationRetentionMonths} months`);
    const keys = await this.delete('idempotency_keys', 'hash', KEYS_LAST);
    return Math.max(events, previews, declarations, keys) === BATCH;
  }

  /** Returns the number of rows. */
  private async delete(table: string, id: string, age: string): Promise<number> {
    const old = await this.dataSource.query<{ workspace_id: string; ids: unknown[] }[]>(oldOf(table, id), [age]);
    let deleted = 0;
    await this.job.forEach(old, async ({ workspace_id, ids }) => {
      const [, count] = await this.transactions.run((manager) =>
        manager.query<[unknown, number]>(deleteFrom(table, id), [workspace_id, ids]),
      );
      deleted += count;
    });
    return deleted;
  }
}
