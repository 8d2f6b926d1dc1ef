import { Injectable } from '@nestjs/common';
import { ConnectionPool } from '../../platform/database/connection/connection-pool';
import { type Job, Jobs } from '../../platform/database/queue/jobs.service';
import { statement } from '../../platform/database/transaction/statement';
import { theServiceIn } from '../../tenancy/work/tenant';
import { UnitsOfWork } from '../../tenancy/work/units-of-work.service';

const EVERY_MS = 10 * 60_000;
const BATCH = 1000;

const UNDATED = `status <> 'in_progress' AND ended_at IS NULL`;

const DUE = statement(`SELECT id AS workspace_id FROM workspaces
  WHERE (SELECT true FROM flow_sessions WHERE workspace_id = workspaces.id AND ${UNDATED} LIMIT 1)`);

const DATE = statement(
  `UPDATE flow_sessions SET ended_at = updated_at WHERE workspace_id = :workspace AND id = ANY (ARRAY(
    SELECT id FROM flow_sessions WHERE workspace_id = :workspace AND ${UNDATED} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED))`,
);

/**
 * Dates sessions that an older version has ended, without `ended_at`: it may run beside this one during an upgrade, or
 * again after the way back. Until then they don't count as decided.
 */
@Injectable()
export class SessionEnds {
  private readonly job: Job;

  constructor(
    private readonly connections: ConnectionPool,
    private readonly units: UnitsOfWork,
    jobs: Jobs,
  ) {
    this.job = jobs.add({ name: 'Dating ends of sessions', everyMs: EVERY_MS, run: () => this.dateAll() });
  }

  /** Dates up to 1,000 sessions of each workspace. Returns whether there may be more. */
  async dateAll(): Promise<boolean> {
    const due = await this.connections.rows<{ workspace_id: string }>(DUE);
    let isMore = false;
    await this.job.forEach(due, async ({ workspace_id }) => {
      const dated = await this.units.run(theServiceIn(workspace_id), (work) => work.write(DATE));
      isMore ||= dated === BATCH;
    });
    return isMore;
  }
}
