import { Module } from '@nestjs/common';
import { ConfigurationModule } from '../configuration/configuration.module';
import { EventsModule } from '../events/events.module';
import { PeopleModule } from '../people/people.module';
import { StatisticsModule } from '../statistics/statistics.module';
import { WorkspacesModule } from '../workspaces/workspaces.module';
import { AdminTestWorkspacesController } from './admin-test-workspaces.controller';
import { PassingTime } from './passing-time.service';
import { TestWorkspaceController } from './test-workspace.controller';
import { TestWorkspaces } from './test-workspaces.service';
import { WorkspaceTables } from './workspace-tables';

/** Workspaces for tests: made as a live one is, moved through time, and deleted with everything in them. */
@Module({
  imports: [WorkspacesModule, PeopleModule, EventsModule, StatisticsModule, ConfigurationModule],
  controllers: [TestWorkspaceController, AdminTestWorkspacesController],
  providers: [TestWorkspaces, PassingTime, WorkspaceTables],
})
export class TestWorkspacesModule {}
