import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventsModule } from '../events/events.module';
import { FlowsModule } from '../flows/flows.module';
import { FlowSession } from '../runtime/flow-session.entity';
import { Fulfilment } from '../runtime/fulfilment.entity';
import { SessionStep } from '../runtime/session-step.entity';
import { WorkspacesModule } from '../workspaces/workspaces.module';
import { BillingConnection } from './billing-connection.entity';
import { ConnectionsController } from './connections.controller';
import { ConnectionsService } from './connections.service';
import { FulfilmentsController } from './fulfilments.controller';
import { FulfilmentsService } from './fulfilments.service';
import { Outcome } from './outcome.entity';
import { OutcomesController } from './outcomes.controller';
import { OutcomesService } from './outcomes.service';

/** What billing does with the decisions of customers, and what it knows of them afterwards. */
@Module({
  imports: [
    TypeOrmModule.forFeature([BillingConnection, Outcome, Fulfilment, FlowSession, SessionStep]),
    EventsModule,
    FlowsModule,
    WorkspacesModule,
  ],
  controllers: [ConnectionsController, FulfilmentsController, OutcomesController],
  providers: [ConnectionsService, FulfilmentsService, OutcomesService],
  exports: [FulfilmentsService, OutcomesService],
})
export class BillingModule {}
