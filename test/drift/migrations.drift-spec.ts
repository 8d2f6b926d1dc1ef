import { DataSource } from 'typeorm';
import { migrationOptions } from '../../src/platform/database/data-source';
import { migrate } from '../../src/platform/database/migrate';
import { workerDatabaseUrl } from '../support/database';
import { Databases } from '../support/databases';
import { serviceForAll } from '../support/service';

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

  it('can be taken back and made again', async () => {
    const databases = new Databases();
    const url = await databases.create();
    await migrate(url);
    const dataSource = await new DataSource(migrationOptions(url)).initialize();
    const runner = dataSource.createQueryRunner();
    for (const migration of dataSource.migrations.toReversed()) await migration.down(runner);
    for (const migration of dataSource.migrations) await migration.up(runner);
    await dataSource.destroy();
    await databases.dropAll();
  });
});
