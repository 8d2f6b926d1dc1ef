import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DeliveryModule } from '../delivery/delivery.module';
import { EventsModule } from '../events/events.module';
import { FlowsModule } from '../flows/flows.module';
import { FlowSession } from '../runtime/flow-session.entity';
import { SessionStep } from '../runtime/session-step.entity';
import { CommentsController } from './comments.controller';
import { CommentsService } from './comments.service';
import { ErasureService } from './erasure.service';
import { SessionRetention } from './session-retention.service';
import { SessionsController } from './sessions.controller';
import { SessionsService } from './sessions.service';
import { StatsController } from './stats.controller';
import { StatsService } from './stats.service';
import { DailyRepeat } from './sums/daily-repeat.entity';
import { DailySum } from './sums/daily-sum.entity';
import { SumCursor } from './sums/sum-cursor.entity';
import { SummingService } from './sums/summing.service';

/** What a workspace's own people learn from its sessions: the records and the statistics. And erasing a customer. */
@Module({
  imports: [
    TypeOrmModule.forFeature([FlowSession, SessionStep, DailySum, DailyRepeat, SumCursor]),
    EventsModule,
    FlowsModule,
    DeliveryModule,
  ],
  controllers: [SessionsController, CommentsController, StatsController],
  providers: [SessionsService, CommentsService, ErasureService, StatsService, SummingService, SessionRetention],
})
export class InsightsModule {}
