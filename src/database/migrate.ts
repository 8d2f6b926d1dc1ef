import { DataSource, MigrationExecutor } from 'typeorm';
import { ConfigError } from '../config';
import { migrationOptions } from './data-source';
import { migrations } from './migrations';

/** The id of an advisory lock. It is arbitrary but must never change. */
export const MIGRATION_LOCK = 7_236_151_402;

/**
 * Runs all pending migrations in one transaction. Processes that start together wait for the one that runs them, without
 * any of the service's time-outs. Throws a ConfigError if the database has a migration that this code does not know.
 */
export async function migrate(url: string): Promise<void> {
  const dataSource = await new DataSource({ ...migrationOptions(url), poolSize: 1 }).initialize();
  const runner = dataSource.createQueryRunner();
  try {
    await runner.startTransaction();
    await runner.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    // A migration that waits for a table lock blocks all other queries behind it: better to fail and be restarted.
    await runner.query(`SET LOCAL lock_timeout = '3s'`);
    const executor = new MigrationExecutor(dataSource, runner);
    executor.transaction = 'none';
    refuseUnknown(await executor.getExecutedMigrations());
    await executor.executePendingMigrations();
    await runner.commitTransaction();
  } catch (error) {
    if (runner.isTransactionActive) await runner.rollbackTransaction();
    throw error;
  } finally {
    await runner.release();
    await dataSource.destroy();
  }
}

function refuseUnknown(executed: { name: string }[]): void {
  const unknown = executed.find(({ name }) => !migrations.some((migration) => migration.name === name));
  if (unknown) {
    throw new ConfigError(
      `The database is newer than this service, which does not know its migration ${unknown.name}: start a newer version`,
    );
  }
}
