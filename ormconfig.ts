import { DataSource } from 'typeorm';
import { BillingConnection } from './src/billing-jobs/billing-connection.entity';
import { Outcome } from './src/billing/outcomes/outcome.entity';
import { Config } from './src/settings/config';
import { dataSourceOptions } from './src/platform/database/connection/data-source';
import { IdempotencyKey } from './src/platform/database/transaction/idempotency-key.entity';
import { Pooler } from './src/platform/database/connection/pooler';
import { Declaration } from './src/exit/declaration.entity';
import { AbandonmentCursor } from './src/events/abandonment/abandonment-cursor.entity';
import { Delivery } from './src/events/deliveries/delivery.entity';
import { Webhook } from './src/events/webhooks/webhook.entity';
import { Event } from './src/events/event.entity';
import { OutboxEntry } from './src/outbox/outbox-entry.entity';
import { FlowDraft } from './src/flows/versions/flow-draft.entity';
import { FlowSlug } from './src/flows/lookup/flow-slug.entity';
import { FlowVersion } from './src/flows/versions/flow-version.entity';
import { Flow } from './src/flows/flow.entity';
import { Image } from './src/images/image.entity';
import { OfferDraft } from './src/offers/versions/offer-draft.entity';
import { OfferVersion } from './src/offers/versions/offer-version.entity';
import { Offer } from './src/offers/offer.entity';
import { Erasure } from './src/privacy/erasure.entity';
import { DailySum } from './src/statistics/sums/daily-sum.entity';
import { FlowSession } from './src/sessions/flow-session.entity';
import { Fulfilment } from './src/billing-jobs/fulfilment.entity';
import { Preview } from './src/runtime/preview/preview.entity';
import { SessionStep } from './src/sessions/session-step.entity';
import { ApiKey } from './src/workspaces/api-keys/api-key.entity';
import { Change } from './src/tenancy/log/change.entity';
import { CustomerKey } from './src/workspaces/customer-keys/customer-key.entity';
import { Invitation } from './src/people/invitations/invitation.entity';
import { Member } from './src/people/members/member.entity';
import { OneTimeLink } from './src/people/links/one-time-link.entity';
import { PersonSession } from './src/people/sign-in/person-session.entity';
import { Person } from './src/people/person.entity';
import { RemovedMember } from './src/people/members/removed-member.entity';
import { WorkspaceCode } from './src/workspaces/counters/workspace-code.entity';
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
