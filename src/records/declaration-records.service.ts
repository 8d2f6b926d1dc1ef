import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { type Page, readPage } from '../platform/api/pagination';
import { ManagementLimits } from '../platform/database/management-limits.service';
import { DeliveriesService } from '../events/deliveries/deliveries.service';
import { Delivery } from '../events/deliveries/delivery.entity';
import { Declaration } from '../exit/declaration.entity';
import { DeclarationsService } from '../exit/declarations.service';
import type { Tenant } from '../tenancy/tenant';
import { UnitsOfWork } from '../tenancy/units-of-work.service';
import type { ExportDeclarationsQuery, KeptDeclaration, ListDeclarationsQuery } from './dto/declarations.dto';
import { readPages } from './downloads';

/** What a team knows of a customer who asks about their declaration. */
const SEARCHED = `lower(concat_ws(' ', declaration.number, declaration.name, declaration.email, declaration.contract))`;

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
    const { flow_id, kind, state, q, number, email, from, to } = query;
    const read = (before: string, take: number) => {
      const rows = this.repository
        .createQueryBuilder('declaration')
        .where('declaration.workspace_id = :workspaceId AND declaration.id < :before', { workspaceId, before })
        .orderBy('declaration.id', 'DESC')
        .limit(take);
      if (flow_id) rows.andWhere('declaration.flow_id = :flow_id', { flow_id });
      if (kind) rows.andWhere('declaration.kind = :kind', { kind });
      if (state) rows.andWhere(`declaration.done_at IS ${state === 'done' ? 'NOT NULL' : 'NULL'}`);
      if (q) rows.andWhere(`strpos(${SEARCHED}, lower(:q)) > 0`, { q: q.trim() });
      if (number) rows.andWhere('declaration.number = upper(:number)', { number: number.trim() });
      if (email) rows.andWhere('lower(declaration.email) = lower(:email)', { email });
      if (from) rows.andWhere('declaration.created_at >= :from', { from: new Date(from) });
      if (to) rows.andWhere('declaration.created_at < :to', { to: new Date(to) });
      return rows.getMany();
    };
    return this.limits.long.run(workspaceId, () => readPage(query, read));
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
