import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BillingModule } from '../billing/billing.module';
import { EventsModule } from '../events/events.module';
import { ChangeRetention } from './change-retention.service';
import { CustomersController } from './customers.controller';
import { Erasure } from './erasure.entity';
import { ErasureService } from './erasure.service';
import { Retention } from './retention';
import { SessionRetention } from './session-retention.service';

/** Erases customers, and deletes what is older than the operator keeps it. */
@Module({
  imports: [TypeOrmModule.forFeature([Erasure]), BillingModule, EventsModule],
  controllers: [CustomersController],
  providers: [ErasureService, Retention, SessionRetention, ChangeRetention],
})
export class PrivacyModule {}
