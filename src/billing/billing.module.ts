import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Outcome } from './outcome.entity';
import { OutcomesController } from './outcomes.controller';
import { OutcomesService } from './outcomes.service';

/** What billing knows: what became of customers after their sessions. */
@Module({
  imports: [TypeOrmModule.forFeature([Outcome])],
  controllers: [OutcomesController],
  providers: [OutcomesService],
  exports: [OutcomesService],
})
export class BillingModule {}
