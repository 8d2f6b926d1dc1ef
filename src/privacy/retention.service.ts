import { Injectable } from '@nestjs/common';
import { ConnectionPool } from '../platform/database/connection/connection-pool';
import { Config } from '../settings/config';
import { firstIdAt } from '../platform/api/ids';
import { KEYS_LAST } from '../platform/database/transaction/idempotency-key.entity';
import { type Job, Jobs } from '../platform/database/queue/jobs.service';
import { type Statement, statement } from '../platform/database/transaction/statement';
import { NOW } from '../platform/database/time';
import { type Tenant, theServiceIn } from '../tenancy/work/tenant';
import { UnitsOfWork } from '../tenancy/work/units-of-work.service';
import { MONTH } from '../workspaces/counters/usage';

const BATCH = 1000;
const FIRST_ID = firstIdAt(new Date(0));

/** The first instant that is kept: the beginning of a month (UTC). */
const FIRST_KEPT = statement(
  `SELECT (${MONTH} AT TIME ZONE 'UTC' - :months * interval '1 month') AT TIME ZONE 'UTC' AS time`,
);

/** The ids of the oldest rows, by workspace. `:age` is an interval, such as `30 days`. */
function oldestOf(table: string, id: string): Statement {
  return statement(`
  SELECT workspace_id, array_agg(${id}) AS ids FROM (
    SELECT workspace_id, ${id} FROM ${table} WHERE created_at < ${NOW} - :age::interval ORDER BY created_at LIMIT ${BATCH}
  ) AS old GROUP BY workspace_id`);
}

/**
 * Those that have rows before `:first`, the first value that is kept. In random order, so that a workspace that takes
 * long doesn't hold up the same others.
 */
function workspacesWithOld(table: string, column: string): Statement {
  return statement(`
  SELECT id AS workspace_id FROM workspaces WHERE (
    SELECT true FROM ${table} AS old WHERE old.workspace_id = workspaces.id AND old.${column} < :first ORDER BY old.${column} LIMIT 1)
  ORDER BY random()`);
}

/** Rows that somebody has locked are left for the next run. */
function deletionFrom(table: string, id: string, which: string): Statement {
  return statement(
    `DELETE FROM ${table} WHERE workspace_id = :workspace AND ${id} = ANY (ARRAY(
      SELECT ${id} FROM ${table} WHERE workspace_id = :workspace AND ${which} FOR UPDATE SKIP LOCKED))`,
  );
}

/** How rows of a table are deleted that are kept for whole months. */
export interface Monthly {
  /** The column that says how old a row is: an id, or a time. It has an index with the workspace. */
  column: 'id' | 'at';
  /**
   * Deletes up to 1,000 rows of a workspace in a transaction.
   *
   * @param firstKept the beginning of the first month that is kept (UTC)
   * @param after where the call before ended; the smallest id in the first one
   * @returns where it ended; undefined if there are no more rows
   */
  deleteSome: (tenant: Tenant, firstKept: Date, after: string) => Promise<string | undefined>;
}

type Delete = (job: Job) => Promise<boolean>;

/** Deletes rows that are older than they are kept. The module of a table says how long that is. */
@Injectable()
export class Retention {
  private readonly byDay: Delete[] = [];
  private readonly byMonths: Delete[] = [];
  private readonly days: Job;
  private readonly months: Job;

  constructor(
    private readonly connections: ConnectionPool,
    private readonly units: UnitsOfWork,
    { changesRetentionMonths }: Config,
    jobs: Jobs,
  ) {
    this.days = jobs.add({ name: 'Deleting old rows', everyMs: 60_000, run: () => this.deleteOld() });
    this.months = jobs.add({ name: 'Deleting old months', everyMs: 10 * 60_000, run: () => this.deleteMonths() });
    // Their modules stand before this one in the order of imports, so they can't ask for it themselves.
    this.byAge('idempotency_keys', KEYS_LAST, 'hash');
    this.byMonth('changes', changesRetentionMonths);
  }

  /**
   * Rows are deleted some time after `created_at`, which has an index. An age is an interval of Postgres, such as `30
   * days`.
   */
  byAge(table: string, age: string, id = 'id'): void {
    const oldest = oldestOf(table, id);
    const deleteOld = deletionFrom(table, id, `${id} = ANY (:ids)`);
    this.byDay.push(async (job) => {
      const old = await this.connections.rows<{ workspace_id: string; ids: unknown[] }>(oldest, { age });
      let deleted = 0;
      await job.forEach(old, async ({ workspace_id, ids }) => {
        deleted += await this.units.run(theServiceIn(workspace_id), (work) => work.write(deleteOld, { ids }));
      });
      return deleted === BATCH;
    });
  }

  /** Rows of the months before this one and the last `months` are deleted; none without a number. */
  byMonth(table: string, months: number | undefined, monthly: Partial<Monthly> = {}): void {
    if (!months) return;
    const { column = 'id', deleteSome = this.oldestFirst(table) } = monthly;
    const due = workspacesWithOld(table, column);
    this.byMonths.push(async (job) => {
      const [{ time }] = await this.connections.rows<{ time: Date }>(FIRST_KEPT, { months });
      const first = column === 'id' ? firstIdAt(time) : time;
      const workspaces = await this.connections.rows<{ workspace_id: string }>(due, { first });
      await job.forEach(workspaces, async ({ workspace_id }) => {
        let after: string | undefined = FIRST_ID;
        while (after && !job.isStopping) {
          after = await deleteSome(theServiceIn(workspace_id), time, after);
          job.noteProgress();
        }
      });
      return false;
    });
  }

  /** Deletes up to 1,000 rows of each table. Returns whether there may be more. */
  deleteOld(): Promise<boolean> {
    return each(this.byDay, this.days);
  }

  /** Deletes the rows of all months that are over. */
  deleteMonths(): Promise<boolean> {
    return each(this.byMonths, this.months);
  }

  private oldestFirst(table: string): Monthly['deleteSome'] {
    const deleteOld = deletionFrom(table, 'id', `id < :first_id ORDER BY id LIMIT ${BATCH}`);
    return async (tenant, firstKept, after) => {
      const values = { first_id: firstIdAt(firstKept) };
      const deleted = await this.units.run(tenant, (work) => work.write(deleteOld, values));
      return deleted === BATCH ? after : undefined;
    };
  }
}

/** One table after another. One that fails doesn't keep the others from being cleaned. */
async function each(tables: Delete[], job: Job): Promise<boolean> {
  const failures: unknown[] = [];
  let isMore = false;
  for (const deleteOld of tables) {
    try {
      isMore = (await deleteOld(job)) || isMore;
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return isMore;
}
