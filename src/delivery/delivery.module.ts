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
import { MailClaims } from './mail/mail-claims';
import { MailContents } from './mail/mail-contents.service';
import { MailQueue } from './mail/mail-queue.service';
import { MailSender } from './mail/mail-sender';
import { MailWorker } from './mail/mail-worker';
import { Notification } from './mail/notification.entity';
import { Webhook } from './webhook.entity';

/** Tells others what happens: webhooks and e-mail. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Webhook, Delivery, Notification, AbandonmentCursor, Flow, FlowSession, SessionStep]),
    EventsModule,
    FlowsModule,
  ],
  providers: [EventBodies, MailQueue, MailClaims, MailContents, MailSender, MailWorker],
})
export class DeliveryModule {}
