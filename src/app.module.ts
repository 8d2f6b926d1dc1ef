import { DynamicModule, Global, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE } from '@nestjs/core';
import { BillingModule } from './billing/billing.module';
import { Cache } from './common/cache';
import { Metrics } from './common/metrics';
import { ProblemFilter } from './http/problem.filter';
import { UnexpectedInputGuard } from './http/unexpected-input.guard';
import { DtoPipe } from './common/validation';
import { Config } from './config';
import { ConfigurationModule } from './configuration/configuration.module';
import { DatabaseModule } from './database/database.module';
import { problemOfPostgres } from './database/postgres-errors';
import { DeliveryModule } from './delivery/delivery.module';
import { EventsModule } from './events/events.module';
import { ExitModule } from './exit/exit.module';
import { FlowsModule } from './flows/flows.module';
import { InsightsModule } from './insights/insights.module';
import { Mailer } from './mail/mailer';
import { OffersModule } from './offers/offers.module';
import { OperationModule } from './operation/operation.module';
import { RuntimeModule } from './runtime/runtime.module';
import { PeopleModule } from './workspaces/people/people.module';
import { TenancyModule } from './tenancy/tenancy.module';
import { WorkspacesModule } from './workspaces/workspaces.module';

/** Everything of the service, put together around a configuration. */
@Global()
@Module({
  imports: [
    DatabaseModule,
    EventsModule,
    TenancyModule,
    WorkspacesModule,
    PeopleModule,
    OffersModule,
    FlowsModule,
    RuntimeModule,
    ExitModule,
    BillingModule,
    DeliveryModule,
    InsightsModule,
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
