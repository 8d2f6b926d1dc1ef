import { Injectable } from '@nestjs/common';
import type { Pool, QueryConfig } from 'pg';
import { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import type { Surface } from '../../http/surface';
import { sendTogether } from '../../internals/pg-stream';
import { Batcher } from '../queue/batcher';
import { type Statement, valuesOf } from '../transaction/statement';
import { Pooler } from './pooler';

/**
 * A connection does at least a few dozen things a second, so this much waiting work is done before its clients give up.
 */
const WAITING_PER_CONNECTION = 50;

/**
 * Reads of one moment leave in one packet, each its own transaction: while three packets are under way, the reads for
 * the next ones gather. A packet costs more than what most reads do. One of the three is always free of a workspace
 * whose reads take long.
 */
const READS = { slots: 3, slotsOfKey: 2, keys: 16, items: 16, waitMs: 3000 };

/** A statement with its values, in the order of their numbers. */
interface Query extends QueryConfig {
  values: unknown[];
}

/** A query that waits for its packet. */
interface Read {
  query: Query;
  resolve: (rows: object[]) => void;
}

/** TypeORM's connections to Postgres. */
@Injectable()
export class ConnectionPool {
  readonly pool: Pool;
  private readonly managementQueues: (() => number)[] = [];
  private readonly reads = new Batcher<Read, void>(READS, (ofWorkspaces) => this.sendAll(ofWorkspaces));

  constructor(
    private readonly dataSource: DataSource,
    private readonly pooler: Pooler,
  ) {
    this.pool = (dataSource.driver as PostgresDriver).master as Pool;
    this.addManagementQueue(() => this.reads.queueLength);
  }

  /**
   * Runs a statement outside of transactions. Name one that is sent often: TypeORM takes longer to build a small query
   * than Postgres to run it. Postgres prepares a named one once for each connection, and soon plans it without looking
   * at the values. So one plan has to be best for all, as for a list read along the primary key. Its errors destroy the
   * connection: name only what can fail by the server or the way to it alone.
   */
  async rows<Row extends object>(statement: Statement, values: Record<string, unknown> = {}): Promise<Row[]> {
    return this.send<Row>({ ...statement, values: valuesOf(statement, values) });
  }

  /** The same, with the values in the order of their numbers. */
  async send<Row extends object>({ name, text, values }: Query): Promise<Row[]> {
    if (name !== undefined) return (await this.pool.query<Row>(this.pooler.prepared({ name, text, values }))).rows;
    const runner = this.dataSource.createQueryRunner();
    try {
      return (await runner.query(text, values, true)).records as Row[];
    } finally {
      await runner.release();
    }
  }

  /** Reads of a workspace. A statement with a name leaves together with others, so it has to be short. */
  read(workspaceId: string, query: Query): Promise<object[]> {
    if (query.name === undefined) return this.send(query);
    return new Promise((resolve, reject) => {
      this.reads.submit(workspaceId, { query, resolve }).catch(reject);
    });
  }

  /** Sends named statements in one packet. Each resolves as soon as its rows are there, or has an error of its own. */
  private async sendAll(ofWorkspaces: Read[][]): Promise<(void | Error)[][]> {
    const client = await this.pool.connect();
    const send = ({ query, resolve }: Read) =>
      client.query<object>(this.pooler.prepared(query)).then(
        ({ rows }) => resolve(rows),
        (error: Error) => error,
      );
    sendTogether(client);
    const results = await Promise.all(ofWorkspaces.map((reads) => Promise.all(reads.map(send))));
    client.release(results.flat().find((result) => result instanceof Error));
    return results;
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
