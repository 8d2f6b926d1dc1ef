import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { EntityManager, FindOptionsSelect, In, LessThan, Repository } from 'typeorm';
import { newId } from '../common/ids';
import { idAfter } from '../common/pagination';
import { Problem } from '../common/problem';
import { now } from '../database/time';
import { CreateOfferDto, UpdateOfferDto } from './dto/change-offer.dto';
import { ListOffersQuery } from './dto/offer.dto';
import { Offer } from './offer.entity';

const LISTED: FindOptionsSelect<Offer> = {
  id: true,
  name: true,
  offer_type: true,
  offer_value: true,
  offer_duration: true,
  heading: true,
  cta_accept: true,
  cta_decline: true,
};

/** Reusable offers of a workspace. */
@Injectable()
export class OffersService {
  constructor(@InjectRepository(Offer) private readonly offers: Repository<Offer>) {}

  async create(workspaceId: string, offer: CreateOfferDto): Promise<{ id: string; name: string }> {
    const id = newId();
    await this.offers.insert({
      workspace_id: workspaceId,
      id,
      status: 'active',
      offer_value: '',
      offer_duration: '',
      heading: offer.name,
      body: '',
      cta_accept: 'Accept offer',
      cta_decline: 'No thanks',
      ...offer,
      created_at: now,
      updated_at: now,
    });
    return { id, name: offer.name };
  }

  list(workspaceId: string, query: ListOffersQuery): Promise<Offer[]> {
    const after = idAfter(query);
    return this.offers.find({
      select: LISTED,
      where: { workspace_id: workspaceId, status: query.status, ...(after && { id: LessThan(after) }) },
      order: { id: 'DESC' },
      take: query.limit + 1,
    });
  }

  async get(workspaceId: string, id: string): Promise<Offer> {
    const offer = await this.offers.findOneBy({ workspace_id: workspaceId, id });
    if (!offer) throw new Problem('not_found');
    return offer;
  }

  update(workspaceId: string, id: string, changes: UpdateOfferDto): Promise<void> {
    return this.change(workspaceId, id, changes);
  }

  archive(workspaceId: string, id: string): Promise<void> {
    return this.change(workspaceId, id, { status: 'archived' });
  }

  /** Those of the ids that are active offers of the workspace. */
  findActive(manager: EntityManager, workspaceId: string, ids: string[]): Promise<Offer[]> {
    if (ids.length === 0) return Promise.resolve([]);
    return manager.findBy(Offer, { workspace_id: workspaceId, id: In(ids), status: 'active' });
  }

  /** Throws a 400 with the pointer of each named offer that isn't an active one of the workspace. */
  async requireActive(
    manager: EntityManager,
    workspaceId: string,
    named: { id: string; pointer: string }[],
  ): Promise<void> {
    const offers = await this.findActive(
      manager,
      workspaceId,
      named.map(({ id }) => id),
    );
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
