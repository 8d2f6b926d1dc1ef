import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { newId } from '../platform/api/ids';
import { type Page, readPage } from '../platform/api/pagination';
import { pick } from '../platform/common/pick';
import { jsonPointer } from '../platform/api/json-pointer';
import { OF_OFFER, placeholderFault, translationFault } from '../platform/common/placeholders';
import { plain } from '../platform/api/plain';
import { type FieldError, Problem } from '../platform/api/problem';
import { requireRoom } from '../platform/api/room';
import { Config } from '../app/config';
import { setsKey, requireFreeKeys } from '../tenancy/own-key';
import { prepared, statement } from '../platform/database/statement';
import { now } from '../platform/database/time';
import { fieldsIn } from '../tenancy/changes/change-log';
import type { Tenant } from '../tenancy/tenant';
import { UnitsOfWork } from '../tenancy/units-of-work.service';
import type { Work } from '../tenancy/work';
import { WorkspaceCodes } from '../workspaces/workspace-codes.service';
import {
  CreatedOfferDto,
  CreateOfferDto,
  ListOffersQuery,
  OfferDto,
  OfferListItemDto,
  UpdateOfferDto,
} from './dto/offer.dto';
import { LISTED_FIELDS } from './offer-content';
import { DEFAULT_LIMIT, Offer, OFFER_TEXTS, type OfferStatus } from './offer.entity';
import { faultsOfTerms } from './offer-terms';

const LIST = prepared(
  'offers',
  `SELECT ${LISTED_FIELDS.join(', ')} FROM offers WHERE workspace_id = :workspace AND status = :status AND id < :before
  ORDER BY id DESC LIMIT :take`,
);

const COUNT = statement('SELECT count(*)::int AS offers FROM offers WHERE workspace_id = :workspace');

/** An offer that is about to be created, with its id. */
export type NewOffer = CreateOfferDto & { id: string; status?: OfferStatus };

/** Changes of an offer. A key is set once. */
export type OfferChanges = UpdateOfferDto & { status?: OfferStatus };

/** An offer that a flow names, with a JSON Pointer to the place. */
interface NamedOffer {
  id: string;
  pointer: string;
}

/** Reusable offers of a workspace. */
@Injectable()
export class OffersService {
  constructor(
    private readonly units: UnitsOfWork,
    private readonly codes: WorkspaceCodes,
    private readonly config: Config,
  ) {}

  async create(tenant: Tenant, offer: CreateOfferDto): Promise<CreatedOfferDto> {
    const created = { id: newId(), name: offer.name };
    return this.units.run(tenant, async (work) => {
      await this.createAll(work, [{ ...offer, id: created.id }]);
      return created;
    });
  }

  async createAll(tenant: Tenant, offers: NewOffer[]): Promise<void> {
    if (offers.length === 0) return;
    const rows = offers.map((offer) => ({
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
    await this.units.run(tenant, async (work) => {
      await this.requireRoom(work, rows.length);
      const keys = rows.map(({ key }) => key);
      await requireFreeKeys(work, 'offers', keys);
      work.insert(Offer, ...rows);
      work.log(...rows.map((row) => ({ action: 'offer.created' as const, subject: subjectOf(row) })));
    });
  }

  /** Offers with a status. Their body texts are not read. */
  list(tenant: Tenant, { status, ...page }: ListOffersQuery): Promise<Page<OfferListItemDto>> {
    const reader = this.units.reader(tenant);
    return readPage(page, (before, take) => reader.rows<OfferListItemDto>(LIST, { status, before, take }));
  }

  get(tenant: Tenant, id: string): Promise<Offer> {
    return this.units.reader(tenant).get(Offer, id);
  }

  update(tenant: Tenant, id: string, sent: OfferChanges): Promise<void> {
    const changes = plain(sent);
    return this.units.run(tenant, async (work) => {
      const offer = await work.lock(Offer, id, (row) => OfferDto.of(row));
      if (setsKey(offer, changes.key)) {
        await this.codes.lock(work);
        await requireFreeKeys(work, 'offers', [changes.key]);
      }
      const changed = { ...offer, ...changes };
      requireSound(changed);
      await work.update(Offer, id, { ...changes, updated_at: now });
      const action = changes.status === 'archived' ? 'offer.archived' : 'offer.changed';
      work.log({ action, subject: subjectOf(changed), details: { fields: fieldsIn(changes) } });
    });
  }

  /** Archives an offer. Its texts and terms are not checked again: an offer may be older than a rule. */
  archive(tenant: Tenant, id: string): Promise<void> {
    return this.units.run(tenant, async (work) => {
      const offer = await work.lock(Offer, id, (row) => OfferDto.of(row));
      await work.update(Offer, id, { status: 'archived', updated_at: now });
      work.log({ action: 'offer.archived', subject: subjectOf(offer), details: { fields: ['status'] } });
    });
  }

  /** The buttons of offers, archived ones too, by their ids. */
  async labelsOf(tenant: Tenant, ids: string[]): Promise<Map<string, Pick<Offer, 'cta_accept' | 'cta_decline'>>> {
    const select = { id: true, cta_accept: true, cta_decline: true };
    const offers = await this.units.reader(tenant).find(Offer, { id: In(ids) }, { select });
    return new Map(offers.map((offer) => [offer.id, offer]));
  }

  /** Throws a 400 with the pointer to each named offer that isn't an active one of the workspace. */
  async requireActive(tenant: Tenant, named: NamedOffer[]): Promise<void> {
    const faults = await this.faultsOf(tenant, named);
    if (faults.length > 0) throw Problem.invalid(faults);
  }

  /** The pointers to the named offers that aren't active ones of the workspace, each with a message. */
  async faultsOf(tenant: Tenant, named: NamedOffer[]): Promise<FieldError[]> {
    const offers = await this.activeOf(
      tenant,
      named.map(({ id }) => id),
    );
    const active = new Set(offers.map(({ id }) => id));
    return named
      .filter(({ id }) => !active.has(id))
      .map(({ pointer }) => ({ pointer, message: 'is not an active offer of this workspace' }));
  }

  /** The texts of those of the offers that are active, by id, and their translations. */
  async wordsOf(tenant: Tenant, ids: string[]): Promise<Map<string, OfferWords>> {
    const offers = await this.activeOf(tenant, ids);
    return new Map(
      offers.map((offer) => [offer.id, { texts: pick(offer, OFFER_TEXTS), translations: offer.translations }]),
    );
  }

  private async activeOf(tenant: Tenant, ids: string[]): Promise<Offer[]> {
    return ids.length > 0 ? this.units.reader(tenant).find(Offer, { id: In(ids), status: 'active' }) : [];
  }

  /** Throws a 409 if the workspace may not have that many more offers. Archived ones count, because their rows are kept. */
  private async requireRoom(work: Work, more: number): Promise<void> {
    const { offers } = await this.codes.count(work, { offers: more }, COUNT);
    requireRoom(offers - 1, this.config.maxOffersPerWorkspace, 'offer_limit_reached');
  }
}

/** The texts of an offer, with their translations. */
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
