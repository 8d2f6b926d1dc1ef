import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Config } from '../../config';
import { Pooler } from '../../database/pooler';
import { NOW } from '../../database/time';
import { Transactions } from '../../database/transactions';
import { Loop } from './loop';

const PAUSE_MS = 60_000;
const BATCH = 1000;

/** $1: an age in days. Takes events that nobody has locked, so that processes don't wait for each other. */
const DELETE_OLD = {
  name: 'events-delete-old',
  text: `DELETE FROM events WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM events WHERE created_at < ${NOW} - make_interval(days => $1)
      ORDER BY created_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED))`,
};

/** Deletes old events, delivered or not, and with them their deliveries. */
@Injectable()
export class Retention implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly loop = new Loop('Deleting old events', PAUSE_MS, async () => {
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

  /** Deletes up to 1,000 events. Returns whether there may be more. */
  async deleteOld(): Promise<boolean> {
    const query = this.pooler.prepared({ ...DELETE_OLD, values: [this.config.eventRetentionDays] });
    const { rowCount } = await this.transactions.runStatement((client) => client.query(query));
    return rowCount === BATCH;
  }
}
