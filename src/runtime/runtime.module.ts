import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OutboxModule } from '../outbox/outbox.module';
import { FlowsModule } from '../flows/flows.module';
import { WorkspacesModule } from '../workspaces/workspaces.module';
import { PrivacyModule } from '../privacy/privacy.module';
import { Retention } from '../privacy/retention.service';
import { EligibilityService } from './eligibility.service';
import { Preview, PREVIEWS_LAST } from './preview/preview.entity';
import { PreviewsController } from './preview/previews.controller';
import { PreviewEvents } from './preview/preview-events';
import { PreviewsService } from './preview/previews.service';
import { RestartController } from './preview/restart.controller';
import { RuntimeController } from './runtime.controller';
import { SessionsModule } from '../sessions/sessions.module';
import { StartsService } from './start/starts.service';
import { StepsService } from './step/steps.service';

/** Sessions start and take steps, called by the widget. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Preview]),
    SessionsModule,
    WorkspacesModule,
    OutboxModule,
    FlowsModule,
    PrivacyModule,
  ],
  controllers: [RuntimeController, PreviewsController, RestartController],
  providers: [StartsService, StepsService, PreviewEvents, PreviewsService, EligibilityService],
})
export class RuntimeModule {
  constructor(retention: Retention) {
    retention.byAge('previews', PREVIEWS_LAST, 'session_id');
  }
}
