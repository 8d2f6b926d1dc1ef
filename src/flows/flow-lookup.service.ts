import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { EntityManager, Repository } from 'typeorm';
import { Cache, type CacheRegion } from '../common/cache';
import { FlowSlug } from './flow-slug.entity';
import { FlowVersion } from './flow-version.entity';

/** The parts of flows that never change, remembered in the process: where a slug leads, and what a version contains. */
@Injectable()
export class FlowLookup {
  private readonly slugs: CacheRegion<FlowSlug>;
  private readonly versions: CacheRegion<FlowVersion>;

  constructor(
    @InjectRepository(FlowSlug) private readonly directory: Repository<FlowSlug>,
    cache: Cache,
  ) {
    this.slugs = cache.region('slug');
    this.versions = cache.region('version');
  }

  /** Where a slug leads; undefined when no flow has it. */
  async slug(slug: string): Promise<FlowSlug | undefined> {
    const known = this.slugs.get(slug);
    if (known) return known;
    const found = await this.directory.findOneBy({ slug });
    if (found) this.slugs.set(slug, found);
    return found ?? undefined;
  }

  /** A version that is known to exist. */
  async version(workspaceId: string, flowId: string, version: number, manager: EntityManager): Promise<FlowVersion> {
    const known = this.knownVersion(flowId, version);
    if (known) return known;
    const found = await manager.findOneByOrFail(FlowVersion, { workspace_id: workspaceId, flow_id: flowId, version });
    this.versions.set(keyOf(flowId, version), found);
    return found;
  }

  /** A version, if it is remembered. */
  knownVersion(flowId: string, version: number): FlowVersion | undefined {
    return this.versions.get(keyOf(flowId, version));
  }
}

function keyOf(flowId: string, version: number): string {
  return `${flowId}:${version}`;
}
