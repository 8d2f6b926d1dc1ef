import { Injectable } from '@nestjs/common';
import type { PoolClient, QueryConfig, QueryResultRow } from 'pg';
import { DataSource, EntityManager } from 'typeorm';
import { sendTogether } from '../internals/pg-stream';
import { Pooler } from './pooler';
import { retrying } from './transactions';

/** Sends a statement and returns its rows. Postgres prepares it by its name, once for each connection. */
export type Send = <Row extends QueryResultRow>(query: QueryConfig) => Promise<Row[]>;

/** Statements written by hand, sent with as few round trips as possible. They are tried again as those of `Transactions`. */
@Injectable()
export class Pipeline {
  constructor(
    private readonly dataSource: DataSource,
    private readonly pooler: Pooler,
  ) {}

  /** Sends a single statement, which Postgres runs as its own transaction. */
  send<Row extends QueryResultRow>(query: QueryConfig): Promise<Row[]> {
    return retrying(() =>
      this.onConnection(async (client) => {
        try {
          return await this.sendingOn(client)<Row>(query);
        } catch (error) {
          // Finds out whether the connection is lost before the pool gives it to other work.
          await client.query('').catch(() => undefined);
          throw error;
        }
      }),
    );
  }

  /**
   * Runs `work` in a transaction. BEGIN is sent together with its first statements. `work` returns a function that sends the last
   * statements, all before it waits for one, and resolves with the result. COMMIT is sent together with them.
   */
  run<T>(work: (send: Send, manager: EntityManager) => Promise<() => Promise<T>>): Promise<T> {
    return retrying(() =>
      this.onConnection((client, manager) =>
        transaction(client, this.sendingOn(client), (send) => work(send, manager)),
      ),
    );
  }

  private sendingOn(client: PoolClient): Send {
    return async <Row extends QueryResultRow>(query: QueryConfig) =>
      (await client.query<Row>(this.pooler.prepared(query))).rows;
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

async function transaction<T>(
  client: PoolClient,
  sendOn: Send,
  work: (send: Send) => Promise<() => Promise<T>>,
): Promise<T> {
  let isCommitted = false;
  const send: Send = (query) => {
    if (isCommitted) throw new Error(`${query.name} is sent behind COMMIT`);
    return sendOn(query);
  };
  try {
    sendTogether(client);
    const begun = client.query('BEGIN');
    // Its error is handled below. If the work fails first, nothing else handles it, which would end the process.
    begun.catch(() => {});
    const sendLast = await work(send);
    // Without BEGIN, each statement would be a transaction of its own, and locks would not last.
    await begun;
    sendTogether(client);
    const sent = sendLast();
    isCommitted = true;
    const [{ command }, result] = await Promise.all([client.query('COMMIT'), sent]);
    // A COMMIT behind a failed statement doesn't fail: Postgres rolls back and says so.
    if (command !== 'COMMIT') throw new Error(`COMMIT returned ${command}`);
    return result;
  } catch (error) {
    // This also waits for the other statements that were sent. A lost connection has nothing left to roll back.
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}
