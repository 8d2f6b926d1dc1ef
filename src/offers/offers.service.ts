import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { EntityManager, In, Repository } from 'typeorm';
import { type IfMatch, requireMatch } from '../common/etag';
import type { IdempotentRequest } from '../common/idempotent-request';
import { batchesOf } from '../common/batches';
import { newId } from '../common/ids';
import { type Page, readPage } from '../common/pagination';
import { pick } from '../common/pick';
import { jsonPointer } from '../common/json-pointer';
import { OF_OFFER, placeholderFault, translationFault } from '../common/placeholders';
import { plain } from '../common/plain';
import { type FieldError, Problem } from '../common/problem';
import { requireRoom } from '../common/room';
import { Config } from '../config';
import { ConnectionPool } from '../database/connection-pool';
import { Idempotency } from '../database/idempotency.service';
import { isNamed, requireFreeKeys } from '../database/own-key';
import { now } from '../database/time';
import { Transactions } from '../database/transactions';
import type { Actor } from '../workspaces/actor';
import { ChangeLog, fieldsIn } from '../workspaces/changes/change-log.service';
import { WorkspaceCodes } from '../workspaces/workspace-codes.service';
import {
  CreatedOfferDto,
  CreateOfferDto,
  ListOffersQuery,
  OfferDto,
  OfferListItemDto,
  UpdateOfferDto,
} from './dto/offer.dto';
import { LISTED } from './offer-content';
import { DEFAULT_LIMIT, Offer, OFFER_TEXTS, type OfferStatus } from './offer.entity';
import { faultsOfTerms } from './offer-terms';

const LIST = `
  SELECT ${LISTED.join(', ')} FROM offers WHERE workspace_id = $1 AND status = $2 AND id < $3 ORDER BY id DESC LIMIT $4`;

/** An offer that is about to be created, with its id. */
export type NewOffer = CreateOfferDto & { id: string; status?: OfferStatus };

/** Changes of an offer. A key is set once. */
export type OfferChanges = UpdateOfferDto & { status?: OfferStatus };

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
    return this.idempotency.run(workspaceId, idempotent, async (manager) => {
      await this.createAll(workspaceId, [{ ...offer, id: created.id }], actor, manager);
      return created;
    });
  }

  /** Creates offers as a part of other work. */
  async createAll(workspaceId: string, offers: NewOffer[], actor: Actor, manager: EntityManager): Promise<void> {
    if (offers.length === 0) return;
    const rows = offers.map((offer) => ({
      workspace_id: workspaceId,
      key: null,
      status: 'active' as const,
      offer_value: '',
      offer_duration: '',
      heading: offer.name,
      body: '',
      cta_accept: 'Accept offer',
      cta_decline: 'No thanks',
      accept_url: null,
      metadata: {},
      limit: offer.terms ? DEFAULT_LIMIT : null,
      terms: null,
      translations: {},
      ...plain(offer),
      created_at: now,
      updated_at: now,
    }));
    for (const row of rows) requireSound(row);
    await this.requireRoom(workspaceId, rows.length, manager);
    const keys = rows.map(({ key }) => key);
    await requireFreeKeys('offers', workspaceId, keys, manager);
    for (const batch of batchesOf(rows)) await manager.insert(Offer, batch);
    const changes = rows.map((row) => ({ actor, action: 'offer.created' as const, subject: subjectOf(row) }));
    await this.changes.appendAll(workspaceId, changes, manager);
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

  update(workspaceId: string, id: string, sent: OfferChanges, actor: Actor, ifMatch?: IfMatch): Promise<void> {
    return this.transactions.run((manager) => this.updateIn(workspaceId, id, plain(sent), { actor, manager, ifMatch }));
  }

  archive(workspaceId: string, id: string, actor: Actor, ifMatch?: IfMatch): Promise<void> {
    return this.update(workspaceId, id, { status: 'archived' }, actor, ifMatch);
  }

  /** The buttons of offers, archived ones too, by their ids. */
  async labelsOf(workspaceId: string, ids: string[]): Promise<Map<string, Pick<Offer, 'cta_accept' | 'cta_decline'>>> {
    const select = { id: true, cta_accept: true, cta_decline: true } as const;
    const offers = await this.offers.find({ select, where: { workspace_id: workspaceId, id: In(ids) } });
    return new Map(offers.map((offer) => [offer.id, offer]));
  }

  /** Changes an offer in a transaction of other work. */
  async updateIn(
    workspaceId: string,
    id: string,
    changes: OfferChanges,
    { actor, manager, ifMatch }: { actor: Actor; manager: EntityManager; ifMatch?: IfMatch },
  ): Promise<void> {
    const where = { workspace_id: workspaceId, id };
    const offer = await manager.findOne(Offer, { where, lock: { mode: 'for_no_key_update' } });
    if (!offer) throw new Problem('not_found');
    if (ifMatch) requireMatch(ifMatch, OfferDto.of(offer));
    if (isNamed(offer, changes.key)) {
      await this.codes.lock(workspaceId, manager);
      await requireFreeKeys('offers', workspaceId, [changes.key], manager);
    }
    requireSound({ ...offer, ...changes });
    await manager.update(Offer, where, { ...changes, updated_at: now });
    const action = changes.status === 'archived' ? 'offer.archived' : 'offer.changed';
    const change = {
      actor,
      action,
      subject: subjectOf({ ...offer, ...changes }),
      details: { fields: fieldsIn(changes) },
    } as const;
    await this.changes.append(workspaceId, change, manager);
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

  /** The texts of those of the offers that are active, by id, and their translations. */
  async wordsOf(workspaceId: string, ids: string[], manager: EntityManager): Promise<Map<string, OfferWords>> {
    if (ids.length === 0) return new Map();
    const offers = await manager.findBy(Offer, { workspace_id: workspaceId, id: In(ids), status: 'active' });
    return new Map(
      offers.map((offer) => [offer.id, { texts: pick(offer, OFFER_TEXTS), translations: offer.translations }]),
    );
  }

  /** Throws a 409 if the workspace may not have that many more offers. Archived ones count, because their rows are kept. */
  private async requireRoom(workspaceId: string, more: number, manager: EntityManager): Promise<void> {
    const count = 'SELECT count(*)::int AS offers FROM offers WHERE workspace_id = $1';
    // Sent together. The count begins when the lock is taken, so it has what others created.
    const [, [{ offers }]] = await Promise.all([
      this.codes.lock(workspaceId, manager),
      manager.query<{ offers: number }[]>(count, [workspaceId]),
    ]);
    requireRoom(offers + more - 1, this.config.maxOffersPerWorkspace, 'offer_limit_reached');
  }
}

/** What customers read of an offer, and the same in other languages. */
type OfferWords = { texts: Pick<Offer, (typeof OFFER_TEXTS)[number]> } & Pick<Offer, 'translations'>;

/** Throws a 400 with a pointer to each fault that is in no single field. */
export function requireSound(offer: Omit<CreateOfferDto, 'key'>): void {
  const { name, heading = name, offer_type, terms } = offer;
  // As a heading of its own it is refused before.
  const fault = placeholderFault(heading, OF_OFFER);
  const faults = [
    ...(fault ? [{ pointer: '/name', message: `is the heading, too, and ${fault}` }] : []),
    ...(terms ? faultsOfTerms(offer_type, terms) : []),
    ...translationFaults({ ...offer, heading }),
  ];
  if (faults.length > 0) throw Problem.invalid(faults);
}

/** Translations that have other placeholders than the text. */
function translationFaults({ translations = {}, ...offer }: Omit<CreateOfferDto, 'key'>): FieldError[] {
  return Object.entries(translations).flatMap(([language, words]) =>
    OFFER_TEXTS.flatMap((field) => {
      const text = words[field];
      const message = text?.trim() ? translationFault(text, offer[field] ?? '', OF_OFFER) : undefined;
      return message === undefined ? [] : [{ pointer: jsonPointer('translations', language, field), message }];
    }),
  );
}

function subjectOf({ id, name }: Pick<Offer, 'id' | 'name'>) {
  return { type: 'offer' as const, id, name };
}
