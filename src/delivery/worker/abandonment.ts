import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Config } from '../../config';
import { Pooler } from '../../database/pooler';
import { NOW } from '../../database/time';
import { Transactions } from '../../database/transactions';
import { EVENT_ID, Outbox } from '../../events/outbox.service';
import { ABANDONED_BEFORE } from '../../runtime/session-status';
import { Loop } from '../../database/loop';
import { asksFor } from '../subscription';

const PAUSE_MS = 60_000;
/** At most so many workspaces a turn, and so many sessions of each, besides those with the same time as the last one. */
const WORKSPACES = 100;
const SESSIONS = 1000;
const SESSIONS_OF_ENTRY = 500;

/**
 * In SQL: sessions whose last step was at this time or before are announced. Five minutes after they are abandoned, because
 * the clock that a last step was dated by may differ from the one now: that of a standby which took over.
 */
const UNTIL = `${ABANDONED_BEFORE} - interval '5 minutes'`;

/** In SQL: the sessions in progress of a workspace whose last step was between two times. */
const sessionsOf = (workspaceId: string, since: string, until: string) =>
  `flow_sessions WHERE workspace_id = ${workspaceId} AND status = 'in_progress' AND updated_at > ${since} AND updated_at <= ${until}`;

/** In SQL: the workspaces where somebody wants to be told. Disabled webhooks count: `recover` sends them what they missed. */
const ASKING = `SELECT workspace_id FROM webhooks WHERE ${asksFor('webhooks', `'session.abandoned'`)}`;

/** Of a workspace where nobody has asked before, sessions are announced that are abandoned from now on. */
const BEGIN = `INSERT INTO abandonment_cursors SELECT DISTINCT workspace_id, ${UNTIL} FROM (${ASKING}) AS asking
  ON CONFLICT DO NOTHING`;

const END = `DELETE FROM abandonment_cursors WHERE workspace_id NOT IN (${ASKING})`;

/** In random order, so that a workspace whose search fails doesn't always hold up the same others. */
const DUE = `SELECT workspace_id FROM abandonment_cursors AS found WHERE
    (SELECT true FROM ${sessionsOf('found.workspace_id', 'searched_until', UNTIL)} ORDER BY updated_at LIMIT 1)
  ORDER BY random() LIMIT ${WORKSPACES}`;

/**
 * $1: a workspace, of which nothing happens if another process searches it. A session is read under its lock: a step under
 * way keeps it from being announced, and a later step is a later event.
 */
const SEARCH = {
  name: 'abandonment-search',
  text: `
    WITH locked AS (
      SELECT searched_until FROM abandonment_cursors WHERE workspace_id = $1 FOR UPDATE SKIP LOCKED
    ), span AS (
      SELECT searched_until, coalesce((
          SELECT updated_at FROM ${sessionsOf('$1', 'searched_until', UNTIL)}
          ORDER BY updated_at OFFSET ${SESSIONS - 1} LIMIT 1
        ), ${UNTIL}) AS search_until
      FROM locked
    ), abandoned AS (
      SELECT id FROM ${sessionsOf('$1', '(SELECT searched_until FROM span)', '(SELECT search_until FROM span)')}
      FOR NO KEY UPDATE
    ), recorded AS (
      INSERT INTO outbox (workspace_id, id, type, flow_session_ids, created_at)
      SELECT $1, ${EVENT_ID}, 'session.abandoned', array_agg(id), ${NOW}
      FROM (SELECT id, (row_number() OVER () - 1) / ${SESSIONS_OF_ENTRY} AS entry FROM abandoned) AS numbered
      GROUP BY entry
    )
    UPDATE abandonment_cursors SET searched_until = search_until FROM span WHERE workspace_id = $1
    RETURNING (SELECT count(*) FROM abandoned) >= ${SESSIONS} AS is_full`,
};

/** Records which sessions were abandoned: a session is abandoned because nothing happens, so something has to look. */
@Injectable()
export class Abandonment implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly loop = new Loop('Searching for abandoned sessions', PAUSE_MS, async () => {
    if (await this.search()) this.loop.wake();
  });

  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly pooler: Pooler,
    private readonly outbox: Outbox,
    private readonly config: Config,
  ) {}

  onApplicationBootstrap(): void {
    if (this.config.eventWorkers > 0) this.loop.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.loop.stop();
  }

  /** Records up to 1,000 abandoned sessions of each workspace. Returns whether there may be more. */
  async search(): Promise<boolean> {
    await this.dataSource.query(BEGIN);
    await this.dataSource.query(END);
    const due: { workspace_id: string }[] = await this.dataSource.query(DUE);
    let isFull = due.length === WORKSPACES;
    for (const { workspace_id } of due) {
      const query = this.pooler.prepared({ ...SEARCH, values: [workspace_id] });
      const { rows } = await this.transactions.runStatement((client) => client.query<{ is_full: boolean }>(query));
      isFull ||= rows.some(({ is_full }) => is_full);
      if (rows.length > 0) this.outbox.announce(workspace_id);
    }
    return isFull;
  }
}
