import { type DynamicModule, Global, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE } from '@nestjs/core';
import { FlowsModule } from '../flows/flows.module';
import { ImagesModule } from '../images/images.module';
import { OffersModule } from '../offers/offers.module';
import { OutboxModule } from '../outbox/outbox.module';
import { DtoPipe } from '../platform/api/fields/validation';
import { Cache } from '../platform/common/cache';
import { DatabaseModule } from '../platform/database/database.module';
import { problemOfPostgres } from '../platform/database/transaction/postgres-errors';
import { UnexpectedInputGuard } from '../platform/http/bodies/unexpected-input.guard';
import { RateLimits } from '../platform/http/limits/rate-limits';
import { SHARED_COUNTER } from '../platform/http/limits/shared-counter';
import { ProblemFilter } from '../platform/http/server/problem.filter';
import { Metrics } from '../platform/metrics/metrics';
import { PrivacyModule } from '../privacy/privacy.module';
import { RuntimeModule } from '../runtime/runtime.module';
import { Config } from '../settings/config';
import { TenancyModule } from '../tenancy/tenancy.module';
import { WorkspacesModule } from '../workspaces/workspaces.module';
import { OperationModule } from './operation/operation.module';

/**
 * The core: workspaces with their keys, offers, flows, and the sessions of customers. It runs alone: see
 * `test/core.e2e-spec.ts`.
 */
@Global()
@Module({
  imports: [
    DatabaseModule,
    OutboxModule,
    TenancyModule,
    WorkspacesModule,
    PrivacyModule,
    ImagesModule,
    OffersModule,
    FlowsModule,
    RuntimeModule,
    OperationModule,
  ],
  providers: [
    Cache,
    Metrics,
    RateLimits,
    SHARED_COUNTER,
    { provide: APP_FILTER, useValue: new ProblemFilter(problemOfPostgres) },
    { provide: APP_GUARD, useClass: UnexpectedInputGuard },
    { provide: APP_PIPE, useClass: DtoPipe },
  ],
  exports: [Cache, Metrics, RateLimits],
})
export class CoreModule {
  static with(config: Config): DynamicModule {
    return { module: CoreModule, providers: [{ provide: Config, useValue: config }], exports: [Config] };
  }
}
