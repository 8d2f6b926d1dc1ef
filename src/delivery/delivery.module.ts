import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BillingModule } from '../billing/billing.module';
import { Config } from '../config';
import { Event } from '../events/event.entity';
import { EventsModule } from '../events/events.module';
import { WorkspacesModule } from '../workspaces/workspaces.module';
import { ExitModule } from '../exit/exit.module';
import { FlowsModule } from '../flows/flows.module';
import { Outbound } from '../http/outbound';
import { AbandonmentCursor } from './worker/abandonment-cursor.entity';
import { Abandonment } from './worker/abandonment';
import { DeliveriesController } from './deliveries.controller';
import { DeliveriesService } from './deliveries.service';
import { Delivery } from './delivery.entity';
import { EventBodies } from './event-bodies.service';
import { EventsController } from './events.controller';
import { EventsService } from './events.service';
import { MailMessages } from './mail/mail-messages';
import { MailTransport } from './mail/mail-transport';
import { Retention } from './worker/retention';
import { Webhook } from './webhook.entity';
import { WebhookSecretsController } from './webhook-secrets.controller';
import { WebhooksController } from './webhooks.controller';
import { WebhooksService } from './webhooks.service';
import { Attempts } from './worker/attempts';
import { Backlog } from './worker/backlog';
import { DeliveryWorker } from './worker/delivery-worker';
import { FanOut } from './worker/fan-out';
import { WebhookHealth } from './worker/webhook-health';
import { DeliveryQueue } from './worker/delivery-queue';
import { WebhookTransport } from './worker/webhook-transport';

/** Tells others what happens: webhooks and e-mail. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Event, Webhook, Delivery, AbandonmentCursor]),
    WorkspacesModule,
    EventsModule,
    FlowsModule,
    BillingModule,
    ExitModule,
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
    Retention,
    MailMessages,
    MailTransport,
    WebhookTransport,
  ],
  exports: [DeliveriesService, WebhooksService],
})
export class DeliveryModule {}
