import { Injectable } from '@nestjs/common';
import { ConnectionPool } from '../../platform/database/connection/connection-pool';
import { type Job, Jobs } from '../../platform/database/queue/jobs.service';
import { statement } from '../../platform/database/transaction/statement';
import { shownTime, NOW } from '../../platform/database/time';
import { theServiceIn } from '../../tenancy/work/tenant';
import { UnitsOfWork } from '../../tenancy/work/units-of-work.service';
import { ENDS } from './fulfilment-statements';

const EVERY_MS = 10 * 60_000;
/** The most that a workspace is told of in one transaction. */
const MOST = 500;

/** SQL for what ends within the notice of its workspace, was not told, and is of a customer who was not erased. */
const ENDING = `fulfilments AS job WHERE job.workspace_id = workspaces.id AND ${ENDS} AND job.ending_told_at IS NULL
    AND job.effect ->> 'until' > ${shownTime(NOW)}
    AND job.effect ->> 'until' <= ${shownTime(`(${NOW} + ending_notice_days * interval '1 day')`)}
    AND NOT EXISTS (
      SELECT FROM flow_sessions WHERE workspace_id = job.workspace_id AND id = job.flow_session_id AND erased_at IS NOT NULL)`;

const DUE = statement(
  `SELECT id AS workspace_id FROM workspaces WHERE ending_notice_days IS NOT NULL AND EXISTS (SELECT FROM ${ENDING})`,
);

/** Of two processes, one tells it. */
const TELL = statement(
  `UPDATE fulfilments SET ending_told_at = ${NOW}
  WHERE workspace_id = :workspace AND ending_told_at IS NULL AND flow_session_id = ANY (ARRAY(
    SELECT job.flow_session_id FROM workspaces CROSS JOIN LATERAL (SELECT * FROM ${ENDING}) AS job
    WHERE workspaces.id = :workspace ORDER BY job.effect ->> 'until' LIMIT ${MOST}))
  RETURNING flow_session_id`,
);

/** Tells workspaces before what their customers accepted ends: that is when they pay more again, and may leave. */
@Injectable()
export class EndingNotices {
  private readonly job: Job;

  constructor(
    private readonly pool: ConnectionPool,
    private readonly units: UnitsOfWork,
    jobs: Jobs,
  ) {
    this.job = jobs.add({ name: 'Notices of ends', everyMs: EVERY_MS, goesByTime: true, run: () => this.tellAll() });
  }

  private async tellAll(): Promise<boolean> {
    let isMore = false;
    await this.job.forEach(await this.pool.rows<{ workspace_id: string }>(DUE), async ({ workspace_id }) => {
      const told = await this.units.run(theServiceIn(workspace_id), async (work) => {
        const ending = await work.rows<{ flow_session_id: string }>(TELL);
        for (const { flow_session_id } of ending) await work.emit({ type: 'offer.ending', flow_session_id });
        return ending.length;
      });
      isMore ||= told === MOST;
    });
    return isMore;
  }
}
