import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventsModule } from '../events/events.module';
import { AbandonmentCursor } from './abandonment-cursor.entity';
import { AbandonmentService } from './abandonment.service';
import { Delivery } from './delivery.entity';
import { ErasedCustomers } from './erased-customers.service';
import { RetentionService } from './retention.service';
import { Webhook } from './webhook.entity';

/** Tells others what happens: webhooks and e-mail. */
@Module({
  imports: [TypeOrmModule.forFeature([Webhook, Delivery, AbandonmentCursor]), EventsModule],
  providers: [AbandonmentService, RetentionService, ErasedCustomers],
  exports: [ErasedCustomers],
})
export class DeliveryModule {}
