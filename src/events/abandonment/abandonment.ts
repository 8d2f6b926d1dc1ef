import { Injectable } from '@nestjs/common';
import { ConnectionPool } from '../../platform/database/connection/connection-pool';
import { firstIdOf } from '../../platform/api/ids';
import { type Job, Jobs } from '../../platform/database/queue/jobs.service';
import { Pipeline } from '../../platform/database/transaction/pipeline.service';
import { bound, prepared, statement } from '../../platform/database/transaction/statement';
import { NOW } from '../../platform/database/time';
import { Outbox, recordFrom } from '../../outbox/outbox.service';
import { overBefore } from '../../sessions/session-status';
import type { Work } from '../../tenancy/work/work';
import { asksFor } from '../deliveries/delivery-statements';

const EVERY_MS = 60_000;
/**
 * The most workspaces a turn, and the most sessions of each, besides those that began in the same millisecond as the
 * last one.
 */
const WORKSPACES = 100;
const SESSIONS = 1000;
const SESSIONS_OF_ENTRY = 500;

/**
 * SQL for the latest beginning of sessions that are announced. Five minutes after they are abandoned, because the clock
 * that a start was dated by may differ from the one now: that of a standby which took over.
 */
const UNTIL = `${overBefore(NOW)} - interval '5 minutes'`;

/** SQL for the sessions in progress of a workspace that began between two times. */
const sessionsOf = (workspaceId: string, since: string, until: string) =>
  `flow_sessions WHERE workspace_id = ${workspaceId} AND status = 'in_progress' AND id >= ${firstIdAfter(since)} AND id < ${firstIdAfter(until)}`;

function firstIdAfter(time: string): string {
  return firstIdOf(`(${time} + interval '1 millisecond')`);
}

/** Workspaces with a webhook for abandoned sessions. Disabled webhooks count: `recover` sends them what they missed. */
const ASKING = `SELECT workspace_id FROM webhooks WHERE ${asksFor('webhooks', `'session.abandoned'`)}`;

/** A workspace where nobody has asked before announces the sessions that are abandoned from now on. */
const beginWhere = (which: string) =>
  statement(`INSERT INTO abandonment_cursors SELECT DISTINCT workspace_id, ${UNTIL} FROM (${ASKING}) AS asking
  WHERE ${which} ON CONFLICT DO NOTHING`);
const BEGIN = beginWhere('true');
const BEGIN_IN = beginWhere('workspace_id = :workspace');

const END = statement(`DELETE FROM abandonment_cursors WHERE workspace_id NOT IN (${ASKING})`);

/** Workspaces in random order, so that those whose search fails don't fill every turn. */
const DUE = statement(`SELECT workspace_id FROM abandonment_cursors AS found WHERE
    (SELECT true FROM ${sessionsOf('found.workspace_id', 'searched_until', UNTIL)} ORDER BY id LIMIT 1)
  ORDER BY random() LIMIT ${WORKSPACES}`);

/** Skipped if another process searches it. A session is read under its lock: a step under way may end it. */
const SEARCH = prepared(
  'abandonment-search',
  `WITH locked AS (
      SELECT searched_until FROM abandonment_cursors WHERE workspace_id = :workspace FOR UPDATE SKIP LOCKED
    ), span AS (
      SELECT searched_until, coalesce((
          SELECT created_at FROM ${sessionsOf(':workspace', 'searched_until', UNTIL)}
          ORDER BY id OFFSET ${SESSIONS - 1} LIMIT 1
        ), ${UNTIL}) AS search_until
      FROM locked
    ), abandoned AS (
      SELECT id FROM ${sessionsOf(':workspace', '(SELECT searched_until FROM span)', '(SELECT search_until FROM span)')}
      FOR NO KEY UPDATE
    ), recorded AS (
      ${recordFrom(
        `SELECT :workspace::uuid AS workspace_id, 'session.abandoned' AS type, array_agg(id) AS flow_session_ids, ${NOW} AS created_at
        FROM (SELECT id, (row_number() OVER () - 1) / ${SESSIONS_OF_ENTRY} AS entry FROM abandoned) AS numbered
        GROUP BY entry`,
      )}
    )
    UPDATE abandonment_cursors SET searched_until = search_until FROM span WHERE workspace_id = :workspace
    RETURNING (SELECT count(*) FROM abandoned) >= ${SESSIONS} AS is_full`,
);

/** Records which sessions were abandoned: a session is abandoned because nothing happens, so something has to look. */
@Injectable()
export class Abandonment {
  private readonly job: Job;

  constructor(
    private readonly connections: ConnectionPool,
    private readonly pipeline: Pipeline,
    private readonly outbox: Outbox,
    jobs: Jobs,
  ) {
    this.job = jobs.add({
      name: 'Searching for abandoned sessions',
      everyMs: EVERY_MS,
      goesByTime: true,
      run: () => this.search(),
    });
  }

  /** Lets abandoned sessions of a workspace be searched for, from now on, if somebody asks for them. */
  async begin(work: Work): Promise<void> {
    await work.write(BEGIN_IN);
  }

  /** Records up to 1,000 abandoned sessions of each workspace. Returns whether there may be more. */
  async search(): Promise<boolean> {
    await this.connections.rows(BEGIN);
    await this.connections.rows(END);
    const due: { workspace_id: string }[] = await this.connections.rows(DUE);
    let isFull = false;
    let searched = 0;
    await this.job.forEach(due, async ({ workspace_id }) => {
      const found = await this.pipeline.send<{ is_full: boolean }>(bound(SEARCH, workspace_id));
      isFull ||= found.some(({ is_full }) => is_full);
      searched++;
      if (found.length > 0) this.outbox.announce(workspace_id);
    });
    return isFull || searched === WORKSPACES;
  }
}
