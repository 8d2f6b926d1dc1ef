import { DataSource } from 'typeorm';
import { Config } from './src/config';
import { dataSourceOptions } from './src/database/data-source';
import { FlowSlug } from './src/flows/flow-slug.entity';
import { FlowVersion } from './src/flows/flow-version.entity';
import { Flow } from './src/flows/flow.entity';
import { Offer } from './src/offers/offer.entity';
import { FlowSession } from './src/runtime/flow-session.entity';
import { SessionStep } from './src/runtime/session-step.entity';
import { ApiKey } from './src/workspaces/api-key.entity';
import { Workspace } from './src/workspaces/workspace.entity';

const { databaseUrl, databasePoolSize } = Config.fromEnv(process.env);
if (!databaseUrl) throw new Error('Set DATABASE_URL to the database that the TypeORM command line is to work on.');

/** For the TypeORM command line: `npx typeorm migration:show -d dist/ormconfig.js`. */
export default new DataSource({
  ...dataSourceOptions(databaseUrl, databasePoolSize),
  entities: [Workspace, ApiKey, Offer, Flow, FlowVersion, FlowSlug, FlowSession, SessionStep],
});
