import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Config } from '../app/config';
import { firstIdAt } from '../platform/api/ids';
import { KEYS_LAST } from '../platform/database/idempotency-key.entity';
import { type Job, Jobs } from '../platform/database/jobs.service';
import { type Statement, statement } from '../platform/database/statement';
import { NOW } from '../platform/database/time';
import { theServiceIn } from '../tenancy/tenant';
import { UnitsOfWork } from '../tenancy/units-of-work.service';
import type { Work } from '../tenancy/work';
import { MONTH } from '../workspaces/usage';

const BATCH = 1000;
const FIRST_ID = firstIdAt(new Date(0));

/** $1: whole months. The first instant that is kept: the beginning of a month (UTC). */
const FIRST_KEPT = `SELECT (${MONTH} AT TIME ZONE 'UTC' - $1 * interval '1 month') AT TIME ZONE 'UTC' AS time`;

/** $1: an age, such as `30 days`. The ids of the oldest rows, by workspace. */
const oldestOf = (table: string, id: string) => `
  SELECT workspace_id, array_agg(${id}) AS ids FROM (
    SELECT workspace_id, ${id} FROM ${table} WHERE created_at < ${NOW} - $1::interval ORDER BY created_at LIMIT ${BATCH}
  ) AS old GROUP BY workspace_id`;

/** $1: the first value that is kept. In random order, so that a workspace that takes long doesn't hold up the same others. */
const workspacesWithOld = (table: string, column: string) => `
  SELECT id AS workspace_id FROM workspaces WHERE (
    SELECT true FROM ${table} AS old WHERE old.workspace_id = workspaces.id AND old.${column} < $1 ORDER BY old.${column} LIMIT 1)
  ORDER BY random()`;

/** Rows that somebody has locked are left for the next run. */
function deletionFrom(table: string, id: string, which: string): Statement {
  return statement(
    `DELETE FROM ${table} WHERE workspace_id = :workspace AND ${id} = ANY (ARRAY(
      SELECT ${id} FROM ${table} WHERE workspace_id = :workspace AND ${which} FOR UPDATE SKIP LOCKED))`,
  );
}

/** Rows that are kept for whole months. */
export interface Monthly {
  /** The column that says how old a row is: an id, or a time. It has an index with the workspace. */
  column: 'id' | 'at';
  /**
   * Deletes up to 1,000 rows of a workspace.
   *
   * @param firstKept of the column
   * @param after the result of the call before
   * @returns undefined if there are no more
   */
  deleteSome: (work: Work, firstKept: Date | string, after: string) => Promise<string | undefined>;
}

/** Deletes rows that are older than they are kept. The module of a table says how long that is. */
@Injectable()
export class Retention {
  private readonly tables = new Map<string, () => Promise<boolean>>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly units: UnitsOfWork,
    private readonly jobs: Jobs,
    { changesRetentionMonths }: Config,
  ) {
    // Their modules may not import this one.
    this.byAge('idempotency_keys', KEYS_LAST, 'hash');
    this.byMonth('changes', changesRetentionMonths);
  }

  /** Deletes rows some time after `created_at`, which has an index. An age is an interval of Postgres, such as `30 days`. */
  byAge(table: string, age: string, id = 'id'): void {
    const oldest = oldestOf(table, id);
    const deleteOld = deletionFrom(table, id, `${id} = ANY (:ids)`);
    this.add(table, 60_000, async (job) => {
      const old = await this.dataSource.query<{ workspace_id: string; ids: unknown[] }[]>(oldest, [age]);
      let deleted = 0;
      await job.forEach(old, async ({ workspace_id, ids }) => {
        deleted += await this.units.run(theServiceIn(workspace_id), (work) => work.write(deleteOld, { ids }));
      });
      return deleted === BATCH;
    });
  }

  /** Deletes rows of the months before this one and the last `months`; none without a number. */
  byMonth(table: string, months: number | undefined, monthly: Partial<Monthly> = {}): void {
    if (!months) return;
    const { column = 'id', deleteSome = oldestFirst(table, column) } = monthly;
    this.add(table, 10 * 60_000, async (job) => {
      const [{ time }] = await this.dataSource.query<{ time: Date }[]>(FIRST_KEPT, [months]);
      const firstKept = column === 'id' ? firstIdAt(time) : time;
      const due = await this.dataSource.query<{ workspace_id: string }[]>(workspacesWithOld(table, column), [
        firstKept,
      ]);
      await job.forEach(due, async ({ workspace_id }) => {
        let after: string | undefined = FIRST_ID;
        while (after && !job.isStopping) {
          const from: string = after;
          after = await this.units.run(theServiceIn(workspace_id), (work) => deleteSome(work, firstKept, from));
          job.noteProgress();
        }
      });
      return false;
    });
  }

  /** Deletes what is old of a table. Returns whether there may be more. */
  deleteOld(table: string): Promise<boolean> {
    return this.tables.get(table)!();
  }

  private add(table: string, everyMs: number, deleteOld: (job: Job) => Promise<boolean>): void {
    const run = () => deleteOld(job);
    const job: Job = this.jobs.add({ name: `Deleting old ${table.replaceAll('_', ' ')}`, everyMs, run });
    this.tables.set(table, run);
  }
}

function oldestFirst(table: string, column: string): Monthly['deleteSome'] {
  const deleteOld = deletionFrom(table, 'id', `${column} < :first_kept ORDER BY ${column} LIMIT ${BATCH}`);
  return async (work, firstKept, after) =>
    (await work.write(deleteOld, { first_kept: firstKept })) === BATCH ? after : undefined;
}
