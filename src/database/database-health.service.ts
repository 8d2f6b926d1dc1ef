import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Pool, PoolClient } from 'pg';
import { endsConnection, isOfServer } from './postgres-errors';
import { Metrics } from '../common/metrics';
import { ConnectionPool } from './connection-pool';
import { tryToWrite } from './trial-write';

/** For so long an answer holds, and work that was done shows that the database does its own. */
const RECENT_MS = 1000;
/** So long may the database take to answer that it is there. */
const PATIENCE_MS = 1500;
/** The pause between two trials. */
const TRIAL_PAUSE_MS = 1000;

const SILENT = 'The database does not answer.';
const UNWRITABLE = 'The database takes no writes.';

const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** What became of a connection since it was taken from the pool. */
interface Use {
  since: number;
  /** The service asks for itself. */
  isQuestion?: true;
  /** The first error that speaks of the server. */
  trouble?: unknown;
}

/**
 * Watches the connections to Postgres: parts with those that are of no more use, and knows whether the database does its
 * work.
 *
 * An error that speaks of the server is a suspicion, not a proof: it may have met a single connection. A trial (see
 * `tryToWrite`) tells. While it fails the database is out, and the trial is repeated until it succeeds.
 */
@Injectable()
export class DatabaseHealth implements OnModuleDestroy {
  private readonly pool: Pool;
  private readonly uses = new WeakMap<PoolClient, Use>();
  /** When the database last said that it can be written. */
  private lastAnswer = -Infinity;
  /** When a connection last came back without trouble. */
  private lastWork = -Infinity;
  private question?: Promise<string | undefined>;
  private takesWrites = true;
  /** Trouble was met that no trial has looked into yet. */
  private isSuspect = false;
  private isTrying = false;
  private isStopping = false;

  constructor({ pool }: ConnectionPool, metrics: Metrics) {
    this.pool = pool;
    const size = pool.options.max;
    metrics.gauge('database_pool_size', 'The most connections to Postgres that this process holds', () => size);
    metrics.gauge('database_pool_used', 'Connections at work', () => pool.totalCount - pool.idleCount);
    metrics.gauge('database_pool_idle', 'Connections that are open and free', () => pool.idleCount);
    metrics.gauge('database_pool_waiting', 'Work that waits for a connection', () => pool.waitingCount);
    metrics.gauge('database_up', '1 while the database answers and takes writes, else 0', async () =>
      Number((await this.trouble()) === undefined),
    );
    const seconds = metrics.histogram(
      'database_use_seconds',
      'How long a connection was in use at a time: for a transaction or a statement, without the wait for a connection',
      SECONDS,
    );

    pool.on('acquire', (client) => this.acquired(client));
    pool.on('release', (error: unknown, client) => {
      const use = this.uses.get(client);
      if (!use) return;
      if (!use.isQuestion) seconds.observe((performance.now() - use.since) / 1000);
      // pg closes the connection of a statement that takes too long, and hears of it later than whoever waited.
      this.released(client, error || use.trouble || client.connection.stream.destroyed);
    });
  }

  onModuleDestroy(): void {
    this.isStopping = true;
  }

  /**
   * Why the database doesn't do its work, in a sentence; undefined when it does. The work of others speaks for a database that is
   * too busy to answer.
   */
  async trouble(): Promise<string | undefined> {
    if (!this.takesWrites) return UNWRITABLE;
    if (isRecent(this.lastAnswer)) return undefined;
    // Whoever asks meanwhile waits for the same: questions to a database that hangs don't pile up.
    this.question ??= this.ask()
      .catch(() => SILENT)
      .finally(() => (this.question = undefined));
    const answer = await Promise.race([this.question, pause(PATIENCE_MS, SILENT, { ref: false })]);
    return answer === SILENT && isRecent(this.lastWork) ? undefined : answer;
  }

  private async ask(): Promise<string | undefined> {
    const { pool } = this;
    if (pool.idleCount === 0 && pool.totalCount >= pool.options.max) {
      // The question would have to wait its turn.
      const isWritable = isRecent(this.lastWork) || (await tryToWrite(pool.options)) !== false;
      return isWritable ? undefined : UNWRITABLE;
    }
    const client = await pool.connect();
    this.uses.get(client)!.isQuestion = true;
    let isWritable = false;
    try {
      const sql = `SELECT current_setting('transaction_read_only') = 'off' AS writable`;
      isWritable = (await client.query<{ writable: boolean }>(sql)).rows[0].writable;
    } finally {
      client.release(!isWritable);
    }
    if (!isWritable) return UNWRITABLE;
    this.lastAnswer = performance.now();
    return undefined;
  }

  private acquired(client: PoolClient): void {
    if (!this.uses.has(client)) {
      const note = (error: unknown) => (this.uses.get(client)!.trouble ??= error);
      client.on('error', note);
      client.connection.on('errorMessage', (error) => isOfServer(error) && note(error));
    }
    this.uses.set(client, { since: performance.now() });
  }

  private released(client: PoolClient, trouble: unknown): void {
    if (!trouble) {
      this.lastWork = performance.now();
      return;
    }
    // The pool keeps no connection that is being ended.
    if (trouble === true || endsConnection(trouble)) void client.end();
    this.isSuspect = true;
    void this.tryUntilWritten();
  }

  private async tryUntilWritten(): Promise<void> {
    if (this.isTrying || this.isStopping) return;
    this.isTrying = true;
    do {
      this.isSuspect = false;
      this.takesWrites = (await tryToWrite(this.pool.options)) ?? this.takesWrites;
      await pause(TRIAL_PAUSE_MS, undefined, { ref: false });
    } while ((this.isSuspect || !this.takesWrites) && !this.isStopping);
    this.isTrying = false;
  }
}

function isRecent(time: number): boolean {
  return performance.now() - time < RECENT_MS;
}
