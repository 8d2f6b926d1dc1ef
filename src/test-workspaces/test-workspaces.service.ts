import { Injectable } from '@nestjs/common';
import { ConfigurationService } from '../configuration/configuration.service';
import { PeopleService } from '../people/members/people.service';
import { Problem } from '../platform/api/problems/problem';
import { ManagementLimits } from '../platform/database/queue/management-limits.service';
import { type Statement, statement } from '../platform/database/transaction/statement';
import { theServiceIn, type Tenant } from '../tenancy/work/tenant';
import { UnitsOfWork } from '../tenancy/work/units-of-work.service';
import { ApiKeysService } from '../workspaces/api-keys/api-keys.service';
import type { CreatedWorkspaceDto } from '../workspaces/dto/workspace.dto';
import { WorkspacesService } from '../workspaces/workspaces.service';
import { WorkspaceTables } from './workspace-tables';

/** Rows that are deleted in one transaction. */
const BATCH = 5000;
/**
 * What goes in the last transaction: the workspace, its people, and what refers to each other. Steps that customers
 * take until then refer to their sessions.
 */
const TOGETHER = new Set(['flow_versions', 'flows', 'members', 'workspaces', 'flow_sessions']);

/** Test workspaces: made beside a live one, and deleted. */
@Injectable()
export class TestWorkspaces {
  /** Each deletes at most `BATCH` rows of a table. In this order, nothing refers to what is gone. */
  private readonly deletions: { table: string; sql: Statement }[];

  constructor(
    private readonly units: UnitsOfWork,
    private readonly workspaces: WorkspacesService,
    private readonly apiKeys: ApiKeysService,
    private readonly people: PeopleService,
    private readonly configuration: ConfigurationService,
    private readonly limits: ManagementLimits,
    private readonly tables: WorkspaceTables,
  ) {
    this.deletions = tables.leavesFirst.map(({ name: table, owner }) => {
      const some = `SELECT ctid FROM ${table} WHERE ${owner} = :workspace LIMIT ${BATCH}`;
      const sql = statement(`DELETE FROM ${table} WHERE ${owner} = :workspace AND ctid = ANY (ARRAY(${some}))`);
      return { table, sql };
    });
  }

  /** A new test workspace, with the configuration of the tenant's, and an API key. A person owns what they make. */
  create(tenant: Tenant): Promise<CreatedWorkspaceDto> {
    const { actor } = tenant;
    return this.limits.long.run(tenant.workspaceId, () =>
      this.units.run(tenant, async (work) => {
        const { id: workspaceId, name } = await this.workspaces.createTest(work);
        const own = work.within(workspaceId);
        const { id: person, name: called } = actor;
        if (actor.type === 'person') await this.people.join(work, workspaceId, { id: person!, name: called }, 'owner');
        await this.configuration.copy(own, tenant.workspaceId);
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
    for (const { table, sql } of this.deletions) {
      if (TOGETHER.has(table)) continue;
      while ((await this.units.run(service, (work) => work.write(sql))) > 0);
    }
    await this.units.run(service, async (work) => {
      // Another request may have deleted it.
      await this.workspaces.of(work);
      await this.tables.lockAll(work);
      await this.people.removeAll(work);
      for (const { sql } of this.deletions) while ((await work.write(sql)) > 0);
    });
  }
}
