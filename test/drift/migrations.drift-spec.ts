import { DataSource, type QueryRunner } from 'typeorm';
import { migrationOptions } from '../../src/platform/database/connection/data-source';
import { migrate } from '../../src/platform/database/schema/migrate';
import { migrations } from '../../src/platform/database/schema/migrations';
import { workerDatabaseUrl } from '../support/database';
import { Databases } from '../support/databases';
import { serviceForAll } from '../support/service';

/** The way back is the older version on the newer schema (decision 0024): later migrations have no way down. */
const LAST_TAKEN_BACK = 1_796_900_000_007;

describe('The schema', () => {
  const service = serviceForAll();

  it('is after all migrations what the entities say', async () => {
    const { upQueries } = await service.database.driver.createSchemaBuilder().log();
    expect(upQueries.map(({ query }) => query)).toEqual([]);
  });

  it('has the CHECKs of the entities', async () => {
    const checksIn = async (from: DataSource) => {
      const sql = `SELECT conrelid::regclass AS table, conname AS name, pg_get_constraintdef(oid) AS check FROM pg_constraint
        WHERE contype = 'c' AND conname NOT LIKE '%not_null' AND connamespace = 'public'::regnamespace ORDER BY 1::text, 2`;
      return from.query<object[]>(sql);
    };
    const databases = new Databases();
    const { entities } = service.database.options;
    const made = new DataSource({ type: 'postgres', url: await databases.create(), entities, synchronize: true });
    await made.initialize();
    expect(await checksIn(service.database)).toEqual(await checksIn(made));
    await made.destroy();
    await databases.dropAll();
  });

  it('is known whole to the TypeORM command line', async () => {
    process.env.DATABASE_URL = workerDatabaseUrl();
    const dataSource = await jest.requireActual<{ default: Promise<DataSource> }>('../../ormconfig').default;
    await dataSource.initialize();
    const tables = (from: DataSource) => from.entityMetadatas.map(({ tableName }) => tableName).toSorted();
    expect(tables(dataSource)).toEqual(tables(service.database));
    await dataSource.destroy();
  });

  const timeOf = ({ name }: { name: string }) => Number(/\d+$/.exec(name)![0]);

  it('has migrations in the order of their numbers, the new ones numbered one after the other until the clock has come that far', () => {
    const numbers = migrations.map(timeOf);
    expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
    const added = numbers.slice(numbers.indexOf(LAST_TAKEN_BACK));
    for (const [index, number] of added.slice(1).entries())
      expect(number - added[index] <= 1000 || number <= Date.now()).toBe(true);
  });

  it('has new migrations that can not be taken back, and name the decision', async () => {
    for (const migration of migrations.filter((one) => timeOf(one) > LAST_TAKEN_BACK))
      await expect(Promise.resolve().then(() => new migration().down({} as QueryRunner))).rejects.toThrow(
        'decision 0024',
      );
  });

  it('can be taken back and made again up to 1796900000007', async () => {
    const databases = new Databases();
    const url = await databases.create();
    await migrate(url);
    const dataSource = await new DataSource(migrationOptions(url)).initialize();
    const runner = dataSource.createQueryRunner();
    const taken = dataSource.migrations.filter(({ constructor }) => timeOf(constructor) <= LAST_TAKEN_BACK);
    for (const migration of taken.toReversed()) await migration.down(runner);
    for (const migration of taken) await migration.up(runner);
    await dataSource.destroy();
    await databases.dropAll();
  });
});
