import { Injectable } from '@nestjs/common';
import { ConnectionPool } from '../../platform/database/connection/connection-pool';
import { firstIdOf } from '../../platform/api/ids';
import { Age } from '../../platform/metrics/age';
import { Metrics } from '../../platform/metrics/metrics';
import { type Job, Jobs } from '../../platform/database/queue/jobs.service';
import { statement } from '../../platform/database/transaction/statement';
import { NOW } from '../../platform/database/time';
import { theServiceIn } from '../../tenancy/work/tenant';
import { UnitsOfWork } from '../../tenancy/work/units-of-work.service';
import type { Work } from '../../tenancy/work/work';
import { DailySum, SUM_KINDS } from './daily-sum.entity';
import { factsOf } from './facts';
import { CountsSessions, KeptSessions } from '../../sessions/ends/kept-sessions.service';
import { IS_CUSTOMERS } from '../../sessions/session-source';
import { firstOpenHour } from './span';

const EVERY_MS = 10 * 60_000;
/** A day of 1,000,000 sessions takes a minute or two. */
const DAY_TAKES_MS = 15 * 60_000;

/** SQL for the first id of a workspace that is not in the sums. All before are. */
export const firstIdAfterSums = (workspaceId: string) =>
  `(SELECT coalesce(${firstIdOf('max(until)')}, ${firstIdOf("'epoch'::timestamptz")}) FROM daily_sums
    WHERE workspace_id = ${workspaceId} AND day = (SELECT max(day) FROM daily_sums WHERE workspace_id = ${workspaceId}))`;

/** The next sessions to sum, all of one day. */
interface Due {
  workspace_id: string;
  /** Their ids. */
  first: string;
  end: string;
  /** They began before. */
  until: Date;
  /** The age of the oldest, in seconds. */
  age: number;
}

/** The next sessions of each workspace. In random order, so that one that fails doesn't hold up the same others. */
const DUE = statement(`SELECT workspace.id AS workspace_id, next.first, ${firstIdOf('until')} AS end, until,
    extract(epoch FROM ${NOW} - next.created_at)::float AS age
  FROM workspaces AS workspace CROSS JOIN LATERAL (
    SELECT created_at, ${firstIdAfterSums('workspace.id')} AS first FROM flow_sessions
    WHERE flow_sessions.workspace_id = workspace.id AND flow_sessions.id >= ${firstIdAfterSums('workspace.id')}
      AND flow_sessions.id < ${firstIdOf(firstOpenHour(NOW))} AND ${IS_CUSTOMERS}
    ORDER BY flow_sessions.id LIMIT 1
  ) AS next
    CROSS JOIN LATERAL (SELECT least(date_trunc('day', next.created_at, 'UTC') + interval '1 day', ${firstOpenHour(NOW)}) AS until) AS range
  ORDER BY random()`);

/** Says whether no other process sums its days. */
const LOCK = statement(`SELECT pg_try_advisory_xact_lock(hashtext('daily sums'), hashtext(:workspace)) AS is_free`);

/** Waits for that. */
const LOCK_WAITING = statement(`SELECT pg_advisory_xact_lock(hashtext('daily sums'), hashtext(:workspace))`);

/**
 * Whether a session still is the next. If another process has summed on, its sessions may be deleted by now.
 */
const IS_NEXT = statement(`SELECT ${firstIdAfterSums(':workspace')} = :first::uuid AS is_next`);

const COUNTED = ['sessions', 'accepted', 'kept', 'canceled', 'contacted'];
const ADD = COUNTED.map((column) => `${column} = daily_sums.${column} + excluded.${column}`).join(', ');

/**
 * SQL that adds sessions to the sums of their days, or takes them away.
 *
 * @param isIn as in `factsOf`
 * @param sign 1 or -1
 */
const addSums = (isIn: (id: string) => string, sign: string) => `
  INSERT INTO daily_sums (workspace_id, day, flow_id, flow_version, kind, node_key, value, ${COUNTED.join(', ')}, until)
  SELECT :workspace::uuid, day, flow_id, flow_version, kind, node_key, value,
    ${COUNTED.map((column) => `${sign} * ${column}`).join(', ')}, :until::timestamptz
  FROM (${factsOf(isIn)}) AS fact
  ON CONFLICT ON CONSTRAINT daily_sums_pkey
  DO UPDATE SET ${ADD}, until = greatest(daily_sums.until, excluded.until)`;

/** `:first` and `:end` are ids of sessions of a day, which began before `:until`; the others as in `factsOf`. */
export const INSERT_SUMS = statement(addSums((id) => `${id} >= :first::uuid AND ${id} < :end::uuid`, '1'));

/** The same for one session, if it is in the sums. */
const isSummed = (id: string) => `${id} = :session::uuid AND ${id} < ${firstIdAfterSums(':workspace')}`;
const CHANGE_SUMS = statement(addSums(isSummed, ':sign::integer'));

/** Sessions of all flows and versions. They are over, so one that has not ended is abandoned, whatever the time. */
const ALL = { flow: null, version: null, now: 'infinity', kinds: SUM_KINDS };

/**
 * Counts each session once into the sums of its day (UTC), when the sessions of its hour are over. Until then, and
 * while it is behind, statistics read the sessions.
 */
@Injectable()
export class DailySums extends CountsSessions {
  private readonly job: Job;
  private readonly oldest = new Age();

  constructor(
    private readonly connections: ConnectionPool,
    private readonly units: UnitsOfWork,
    metrics: Metrics,
    jobs: Jobs,
    kept: KeptSessions,
  ) {
    super(kept);
    this.job = jobs.add({ name: 'Summing sessions', everyMs: EVERY_MS, run: () => this.sumNext() });
    metrics.gauge(
      'sums_lag_seconds',
      'How long ago the oldest session began that is not in the sums yet, although the sessions of its hour are over',
      () => this.oldest.seconds,
    );
  }

  /** Sums at most a day of each workspace. Returns whether there may be more. */
  async sumNext(): Promise<boolean> {
    const due = await this.oldest.look(
      () => this.connections.rows<Due>(DUE),
      (found) => found.map(({ age }) => age),
    );
    let isAtWork = false;
    await this.job.forEach(due, async (next) => {
      if (await this.sum(next)) isAtWork = true;
    });
    return isAtWork;
  }

  /**
   * Forgets sums of a workspace: all of them before sessions of the past are added, which are counted with the others
   * then, or those of a flow that has none any more.
   */
  async forget(work: Work, which: { flow_id?: string } = {}): Promise<void> {
    await work.rows(LOCK_WAITING);
    await work.delete(DailySum, which);
  }

  /** Nothing is summed until the transaction ends. */
  async count(work: Work, session: string, sign: 1 | -1): Promise<void> {
    await work.rows(LOCK_WAITING);
    await work.write(CHANGE_SUMS, { ...ALL, session, until: '-infinity', sign });
  }

  /** Returns whether it did: another process may be at work in this workspace. */
  private sum({ workspace_id, first, end, until }: Due): Promise<boolean> {
    return this.units.longRun(theServiceIn(workspace_id), this.job.stopping, DAY_TAKES_MS, async (reader) => {
      if (!(await reader.row<{ is_free: boolean }>(LOCK))!.is_free) return false;
      if (!(await reader.row<{ is_next: boolean }>(IS_NEXT, { first }))!.is_next) return false;
      await reader.rows(INSERT_SUMS, { ...ALL, first, end, until });
      return true;
    });
  }
}
