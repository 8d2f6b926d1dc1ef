import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Config } from '../config';
import { Event } from '../events/event.entity';
import { EventsModule } from '../events/events.module';
import { Flow } from '../flows/flow.entity';
import { FlowsModule } from '../flows/flows.module';
import { Outbound } from '../http/outbound';
import { FlowSession } from '../runtime/flow-session.entity';
import { SessionStep } from '../runtime/session-step.entity';
import { AbandonmentCursor } from './worker/abandonment-cursor.entity';
import { Abandonment } from './worker/abandonment';
import { DeliveriesController } from './deliveries.controller';
import { DeliveriesService } from './deliveries.service';
import { Delivery } from './delivery.entity';
import { ErasedCustomers } from './erased-customers.service';
import { EventBodies } from './event-bodies.service';
import { EventsController } from './events.controller';
import { EventsService } from './events.service';
import { MailClaims } from './mail/mail-claims';
import { MailContents } from './mail/mail-contents.service';
import { MailQueue } from './mail/mail-queue.service';
import { MailSender } from './mail/mail-sender';
import { MailWorker } from './mail/mail-worker';
import { Notification } from './mail/notification.entity';
import { Retention } from './worker/retention';
import { Webhook } from './webhook.entity';
import { WebhooksController } from './webhooks.controller';
import { WebhooksService } from './webhooks.service';
import { Attempts } from './worker/attempts';
import { Backlog } from './worker/backlog';
import { DeliveryWorker } from './worker/delivery-worker';
import { FanOut } from './worker/fan-out';
import { WebhookHealth } from './worker/webhook-health';
import { WorkerStatements } from './worker/worker-statements';

/** Tells others what happens: webhooks and e-mail. */
@Module({
  imports: [
    TypeOrmModule.forFeature([
      Event,
      Webhook,
      Delivery,
      Notification,
      AbandonmentCursor,
      Flow,
      FlowSession,
      SessionStep,
    ]),
    EventsModule,
    FlowsModule,
  ],
  controllers: [WebhooksController, DeliveriesController, EventsController],
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
    WorkerStatements,
    FanOut,
    WebhookHealth,
    Attempts,
    DeliveryWorker,
    Backlog,
    Abandonment,
    Retention,
    ErasedCustomers,
    MailQueue,
    MailClaims,
    MailContents,
    MailSender,
    MailWorker,
  ],
  exports: [DeliveryWorker, ErasedCustomers, MailWorker],
})
export class DeliveryModule {}
