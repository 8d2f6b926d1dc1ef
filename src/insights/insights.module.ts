import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BillingModule } from '../billing/billing.module';
import { DeliveryModule } from '../delivery/delivery.module';
import { Declaration } from '../exit/declaration.entity';
import { EventsModule } from '../events/events.module';
import { WorkspacesModule } from '../workspaces/workspaces.module';
import { FlowsModule } from '../flows/flows.module';
import { FlowSession } from '../runtime/flow-session.entity';
import { SessionStep } from '../runtime/session-step.entity';
import { Change } from '../tenancy/changes/change.entity';
import { ChangeRetention } from './change-retention.service';
import { ChangesController } from './changes.controller';
import { ChangesService } from './changes.service';
import { CommentsController } from './comments.controller';
import { CommentsService } from './comments.service';
import { ErasureService } from './erasure.service';
import { SessionRetention } from './session-retention.service';
import { SessionsController } from './sessions.controller';
import { SessionsService } from './sessions.service';
import { StatsController } from './stats.controller';
import { StatsService } from './stats.service';
import { DeclarationRecords } from './declaration-records.service';
import { DeclarationsController } from './declarations.controller';
import { Erasure } from './erasure.entity';
import { DailySum } from './sums/daily-sum.entity';
import { DailySums } from './sums/daily-sums.service';

/** What a workspace's own people learn from its sessions: the records and the statistics. And erasing a customer. */
@Module({
  imports: [
    TypeOrmModule.forFeature([FlowSession, SessionStep, DailySum, Erasure, Change, Declaration]),
    WorkspacesModule,
    EventsModule,
    FlowsModule,
    BillingModule,
    DeliveryModule,
  ],
  controllers: [SessionsController, CommentsController, ChangesController, DeclarationsController, StatsController],
  providers: [
    SessionsService,
    CommentsService,
    ChangesService,
    ChangeRetention,
    DeclarationRecords,
    ErasureService,
    StatsService,
    DailySums,
    SessionRetention,
  ],
})
export class InsightsModule {}
