import { Injectable } from '@nestjs/common';
import type { PoolClient, QueryConfig, QueryResult, QueryResultRow } from 'pg';
import { DataSource, EntityManager } from 'typeorm';
import { sendTogether } from '../../internals/pg-stream';
import { managerIn } from '../../internals/typeorm-transaction';
import { ConnectionPool } from '../connection/connection-pool';
import { Pooler } from '../connection/pooler';
import { retrying } from './transactions';

/** Sends a statement. Postgres prepares it by its name, if it has one, once for each connection. */
export type Send = <Row extends QueryResultRow>(query: QueryConfig) => Promise<QueryResult<Row>>;

/**
 * Transactions that write, and single statements, sent with as few round trips as possible. They are tried again as
 * those of `Transactions`.
 */
@Injectable()
export class Pipeline {
  constructor(
    private readonly dataSource: DataSource,
    private readonly connections: ConnectionPool,
    private readonly pooler: Pooler,
  ) {}

  /** Sends a single statement, which Postgres runs as its own transaction. */
  send<Row extends QueryResultRow>(query: QueryConfig): Promise<Row[]> {
    return retrying(() =>
      this.onConnection(async (client) => {
        try {
          return (await this.sendingOn(client)<Row>(query)).rows;
        } catch (error) {
          // Finds out whether the connection is lost before the pool gives it to other work.
          await client.query('').catch(() => undefined);
          throw error;
        }
      }),
    );
  }

  /**
   * Runs `work` in a transaction. BEGIN is sent together with its first statements. `work` returns a function that
   * sends the last statements, all before it waits for one, and resolves with the result. COMMIT is sent together with
   * them, and with those before that `work` did not wait for. The transaction fails with the error of the first
   * statement that fails.
   */
  run<T>(work: (send: Send, manager: EntityManager) => Promise<() => Promise<T>>): Promise<T> {
    return retrying(() =>
      this.onConnection((client) =>
        transaction(client, this.sendingOn(client), (send) => work(send, managerIn(this.dataSource, client))),
      ),
    );
  }

  private sendingOn(client: PoolClient): Send {
    return (query) => client.query(this.pooler.prepared(query));
  }

  private async onConnection<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await this.connections.pool.connect();
    try {
      return await work(client);
    } finally {
      client.release();
    }
  }
}

async function transaction<T>(
  client: PoolClient,
  sendOn: Send,
  work: (send: Send) => Promise<() => Promise<T>>,
): Promise<T> {
  let isCommitted = false;
  let failure: unknown;
  const send: Send = <Row extends QueryResultRow>(query: QueryConfig) => {
    if (isCommitted) throw new Error(`This is sent behind COMMIT: ${query.text}`);
    sendTogether(client);
    const sent = sendOn<Row>(query);
    sent.catch((error: unknown) => {
      failure ??= error;
    });
    return sent;
  };
  try {
    const begun = send({ text: 'BEGIN' });
    const sendLast = await work(send);
    // Without BEGIN, each statement would be a transaction of its own, and locks would not last.
    await begun;
    const sent = sendLast();
    isCommitted = true;
    const [{ command }, result] = await Promise.all([client.query('COMMIT'), sent]);
    // A COMMIT behind a failed statement doesn't fail: Postgres rolls back and says so.
    if (command !== 'COMMIT') throw new Error(`COMMIT returned ${command}`);
    return result;
  } catch (error) {
    // This also waits for the other statements that were sent. A lost connection has nothing left to roll back.
    await client.query('ROLLBACK').catch(() => undefined);
    throw failure ?? error;
  }
}
