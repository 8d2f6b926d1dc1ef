import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { QueryConfig } from 'pg';
import { DataSource } from 'typeorm';
import { Config } from '../../config';
import { KEYS_LAST } from '../../database/idempotency-key.entity';
import { Citus } from '../../database/citus';
import { Pooler } from '../../database/pooler';
import { NOW } from '../../database/time';
import { Transactions } from '../../database/transactions';
import { PREVIEWS_LAST } from '../../runtime/preview/preview.entity';
import { Loop } from '../../database/loop';

const PAUSE_MS = 60_000;
const BATCH = 1000;

/** $1: an age, such as `30 days`. Takes rows that nobody has locked, so that processes don't wait for each other. */
const deleteOld = (table: string): QueryConfig => ({
  name: `${table}-delete-old`,
  text: `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM ${table} WHERE created_at < ${NOW} - $1::interval
      ORDER BY created_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED))`,
});
const DELETE_OLD = {
  events: deleteOld('events'),
  previews: deleteOld('previews'),
  idempotency_keys: deleteOld('idempotency_keys'),
};
type Table = keyof typeof DELETE_OLD;

/**
 * Deletes old events, delivered or not, and with them their deliveries. Deletes previews of flows and idempotency keys after
 * 24 hours, from when on they count as gone.
 */
@Injectable()
export class Retention implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly loop = new Loop('Deleting old events, previews and idempotency keys', PAUSE_MS, async () => {
    if (await this.deleteOld()) this.loop.wake();
  });

  constructor(
    private readonly transactions: Transactions,
    private readonly pooler: Pooler,
    private readonly citus: Citus,
    private readonly dataSource: DataSource,
    private readonly config: Config,
  ) {}

  onApplicationBootstrap(): void {
    if (this.config.eventWorkers > 0) this.loop.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.loop.stop();
  }

  /** Deletes up to 1,000 events, as many previews and as many keys. Returns whether there may be more. */
  async deleteOld(): Promise<boolean> {
    const events = await this.delete('events', `${this.config.eventRetentionDays} days`);
    const previews = await this.delete('previews', PREVIEWS_LAST);
    const keys = await this.delete('idempotency_keys', KEYS_LAST);
    return Math.max(events, previews, keys) === BATCH;
  }

  /** Returns the number of rows. */
  private async delete(table: Table, age: string): Promise<number> {
    if (this.citus.isPresent) return this.deleteByWorkspace(table, age);
    const query = this.pooler.prepared({ ...DELETE_OLD[table], values: [age] });
    const { rowCount } = await this.transactions.runStatement((client) => client.query(query));
    return rowCount!;
  }

  /** Where Citus spreads the tables, rows of several servers can't be locked by one statement. */
  private async deleteByWorkspace(table: Table, age: string): Promise<number> {
    const old = await this.dataSource.query<{ workspace_id: string; created_at: Date }[]>(
      `SELECT workspace_id, created_at FROM ${table} WHERE created_at < ${NOW} - $1::interval
        ORDER BY created_at LIMIT ${BATCH}`,
      [age],
    );
    for (const workspaceId of new Set(old.map(({ workspace_id }) => workspace_id))) {
      await this.dataSource.query(`DELETE FROM ${table} WHERE workspace_id = $1 AND created_at <= $2`, [
        workspaceId,
        old.at(-1)!.created_at,
      ]);
    }
    return old.length;
  }
}
