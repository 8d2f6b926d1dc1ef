import { Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';

/** A connection does at least a few dozen things a second, so this much waiting work is done before its clients give up. */
const WAITING_PER_CONNECTION = 50;

/** TypeORM's connections to Postgres. */
@Injectable()
export class ConnectionPool {
  readonly pool: Pool;
  private readonly queues: (() => number)[] = [];

  constructor(dataSource: DataSource) {
    this.pool = (dataSource.driver as PostgresDriver).master as Pool;
  }

  /** Counts a queue too, in addition to the pool's own. Queues of starts and steps have limits of their own. */
  addQueue(length: () => number): void {
    this.queues.push(length);
  }

  /** Whether more work waits for a connection than can be done in time. */
  get isOverloaded(): boolean {
    const waiting = this.queues.reduce((sum, length) => sum + length(), this.pool.waitingCount);
    return waiting >= this.pool.options.max * WAITING_PER_CONNECTION;
  }
}
