import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BillingModule } from '../billing/billing.module';
import { Config } from '../settings/config';
import { Event } from './event.entity';
import { OutboxModule } from '../outbox/outbox.module';
import { WorkspacesModule } from '../workspaces/workspaces.module';
import { FlowsModule } from '../flows/flows.module';
import { PrivacyModule } from '../privacy/privacy.module';
import { Retention } from '../privacy/retention.service';
import { SessionsModule } from '../sessions/sessions.module';
import { Outbound } from '../platform/http/outbound';
import { AbandonmentCursor } from './abandonment/abandonment-cursor.entity';
import { Abandonment } from './abandonment/abandonment';
import { DeliveriesController } from './deliveries/deliveries.controller';
import { DeliveriesService } from './deliveries/deliveries.service';
import { Delivery } from './deliveries/delivery.entity';
import { EventBodies } from './event-bodies.service';
import { EventsController } from './events.controller';
import { EventsService } from './events.service';
import { MailMessages } from './mails/mail-messages';
import { MailTransport } from './mails/mail-transport';
import { Webhook } from './webhooks/webhook.entity';
import { WebhookSecretsController } from './webhooks/webhook-secrets.controller';
import { WebhooksController } from './webhooks/webhooks.controller';
import { WebhooksService } from './webhooks/webhooks.service';
import { Attempts } from './deliveries/attempts';
import { Backlog } from './deliveries/backlog';
import { DeliveryWorker } from './deliveries/delivery-worker';
import { FanOut } from './deliveries/fan-out';
import { WebhookHealth } from './webhooks/webhook-health';
import { DeliveryQueue } from './deliveries/delivery-queue';
import { WebhookTransport } from './webhooks/webhook-transport';

/** Tells others what happens: webhooks and e-mail. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Event, Webhook, Delivery, AbandonmentCursor]),
    WorkspacesModule,
    OutboxModule,
    FlowsModule,
    BillingModule,
    PrivacyModule,
    SessionsModule,
  ],
  controllers: [WebhooksController, WebhookSecretsController, DeliveriesController, EventsController],
  providers: [
    {
      provide: Outbound,
      inject: [Config],
      useFactory: ({ webhookAllowedNetworks }: Config) => new Outbound(webhookAllowedNetworks),
    },
    WebhooksService,
    DeliveriesService,
    EventsService,
    EventBodies,
    DeliveryQueue,
    FanOut,
    WebhookHealth,
    Attempts,
    DeliveryWorker,
    Backlog,
    Abandonment,
    MailMessages,
    MailTransport,
    WebhookTransport,
  ],
  exports: [Abandonment, DeliveriesService, WebhooksService],
})
export class EventsModule {
  constructor(retention: Retention, { eventRetentionDays }: Config) {
    // Their deliveries go with them.
    retention.byAge('events', `${eventRetentionDays} days`);
  }
}
