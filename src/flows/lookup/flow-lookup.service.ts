import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { ConnectionPool } from '../../platform/database/connection/connection-pool';
import { statement } from '../../platform/database/transaction/statement';
import { Cache } from '../../platform/common/cache';
import type { WorkspaceCode } from '../../workspaces/counters/workspace-code.entity';
import type { FlowSlug } from './flow-slug.entity';
import { FlowVersion } from '../versions/flow-version.entity';

/** Where a slug leads. */
export type FoundFlow = Pick<FlowSlug, 'workspace_id' | 'flow_id'> & Pick<WorkspaceCode, 'code'>;

/** Anything that belongs to a version of a flow: a session, a preview, a declaration. */
interface VersionRef {
  workspace_id: string;
  flow_id: string;
  flow_version: number;
}

const FIND = statement(
  'SELECT workspace_id, flow_id, code FROM flow_slugs JOIN workspace_codes USING (workspace_id) WHERE slug = :slug',
);

/** The parts of flows that never change, remembered in the process: where a slug leads, and what a version contains. */
@Injectable()
export class FlowLookup {
  constructor(
    private readonly manager: EntityManager,
    private readonly connections: ConnectionPool,
    private readonly cache: Cache,
  ) {}

  /** Where a slug leads; undefined when no flow has it. */
  slug(slug: string): Promise<FoundFlow | undefined> {
    return this.cache.getOrRead('slug', slug, async () => {
      const [found] = await this.connections.rows<FoundFlow>(FIND, { slug });
      return found ?? null;
    });
  }

  /** A version that is known to exist. In a transaction it is read by the transaction's `manager`. */
  async version({ workspace_id, flow_id, flow_version }: VersionRef, manager = this.manager): Promise<FlowVersion> {
    const found = await this.cache.getOrRead('version', `${flow_id}:${flow_version}`, () =>
      manager.findOneByOrFail(FlowVersion, { workspace_id, flow_id, version: flow_version }),
    );
    return found!;
  }
}
