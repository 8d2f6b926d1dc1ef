import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventsModule } from '../events/events.module';
import { Event } from '../events/event.entity';
import { AbandonmentCursor } from './abandonment-cursor.entity';
import { Flow } from '../flows/flow.entity';
import { FlowsModule } from '../flows/flows.module';
import { FlowSession } from '../runtime/flow-session.entity';
import { SessionStep } from '../runtime/session-step.entity';
import { DeliveriesController } from './deliveries.controller';
import { DeliveriesService } from './deliveries.service';
import { Delivery } from './delivery.entity';
import { EventBodies } from './event-bodies.service';
import { EventsController } from './events.controller';
import { EventsService } from './events.service';
import { Webhook } from './webhook.entity';
import { WebhooksController } from './webhooks.controller';
import { WebhooksService } from './webhooks.service';

/** Tells others what happens: webhooks and e-mail. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Event, Webhook, Delivery, AbandonmentCursor, Flow, FlowSession, SessionStep]),
    EventsModule,
    FlowsModule,
  ],
  controllers: [WebhooksController, DeliveriesController, EventsController],
  providers: [EventBodies, WebhooksService, DeliveriesService, EventsService],
})
export class DeliveryModule {}
