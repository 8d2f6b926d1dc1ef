import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { newId } from '../platform/api/ids';
import { hasPart } from '../platform/api/paging/name-part';
import { type Page, readPage } from '../platform/api/paging/pagination';
import { pick } from '../platform/common/pick';
import { plain } from '../platform/api/fields/plain';
import { type FieldError, Problem } from '../platform/api/problems/problem';
import { prepared, statement } from '../platform/database/transaction/statement';
import { ImagesService, type UsedImage } from '../images/images.service';
import type { Tenant } from '../tenancy/work/tenant';
import { UnitsOfWork } from '../tenancy/work/units-of-work.service';
import {
  CreatedOfferDto,
  CreateOfferDto,
  ListOffersQuery,
  OfferDto,
  OfferListItemDto,
  UpdateOfferDto,
} from './dto/offer.dto';
import type { UpdatedOfferDto } from './dto/offer-draft.dto';
import { fieldsIn, newContent, OFFER_TEXTS } from './fields';
import { OfferChanges, type ChangedOffer } from './offer-changes.service';
import { namedTexts, type PageImage } from './terms/types';
import { requireSound } from './offer-faults';
import { OfferTermsCheck } from './terms/check';
import { OfferUses } from './offer-uses';
import { Offer, type OfferStatus } from './offer.entity';

const LIST = prepared(
  'offers',
  `SELECT id, ${fieldsIn('lists').join(', ')} FROM offers WHERE workspace_id = :workspace AND status = :status AND id < :before
  ORDER BY id DESC LIMIT :take`,
);

/** Not prepared: it is asked for less often. */
const FIND = statement(
  `SELECT id, ${fieldsIn('lists').join(', ')} FROM offers
  WHERE workspace_id = :workspace AND status = :status AND id < :before AND (:key::text IS NULL OR key = :key) AND ${hasPart('name')}
  ORDER BY id DESC LIMIT :take`,
);

/** An offer that is about to be created, with its id. */
export type NewOffer = CreateOfferDto & { id: string; status?: OfferStatus };

/** An offer that a flow names, with a JSON Pointer to the place. */
interface NamedOffer {
  id: string;
  pointer: string;
}

interface Pictured {
  image?: PageImage | null;
}

/** The picture of an offer if it is new: an earlier one may be older than a rule. */
export function newImagesOf({ image }: Pictured, before?: Pictured): UsedImage[] {
  return image && image.url !== before?.image?.url ? [{ url: image.url, pointer: '/image/url' }] : [];
}

/** Reusable offers of a workspace. */
@Injectable()
export class OffersService {
  constructor(
    private readonly units: UnitsOfWork,
    private readonly changes: OfferChanges,
    private readonly uses: OfferUses,
    private readonly check: OfferTermsCheck,
    private readonly images: ImagesService,
  ) {}

  async create(tenant: Tenant, offer: CreateOfferDto): Promise<CreatedOfferDto> {
    const created = { id: newId(), name: offer.name };
    return this.units.run(tenant, async (work) => {
      await this.images.requireUsable(work, newImagesOf(offer));
      await this.createAll(work, [{ ...offer, id: created.id }]);
      return created;
    });
  }

  async createAll(tenant: Tenant, offers: NewOffer[]): Promise<void> {
    if (offers.length === 0) return;
    const rows = offers.map((offer) => ({ key: null, status: 'active' as const, ...newContent(plain(offer)) }));
    for (const row of rows) requireSound(row);
    await this.units.run(tenant, (work) => this.changes.createAll(work, rows));
  }

  /** Offers with a status. Their body texts are not read. */
  list(tenant: Tenant, { status, key, q, ...page }: ListOffersQuery): Promise<Page<OfferListItemDto>> {
    const reader = this.units.reader(tenant);
    const list = (key ?? q) === undefined ? LIST : FIND;
    const wanted = { status, key: key ?? null, q: q ?? null };
    return readPage(page, (before, take) => reader.rows<OfferListItemDto>(list, { ...wanted, before, take }));
  }

  get(tenant: Tenant, id: string): Promise<Offer> {
    return this.units.reader(tenant).get(Offer, id);
  }

  /** Changes an offer, and says where it is used: looked up afterwards, because a workspace may have many flows. */
  async update(tenant: Tenant, id: string, changes: UpdateOfferDto): Promise<Omit<UpdatedOfferDto, 'updated' | 'id'>> {
    const { warnings, offer } = await this.change(tenant, id, changes);
    return { used_in: await this.uses.of(tenant, id), warnings: await this.check.addedTo(warnings, tenant, offer) };
  }

  /**
   * Merges the changes into the offer. A change to a field that versions have becomes the next version.
   *
   * @param hosts those at which pictures may be; without them, those of the workspace
   */
  change(tenant: Tenant, id: string, sent: UpdateOfferDto, hosts?: string[]): Promise<ChangedOffer> {
    const changes = plain(sent);
    return this.units.run(tenant, async (work) => {
      const offer = await work.lock(Offer, id, (row) => OfferDto.of(row));
      work.shows(async () => OfferDto.of(await work.get(Offer, id)));
      requireSound({ ...offer, ...changes });
      await this.images.requireUsable(work, newImagesOf(changes, offer), hosts);
      return this.changes.write(work, offer, changes);
    });
  }

  /** Archives an offer. Its texts and terms are not checked again: an offer may be older than a rule. */
  async archive(tenant: Tenant, id: string): Promise<void> {
    await this.units.run(tenant, async (work) => {
      const offer = await work.lock(Offer, id, (row) => OfferDto.of(row));
      return this.changes.write(work, offer, { status: 'archived' });
    });
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
      offers.map(({ id, image, points, translations, ...offer }) => {
        const texts = namedTexts({ ...pick(offer, OFFER_TEXTS), points, ...(image && { image_alt: image.alt }) });
        const named = Object.entries(translations).map(([language, words]) => [language, namedTexts(words)]);
        return [id, { texts, translations: Object.fromEntries(named) as OfferWords['translations'] }];
      }),
    );
  }

  private async activeOf(tenant: Tenant, ids: string[]): Promise<Offer[]> {
    return ids.length > 0 ? this.units.reader(tenant).find(Offer, { id: In(ids), status: 'active' }) : [];
  }
}

/** The texts of an offer by their names, and those of its translations. */
interface OfferWords {
  texts: Record<string, string>;
  translations: Record<string, Record<string, string>>;
}
