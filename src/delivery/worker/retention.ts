import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { QueryConfig } from 'pg';
import { Config } from '../../config';
import { KEYS_LAST } from '../../database/idempotency-key.entity';
import { Pooler } from '../../database/pooler';
import { NOW } from '../../database/time';
import { Transactions } from '../../database/transactions';
import { PREVIEWS_LAST } from '../../runtime/preview/preview.entity';
import { Loop } from '../../database/loop';

const PAUSE_MS = 60_000;
const BATCH = 1000;

/** $1: an age, such as `30 days`. Takes rows that nobody has locked, so that processes don't wait for each other. */
const deleteOld = (table: string) => ({
  name: `${table}-delete-old`,
  text: `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM ${table} WHERE created_at < ${NOW} - $1::interval
      ORDER BY created_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED))`,
});
const DELETE_EVENTS = deleteOld('events');
const DELETE_PREVIEWS = deleteOld('previews');
const DELETE_IDEMPOTENCY_KEYS = deleteOld('idempotency_keys');

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
    const events = await this.delete(DELETE_EVENTS, `${this.config.eventRetentionDays} days`);
    const previews = await this.delete(DELETE_PREVIEWS, PREVIEWS_LAST);
    const keys = await this.delete(DELETE_IDEMPOTENCY_KEYS, KEYS_LAST);
    return Math.max(events, previews, keys) === BATCH;
  }

  /** Returns the number of rows. */
  private async delete(statement: QueryConfig, age: string): Promise<number> {
    const query = this.pooler.prepared({ ...statement, values: [age] });
    const { rowCount } = await this.transactions.runStatement((client) => client.query(query));
    return rowCount!;
  }
}
