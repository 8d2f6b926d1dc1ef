import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { EntityManager, In, Repository } from 'typeorm';
import { type IfMatch, requireMatch } from '../common/etag';
import type { IdempotentRequest } from '../common/idempotent-request';
import { newId } from '../common/ids';
import { type Page, readPage } from '../common/pagination';
import { OF_OFFER, placeholderFault } from '../common/placeholders';
import { type FieldError, Problem, requireRoom } from '../common/problem';
import { Config } from '../config';
import { ConnectionPool } from '../database/connection-pool';
import { Idempotency } from '../database/idempotency.service';
import { now } from '../database/time';
import { Transactions } from '../database/transactions';
import type { Actor } from '../workspaces/actor';
import { ChangeLog, fieldsIn } from '../workspaces/changes/change-log.service';
import { WorkspaceCodes } from '../workspaces/workspace-codes.service';
import { CreatedOfferDto, CreateOfferDto, ListOffersQuery, OfferDto, OfferListItemDto } from './dto/offer.dto';
import { LISTED } from './offer-content';
import { Offer } from './offer.entity';

const LIST = `
  SELECT ${LISTED.join(', ')} FROM offers WHERE workspace_id = $1 AND status = $2 AND id < $3 ORDER BY id DESC LIMIT $4`;

/** Reusable offers of a workspace. */
@Injectable()
export class OffersService {
  constructor(
    @InjectRepository(Offer) private readonly offers: Repository<Offer>,
    private readonly codes: WorkspaceCodes,
    private readonly changes: ChangeLog,
    private readonly transactions: Transactions,
    private readonly idempotency: Idempotency,
    private readonly config: Config,
    private readonly connections: ConnectionPool,
  ) {}

  create(
    workspaceId: string,
    offer: CreateOfferDto,
    actor: Actor,
    idempotent?: IdempotentRequest,
  ): Promise<CreatedOfferDto> {
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
      accept_url: null,
      metadata: {},
      limit: null,
      ...offer,
      created_at: now,
      updated_at: now,
    };
    const fault = placeholderFault(row.heading, OF_OFFER);
    // As a heading of its own it is refused before.
    if (fault) throw Problem.invalid([{ pointer: '/name', message: `is the heading, too, and ${fault}` }]);
    const write = async (manager: EntityManager) => {
      await this.requireRoom(workspaceId, manager);
      await manager.insert(Offer, row);
      const subject = subjectOf(row);
      await this.changes.append(workspaceId, { actor, action: 'offer.created', subject }, manager);
      return created;
    };
    return this.idempotency.run(workspaceId, idempotent, write);
  }

  /** Offers with a status. Their body texts are not read. */
  list(workspaceId: string, { status, ...page }: ListOffersQuery): Promise<Page<OfferListItemDto>> {
    return readPage(page, (before, take) =>
      this.connections.read<OfferListItemDto>('offers', LIST, [workspaceId, status, before, take]),
    );
  }

  async get(workspaceId: string, id: string): Promise<Offer> {
    const offer = await this.offers.findOneBy({ workspace_id: workspaceId, id });
    if (!offer) throw new Problem('not_found');
    return offer;
  }

  update(workspaceId: string, id: string, changes: Partial<Offer>, actor: Actor, ifMatch?: IfMatch): Promise<void> {
    const key = { workspace_id: workspaceId, id };
    return this.transactions.run(async (manager) => {
      const offer = await manager.findOne(Offer, { where: key, lock: { mode: 'for_no_key_update' } });
      if (!offer) throw new Problem('not_found');
      if (ifMatch) requireMatch(ifMatch, OfferDto.of(offer));
      await manager.update(Offer, key, { ...changes, updated_at: now });
      const action = changes.status === 'archived' ? 'offer.archived' : 'offer.changed';
      const change = {
        actor,
        action,
        subject: subjectOf({ ...offer, ...changes }),
        details: { fields: fieldsIn(changes) },
      } as const;
      await this.changes.append(workspaceId, change, manager);
    });
  }

  archive(workspaceId: string, id: string, actor: Actor, ifMatch?: IfMatch): Promise<void> {
    return this.update(workspaceId, id, { status: 'archived' }, actor, ifMatch);
  }

  /** Throws a 400 with the pointer to each named offer that isn't an active one of the workspace. */
  async requireActive(
    workspaceId: string,
    named: { id: string; pointer: string }[],
    manager: EntityManager,
  ): Promise<void> {
    const faults = await this.faultsOf(workspaceId, named, manager);
    if (faults.length > 0) throw Problem.invalid(faults);
  }

  /** The pointers to the named offers that aren't active ones of the workspace, each with a message. */
  async faultsOf(
    workspaceId: string,
    named: { id: string; pointer: string }[],
    manager: EntityManager,
  ): Promise<FieldError[]> {
    if (named.length === 0) return [];
    const ids = In(named.map(({ id }) => id));
    const offers = await manager.findBy(Offer, { workspace_id: workspaceId, id: ids, status: 'active' });
    const active = new Set(offers.map(({ id }) => id));
    return named
      .filter(({ id }) => !active.has(id))
      .map(({ pointer }) => ({ pointer, message: 'is not an active offer of this workspace' }));
  }

  /** Throws a 409 if the workspace may not have another offer. Archived ones count, because their rows are kept. */
  private async requireRoom(workspaceId: string, manager: EntityManager): Promise<void> {
    const count = 'SELECT count(*)::int AS offers FROM offers WHERE workspace_id = $1';
    // Sent together. The count begins when the lock is taken, so it has what others created.
    const [, [{ offers }]] = await Promise.all([
      this.codes.lock(workspaceId, manager),
      manager.query<{ offers: number }[]>(count, [workspaceId]),
    ]);
    requireRoom(offers, this.config.maxOffersPerWorkspace, 'offer_limit_reached');
  }
}

function subjectOf({ id, name }: Pick<Offer, 'id' | 'name'>) {
  return { type: 'offer' as const, id, name };
}
