import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventsModule } from '../events/events.module';
import { AbandonmentCursor } from './abandonment-cursor.entity';
import { Flow } from '../flows/flow.entity';
import { FlowsModule } from '../flows/flows.module';
import { FlowSession } from '../runtime/flow-session.entity';
import { SessionStep } from '../runtime/session-step.entity';
import { Delivery } from './delivery.entity';
import { EventBodies } from './event-bodies.service';
import { Webhook } from './webhook.entity';

/** Tells others what happens: webhooks and e-mail. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Webhook, Delivery, AbandonmentCursor, Flow, FlowSession, SessionStep]),
    EventsModule,
    FlowsModule,
  ],
  providers: [EventBodies],
})
export class DeliveryModule {}
