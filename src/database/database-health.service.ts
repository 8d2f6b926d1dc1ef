import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Pool, PoolClient } from 'pg';
import { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { Metrics } from '../common/metrics';

/** A connection that came back so recently shows that the database works. */
const RECENT_MS = 1000;
/** So long may the database take to answer that it is there. */
const PATIENCE_MS = 1500;

const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Watches the connections to Postgres. */
@Injectable()
export class DatabaseHealth {
  private lastReturn = -Infinity;
  private question?: Promise<boolean>;

  constructor(
    private readonly dataSource: DataSource,
    metrics: Metrics,
  ) {
    const pool = (dataSource.driver as PostgresDriver).master as Pool;
    const size = pool.options.max;
    metrics.gauge('database_pool_size', 'The most connections to Postgres that this process holds', () => size);
    metrics.gauge('database_pool_used', 'Connections at work', () => pool.totalCount - pool.idleCount);
    metrics.gauge('database_pool_idle', 'Connections that are open and free', () => pool.idleCount);
    metrics.gauge('database_pool_waiting', 'Work that waits for a connection', () => pool.waitingCount);
    metrics.gauge('database_up', '1 while the database answers, else 0', async () => Number(await this.answers()));
    const use = metrics.histogram(
      'database_use_seconds',
      'How long a connection was in use at a time: for a transaction or a statement, without the wait for a connection',
      SECONDS,
    );

    const since = new WeakMap<PoolClient, number>();
    pool.on('acquire', (client) => since.set(client, performance.now()));
    pool.on('release', (error: unknown, client) => {
      const now = performance.now();
      use.observe((now - (since.get(client) ?? now)) / 1000);
      if (!error) this.lastReturn = now;
    });
  }

  /**
   * Whether the database does its work. Of a service that is busy it is known; only otherwise is the database asked. So a
   * full pool, where the question would have to wait its turn, doesn't look like a database that is out.
   */
  async answers(): Promise<boolean> {
    if (performance.now() - this.lastReturn < RECENT_MS) return true;
    // Whoever asks meanwhile waits for the same: questions to a database that hangs don't pile up.
    this.question ??= this.ask().finally(() => (this.question = undefined));
    return Promise.race([this.question, pause(PATIENCE_MS, false, { ref: false })]);
  }

  private ask(): Promise<boolean> {
    return this.dataSource.query('SELECT 1').then(
      () => true,
      () => false,
    );
  }
}
