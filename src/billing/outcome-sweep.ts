import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { firstIdOf } from '../platform/api/ids';
import { Config } from '../app/config';
import { type Job, Jobs } from '../platform/database/jobs.service';
import { NOW } from '../platform/database/time';
import { ConnectionsService } from './connections.service';
import { OutcomeReader, type SavedSession } from './outcome-reader.service';

const EVERY_MS = 60_000;
/** How many workspaces are read at once. */
const AT_ONCE = 4;
/** How many subscriptions are read before that is stored. */
const BATCH = 20;

const DUE = `SELECT workspace_id FROM billing_connections WHERE next_sweep_at <= ${NOW} ORDER BY next_sweep_at`;

/** $1: workspace. Another process may go on when this one has died. */
const CLAIM = `
  UPDATE billing_connections SET next_sweep_at = ${NOW} + interval '10 minutes'
  WHERE workspace_id = $1 AND next_sweep_at <= ${NOW} RETURNING swept_until`;

/** A session may be saved a day after it began. */
const FIRST = firstIdOf(`${NOW} - interval '91 days'`);
const SESSION = 'id, flow_sessions.customer_id, billing_customer_id, subscription_id, updated_at';
const IS_SAVED = `status = 'saved' AND customer_verified AND subscription_id IS NOT NULL`;

/**
 * The sessions that were saved in the last 90 days, and older ones of customers who have canceled and may take it back.
 *
 * $1: workspace, $2: the last session that was read, or null
 */
const SAVED = `
  (SELECT DISTINCT flow_sessions.${SESSION} FROM outcomes JOIN flow_sessions USING (workspace_id, customer_id)
    WHERE workspace_id = $1 AND is_provisional AND ${IS_SAVED} AND flow_sessions.id <= ${FIRST}
      AND flow_sessions.id > coalesce($2::uuid, '00000000-0000-0000-0000-000000000000')
    ORDER BY id LIMIT ${BATCH})
  UNION ALL
  (SELECT ${SESSION} FROM flow_sessions
    WHERE workspace_id = $1 AND ${IS_SAVED} AND id > greatest($2::uuid, ${FIRST}) AND updated_at > ${NOW} - interval '90 days'
    ORDER BY id LIMIT ${BATCH})
  ORDER BY id LIMIT ${BATCH}`;

/** $1: workspace, $2: the last session that was read; null at the end, $3: minutes until it goes on. */
const CLOSE = `
  UPDATE billing_connections SET swept_until = $2, next_sweep_at = ${NOW} + $3 * interval '1 minute' WHERE workspace_id = $1`;

const DAY = 24 * 60;
const SOON = 10;

/** Once a day, reads the subscriptions of all sessions that were saved in the last 90 days. What a webhook has missed comes with it. */
@Injectable()
export class OutcomeSweep {
  private readonly job?: Job;

  constructor(
    private readonly dataSource: DataSource,
    private readonly connections: ConnectionsService,
    private readonly outcomes: OutcomeReader,
    { sendNothing }: Config,
    jobs: Jobs,
  ) {
    if (sendNothing) return;
    this.job = jobs.add({ name: 'Outcomes', everyMs: EVERY_MS, run: () => this.sweepAll() });
  }

  private async sweepAll(): Promise<boolean> {
    const due = await this.dataSource.query<{ workspace_id: string }[]>(DUE);
    let isMore = false;
    await this.job!.forEach(
      due,
      async ({ workspace_id }) => {
        const [[claimed]] = await this.dataSource.query<[{ swept_until: string | null }[]]>(CLAIM, [workspace_id]);
        if (claimed && (await this.sweep(workspace_id, claimed.swept_until))) isMore = true;
      },
      AT_ONCE,
    );
    return isMore;
  }

  /** Reads some subscriptions. Returns whether there are more to read at once. */
  private async sweep(workspaceId: string, after: string | null): Promise<boolean> {
    const connected = await this.connections.connected(workspaceId);
    const sessions = await this.dataSource.query<SavedSession[]>(SAVED, [workspaceId, after]);
    let last = after;
    for (const session of sessions) {
      if (this.job!.isStopping) return false;
      const isRead = typeof connected === 'object' && (await this.outcomes.read(workspaceId, session, connected));
      if (!isRead) {
        await this.dataSource.query(CLOSE, [workspaceId, last, SOON]);
        return false;
      }
      last = session.id;
      this.job!.noteProgress();
    }
    const isMore = sessions.length === BATCH;
    await this.dataSource.query(CLOSE, isMore ? [workspaceId, last, 0] : [workspaceId, null, DAY]);
    return isMore;
  }
}
