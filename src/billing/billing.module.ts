import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { FlowsModule } from '../flows/flows.module';
import { OffersModule } from '../offers/offers.module';
import { Fulfilment } from '../billing-jobs/fulfilment.entity';
import { Config } from '../settings/config';
import { PrivacyModule } from '../privacy/privacy.module';
import { Retention } from '../privacy/retention.service';
import { BillingCatalog } from '../offers/terms/check';
import { EligibilityLookUp } from '../runtime/eligibility.service';
import { Foresight } from '../runtime/preview/effects';
import { SessionsModule } from '../sessions/sessions.module';
import { SessionRetention } from '../sessions/session-retention';
import { WorkspacesModule } from '../workspaces/workspaces.module';
import { BillingConnection } from '../billing-jobs/billing-connection.entity';
import { CatalogController } from './connections/catalog.controller';
import { CatalogService } from './connections/catalog.service';
import { ConnectionsController } from './connections/connections.controller';
import { ConnectionsService } from './connections/connections.service';
import { EndingNotices } from './jobs/ending-notices';
import { FulfilmentWorker } from './jobs/fulfilment-worker';
import { FulfilmentsController } from './jobs/fulfilments.controller';
import { FulfilmentsService } from './jobs/fulfilments.service';
import { OfferEligibility } from './connections/offer-eligibility';
import { Outcome } from './outcomes/outcome.entity';
import { OutcomeReader } from './outcomes/outcome-reader.service';
import { OutcomeSweep } from './outcomes/outcome-sweep';
import { OutcomesController } from './outcomes/outcomes.controller';
import { OutcomesService } from './outcomes/outcomes.service';
import { ProviderWebhookController } from './provider-webhook.controller';
import { RecentAnswers } from './connections/recent-answers.service';
import { SubscriptionsController } from './connections/subscriptions.controller';
import { SubscriptionsService } from './connections/subscriptions.service';
import { TasksService } from './jobs/tasks.service';

/** What other modules ask a billing system, and what answers. */
const ANSWERS = [
  { port: BillingCatalog, service: CatalogService },
  { port: EligibilityLookUp, service: OfferEligibility },
  { port: Foresight, service: SubscriptionsService },
];

/** Carries out customers' decisions in the billing system, and learns from it what they paid afterwards. */
@Global()
@Module({
  imports: [
    TypeOrmModule.forFeature([BillingConnection, Outcome, Fulfilment]),
    FlowsModule,
    OffersModule,
    PrivacyModule,
    SessionsModule,
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
    ...ANSWERS.map(({ service }) => service),
    ...ANSWERS.map(({ port, service }) => ({ provide: port, useExisting: service })),
    ConnectionsService,
    EndingNotices,
    FulfilmentsService,
    FulfilmentWorker,
    OutcomesService,
    OutcomeReader,
    OutcomeSweep,
    RecentAnswers,
    TasksService,
  ],
  exports: [...ANSWERS.map(({ port }) => port), FulfilmentsService, OutcomesService],
})
export class BillingModule {
  constructor(
    retention: Retention,
    sessionRetention: SessionRetention,
    outcomes: OutcomesService,
    { sessionRetentionMonths }: Config,
  ) {
    // They say nothing of later sessions.
    retention.byMonth('outcomes', sessionRetentionMonths, {
      column: 'at',
      deleteSome: async (tenant, time, after) => ((await outcomes.deleteBefore(tenant, time)) ? after : undefined),
    });
    sessionRetention.deleteWith('fulfilments');
  }
}
