import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { EntityManager, In, Repository } from 'typeorm';
import type { IdempotentRequest } from '../common/idempotent-request';
import { newId } from '../common/ids';
import { type Page, readPage } from '../common/pagination';
import { Problem } from '../common/problem';
import { CompiledQueries } from '../database/compiled-queries.service';
import { Idempotency } from '../database/idempotency.service';
import { now } from '../database/time';
import { CreateOfferDto, UpdateOfferDto } from './dto/change-offer.dto';
import { ListOffersQuery } from './dto/offer.dto';
import { LISTED, type ListedOffer } from './offer-content';
import { Offer } from './offer.entity';

/** Reusable offers of a workspace. */
@Injectable()
export class OffersService {
  private readonly insert;
  private readonly readOne;
  private readonly readList;

  constructor(
    @InjectRepository(Offer) private readonly offers: Repository<Offer>,
    private readonly idempotency: Idempotency,
    queries: CompiledQueries,
  ) {
    const ofWorkspace = () => offers.createQueryBuilder('offer').where('offer.workspace_id = :workspaceId');
    this.insert = queries.insert(offers, { created_at: now, updated_at: now }, 'offer-insert');
    this.readOne = queries.select<Offer>(ofWorkspace().andWhere('offer.id = :id'), 'offer');
    this.readList = queries.select<ListedOffer>(
      ofWorkspace()
        .select(LISTED.map((field) => `offer.${field}`))
        .andWhere('offer.status = :status AND offer.id < :before')
        .orderBy('offer.id', 'DESC'),
      'offers',
    );
  }

  async create(
    workspaceId: string,
    offer: CreateOfferDto,
    idempotent?: IdempotentRequest,
  ): Promise<{ id: string; name: string }> {
    const created = { id: newId(), name: offer.name };
    const row = {
      workspace_id: workspaceId,
      id: created.id,
      status: 'active' as const,
      offer_value: '',
      offer_duration: '',
      heading: offer.name,
      body: '',
      cta_accept: 'Accept offer',
      cta_decline: 'No thanks',
      metadata: {},
      ...offer,
    };
    const write = async (manager?: EntityManager) => {
      await this.insert(row, manager);
      return created;
    };
    return idempotent ? this.idempotency.run(workspaceId, idempotent, write) : write();
  }

  /** Offers with a status. Their body texts are not read. */
  list(workspaceId: string, { status, ...page }: ListOffersQuery): Promise<Page<ListedOffer>> {
    return readPage(page, (before, take) => this.readList({ workspaceId, status, before }, take));
  }

  async get(workspaceId: string, id: string): Promise<Offer> {
    const [offer] = await this.readOne({ workspaceId, id });
    if (!offer) throw new Problem('not_found');
    return offer;
  }

  update(workspaceId: string, id: string, changes: UpdateOfferDto): Promise<void> {
    return this.change(workspaceId, id, changes);
  }

  archive(workspaceId: string, id: string): Promise<void> {
    return this.change(workspaceId, id, { status: 'archived' });
  }

  /** Throws a 400 with the pointer to each named offer that isn't an active one of the workspace. */
  async requireActive(
    workspaceId: string,
    named: { id: string; pointer: string }[],
    manager: EntityManager,
  ): Promise<void> {
    if (named.length === 0) return;
    const ids = In(named.map(({ id }) => id));
    const offers = await manager.findBy(Offer, { workspace_id: workspaceId, id: ids, status: 'active' });
    const active = new Set(offers.map(({ id }) => id));
    const errors = named
      .filter(({ id }) => !active.has(id))
      .map(({ pointer }) => ({ pointer, message: 'is not an active offer of this workspace' }));
    if (errors.length > 0) throw Problem.invalid(errors);
  }

  private async change(workspaceId: string, id: string, changes: Partial<Offer>): Promise<void> {
    const { affected } = await this.offers.update({ workspace_id: workspaceId, id }, { ...changes, updated_at: now });
    if (!affected) throw new Problem('not_found');
  }
}
