import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { PoolClient } from 'pg';
import { DataSource, EntityManager } from 'typeorm';
import { isRetryable } from './postgres-errors';

const MAX_ATTEMPTS = 4;
/** Sends statements in a transaction. */
export type Queries = Pick<EntityManager, 'query'>;

/**
 * Settings of a transaction that counts. Parallel workers would take longer to start than they save, and would take CPU
 * from the starts of sessions. Postgres expects too few rows of a table that has just grown, and of an hour among many
 * days, and would look up the session of each step by a nested loop. It cannot know how many sessions a customer has,
 * and would sort all to merge them. The memory is enough for a million sessions; few such transactions run at once.
 */
const JOIN_BY_HASH = `set_config('max_parallel_workers_per_gather', '0', true), set_config('enable_nestloop', 'off', true),
  set_config('enable_mergejoin', 'off', true), set_config('work_mem', '64MB', true)`;

/**
 * Transactions that only read; `Pipeline` has those that write. One that Postgres gave up for the sake of another
 * (deadlock, serialisation failure) is tried again, up to 3 times, after a random pause that doubles.
 */
@Injectable()
export class Transactions {
  constructor(private readonly dataSource: DataSource) {}

  /** Runs work that only reads. All its statements see the database at one moment. */
  runOnSnapshot<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return retrying(() => this.dataSource.transaction('REPEATABLE READ', work));
  }

  /**
   * Runs work that counts, and takes longer than the 5 s of other statements. All its statements see the database at
   * one moment.
   *
   * @param until cancels its statement and refuses further ones. Nothing of the work stays.
   * @param mostMs how long a statement may take if the server does not cancel it
   */
  runLong<T>(
    until: AbortSignal,
    mostMs: number,
    work: (queries: Queries, manager: EntityManager) => Promise<T>,
    isolation: 'REPEATABLE READ' | 'READ COMMITTED' = 'REPEATABLE READ',
  ): Promise<T> {
    const cancelable = async (manager: EntityManager) => {
      const client = (await manager.queryRunner!.connect()) as PoolClient;
      const [{ pid }] = await manager.query<{ pid: number }[]>('SELECT pg_backend_pid() AS pid');
      let canceled: Promise<unknown> | undefined;
      const cancel = () => {
        canceled = this.dataSource.query('SELECT pg_cancel_backend($1)', [pid]).catch(() => undefined);
      };
      until.addEventListener('abort', cancel);
      try {
        await manager.query(`SELECT ${JOIN_BY_HASH}`);
        const query = async <Rows>(text: string, values?: unknown[]) => {
          // A statement that is sent later would not be canceled.
          until.throwIfAborted();
          const long = { text, values, query_timeout: mostMs };
          return (await client.query(long)).rows as Rows;
        };
        return await work({ query }, manager);
      } finally {
        until.removeEventListener('abort', cancel);
        // It must not hit the next work on this connection.
        await canceled;
      }
    };
    return retrying(async () => {
      until.throwIfAborted();
      return this.dataSource.transaction(isolation, cancelable);
    });
  }
}

/** Tries again what Postgres gave up for the sake of another transaction. */
export async function retrying<T>(attempt: () => Promise<T>): Promise<T> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt();
    } catch (error) {
      if (attempts === MAX_ATTEMPTS || !isRetryable(error)) throw error;
      await pause(Math.random() * 10 * 2 ** attempts);
    }
  }
}
