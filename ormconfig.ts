import { DataSource } from 'typeorm';
import { allEntities } from './src/app/app.module';
import { dataSourceOptions } from './src/platform/database/connection/data-source';
import { Pooler } from './src/platform/database/connection/pooler';
import { Config } from './src/settings/config';

/** For the TypeORM command line: `npx typeorm migration:show -d dist/ormconfig.js`. */
async function dataSource(): Promise<DataSource> {
  const { databaseUrl, databasePoolSize } = Config.fromEnv(process.env);
  if (!databaseUrl) throw new Error('Set DATABASE_URL to the database that the TypeORM command line is to work on.');
  return new DataSource({
    ...dataSourceOptions(databaseUrl, databasePoolSize, await Pooler.detect(databaseUrl)),
    entities: allEntities(),
  });
}

export default dataSource();
