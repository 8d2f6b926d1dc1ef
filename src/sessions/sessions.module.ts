import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { wordsOf } from '../platform/text/search-words';
import { PrivacyModule } from '../privacy/privacy.module';
import { WordsOfRows } from '../tenancy/work/words-of-rows';
import { FlowSession } from './flow-session.entity';
import { KeptSessions } from './ends/kept-sessions.service';
import { SessionEnds } from './ends/session-ends.service';
import { SessionErasure } from './session-erasure';
import { SessionRetention } from './session-retention';
import { SessionStep } from './session-step.entity';

/** The records that customers' walks leave: how they end, are erased and are deleted. */
@Module({
  imports: [TypeOrmModule.forFeature([FlowSession, SessionStep]), PrivacyModule],
  providers: [KeptSessions, SessionEnds, SessionErasure, SessionRetention],
  exports: [TypeOrmModule, KeptSessions, SessionErasure, SessionRetention],
})
export class SessionsModule {
  constructor(words: WordsOfRows) {
    words.keep<SessionStep>({
      table: 'session_steps',
      key: { flow_session_id: 'uuid', position: 'integer' },
      columns: ['comment'],
      due: '(comment IS NULL) <> (words IS NULL)',
      wordsOf: ({ workspace_id, comment }) => (comment === null ? null : wordsOf(workspace_id, comment)),
    });
  }
}
