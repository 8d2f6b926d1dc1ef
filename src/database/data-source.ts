import type { ClientBase } from 'pg';
import type { DataSourceOptions } from 'typeorm';
import { migrations } from './migrations';

/**
 * How TypeORM talks to Postgres, for the service and for its command line alike. Entities come from who asks.
 *
 * @param pooled whether a pooler stands before Postgres (see `isPooled`)
 */
export function dataSourceOptions(url: string, poolSize: number, pooled = false): DataSourceOptions {
  return {
    type: 'postgres',
    url,
    poolSize,
    migrations,
    // Ids are made in code: no extension is needed.
    installExtensions: false,
    applicationName: 'retention-flow-service',
    connectTimeoutMS: 3000,
    extra: {
      // Statements that do not wait for each other are sent together, and a time-out destroys its connection. Otherwise pg
      // gives it back as if nothing were wrong: it may end up inside a transaction that nobody will commit.
      pipeline: true,
      // Waiting is bounded everywhere: for a connection (above), a row lock, a statement.
      query_timeout: 5000,
      // A pooler refuses settings of a session; there, the operator gives them to the role.
      ...(!pooled && { lock_timeout: 3000, idle_in_transaction_session_timeout: 10_000 }),
      pooled,
      // A connection that Postgres ends just as it is made breaks before anybody listens, which would end the process. Who
      // takes it learns of it from the first query.
      onConnect: (client: ClientBase) => void client.on('error', () => {}),
    },
  };
}
