import type { DataSource } from 'typeorm';
import { serviceForAll } from '../support/service';
import { workerDatabaseUrl } from '../support/database';

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
    const runner = service.database.createQueryRunner();
    await runner.startTransaction();
    try {
      await runner.query('TRUNCATE workspaces CASCADE');
      for (const migration of service.database.migrations.toReversed()) await migration.down(runner);
      for (const migration of service.database.migrations) await migration.up(runner);
    } finally {
      await runner.rollbackTransaction();
      await runner.release();
    }
  });
});
