import { waitForDatabase } from '../platform/database/connection/client';
import { migrate } from '../platform/database/schema/migrate';
import { ConfigError } from '../settings/config';
import { attributeErrorsTo } from './attributed-errors';
import type { Given } from './command';

/** Brings the schema up to date, for a service whose role may not. */
export async function migrateSchema({ config: { databaseUrl }, print }: Given): Promise<void> {
  if (!databaseUrl) throw new ConfigError('DATABASE_URL must be set: the embedded Postgres is migrated at each start');
  await attributeErrorsTo('DATABASE_URL', async () => {
    await waitForDatabase(databaseUrl, print);
    await migrate(databaseUrl, print);
  });
  print('The database is up to date');
}
