import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { EntityManager, In, LessThan, Repository } from 'typeorm';
import { Clock } from '../common/clock';
import { newId } from '../common/ids';
import { idAfter } from '../common/pagination';
import { jsonPointer, Problem } from '../common/problem';
import { CreateOfferDto, UpdateOfferDto } from './dto/change-offer.dto';
import { ListOffersQuery } from './dto/offer.dto';
import { Offer } from './offer.entity';

/** Reusable offers of a workspace. */
@Injectable()
export class OffersService {
  constructor(
    @InjectRepository(Offer) private readonly offers: Repository<Offer>,
    private readonly clock: Clock,
  ) {}

  async create(workspaceId: string, offer: CreateOfferDto): Promise<{ id: string; name: string }> {
    const id = newId();
    const now = this.clock.now();
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

  /** Throws a 400 that points to each of `offerIds` (at `/offer_ids/…`) that isn't an active offer of the workspace. */
  async requireActive(manager: EntityManager, workspaceId: string, offerIds: string[]): Promise<void> {
    if (offerIds.length === 0) return;
    const found = await manager.find(Offer, {
      select: { id: true },
      where: { workspace_id: workspaceId, id: In(offerIds), status: 'active' },
    });
    const active = new Set(found.map(({ id }) => id));
    const errors = offerIds.flatMap((id, index) =>
      active.has(id)
        ? []
        : [{ pointer: jsonPointer('offer_ids', index), message: 'is not an active offer of this workspace' }],
    );
    if (errors.length > 0) throw Problem.invalid(errors);
  }

  private async change(workspaceId: string, id: string, changes: Partial<Offer>): Promise<void> {
    const { affected } = await this.offers.update(
      { workspace_id: workspaceId, id },
      { ...changes, updated_at: this.clock.now() },
    );
    if (!affected) throw new Problem('not_found');
  }
}
