import { DataSource, MigrationExecutor } from 'typeorm';
import { Initial1795000000000 } from '../../migrations/1795000000000-initial';
import { Steps1795100000000 } from '../../migrations/1795100000000-steps';
import { Records1795200000000 } from '../../migrations/1795200000000-records';
import { Statuses1795300000000 } from '../../migrations/1795300000000-statuses';

/** Every migration, oldest first. */
export const migrations = [Initial1795000000000, Steps1795100000000, Records1795200000000, Statuses1795300000000];

/** Any number will do, as long as it stays the same: it names the lock among those of the database. */
const MIGRATION_LOCK = 7_236_151_402;

/**
 * Brings the schema up to date: all of it or nothing, in one transaction. Processes that start together wait for the
 * one that does it.
 */
export async function migrate(dataSource: DataSource): Promise<void> {
  const runner = dataSource.createQueryRunner();
  try {
    await runner.startTransaction();
    await runner.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    const executor = new MigrationExecutor(dataSource, runner);
    executor.transaction = 'none';
    await executor.executePendingMigrations();
    await runner.commitTransaction();
  } catch (error) {
    await runner.rollbackTransaction();
    throw error;
  } finally {
    await runner.release();
  }
}
