import { DynamicModule, Global, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE } from '@nestjs/core';
import { BillingModule } from '../billing/billing.module';
import { Cache } from '../platform/common/cache';
import { Metrics } from '../platform/metrics/metrics';
import { ProblemFilter } from '../platform/http/server/problem.filter';
import { UnexpectedInputGuard } from '../platform/http/bodies/unexpected-input.guard';
import { DtoPipe } from '../platform/api/fields/validation';
import { Config } from '../settings/config';
import { ConfigurationModule } from '../configuration/configuration.module';
import { DatabaseModule } from '../platform/database/database.module';
import { problemOfPostgres } from '../platform/database/transaction/postgres-errors';
import { EventsModule } from '../events/events.module';
import { OutboxModule } from '../outbox/outbox.module';
import { ExitModule } from '../exit/exit.module';
import { FlowsModule } from '../flows/flows.module';
import { PrivacyModule } from '../privacy/privacy.module';
import { RecordsModule } from '../records/records.module';
import { StatisticsModule } from '../statistics/statistics.module';
import { Mailer } from '../platform/mail/mailer';
import { ImagesModule } from '../images/images.module';
import { OffersModule } from '../offers/offers.module';
import { OperationModule } from './operation/operation.module';
import { RuntimeModule } from '../runtime/runtime.module';
import { PeopleModule } from '../people/people.module';
import { TenancyModule } from '../tenancy/tenancy.module';
import { WorkspacesModule } from '../workspaces/workspaces.module';

/** Everything of the service, put together around a configuration. */
@Global()
@Module({
  imports: [
    DatabaseModule,
    OutboxModule,
    TenancyModule,
    WorkspacesModule,
    PrivacyModule,
    PeopleModule,
    ImagesModule,
    OffersModule,
    FlowsModule,
    RuntimeModule,
    ExitModule,
    BillingModule,
    EventsModule,
    RecordsModule,
    StatisticsModule,
    ConfigurationModule,
    OperationModule,
  ],
  providers: [
    Cache,
    Metrics,
    Mailer,
    { provide: APP_FILTER, useValue: new ProblemFilter(problemOfPostgres) },
    { provide: APP_GUARD, useClass: UnexpectedInputGuard },
    { provide: APP_PIPE, useClass: DtoPipe },
  ],
  exports: [Cache, Metrics, Mailer],
})
export class AppModule {
  static with(config: Config): DynamicModule {
    return { module: AppModule, providers: [{ provide: Config, useValue: config }], exports: [Config] };
  }
}
