import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BillingModule } from '../billing/billing.module';
import { EventsModule } from '../events/events.module';
import { ExitModule } from '../exit/exit.module';
import { Declaration } from '../exit/declaration.entity';
import { FlowsModule } from '../flows/flows.module';
import { FlowSession } from '../sessions/flow-session.entity';
import { SessionStep } from '../sessions/session-step.entity';
import { Change } from '../tenancy/log/change.entity';
import { ChangesController } from './changes.controller';
import { ChangesService } from './changes.service';
import { CommentsController } from './comments.controller';
import { CommentsService } from './comments.service';
import { CustomerExportsController } from './customers/customer-exports.controller';
import { CustomerExports } from './customers/customer-exports.service';
import { DeclarationRecords } from './declaration-records.service';
import { DeclarationsController } from './declarations.controller';
import { SessionsController } from './sessions.controller';
import { SessionsService } from './sessions.service';

/** Lists that a workspace reads and downloads: sessions, comments, declarations, and the log of changes. */
@Module({
  imports: [
    TypeOrmModule.forFeature([FlowSession, SessionStep, Change, Declaration]),
    FlowsModule,
    BillingModule,
    EventsModule,
    ExitModule,
  ],
  controllers: [
    CustomerExportsController,
    SessionsController,
    CommentsController,
    ChangesController,
    DeclarationsController,
  ],
  providers: [CustomerExports, SessionsService, CommentsService, ChangesService, DeclarationRecords],
})
export class RecordsModule {}
