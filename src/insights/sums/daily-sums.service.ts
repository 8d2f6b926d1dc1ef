import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { firstIdOf } from '../../common/ids';
import { Metrics } from '../../common/metrics';
import { type Job, Jobs } from '../../database/jobs.service';
import { NOW } from '../../database/time';
import { Transactions } from '../../database/transactions';
import { ANY_FLOW, SUM_KINDS } from './daily-sum.entity';
import { dayOf, factsOf } from './facts';
import { firstOpenHour } from './span';
import { INSERT_VALUES } from './value';

const EVERY_MS = 10 * 60_000;

/** In SQL: the first id of a workspace that is not in the sums. All before are. */
export const firstIdBehindSums = (workspaceId: string) =>
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
  /** Of the oldest, in seconds. */
  age: number;
}

/** The next sessions of each workspace. In random order, so that one that fails doesn't hold up the same others. */
const DUE = `SELECT workspace.id AS workspace_id, next.first, ${firstIdOf('until')} AS end, until,
    extract(epoch FROM ${NOW} - next.created_at)::float AS age
  FROM workspaces AS workspace CROSS JOIN LATERAL (
    SELECT created_at, ${firstIdBehindSums('workspace.id')} AS first FROM flow_sessions AS session
    WHERE session.workspace_id = workspace.id AND session.id >= ${firstIdBehindSums('workspace.id')}
      AND session.id < ${firstIdOf(firstOpenHour(NOW))}
    ORDER BY session.id LIMIT 1
  ) AS next
    CROSS JOIN LATERAL (SELECT least(date_trunc('day', next.created_at, 'UTC') + interval '1 day', ${firstOpenHour(NOW)}) AS until) AS range
  ORDER BY random()`;

/** $1: workspace. Says whether no other process sums its days. */
const LOCK = `SELECT pg_try_advisory_xact_lock(hashtext('daily sums'), hashtext($1)) AS is_free`;

/**
 * $1: workspace, $2: id. Whether it still is the next. If another process has summed on, its sessions may be deleted by now. A customer
 * who is erased from some of their sessions, and not yet from all, would be two.
 */
const IS_NEXT = `
  SELECT ${firstIdBehindSums('$1')} = $2::uuid AND NOT EXISTS (SELECT FROM erasures WHERE workspace_id = $1) AS is_next`;

/** In SQL: adds to the numbers of rows that are there. */
const add = (table: string, columns: string[]) =>
  columns.map((column) => `${column} = ${table}.${column} + excluded.${column}`).join(', ');

/** $6 and $7: ids of sessions of a day, $8: they began before; the others as in `factsOf`. */
const INSERT_SUMS = `
  INSERT INTO daily_sums (workspace_id, day, flow_id, flow_version, kind, node_key, value, sessions, accepted, kept, canceled, until)
  SELECT $1::uuid, day, flow_id, flow_version, kind, node_key, value, sessions, accepted, kept, canceled, $8::timestamptz
  FROM (${factsOf((id) => `${id} >= $6::uuid AND ${id} < $7::uuid`)}) AS fact
  ON CONFLICT ON CONSTRAINT daily_sums_pkey
  DO UPDATE SET ${add('daily_sums', ['sessions', 'accepted', 'kept', 'canceled'])}, until = excluded.until`;

/** In SQL: adds rows to `daily_repeats`. */
const ADD_REPEATS = `
  ON CONFLICT ON CONSTRAINT daily_repeats_pkey
  DO UPDATE SET ${add('daily_repeats', ['sessions', 'saved', 'saved_by_offer', 'canceled'])}`;
const INTO_REPEATS = `
  INSERT INTO daily_repeats (workspace_id, day, flow_id, flow_version, node_key, value, earlier_day, earlier_version,
    sessions, saved, saved_by_offer, canceled)`;

const IS_DUE = 'session.workspace_id = $1 AND session.id >= $2::uuid AND session.id < $3::uuid';

/** In SQL: of the customer of `scope`, the newest session before. */
const earlier = (columns: string, condition: string) =>
  ['customer_id', 'erased_customer'].map(
    (customer) => `(
      SELECT created_at, ${columns} FROM flow_sessions AS earlier
      WHERE workspace_id = $1 AND ${customer} = scope.${customer} AND id < scope.id AND ${condition}
        AND (scope.flow_id = '${ANY_FLOW}' OR earlier.flow_id = scope.flow_id)
      ORDER BY id DESC LIMIT 1)`,
  );

/**
 * $1: workspace, $2 and $3: ids of sessions. Of each flow, and of all: for each customer of sessions, the newest session before, and the
 * newest before that ended.
 */
const INSERT_REPEATS = `${INTO_REPEATS}
  SELECT $1::uuid, ${dayOf('scope.created_at')}, scope.flow_id, 0, '', '', ${dayOf('earlier.created_at')}, 0,
    sum(sessions), sum(saved), sum(accepted), sum(canceled)
  FROM (
    SELECT id, created_at, status, customer_id, erased_customer, scope.flow_id
    FROM flow_sessions AS session CROSS JOIN LATERAL (VALUES (flow_id), ('${ANY_FLOW}'::uuid)) AS scope (flow_id) WHERE ${IS_DUE}
  ) AS scope CROSS JOIN LATERAL (${[
    ...earlier('1 AS sessions, 0 AS saved, 0 AS accepted, 0 AS canceled', 'true'),
    ...earlier(
      `0, (status = 'saved')::integer, saved_by_offer::integer, (status = 'canceled')::integer`,
      `status <> 'in_progress' AND scope.status <> 'in_progress'`,
    ),
  ].join(' UNION ALL ')}) AS earlier
  GROUP BY 2, 3, 7 ${ADD_REPEATS}`;

/** In SQL: the newest of the sessions before that are such, with what is counted of it. Ids are as long and sort as text. */
const newest = (condition: string) =>
  `max(ARRAY[id::text COLLATE "C", day::text, flow_version::text, status, saved_by_offer::text]) FILTER (WHERE ${condition})
      OVER (PARTITION BY flow_id, customer, node_key, value ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)`;

/** In SQL: what a session decided, as the columns of `daily_repeats`, and whether that is taken away or added. */
const decisionOf = (status: string, isByOffer: string, sign: 1 | -1) =>
  `${sign} * (${status} = 'saved')::integer, ${sign} * (${isByOffer})::integer, ${sign} * (${status} = 'canceled')::integer`;
const earlierDecision = (sign: 1 | -1) => decisionOf('decided[4]', 'decided[5]::boolean', sign);

const OF_PART = 'id, day, flow_id, flow_version, node_key, value';

/**
 * The same of each arm that the sessions or earlier ones of their customers got. Those that did not come to the arm count, too, once the
 * customer has. All sessions of a customer are read once, however many.
 */
const INSERT_REPEATS_OF_ARMS = `
  WITH visitor AS (
    SELECT DISTINCT flow_id, customer_id, erased_customer FROM flow_sessions AS session
    WHERE ${IS_DUE} AND (customer_id IS NOT NULL OR erased_customer IS NOT NULL) AND flow_id IN (
      SELECT flow_id FROM flow_versions WHERE workspace_id = $1 AND definition @? '$.nodes[*] ? (@.type == "split")'
        AND flow_id IN (SELECT flow_id FROM flow_sessions AS session WHERE ${IS_DUE}))
  ), lived AS (
    SELECT visitor.flow_id, coalesce(visitor.customer_id, visitor.erased_customer::text) AS customer, session.*
    FROM visitor CROSS JOIN LATERAL (${['customer_id', 'erased_customer']
      .map(
        (customer) => `(
      SELECT id, ${dayOf('created_at')} AS day, flow_version, status, saved_by_offer FROM flow_sessions AS earlier
      WHERE workspace_id = $1 AND ${customer} = visitor.${customer} AND earlier.flow_id = visitor.flow_id AND id < $3::uuid OFFSET 0)`,
      )
      .join(' UNION ALL ')}) AS session
  ), split AS (
    SELECT flow_id, version, jsonb_path_query(definition, '$.nodes[*] ? (@.type == "split")') ->> 'key' AS node_key
    FROM flow_versions WHERE workspace_id = $1 AND (flow_id, version) IN (SELECT flow_id, flow_version FROM lived)
  ), visit AS (
    SELECT lived.flow_id, customer, id, split.node_key, value
    FROM lived JOIN split ON split.flow_id = lived.flow_id AND split.version = lived.flow_version
      CROSS JOIN LATERAL (SELECT ways ->> split.node_key AS value FROM session_steps
        WHERE workspace_id = $1 AND flow_session_id = lived.id AND ways ? split.node_key LIMIT 1) AS step
  ), counted AS (
    SELECT *, ${newest('is_visit')} AS arrived, ${newest(`status <> 'in_progress'`)} AS decided
    FROM (
      SELECT lived.*, node_key, value, visit.id IS NOT NULL AS is_visit
      FROM (SELECT DISTINCT flow_id, customer, node_key, value FROM visit) AS arm JOIN lived USING (flow_id, customer)
        LEFT JOIN visit USING (flow_id, customer, id, node_key, value)
    ) AS lived
  ), part AS (
    -- It is no first visit.
    SELECT ${OF_PART}, arrived AS earlier, 1 AS sessions, 0 AS saved, 0 AS saved_by_offer, 0 AS canceled
    FROM counted WHERE is_visit AND arrived IS NOT NULL
    UNION ALL
    -- It decided after a visit.
    SELECT ${OF_PART}, arrived, 0, ${decisionOf('status', 'saved_by_offer', -1)}
    FROM counted WHERE NOT is_visit AND arrived IS NOT NULL AND status <> 'in_progress'
    UNION ALL
    -- It is the first visit, and what was decided before counts.
    SELECT ${OF_PART}, decided, 0, ${earlierDecision(-1)}
    FROM counted WHERE is_visit AND decided IS NOT NULL AND status = 'in_progress'
    UNION ALL
    -- What was decided before counted since the visit, or counts from now on.
    SELECT ${OF_PART}, least(arrived, decided), 0, ${earlierDecision(1)}
    FROM counted WHERE arrived IS NOT NULL AND decided IS NOT NULL AND (is_visit OR status <> 'in_progress')
  )
  ${INTO_REPEATS}
  SELECT $1::uuid, day, flow_id, flow_version, node_key, value, earlier[2]::date, earlier[3]::integer,
    sum(sessions), sum(saved), sum(saved_by_offer), sum(canceled)
  FROM part WHERE id >= $2::uuid GROUP BY 2, 3, 4, 5, 6, 7, 8 ${ADD_REPEATS}`;

/**
 * Counts each session once into the sums of its day (UTC), when the sessions of its hour are over. Until then, and while it is behind,
 * statistics read the sessions.
 */
@Injectable()
export class DailySums {
  private readonly job: Job;
  /** When the oldest session began that is not in the sums yet, although its hour is over, by `performance.now()`. */
  private oldest = Infinity;

  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    metrics: Metrics,
    jobs: Jobs,
  ) {
    this.job = jobs.add({ name: 'Summing sessions', everyMs: EVERY_MS, run: () => this.sumNext() });
    metrics.gauge(
      'sums_lag_seconds',
      'How long ago the oldest session began that is not in the sums yet, although the sessions of its hour are over',
      () => Math.max(0, performance.now() - this.oldest) / 1000,
    );
  }

  /** Sums at most a day of each workspace. Returns whether there may be more. */
  async sumNext(): Promise<boolean> {
    const due = await this.dataSource.query<Due[]>(DUE);
    this.oldest = due.reduce((oldest, { age }) => Math.min(oldest, performance.now() - 1000 * age), Infinity);
    let isAtWork = false;
    await this.job.forEach(due, async (next) => {
      if (await this.sum(next)) isAtWork = true;
    });
    return isAtWork;
  }

  /** Returns whether it did: another process may be at work in this workspace. */
  private sum({ workspace_id, first, end, until }: Due): Promise<boolean> {
    return this.transactions.runLong(this.job.stopping, async (query) => {
      const [{ is_free }] = await query<{ is_free: boolean }>(LOCK, [workspace_id]);
      if (!is_free) return false;
      const [{ is_next }] = await query<{ is_next: boolean }>(IS_NEXT, [workspace_id, first]);
      if (!is_next) return false;
      await query(INSERT_SUMS, [workspace_id, null, null, 'infinity', SUM_KINDS, first, end, until]);
      await query(INSERT_REPEATS, [workspace_id, first, end]);
      await query(INSERT_REPEATS_OF_ARMS, [workspace_id, first, end]);
      await query(INSERT_VALUES, [workspace_id, first, end]);
      return true;
    });
  }
}
