import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventsModule } from '../events/events.module';
import { AbandonmentCursor } from './abandonment-cursor.entity';
import { Delivery } from './delivery.entity';
import { Webhook } from './webhook.entity';

/** Tells others what happens: webhooks and e-mail. */
@Module({
  imports: [TypeOrmModule.forFeature([Webhook, Delivery, AbandonmentCursor]), EventsModule],
})
export class DeliveryModule {}
