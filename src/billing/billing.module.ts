import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { FlowsModule } from '../flows/flows.module';
import { OffersModule } from '../offers/offers.module';
import { Fulfilment } from './queue/fulfilment.entity';
import { Config } from '../app/config';
import { ErasureService } from '../privacy/erasure.service';
import { PrivacyModule } from '../privacy/privacy.module';
import { Retention } from '../privacy/retention.service';
import { RuntimeModule } from '../runtime/runtime.module';
import { SessionErasure } from '../runtime/session-erasure';
import { SessionRetention } from '../runtime/session-retention';
import { WorkspacesModule } from '../workspaces/workspaces.module';
import { BillingConnection } from './queue/billing-connection.entity';
import { CatalogController } from './catalog.controller';
import { CatalogService } from './catalog.service';
import { ConnectionsController } from './connections.controller';
import { ConnectionsService } from './connections.service';
import { FulfilmentWorker } from './fulfilment-worker';
import { FulfilmentsController } from './fulfilments.controller';
import { FulfilmentsService } from './fulfilments.service';
import { OfferEligibility } from './offer-eligibility';
import { Outcome } from './outcome.entity';
import { OutcomeReader } from './outcome-reader.service';
import { OutcomeSweep } from './outcome-sweep';
import { OutcomesController } from './outcomes.controller';
import { OutcomesService } from './outcomes.service';
import { ProviderWebhookController } from './provider-webhook.controller';
import { SubscriptionsController } from './subscriptions.controller';
import { SubscriptionsService } from './subscriptions.service';
import { TasksService } from './tasks.service';

/** Carries out customers' decisions in the billing system, and learns from it what they paid afterwards. */
@Module({
  imports: [
    TypeOrmModule.forFeature([BillingConnection, Outcome, Fulfilment]),
    FlowsModule,
    OffersModule,
    PrivacyModule,
    RuntimeModule,
    WorkspacesModule,
  ],
  controllers: [
    CatalogController,
    ConnectionsController,
    FulfilmentsController,
    OutcomesController,
    ProviderWebhookController,
    SubscriptionsController,
  ],
  providers: [
    CatalogService,
    ConnectionsService,
    FulfilmentsService,
    FulfilmentWorker,
    OfferEligibility,
    OutcomesService,
    OutcomeReader,
    OutcomeSweep,
    SubscriptionsService,
    TasksService,
  ],
  exports: [FulfilmentsService, OutcomesService],
})
export class BillingModule {
  constructor(
    retention: Retention,
    erasure: ErasureService,
    sessionRetention: SessionRetention,
    sessionErasure: SessionErasure,
    outcomes: OutcomesService,
    fulfilments: FulfilmentsService,
    { sessionRetentionMonths }: Config,
  ) {
    // They say nothing of later sessions.
    retention.byMonth('outcomes', sessionRetentionMonths, {
      column: 'at',
      deleteSome: async (tenant, time, after) => ((await outcomes.deleteBefore(tenant, time)) ? after : undefined),
    });
    erasure.eraseWith((work, customer) => outcomes.erase(work, customer));
    sessionRetention.deleteWith('fulfilments');
    sessionErasure.eraseWith((work, sessionIds) => fulfilments.erase(work, sessionIds));
  }
}
