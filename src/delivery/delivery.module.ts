import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Config } from '../config';
import { EventsModule } from '../events/events.module';
import { Flow } from '../flows/flow.entity';
import { FlowsModule } from '../flows/flows.module';
import { Outbound } from '../http/outbound';
import { FlowSession } from '../runtime/flow-session.entity';
import { SessionStep } from '../runtime/session-step.entity';
import { AbandonmentCursor } from './abandonment-cursor.entity';
import { Delivery } from './delivery.entity';
import { EventBodies } from './event-bodies.service';
import { Webhook } from './webhook.entity';
import { Attempts } from './worker/attempts';
import { Backlog } from './worker/backlog';
import { DeliveryWorker } from './worker/delivery-worker';
import { FanOut } from './worker/fan-out';
import { WebhookHealth } from './worker/webhook-health';
import { WorkerStatements } from './worker/worker-statements';

/** Tells others what happens: webhooks and e-mail. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Webhook, Delivery, AbandonmentCursor, Flow, FlowSession, SessionStep]),
    EventsModule,
    FlowsModule,
  ],
  providers: [
    {
      provide: Outbound,
      inject: [Config],
      useFactory: ({ webhookAllowedNetworks }: Config) => new Outbound(webhookAllowedNetworks),
    },
    EventBodies,
    WorkerStatements,
    FanOut,
    WebhookHealth,
    Attempts,
    DeliveryWorker,
    Backlog,
  ],
  exports: [DeliveryWorker],
})
export class DeliveryModule {}
