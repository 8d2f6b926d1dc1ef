import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository, type SelectQueryBuilder } from 'typeorm';
import { type Page, readPage } from '../platform/api/paging/pagination';
import { searchFor } from '../platform/text/search-words';
import { ManagementLimits } from '../platform/database/queue/management-limits.service';
import { DeliveriesService } from '../events/deliveries/deliveries.service';
import { Delivery } from '../events/deliveries/delivery.entity';
import { Declaration } from '../exit/declaration.entity';
import { DeclarationsService } from '../exit/declarations.service';
import type { Tenant } from '../tenancy/work/tenant';
import { UnitsOfWork } from '../tenancy/work/units-of-work.service';
import type { ExportDeclarationsQuery, KeptDeclaration, ListDeclarationsQuery } from './dto/declarations.dto';
import { readPages } from './downloads/downloads';
import { LOOKED_THROUGH, newestFirst } from './newest-first';

/** Lists declarations for the team, and erases them. */
@Injectable()
export class DeclarationRecords {
  constructor(
    @InjectRepository(Declaration) private readonly repository: Repository<Declaration>,
    private readonly declarations: DeclarationsService,
    private readonly units: UnitsOfWork,
    private readonly deliveries: DeliveriesService,
    private readonly limits: ManagementLimits,
  ) {}

  list({ workspaceId }: Tenant, query: ListDeclarationsQuery): Promise<Page<Declaration>> {
    const { q } = query;
    const search = q === undefined ? undefined : searchFor(workspaceId, q, 'parts');
    const read = async (before: string, take: number): Promise<Declaration[]> => {
      if (search) return this.search(workspaceId, query, search, before, take);
      return q === undefined ? this.newest(workspaceId, query, before, take).getMany() : [];
    };
    return this.limits.long.run(workspaceId, () => readPage(query, read));
  }

  private search(
    workspaceId: string,
    query: ListDeclarationsQuery,
    search: string,
    from: string,
    take: number,
  ): Promise<Declaration[]> {
    const places = () =>
      this.repository
        .createQueryBuilder('one')
        .select('one.id', 'id')
        .where('one.workspace_id = :workspaceId', { workspaceId, search });
    const walk = (before: string) => places().andWhere('one.id < :before', { before }).orderBy('one.id', 'DESC');
    const among = (found: SelectQueryBuilder<Declaration>, before: string, most: number) =>
      this.newest(workspaceId, query, before, most)
        .addCommonTableExpression(found, 'found', { materialized: true })
        .innerJoin('found', 'found', 'found.id = declaration.id');
    return newestFirst<Declaration, string>(from, take, {
      endOf: async (before) =>
        (
          await walk(before)
            .offset(LOOKED_THROUGH - 1)
            .limit(1)
            .getRawOne<{ id: string }>()
        )?.id,
      lookThrough: (before, end, most) => {
        const near = walk(before).addSelect('one.words', 'words');
        if (end) near.andWhere('one.id >= :end', { end });
        return among(near, before, most).andWhere('found.words @@ :search::tsquery').getMany();
      },
      // Without an order, Postgres has no other way than the index.
      lookUp: (before, most) => among(places().andWhere('one.words @@ :search::tsquery'), before, most).getMany(),
    });
  }

  private newest(
    workspaceId: string,
    { flow_id, kind, state, number, email, from, to }: ListDeclarationsQuery,
    before: string,
    take: number,
  ): SelectQueryBuilder<Declaration> {
    const rows = this.repository
      .createQueryBuilder('declaration')
      .where('declaration.workspace_id = :workspaceId AND declaration.id < :before', { workspaceId, before })
      .orderBy('declaration.id', 'DESC')
      .limit(take);
    if (flow_id) rows.andWhere('declaration.flow_id = :flow_id', { flow_id });
    if (kind) rows.andWhere('declaration.kind = :kind', { kind });
    if (state) rows.andWhere(`declaration.done_at IS ${state === 'done' ? 'NOT NULL' : 'NULL'}`);
    if (number) rows.andWhere('declaration.number = upper(:number)', { number: number.trim() });
    if (email) rows.andWhere('lower(declaration.email) = lower(:email)', { email });
    if (from) rows.andWhere('declaration.created_at >= :from', { from: new Date(from) });
    if (to) rows.andWhere('declaration.created_at < :to', { to: new Date(to) });
    return rows;
  }

  all(tenant: Tenant, query: ExportDeclarationsQuery): AsyncGenerator<Declaration[]> {
    return readPages((page) => this.list(tenant, { ...query, ...page }));
  }

  async get(tenant: Tenant, id: string): Promise<KeptDeclaration> {
    const reader = this.units.reader(tenant);
    const declaration = await reader.get(Declaration, id);
    const { event_id } = declaration;
    const select = { status: true };
    const [receipt] = await reader.find(Delivery, { event_id, recipient_id: event_id }, { select });
    return { ...declaration, receipt: receipt?.status ?? null };
  }

  /** Notes whether what was declared is done. */
  async setDone(tenant: Tenant, id: string, isDone: boolean): Promise<KeptDeclaration> {
    await this.units.run(tenant, async (work) => {
      const declaration = await this.declarations.setDone(work, id, isDone);
      if (!declaration) return;
      const subject = { type: 'declaration' as const, id, name: declaration.number };
      work.log({ action: isDone ? 'declaration.done' : 'declaration.reopened', subject });
    });
    return this.get(tenant, id);
  }

  /** Erases who declared, and what its mails say of them. */
  erase(tenant: Tenant, id: string): Promise<void> {
    return this.units.run(tenant, async (work) => {
      const declaration = await this.declarations.erase(work, id);
      if (!declaration) return;
      await this.deliveries.forgetEvent(work, declaration.event_id);
      work.log({ action: 'declaration.erased', subject: { type: 'declaration', id, name: declaration.number } });
    });
  }
}
