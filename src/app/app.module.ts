import { type DynamicModule, Global, Module } from '@nestjs/common';
import { getMetadataArgsStorage } from 'typeorm';
import { BillingModule } from '../billing/billing.module';
import { ConfigurationModule } from '../configuration/configuration.module';
import { EventsModule } from '../events/events.module';
import { ExitModule } from '../exit/exit.module';
import { PeopleModule } from '../people/people.module';
import { Mailer } from '../platform/mail/mailer';
import { RecordsModule } from '../records/records.module';
import { Config } from '../settings/config';
import { StatisticsModule } from '../statistics/statistics.module';
import { TestWorkspacesModule } from '../test-workspaces/test-workspaces.module';
import { CoreModule } from './core.module';

/** What stands around the core: it needs the core, and the core needs none of it. */
const AROUND_THE_CORE = [
  PeopleModule,
  ExitModule,
  BillingModule,
  EventsModule,
  RecordsModule,
  StatisticsModule,
  ConfigurationModule,
  TestWorkspacesModule,
];

/** Everything of the service, put together around a configuration. */
@Global()
@Module({ providers: [Mailer], exports: [Mailer] })
export class AppModule {
  static with(config: Config): DynamicModule {
    return { module: AppModule, imports: [CoreModule.with(config), ...AROUND_THE_CORE] };
  }
}

/** The entities of all modules: loading this file has made them known. */
export const allEntities = () => getMetadataArgsStorage().tables.map(({ target }) => target);
