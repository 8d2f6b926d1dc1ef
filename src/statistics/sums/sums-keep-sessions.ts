import { Injectable } from '@nestjs/common';
import { statement } from '../../platform/database/transaction/statement';
import { IS_CUSTOMERS } from '../../sessions/session-source';
import { KeepsSessions } from '../../sessions/session-retention';
import type { Work } from '../../tenancy/work/work';
import { firstIdAfterSums } from './daily-sums.service';

const IS_SUMMED = statement(
  `SELECT NOT EXISTS (
    SELECT FROM flow_sessions WHERE workspace_id = :workspace AND id >= ${firstIdAfterSums(':workspace')} AND id < :end::uuid
      AND ${IS_CUSTOMERS}
  ) AS is_summed`,
);

/** Sessions are kept until the sums have them, so that statistics of whole days stay. */
@Injectable()
export class SumsKeepSessions extends KeepsSessions {
  async isDoneBefore(work: Work, sessionId: string): Promise<boolean> {
    return (await work.row<{ is_summed: boolean }>(IS_SUMMED, { end: sessionId }))!.is_summed;
  }
}
