import { Injectable } from '@nestjs/common';
import type { Pool, QueryConfig } from 'pg';
import { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import type { Surface } from '../../http/surface';
import { type Statement, valuesOf } from '../transaction/statement';
import { Pooler } from './pooler';

/**
 * A connection does at least a few dozen things a second, so this much waiting work is done before its clients give up.
 */
const WAITING_PER_CONNECTION = 50;

/** TypeORM's connections to Postgres. */
@Injectable()
export class ConnectionPool {
  readonly pool: Pool;
  private readonly managementQueues: (() => number)[] = [];

  constructor(
    private readonly dataSource: DataSource,
    private readonly pooler: Pooler,
  ) {
    this.pool = (dataSource.driver as PostgresDriver).master as Pool;
  }

  /**
   * Runs a statement outside of transactions. Name one that is read often: TypeORM takes longer to build a small query
   * than Postgres to run it. Postgres prepares a named one once for each connection, and soon plans it without looking
   * at the values. So one plan has to be best for all, as for a list read along the primary key. Its errors destroy the
   * connection: name only what can fail by the server or the way to it alone.
   */
  async rows<Row extends object>(statement: Statement, values: Record<string, unknown> = {}): Promise<Row[]> {
    return this.send<Row>({ ...statement, values: valuesOf(statement, values) });
  }

  /** The same, with the values in the order of their numbers. */
  async send<Row extends object>({ name, text, values }: QueryConfig & { values: unknown[] }): Promise<Row[]> {
    if (name !== undefined) return (await this.pool.query<Row>(this.pooler.prepared({ name, text, values }))).rows;
    const runner = this.dataSource.createQueryRunner();
    try {
      return (await runner.query(text, values, true)).records as Row[];
    } finally {
      await runner.release();
    }
  }

  /** Counts a queue of management, too. Queues of starts and steps have limits of their own. */
  addManagementQueue(length: () => number): void {
    this.managementQueues.push(length);
  }

  /**
   * Whether more work waits for a connection than can be done in time. Management is refused when half as much waits,
   * so always before the runtime. What waits for a look-up of a key does not count for the runtime, which needs none.
   */
  isOverloadedFor(surface: Surface): boolean {
    const { options, waitingCount } = this.pool;
    const most = options.max * WAITING_PER_CONNECTION;
    if (surface === 'runtime') return waitingCount >= most;
    return this.managementQueues.reduce((sum, length) => sum + length(), waitingCount) >= most / 2;
  }
}
