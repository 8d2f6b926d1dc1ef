import { Injectable } from '@nestjs/common';
import { ConfigurationService } from '../configuration/configuration.service';
import { PeopleService } from '../people/members/people.service';
import { Problem } from '../platform/api/problems/problem';
import { ManagementLimits } from '../platform/database/queue/management-limits.service';
import { type Statement, statement } from '../platform/database/transaction/statement';
import { DailySums } from '../statistics/sums/daily-sums.service';
import { theServiceIn, type Tenant } from '../tenancy/work/tenant';
import { UnitsOfWork } from '../tenancy/work/units-of-work.service';
import { ApiKeysService } from '../workspaces/api-keys/api-keys.service';
import type { CreatedWorkspaceDto } from '../workspaces/dto/workspace.dto';
import { WorkspacesService } from '../workspaces/workspaces.service';
import { WorkspaceTables } from './workspace-tables';

/** Rows that are deleted in one transaction. */
const BATCH = 5000;
/** They go together with what refers to them. */
const SESSIONS = 'flow_sessions';

/** What goes in the last transaction: the workspace, its people, and what refers to each other. */
const TOGETHER = new Set(['flow_versions', 'flows', 'members', 'workspaces']);

/** Test workspaces: made beside a live one, and deleted. */
@Injectable()
export class TestWorkspaces {
  /** Deletes some sessions with what refers to them, but none that takes a step. */
  private readonly deleteSessions: Statement;
  /** Each deletes at most `BATCH` rows of a table. In this order, nothing refers to what is gone. */
  private readonly deletions: { table: string; sql: Statement }[];

  constructor(
    private readonly units: UnitsOfWork,
    private readonly workspaces: WorkspacesService,
    private readonly apiKeys: ApiKeysService,
    private readonly people: PeopleService,
    private readonly configuration: ConfigurationService,
    private readonly limits: ManagementLimits,
    private readonly sums: DailySums,
    private readonly tables: WorkspaceTables,
  ) {
    const owning = tables.leavesFirst.filter(({ refersTo }) => refersTo.includes(SESSIONS));
    const parts = owning.map(
      ({ name }) => `of_${name} AS (
      DELETE FROM ${name} WHERE workspace_id = :workspace AND flow_session_id IN (SELECT id FROM gone))`,
    );
    this.deleteSessions = statement(`WITH gone AS MATERIALIZED (
        SELECT id FROM ${SESSIONS} WHERE workspace_id = :workspace LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
      ), ${parts.join(', ')}
      DELETE FROM ${SESSIONS} WHERE workspace_id = :workspace AND id IN (SELECT id FROM gone)`);
    this.deletions = tables.leavesFirst.map(({ name: table, owner }) => {
      const some = `SELECT ctid FROM ${table} WHERE ${owner} = :workspace LIMIT ${BATCH}`;
      const sql = statement(`DELETE FROM ${table} WHERE ${owner} = :workspace AND ctid = ANY (ARRAY(${some}))`);
      return { table, sql };
    });
  }

  /** A new test workspace, with the configuration of the tenant's, and an API key. A person owns what they make. */
  async create(tenant: Tenant): Promise<CreatedWorkspaceDto> {
    const { actor } = tenant;
    const document = await this.configuration.read(tenant, { environment: true });
    return this.limits.long.run(tenant.workspaceId, () =>
      this.units.run(tenant, async (work) => {
        const { id: workspaceId, name } = await this.workspaces.createTest(work);
        const own = work.within(workspaceId);
        const { id: person, name: called } = actor;
        if (actor.type === 'person') await this.people.join(work, workspaceId, { id: person!, name: called }, 'owner');
        await this.configuration.copy(own, document, tenant.workspaceId);
        const { id, key } = await this.apiKeys.issue(own, { name: 'First key' });
        return { id: workspaceId, name, api_key: { id, key } };
      }),
    );
  }

  /**
   * Deletes a test workspace with everything in it. It takes the rows of large ones in parts: if it is stopped
   * half-way, the rest is deleted when it is asked again.
   */
  async delete(workspaceId: string): Promise<void> {
    const { test } = await this.workspaces.get(workspaceId);
    if (!test) throw new Problem('not_a_test_workspace');
    const service = theServiceIn(workspaceId);
    const before = this.deletions.filter(({ table }) => !TOGETHER.has(table) && table !== SESSIONS);
    for (const sql of [this.deleteSessions, ...before.map(({ sql }) => sql)]) {
      while ((await this.units.run(service, (work) => work.write(sql))) > 0);
    }
    await this.units.run(service, async (work) => {
      // Another request may have deleted it.
      await this.workspaces.of(work);
      // Waits for what sums its sessions.
      await this.sums.forget(work);
      await this.tables.lockAll(work);
      await this.people.removeAll(work);
      for (const { sql } of this.deletions) while ((await work.write(sql)) > 0);
    });
  }
}
