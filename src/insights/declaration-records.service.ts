import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { type Page, readPage } from '../common/pagination';
import { Problem } from '../common/problem';
import { now } from '../database/time';
import { Transactions } from '../database/transactions';
import { DeliveriesService } from '../delivery/deliveries.service';
import { Delivery } from '../delivery/delivery.entity';
import { Declaration } from '../exit/declaration.entity';
import type { Actor } from '../tenancy/actor';
import { ChangeLog } from '../tenancy/changes/change-log.service';
import type { ExportDeclarationsQuery, KeptDeclaration, ListDeclarationsQuery } from './dto/declarations.dto';
import { readPages } from './downloads';

/** What customers declared on exit pages, as the team reads it. */
@Injectable()
export class DeclarationRecords {
  constructor(
    @InjectRepository(Declaration) private readonly declarations: Repository<Declaration>,
    private readonly transactions: Transactions,
    private readonly deliveries: DeliveriesService,
    private readonly changes: ChangeLog,
  ) {}

  list(workspaceId: string, query: ListDeclarationsQuery): Promise<Page<Declaration>> {
    const { flow_id, kind, number, email, from, to } = query;
    return readPage(query, (before, take) => {
      const rows = this.declarations
        .createQueryBuilder('declaration')
        .where('declaration.workspace_id = :workspaceId AND declaration.id < :before', { workspaceId, before })
        .orderBy('declaration.id', 'DESC')
        .limit(take);
      if (flow_id) rows.andWhere('declaration.flow_id = :flow_id', { flow_id });
      if (kind) rows.andWhere('declaration.kind = :kind', { kind });
      if (number) rows.andWhere('declaration.number = upper(:number)', { number: number.trim() });
      if (email) rows.andWhere('lower(declaration.email) = lower(:email)', { email });
      if (from) rows.andWhere('declaration.created_at >= :from', { from: new Date(from) });
      if (to) rows.andWhere('declaration.created_at < :to', { to: new Date(to) });
      return rows.getMany();
    });
  }

  all(workspaceId: string, query: ExportDeclarationsQuery): AsyncGenerator<Declaration[]> {
    return readPages((page) => this.list(workspaceId, { ...query, ...page }));
  }

  async get(workspaceId: string, id: string): Promise<KeptDeclaration> {
    const { manager } = this.declarations;
    const declaration = await this.declarations.findOneBy({ workspace_id: workspaceId, id });
    if (!declaration) throw new Problem('not_found');
    const { event_id } = declaration;
    const key = { workspace_id: workspaceId, event_id, recipient_id: event_id };
    const receipt = await manager.findOne(Delivery, { select: { status: true }, where: key });
    return { ...declaration, receipt: receipt?.status ?? null };
  }

  /** Erases what says who declared, and why. What was declared, and when, stays as evidence. */
  erase(workspaceId: string, id: string, actor: Actor): Promise<void> {
    const key = { workspace_id: workspaceId, id };
    return this.transactions.run(async (manager) => {
      const lock = { mode: 'pessimistic_write' } as const;
      const declaration = await manager.findOne(Declaration, { where: key, lock });
      if (!declaration) throw new Problem('not_found');
      if (declaration.erased_at) return;
      // Whoever guesses a name could find it by the hash.
      await manager.update(Declaration, key, {
        name: null,
        email: null,
        reason: null,
        content_hash: randomBytes(32),
        erased_at: now,
      });
      await this.deliveries.forgetEvent(workspaceId, declaration.event_id, manager);
      const subject = { type: 'declaration' as const, id, name: declaration.number };
      await this.changes.append(workspaceId, { actor, action: 'declaration.erased', subject }, manager);
    });
  }
}
