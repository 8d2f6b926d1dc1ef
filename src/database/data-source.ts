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
      onConnect: (client: ClientBase) => {
        client.on('error', () => {});
        if (!pooled) endWithClient(client);
      },
    },
  };
}

/**
 * Lets Postgres end a statement within a second after its connection went, as when it was given up. `statement_timeout` would
 * not do: it ends the wait of a commit for its standby too, and calls the commit done. A server that can't tell (on some
 * platforms) refuses the setting and goes on without it.
 */
function endWithClient(client: ClientBase): void {
  client.query(`SET client_connection_check_interval = '1s'`).catch(() => undefined);
}
