import type { Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { PoolClient } from 'pg';
import { DataSource, EntityManager } from 'typeorm';
import { isRetryable } from './postgres-errors';

const MAX_ATTEMPTS = 4;
/** How long a statement of `runLong` may take. A day of 1,000,000 sessions takes a minute or two. */
const LONG_MS = 15 * 60_000;

/** The outcome of pipelined work: its result, and what sends its last statement, which goes together with COMMIT. */
export interface Pipelined<T> {
  result: T;
  last: () => Promise<unknown> | undefined;
}

/**
 * The one way to a transaction. One that Postgres gave up for the sake of another (deadlock, serialisation failure) is
 * tried again, up to 3 times, after a random pause that doubles.
 */
@Injectable()
export class Transactions {
  constructor(private readonly dataSource: DataSource) {}

  /** Runs `work` in a transaction and returns its result. */
  run<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return retrying(() => this.dataSource.transaction(work));
  }

  /** The same for work that only reads: all its statements see the database at one moment. */
  runOnSnapshot<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    const onOneCore = async (manager: EntityManager) => {
      // Parallel workers would take longer to start than they save, and would take CPU from the starts of sessions.
      // What is counted may be most of a table: see `useIndexes`. And of tables that have just grown, Postgres expects few
      // rows: it would look up the session of each step among all. How often a customer occurs it can't know: it would sort them to
      // merge them. The memory is for a million sessions at a time; few run at once.
      await manager.query(
        `SELECT set_config('max_parallel_workers_per_gather', '0', true), set_config('enable_seqscan', 'on', true),
          set_config('enable_nestloop', 'off', true), set_config('enable_mergejoin', 'off', true),
          set_config('work_mem', '64MB', true)`,
      );
      return work(manager);
    };
    return retrying(() => this.dataSource.transaction('REPEATABLE READ', onOneCore));
  }

  /**
   * The same for work that takes minutes. All its statements see the database at one moment. When the service is stopping, its
   * statement is canceled, and nothing of it stays.
   */
  runLong<T>(
    stopping: AbortSignal,
    work: (query: <Row>(text: string, values: unknown[]) => Promise<Row[]>) => Promise<T>,
  ): Promise<T> {
    const cancelable = async (manager: EntityManager) => {
      const client = (await manager.queryRunner!.connect()) as PoolClient;
      const [{ pid }] = await manager.query<{ pid: number }[]>('SELECT pg_backend_pid() AS pid');
      let canceled: Promise<unknown> | undefined;
      const cancel = () => {
        canceled = this.dataSource.query('SELECT pg_cancel_backend($1)', [pid]).catch(() => undefined);
      };
      stopping.addEventListener('abort', cancel);
      try {
        return await work(async <Row>(text: string, values: unknown[]) => {
          // What is sent later is not canceled.
          stopping.throwIfAborted();
          const long = { text, values, query_timeout: LONG_MS };
          return (await client.query<Row & object>(long)).rows;
        });
      } finally {
        stopping.removeEventListener('abort', cancel);
        // It must not hit the next work on this connection.
        await canceled;
      }
    };
    return retrying(() => this.dataSource.transaction('REPEATABLE READ', cancelable));
  }

  /**
   * The same for work that sends its statements itself, on the transaction's connection. BEGIN is sent together with its
   * first statements and COMMIT with its last, so a round trip is made only for a result that the work waits for.
   */
  runPipelined<T>(work: (client: PoolClient, manager: EntityManager) => Promise<Pipelined<T>>): Promise<T> {
    return retrying(() => this.onConnection((client, manager) => pipeline(client, () => work(client, manager))));
  }

  /** The same for work that sends a single statement, which Postgres runs as its own transaction. */
  runStatement<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    return retrying(() => this.onConnection((client) => settled(client, () => work(client))));
  }

  private async onConnection<T>(work: (client: PoolClient, manager: EntityManager) => Promise<T>): Promise<T> {
    const runner = this.dataSource.createQueryRunner();
    try {
      return await work((await runner.connect()) as PoolClient, runner.manager);
    } finally {
      await runner.release();
    }
  }
}

async function pipeline<T>(client: PoolClient, work: () => Promise<Pipelined<T>>): Promise<T> {
  try {
    sendTogether(client);
    const begun = client.query('BEGIN');
    // Its error is handled below. If the work fails first, nothing else handles it, which would end the process.
    begun.catch(() => {});
    const { result, last } = await work();
    // Without BEGIN, each statement would be a transaction of its own, and locks would not last.
    await begun;
    sendTogether(client);
    const sent = last();
    const [{ command }] = await Promise.all([client.query('COMMIT'), sent]);
    // A COMMIT behind a failed statement doesn't fail: Postgres rolls back and says so.
    if (command !== 'COMMIT') throw new Error(`COMMIT returned ${command}`);
    return result;
  } catch (error) {
    // This also waits for the other statements that were sent. A lost connection has nothing left to roll back.
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/** If the statement fails, finds out whether its connection is lost before the pool gives it to other work. */
async function settled<T>(client: PoolClient, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await client.query('').catch(() => undefined);
    throw error;
  }
}

/** Lets the statements that are sent before the next tick leave in one packet: pg would write each by itself. */
function sendTogether(client: PoolClient): void {
  const { stream } = (client as PoolClient & { connection: { stream: Writable } }).connection;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

async function retrying<T>(attempt: () => Promise<T>): Promise<T> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt();
    } catch (error) {
      if (attempts === MAX_ATTEMPTS || !isRetryable(error)) throw error;
      await pause(Math.random() * 10 * 2 ** attempts);
    }
  }
}
