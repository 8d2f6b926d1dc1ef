import { setTimeout as pause } from 'node:timers/promises';
import { DataSource, type Migration, MigrationExecutor, type QueryRunner } from 'typeorm';
import { version } from '../../../../package.json';
import { ConfigError } from '../../../settings/config';
import { migrationOptions } from '../connection/data-source';
import { migrations } from './migrations';
import { sqlState } from '../transaction/postgres-errors';

/** The id of an advisory lock. It is arbitrary but must never change. */
export const MIGRATION_LOCK = 7_236_151_402;

const POLL_MS = 250;
const INSUFFICIENT_PRIVILEGE = '42501';
/** SQLSTATEs: a table, a column or another object exists already. */
const EXISTS_ALREADY = ['42P07', '42701', '42710'];

/**
 * The comment that a migration writes if older versions can't run on its schema: `COMMENT ON TABLE migrations IS
 * 'oldest version: 1.3.0'`.
 */
const OLDEST = `SELECT substring(obj_description(to_regclass('migrations'), 'pg_class'), '^oldest version: (.+)$') AS oldest`;

/** The table of migrations. Without the right to read it, it would seem that none has run. */
const LIST = `
  SELECT coalesce(has_table_privilege(to_regclass('migrations'), 'SELECT'), true) AS is_readable,
    to_regclass('migrations') IS NULL AS is_new, ARRAY(
      SELECT attname::text FROM pg_attribute WHERE attrelid = to_regclass('migrations') AND attnum > 0 AND NOT attisdropped
    ) AS columns`;
const COLUMNS = ['id', 'timestamp', 'name'];

/**
 * Runs the pending migrations, each in a transaction of its own, unless it has `transaction = false`. If none is
 * pending, it only reads. Processes that start together wait for the one that migrates, however long it takes.
 *
 * A schema that a newer version has migrated is taken as it is, unless it says that this version is too old for it. A
 * database in which another program's migrations or tables stand in the way is refused, and nothing is made in it.
 */
export async function migrate(url: string, print: (line: string) => void = () => {}): Promise<void> {
  const dataSource = await new DataSource({ ...migrationOptions(url), poolSize: 2 }).initialize();
  const [runner, lock] = [dataSource.createQueryRunner(), dataSource.createQueryRunner()];
  try {
    await lookAtList(dataSource);
    const executor = new MigrationExecutor(dataSource, runner);
    await lookAtNewer(executor, runner, print);
    if ((await executor.getPendingMigrations()).length === 0) return;
    await takeTurn(lock, print);
    // A newer version may have migrated meanwhile.
    await lookAtNewer(executor, runner, print);
    const executed = await executor.getExecutedMigrations();
    const pending = await executor.getPendingMigrations();
    requireOrder(executed, pending);
    for (const migration of pending) {
      await run(migration, executor, runner);
      if (executed.length > 0) print(`Migrated the database: ${migration.name}`);
    }
    if (executed.length === 0 && pending.length > 0) print('Created the schema');
    await lock.commitTransaction();
  } finally {
    // A transaction that is still open ends with its connection.
    await dataSource.destroy();
  }
}

/** Throws if there is a list of migrations that the role may not read, or that is another program's. */
async function lookAtList(dataSource: DataSource): Promise<void> {
  const [{ is_readable, is_new, columns }] =
    await dataSource.query<{ is_readable: boolean; is_new: boolean; columns: string[] }[]>(LIST);
  if (!is_readable)
    throw new ConfigError(
      "DATABASE_URL can't be used: its role may not read the table migrations. docs/deploy.md lists what to grant",
    );
  if (is_new) return;
  const isAsOurs = COLUMNS.every((name) => columns.includes(name));
  const names = isAsOurs ? await dataSource.query<{ name: string }[]>('SELECT name FROM migrations ORDER BY id') : [];
  const isOurs = isAsOurs && (names.length === 0 || names.some(({ name }) => name === migrations[0].name));
  if (isOurs) return;
  const example = names.length > 0 ? ` (${names[0].name})` : '';
  throw new ConfigError(
    `DATABASE_URL can't be used: its table migrations is of another program${example}. Give the service a database of its own`,
  );
}

/** Postgres may have run a later one on a schema that an earlier one would have changed. */
function requireOrder(executed: Migration[], pending: Migration[]): void {
  const last = executed.toSorted((a, b) => a.timestamp - b.timestamp).at(-1);
  const late = pending.find(({ timestamp }) => last !== undefined && timestamp < last.timestamp);
  if (!late) return;
  throw new ConfigError(
    `The migration ${late.name} is pending, and ${last!.name}, which is later, has run: the lists of two versions are mixed. ` +
      'Start the version that migrated the database',
  );
}

async function lookAtNewer(
  executor: MigrationExecutor,
  runner: QueryRunner,
  print: (line: string) => void,
): Promise<void> {
  const executed = await executor.getExecutedMigrations();
  const unknown = executed.filter(({ name }) => !migrations.some((migration) => migration.name === name));
  if (unknown.length === 0) return;
  const names = unknown.map(({ name }) => name).join(', ');
  const [{ oldest }] = await runner.manager.query<{ oldest: string | null }[]>(OLDEST);
  if (oldest && version.localeCompare(oldest, 'en', { numeric: true }) < 0) {
    throw new ConfigError(
      `This is version ${version}, and the database is for version ${oldest} and later (${names}): start a newer version`,
    );
  }
  print(`The database was migrated by a newer version (${names}). Version ${version} can run on it`);
}

/**
 * Holds the lock in a transaction of a connection that does nothing else. It ends with the connection, also behind a
 * pooler, where a session's lock would stay with a connection that others use.
 *
 * CREATE INDEX CONCURRENTLY waits for each transaction that it has seen with a snapshot, until the whole transaction
 * ends. So a try that fails ends its transaction at once, and the one that succeeds is idle afterwards. A parameter
 * would keep a portal open, and its snapshot.
 */
async function takeTurn(lock: QueryRunner, print: (line: string) => void): Promise<void> {
  const isTaken = async () => {
    await lock.startTransaction('READ COMMITTED');
    await lock.query('SET LOCAL idle_in_transaction_session_timeout = 0');
    const sql = `SELECT pg_try_advisory_xact_lock(${MIGRATION_LOCK}) AS taken`;
    const [{ taken }] = await lock.manager.query<{ taken: boolean }[]>(sql);
    if (!taken) await lock.rollbackTransaction();
    return taken;
  };
  if (await isTaken()) return;
  print('Waiting for another process, which migrates the database');
  do await pause(POLL_MS);
  while (!(await isTaken()));
}

async function run(migration: Migration, executor: MigrationExecutor, runner: QueryRunner): Promise<void> {
  const inTransaction = migration.instance?.transaction !== false;
  try {
    if (inTransaction) {
      await runner.startTransaction();
      // A migration that waits for a table lock blocks all other queries behind it: better to fail and be restarted.
      await runner.query(`SET LOCAL lock_timeout = '3s'`);
    }
    await executor.executeMigration(migration);
    if (inTransaction) await runner.commitTransaction();
  } catch (error) {
    if (EXISTS_ALREADY.includes(sqlState(error) ?? '')) {
      throw new ConfigError(
        `DATABASE_URL can't be used: the migration ${migration.name} finds what it would make, and did not make it ` +
          `(${(error as Error).message}). Give the service a database of its own, or restore a backup`,
      );
    }
    if (sqlState(error) !== INSUFFICIENT_PRIVILEGE) throw error;
    throw new ConfigError(
      `DATABASE_URL can't be used: its role may not make the migration ${migration.name}, which is pending ` +
        `(${(error as Error).message}). Run "node dist/src/main.js migrate" with the role that owns the tables`,
    );
  }
}
