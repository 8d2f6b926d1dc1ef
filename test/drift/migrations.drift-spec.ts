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
