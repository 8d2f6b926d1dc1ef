import * as pg from 'pg';
import type { DataSourceOptions } from 'typeorm';
import { migrations } from '../schema/migrations';
import type { Pooler } from './pooler';

/** A database with its migrations, without time-outs. */
export function migrationOptions(url: string) {
  return {
    type: 'postgres',
    // TypeORM would look it up by name, which finds nothing, or another copy, if the packages are in one file.
    driver: pg,
    url,
    migrations,
    // No id needs an extension.
    installExtensions: false,
    applicationName: 'retention-flow-service',
    connectTimeoutMS: 3000,
  } as const satisfies DataSourceOptions;
}

/** How TypeORM talks to Postgres, for the service and for TypeORM's command line. The caller adds the entities. */
export function dataSourceOptions(url: string, poolSize: number, pooler: Pooler): DataSourceOptions {
  return {
    ...migrationOptions(url),
    poolSize,
    extra: {
      // Statements that don't depend on each other are sent together. And a time-out destroys its connection: without
      // pipelining, pg gives the connection back to the pool, possibly inside a transaction that nobody will commit.
      pipeline: true,
      // Every wait is bounded: for a connection (above), for a row lock, for a statement.
      query_timeout: 5000,
      // A pooler refuses settings of a session. The operator gives them to the role instead.
      ...(!pooler.isPresent && { lock_timeout: 3000, idle_in_transaction_session_timeout: 10_000 }),
      // A connection may break before its first query. Without a listener, that error would end the process; the query
      // fails anyway.
      onConnect: (client: pg.ClientBase) => {
        client.on('error', () => {});
        if (!pooler.isPresent) {
          endWithClient(client);
          useIndexes(client);
        }
      },
    },
  };
}

/**
 * Makes Postgres end a statement within a second after its client has gone, for example because of a time-out.
 * `statement_timeout` would also end a commit's wait for its standby, and report the commit as done. Servers on
 * platforms that can't detect a lost client refuse the setting and go on without it.
 */
function endWithClient(client: pg.ClientBase): void {
  client.query(`SET client_connection_check_interval = '1s'`).catch(() => undefined);
}

/**
 * Postgres keeps the plans of prepared statements and foreign keys, and would read a table whole while it is small. In
 * the minute until it is analyzed again it may have grown to 100,000 rows. A plan that has to read a whole table all
 * the same looks so expensive then that Postgres would compile it first, so `jit` is off too. Statistics turn scans on
 * again.
 */
function useIndexes(client: pg.ClientBase): void {
  client.query('SET enable_seqscan = off; SET jit = off').catch(() => undefined);
}
