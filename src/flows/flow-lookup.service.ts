import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { EntityManager, Repository } from 'typeorm';
import { Cache } from '../common/cache';
import { FlowSlug } from './flow-slug.entity';
import { FlowVersion } from './flow-version.entity';

/** The parts of flows that never change, remembered in the process: where a slug leads, and what a version contains. */
@Injectable()
export class FlowLookup {
  constructor(
    @InjectRepository(FlowSlug) private readonly directory: Repository<FlowSlug>,
    private readonly cache: Cache,
  ) {}

  /** Where a slug leads; undefined when no flow has it. */
  slug(slug: string): Promise<FlowSlug | undefined> {
    return this.cache.getOrRead('slug', slug, () => this.directory.findOneBy({ slug }));
  }

  /** A version that is known to exist. */
  async version(workspaceId: string, flowId: string, version: number, manager: EntityManager): Promise<FlowVersion> {
    const found = await this.cache.getOrRead('version', `${flowId}:${version}`, () =>
      manager.findOneByOrFail(FlowVersion, { workspace_id: workspaceId, flow_id: flowId, version }),
    );
    return found!;
  }
}
