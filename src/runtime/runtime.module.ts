import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventsModule } from '../events/events.module';
import { FlowsModule } from '../flows/flows.module';
import { WorkspacesModule } from '../workspaces/workspaces.module';
import { FlowSession } from './flow-session.entity';
import { RuntimeController } from './runtime.controller';
import { SessionStep } from './session-step.entity';
import { AdmissionService } from './start/admission.service';
import { StartResults } from './start/start-results';
import { StartsService } from './start/starts.service';
import { StepsService } from './step/steps.service';

/** What the widget calls: sessions start and take steps. */
@Module({
  imports: [TypeOrmModule.forFeature([FlowSession, SessionStep]), WorkspacesModule, EventsModule, FlowsModule],
  controllers: [RuntimeController],
  providers: [StartsService, StartResults, AdmissionService, StepsService],
})
export class RuntimeModule {}
