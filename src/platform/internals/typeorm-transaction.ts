import type { PoolClient } from 'pg';
import type { DataSource, EntityManager } from 'typeorm';

/**
 * TypeORM's manager on a connection whose transaction it did not begin. Unless it is told, it refuses to lock rows, and
 * begins another transaction inside instead of a savepoint.
 */
export function managerIn(dataSource: DataSource, client: PoolClient): EntityManager {
  const begun = { databaseConnection: client, isTransactionActive: true, transactionDepth: 1 };
  return Object.assign(dataSource.createQueryRunner(), begun).manager;
}
