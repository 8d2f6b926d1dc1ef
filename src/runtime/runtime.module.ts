import { Module } from '@nestjs/common';
import { wordsOf } from '../platform/common/search-words';
import { WordsOfRows } from '../tenancy/words-of-rows';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OutboxModule } from '../events/outbox/outbox.module';
import { FlowsModule } from '../flows/flows.module';
import { WorkspacesModule } from '../workspaces/workspaces.module';
import { PrivacyModule } from '../privacy/privacy.module';
import { Retention } from '../privacy/retention.service';
import { EligibilityService } from './eligibility.service';
import { FlowSession } from './sessions/flow-session.entity';
import { Preview, PREVIEWS_LAST } from './preview/preview.entity';
import { PreviewsController } from './preview/previews.controller';
import { PreviewEvents } from './preview/preview-events';
import { PreviewsService } from './preview/previews.service';
import { RestartController } from './preview/restart.controller';
import { RuntimeController } from './runtime.controller';
import { SessionEnds } from './session-ends.service';
import { SessionErasure } from './session-erasure';
import { SessionRetention } from './session-retention';
import { SessionStep } from './sessions/session-step.entity';
import { StartsService } from './start/starts.service';
import { StepsService } from './step/steps.service';

/** Sessions start and take steps, called by the widget. */
@Module({
  imports: [
    TypeOrmModule.forFeature([FlowSession, SessionStep, Preview]),
    WorkspacesModule,
    OutboxModule,
    FlowsModule,
    PrivacyModule,
  ],
  controllers: [RuntimeController, PreviewsController, RestartController],
  providers: [
    StartsService,
    StepsService,
    PreviewEvents,
    PreviewsService,
    SessionEnds,
    SessionErasure,
    SessionRetention,
    EligibilityService,
  ],
  exports: [EligibilityService, PreviewsService, SessionErasure, SessionRetention],
})
export class RuntimeModule {
  constructor(retention: Retention, words: WordsOfRows) {
    retention.byAge('previews', PREVIEWS_LAST, 'session_id');
    words.keep<SessionStep>({
      table: 'session_steps',
      key: { flow_session_id: 'uuid', position: 'integer' },
      columns: ['comment'],
      due: '(comment IS NULL) <> (words IS NULL)',
      wordsOf: ({ workspace_id, comment }) => (comment === null ? null : wordsOf(workspace_id, comment)),
    });
  }
}
