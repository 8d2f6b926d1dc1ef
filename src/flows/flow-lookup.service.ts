import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LRUCache } from 'lru-cache';
import { EntityManager, Repository } from 'typeorm';
import { FlowSlug } from './flow-slug.entity';
import { FlowVersion } from './flow-version.entity';

const SLUGS_REMEMBERED = 20_000;
const VERSIONS_REMEMBERED_CHARACTERS = 64_000_000;

/** What never changes of flows, remembered in the process: where a slug leads, and what is in a version. */
@Injectable()
export class FlowLookup {
  private readonly slugsSeen = new LRUCache<string, FlowSlug>({ max: SLUGS_REMEMBERED });
  private readonly versionsSeen = new LRUCache<string, FlowVersion>({
    maxSize: VERSIONS_REMEMBERED_CHARACTERS,
    sizeCalculation: (version) => JSON.stringify(version).length,
  });

  constructor(@InjectRepository(FlowSlug) private readonly slugs: Repository<FlowSlug>) {}

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
    const key = `${flowId}:${version}`;
    const seen = this.versionsSeen.get(key);
    if (seen) return seen;
    const found = await manager.findOneByOrFail(FlowVersion, { workspace_id: workspaceId, flow_id: flowId, version });
    this.versionsSeen.set(key, found);
    return found;
  }
}
