import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { EntityManager, Repository } from 'typeorm';
import { Memory, type Remembered } from '../common/memory';
import { FlowSlug } from './flow-slug.entity';
import { FlowVersion } from './flow-version.entity';

/** What never changes of flows, remembered in the process: where a slug leads, and what is in a version. */
@Injectable()
export class FlowLookup {
  private readonly slugsSeen: Remembered<FlowSlug>;
  private readonly versionsSeen: Remembered<FlowVersion>;

  constructor(
    @InjectRepository(FlowSlug) private readonly slugs: Repository<FlowSlug>,
    memory: Memory,
  ) {
    this.slugsSeen = memory.of('slug');
    this.versionsSeen = memory.of('version');
  }

  /** Where a slug leads; undefined when no flow has it. */
  async slug(slug: string): Promise<FlowSlug | undefined> {
    const seen = this.slugsSeen.get(slug);
    if (seen) return seen;
    const found = await this.slugs.findOneBy({ slug });
    if (found) this.slugsSeen.set(slug, found);
    return found ?? undefined;
  }

  /** A version that is known to exist. */
  async version(manager: EntityManager, workspaceId: string, flowId: string, version: number): Promise<FlowVersion> {
    const seen = this.versionSeen(flowId, version);
    if (seen) return seen;
    const found = await manager.findOneByOrFail(FlowVersion, { workspace_id: workspaceId, flow_id: flowId, version });
    this.versionsSeen.set(keyOf(flowId, version), found);
    return found;
  }

  /** A version, if it is remembered. */
  versionSeen(flowId: string, version: number): FlowVersion | undefined {
    return this.versionsSeen.get(keyOf(flowId, version));
  }
}

function keyOf(flowId: string, version: number): string {
  return `${flowId}:${version}`;
}
