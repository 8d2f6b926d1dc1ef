import { Injectable } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { Config } from '../settings/config';
import { firstIdAt } from '../platform/api/ids';
import { type Statement, statement } from '../platform/database/transaction/statement';
import { Metrics } from '../platform/metrics/metrics';
import { Retention } from '../privacy/retention.service';
import type { Tenant } from '../tenancy/work/tenant';
import { UnitsOfWork } from '../tenancy/work/units-of-work.service';
import type { Work } from '../tenancy/work/work';

const BATCH = 1000;

/** Deletes sessions that began before the months that are kept, with all that belongs to them. */
@Injectable()
export class SessionRetention {
  private readonly tables = ['session_steps'];
  private readonly keepers: KeepsSessions[] = [];
  private readonly deleted: Counter;

  constructor(
    private readonly units: UnitsOfWork,
    { sessionRetentionMonths }: Config,
    retention: Retention,
    metrics: Metrics,
  ) {
    this.deleted = metrics.counter('sessions_deleted_total', 'Old sessions that this process deleted', []);
    retention.byMonth('flow_sessions', sessionRetentionMonths, {
      deleteSome: (tenant, firstKept, after) => this.deleteSome(tenant, firstKept, after),
    });
  }

  /** Rows of a table are deleted together with the session that their `flow_session_id` names. */
  deleteWith(table: string): void {
    this.tables.push(table);
  }

  add(keeper: KeepsSessions): void {
    this.keepers.push(keeper);
  }

  /**
   * Deletes sessions of a flow in the transaction, whatever may keep them. Sessions that somebody has locked stay.
   *
   * @param customers a regular expression of Postgres that matches the ids of their customers
   */
  async deleteOf(work: Work, flowId: string, customers: string): Promise<void> {
    const deletion = this.deletion('flow_id = :flow AND customer_id ~ :customers');
    while ((await work.rows(deletion, { flow: flowId, customers })).length === BATCH);
  }

  private async deleteSome(tenant: Tenant, firstKept: Date, after: string): Promise<string | undefined> {
    const first_id = firstIdAt(firstKept);
    const deletion = this.deletion('id < :first_id AND id > :after');
    const ids = await this.units.run(tenant, async (work) => {
      for (const keeper of this.keepers) if (!(await keeper.isDoneBefore(work, first_id))) return [];
      return work.rows<{ id: string }>(deletion, { first_id, after });
    });
    this.deleted.inc(ids.length);
    return ids.length === BATCH ? ids.at(-1)!.id : undefined;
  }

  /** Leaves out sessions that somebody has locked. It is not prepared: Postgres plans it for the tables as they are. */
  private deletion(condition: string): Statement {
    const belonging = this.tables.map(
      (table) => `, ${table} AS (
        DELETE FROM ${table} WHERE workspace_id = :workspace AND flow_session_id = ANY (ARRAY(SELECT id FROM old)))`,
    );
    return statement(
      `WITH old AS (
        SELECT id FROM flow_sessions
        WHERE workspace_id = :workspace AND ${condition}
        ORDER BY id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
      )${belonging.join('')}, sessions AS (
        DELETE FROM flow_sessions WHERE workspace_id = :workspace AND id = ANY (ARRAY(SELECT id FROM old))
      )
      SELECT id FROM old ORDER BY id`,
    );
  }
}

/** Something that needs old sessions for a while. It registers itself: list it in `providers` of its module. */
@Injectable()
export abstract class KeepsSessions {
  constructor(retention: SessionRetention) {
    retention.add(this);
  }

  /** Whether it has what it needs of all sessions of the workspace before an id. */
  abstract isDoneBefore(work: Work, sessionId: string): Promise<boolean>;
}
