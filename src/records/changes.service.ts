import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { firstIdAt } from '../platform/api/ids';
import { type Page, readPage } from '../platform/api/paging/pagination';
import { ManagementLimits } from '../platform/database/queue/management-limits.service';
import { Change } from '../tenancy/log/change.entity';
import type { Tenant } from '../tenancy/work/tenant';
import { readPages } from './downloads/downloads';
import type { ExportChangesQuery, ListChangesQuery } from './dto/changes.dto';

/** The log of changes, for those who read it. */
@Injectable()
export class ChangesService {
  constructor(
    @InjectRepository(Change) private readonly changes: Repository<Change>,
    private readonly limits: ManagementLimits,
  ) {}

  /** Addresses that were invited are named to those alone who may list invitations. */
  list({ workspaceId, actor: caller, role }: Tenant, query: ListChangesQuery): Promise<Page<Change>> {
    const { actor, subject, from, ...page } = query;
    const mayKnow = caller.type === 'person' && role === 'owner';
    const read = async (before: string, take: number) => {
      const changes = this.changes
        .createQueryBuilder('change')
        .where('change.workspace_id = :workspaceId AND change.id < :before', { workspaceId, before })
        .orderBy('change.id', 'DESC')
        .limit(take);
      if (actor) changes.andWhere('change.actor_id = :actor', { actor });
      if (subject) changes.andWhere('change.subject_id = :subject', { subject });
      if (from) changes.andWhere('change.id >= :first', { first: firstIdAt(new Date(from)) });
      const found = await changes.getMany();
      return mayKnow ? found : found.map(withoutAddress);
    };
    return this.limits.long.run(workspaceId, () => readPage(page, read));
  }

  all(tenant: Tenant, query: ExportChangesQuery): AsyncGenerator<Change[]> {
    return readPages((page) => this.list(tenant, { ...query, ...page }));
  }
}

function withoutAddress(change: Change): Change {
  return change.subject_type === 'invitation' ? { ...change, subject_name: 'An invited person' } : change;
}
