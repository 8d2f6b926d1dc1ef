import { DataSource } from 'typeorm';
import { BillingConnection } from './src/billing/queue/billing-connection.entity';
import { Outcome } from './src/billing/outcome.entity';
import { Config } from './src/app/config';
import { dataSourceOptions } from './src/platform/database/data-source';
import { IdempotencyKey } from './src/platform/database/idempotency-key.entity';
import { Pooler } from './src/platform/database/pooler';
import { Declaration } from './src/exit/declaration.entity';
import { AbandonmentCursor } from './src/events/abandonment/abandonment-cursor.entity';
import { Delivery } from './src/events/deliveries/delivery.entity';
import { Webhook } from './src/events/webhooks/webhook.entity';
import { Event } from './src/events/event.entity';
import { OutboxEntry } from './src/events/outbox/outbox-entry.entity';
import { FlowDraft } from './src/flows/flow-draft.entity';
import { FlowSlug } from './src/flows/flow-slug.entity';
import { FlowVersion } from './src/flows/flow-version.entity';
import { Flow } from './src/flows/flow.entity';
import { Image } from './src/images/image.entity';
import { OfferDraft } from './src/offers/offer-draft.entity';
import { OfferVersion } from './src/offers/offer-version.entity';
import { Offer } from './src/offers/offer.entity';
import { Erasure } from './src/privacy/erasure.entity';
import { DailySum } from './src/statistics/sums/daily-sum.entity';
import { FlowSession } from './src/runtime/sessions/flow-session.entity';
import { Fulfilment } from './src/billing/queue/fulfilment.entity';
import { Preview } from './src/runtime/preview/preview.entity';
import { SessionStep } from './src/runtime/sessions/session-step.entity';
import { ApiKey } from './src/workspaces/api-key.entity';
import { Change } from './src/tenancy/changes/change.entity';
import { CustomerKey } from './src/workspaces/customer-key.entity';
import { Invitation } from './src/people/invitation.entity';
import { Member } from './src/people/member.entity';
import { OneTimeLink } from './src/people/one-time-link.entity';
import { PersonSession } from './src/people/person-session.entity';
import { Person } from './src/people/person.entity';
import { RemovedMember } from './src/people/removed-member.entity';
import { WorkspaceCode } from './src/workspaces/workspace-code.entity';
import { Workspace } from './src/workspaces/workspace.entity';

/** For the TypeORM command line: `npx typeorm migration:show -d dist/ormconfig.js`. */
async function dataSource(): Promise<DataSource> {
  const { databaseUrl, databasePoolSize } = Config.fromEnv(process.env);
  if (!databaseUrl) throw new Error('Set DATABASE_URL to the database that the TypeORM command line is to work on.');
  return new DataSource({
    ...dataSourceOptions(databaseUrl, databasePoolSize, await Pooler.detect(databaseUrl)),
    entities: [
      Workspace,
      WorkspaceCode,
      ApiKey,
      CustomerKey,
      Change,
      Person,
      Member,
      PersonSession,
      Invitation,
      OneTimeLink,
      RemovedMember,
      IdempotencyKey,
      Event,
      OutboxEntry,
      Image,
      Offer,
      OfferVersion,
      OfferDraft,
      Flow,
      FlowVersion,
      FlowDraft,
      FlowSlug,
      FlowSession,
      SessionStep,
      DailySum,
      Erasure,
      BillingConnection,
      Fulfilment,
      Outcome,
      Preview,
      Webhook,
      Delivery,
      AbandonmentCursor,
      Declaration,
    ],
  });
}

export default dataSource();
