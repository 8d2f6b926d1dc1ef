import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { PoolClient } from 'pg';
import { DataSource, EntityManager } from 'typeorm';
import { isRetryable } from './postgres-errors';

const MAX_ATTEMPTS = 4;

/** What pipelined work comes to: its answer, and its last statements, which were sent and not waited for. */
export interface Pipelined<T> {
  answer: T;
  sent: Promise<unknown>[];
}

/**
 * The one way to a transaction. One that Postgres gave up for the sake of another (deadlock, serialisation failure) is
 * tried again, up to 3 times, after a random pause that doubles.
 */
@Injectable()
export class Transactions {
  constructor(private readonly dataSource: DataSource) {}

  /** Runs `work` in a transaction and answers what it answers. */
  run<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return retrying(() => this.dataSource.transaction(work));
  }

  /** The same for work that only reads: all of it sees the database as it was at one moment. */
  runOnSnapshot<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    const onOneCore = async (manager: EntityManager) => {
      // Starting parallel workers takes longer than what they would save here, and their cores are those of the starts.
      await manager.query('SET LOCAL max_parallel_workers_per_gather = 0');
      return work(manager);
    };
    return retrying(() => this.dataSource.transaction('REPEATABLE READ', onOneCore));
  }

  /**
   * The same for work that sends its statements itself, on the transaction's own connection. BEGIN goes out together with
   * its first statements and COMMIT with its last, so there are no more round trips than results to wait for.
   */
  runPipelined<T>(work: (client: PoolClient, manager: EntityManager) => Promise<Pipelined<T>>): Promise<T> {
    return retrying(() => this.onConnection((client, manager) => pipeline(client, () => work(client, manager))));
  }

  /** The same for work that sends a single statement, which Postgres runs as a transaction of its own. */
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
    const begun = client.query('BEGIN');
    // It is heard of below. Should the work fail before, nobody would listen, and that would end the process.
    begun.catch(() => {});
    const { answer, sent } = await work();
    const [{ command }] = await Promise.all([client.query('COMMIT'), begun, ...sent]);
    // A COMMIT that was sent behind a statement that failed does not fail itself: Postgres answers that it rolled back.
    if (command !== 'COMMIT') throw new Error(`COMMIT was answered with ${command}`);
    return answer;
  } catch (error) {
    // Also waits for whatever else was sent; on a connection that is lost there is nothing left to roll back.
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/** When the statement fails, whether its connection is lost has to be known before anybody else is given it. */
async function settled<T>(client: PoolClient, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await client.query('').catch(() => undefined);
    throw error;
  }
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
