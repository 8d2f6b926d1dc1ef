import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Client, ClientConfig, Pool, PoolClient, QueryResult } from 'pg';
import { Metrics } from '../../metrics/metrics';
import { withClient } from './client';
import { ConnectionPool } from './connection-pool';
import { endsConnection, isOfServer, sqlState } from '../transaction/postgres-errors';

/** How long a successful check, or successful work, proves the database healthy. */
const RECENT_MS = 1000;
/** How long the database may take to answer a check. */
const CHECK_TIMEOUT_MS = 1500;
/** The pause between two trial writes. */
const TRIAL_INTERVAL_MS = 1000;

const NO_ANSWER = 'The database does not answer.';
const UNWRITABLE = 'The database does not accept writes.';

/**
 * Fails whenever any write would fail, but touches no table and needs no privilege. It is sent as one string, which
 * Postgres runs as one transaction, also behind a pooler.
 *
 * - The lock: a commit that waits for a standby keeps waiting after we gave up. The next trial, from any process, then
 *   times out on the lock instead of leaving a second commit waiting.
 * - The series exceeds `work_mem`, so half a megabyte is written to the database's disk and deleted again.
 * - The message is written only to the WAL, and its commit waits for the WAL like any other. A read-only server
 *   returns no
 *   row.
 */
const TRIAL = `
  SET LOCAL lock_timeout = '2s';
  SET LOCAL work_mem = '64kB';
  SET LOCAL temp_tablespaces = '';
  SELECT pg_advisory_xact_lock(7236151403);
  SELECT FROM generate_series(1, 20000) LIMIT 1;
  SELECT pg_logical_emit_message(true, 'retention-flow-service', '')
    WHERE current_setting('transaction_read_only') = 'off'`;

/** The role lacks a privilege (42…) or exceeds its `temp_file_limit` (53400). The server itself counts as writable. */
const ROLE_RESTRICTED = /^(42\w{3}|53400)$/;
const SERVER_FULL = '53300';

/** In seconds. */
const USE_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The use of a connection since it was acquired from the pool. */
interface Use {
  since: number;
  /** Used by a health check, not by a request. */
  isCheck?: true;
  /** The first error that concerns the server. */
  serverError?: unknown;
}

/**
 * Watches the connections to Postgres: closes broken ones, and knows whether the database is healthy.
 *
 * One error that concerns the server proves nothing, because it may affect a single connection. A trial write
 * (`tryToWrite`) follows. If it fails, the database counts as down, and the trial is repeated until it succeeds.
 */
@Injectable()
export class DatabaseHealth implements OnModuleDestroy {
  private readonly pool: Pool;
  private readonly uses = new WeakMap<PoolClient, Use>();
  /** When a check last found the database writable. */
  private lastGoodCheck = -Infinity;
  /** When a connection was last released without an error. */
  private lastWork = -Infinity;
  private pendingCheck?: Promise<string | undefined>;
  private acceptsWrites = true;
  /** An error has occurred since the last trial write began. */
  private isSuspect = false;
  private isTrying = false;
  private isStopping = false;

  constructor({ pool }: ConnectionPool, metrics: Metrics) {
    this.pool = pool;
    const size = pool.options.max;
    metrics.gauge('database_pool_size', 'The maximum number of connections to Postgres of this process', () => size);
    metrics.gauge('database_pool_used', 'Connections in use', () => pool.totalCount - pool.idleCount);
    metrics.gauge('database_pool_idle', 'Connections that are open and idle', () => pool.idleCount);
    metrics.gauge('database_pool_waiting', 'Callers waiting for a connection', () => pool.waitingCount);
    metrics.gauge('database_up', '1 while the database answers and accepts writes, else 0', async () =>
      Number((await this.failure()) === undefined),
    );
    const seconds = metrics.histogram(
      'database_use_seconds',
      'How long a connection was in use for one transaction or statement, without the wait for the connection',
      USE_BUCKETS,
    );

    pool.on('acquire', (client) => this.acquired(client));
    pool.on('release', (error: unknown, client) => {
      const use = this.uses.get(client);
      if (!use) return;
      if (!use.isCheck) seconds.observe((performance.now() - use.since) / 1000);
      // When a statement times out, pg destroys its connection, but the error event comes only after the release.
      this.released(client, error || use.serverError || client.connection.stream.destroyed);
    });
  }

  onModuleDestroy(): void {
    this.isStopping = true;
  }

  /**
   * Why the database is unhealthy, in one sentence; undefined if it is healthy. A database that is too busy to answer
   * counts as healthy while other work on it succeeds.
   */
  async failure(): Promise<string | undefined> {
    if (!this.acceptsWrites) return UNWRITABLE;
    if (isRecent(this.lastGoodCheck)) return undefined;
    // Concurrent callers share one check, so that checks of a hanging database don't pile up.
    this.pendingCheck ??= this.check()
      .catch(() => NO_ANSWER)
      .finally(() => (this.pendingCheck = undefined));
    const failure = await Promise.race([this.pendingCheck, pause(CHECK_TIMEOUT_MS, NO_ANSWER, { ref: false })]);
    return failure === NO_ANSWER && isRecent(this.lastWork) ? undefined : failure;
  }

  private async check(): Promise<string | undefined> {
    const { pool } = this;
    if (pool.idleCount === 0 && pool.totalCount >= pool.options.max) {
      // The check would have to wait for a connection.
      const isWritable = isRecent(this.lastWork) || (await tryToWrite(pool.options)) !== false;
      return isWritable ? undefined : UNWRITABLE;
    }
    const client = await pool.connect();
    this.uses.get(client)!.isCheck = true;
    let isWritable = false;
    try {
      const sql = `SELECT current_setting('transaction_read_only') = 'off' AS writable`;
      isWritable = (await client.query<{ writable: boolean }>(sql)).rows[0].writable;
    } finally {
      client.release(!isWritable);
    }
    if (!isWritable) return UNWRITABLE;
    this.lastGoodCheck = performance.now();
    return undefined;
  }

  private acquired(client: PoolClient): void {
    if (!this.uses.has(client)) {
      const note = (error: unknown) => (this.uses.get(client)!.serverError ??= error);
      client.on('error', note);
      client.connection.on('errorMessage', (error) => isOfServer(error) && note(error));
    }
    this.uses.set(client, { since: performance.now() });
  }

  private released(client: PoolClient, error: unknown): void {
    if (!error) {
      this.lastWork = performance.now();
      return;
    }
    // The pool discards a client that is ending.
    if (error === true || endsConnection(error)) void client.end();
    this.isSuspect = true;
    void this.tryUntilWritable();
  }

  private async tryUntilWritable(): Promise<void> {
    if (this.isTrying || this.isStopping) return;
    this.isTrying = true;
    do {
      this.isSuspect = false;
      this.acceptsWrites = (await tryToWrite(this.pool.options)) ?? this.acceptsWrites;
      await pause(TRIAL_INTERVAL_MS, undefined, { ref: false });
    } while ((this.isSuspect || !this.acceptsWrites) && !this.isStopping);
    this.isTrying = false;
  }
}

function isRecent(time: number): boolean {
  return performance.now() - time < RECENT_MS;
}

/**
 * Whether the database accepts writes, tested by a small write on a separate connection with the usual time-outs.
 * `undefined` means unknown, because the server has no connection left.
 */
async function tryToWrite(config: ClientConfig): Promise<boolean | undefined> {
  try {
    return await withClient(config, write);
  } catch (error) {
    return sqlState(error) === SERVER_FULL ? undefined : false;
  }
}

async function write(client: Client): Promise<boolean> {
  try {
    // For several statements pg returns a list.
    const results = (await client.query(TRIAL)) as unknown as QueryResult[];
    return results.at(-1)!.rowCount === 1;
  } catch (error) {
    return ROLE_RESTRICTED.test(sqlState(error) ?? '');
  }
}
