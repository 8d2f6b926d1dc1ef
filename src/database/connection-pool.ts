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

  constructor(dataSource: DataSource) {
    this.pool = (dataSource.driver as PostgresDriver).master as Pool;
  }

  /** Whether more work waits for a connection than can be done in time. */
  get isOverloaded(): boolean {
    return this.pool.waitingCount >= this.pool.options.max * WAITING_PER_CONNECTION;
  }
}
