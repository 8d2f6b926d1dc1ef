import { Injectable } from '@nestjs/common';
import { type FieldError, MAX_FIELD_ERRORS, Problem } from '../../platform/api/problems/problem';
import { pick } from '../../platform/common/pick';
import { ImagesService, LOST_IMAGE } from '../../images/images.service';
import { UnitsOfWork } from '../../tenancy/work/units-of-work.service';
import { type StoredDraft, type Version, Versions } from '../../tenancy/versions/versions';
import type { PublishDto } from '../../tenancy/versions/versions.dto';
import type { Tenant } from '../../tenancy/work/tenant';
import type { Reader, Work } from '../../tenancy/work/work';
import { OfferDto } from '../dto/offer.dto';
import type { PublishedOfferDto } from '../dto/offer-draft.dto';
import { OfferChanges } from '../offer-changes.service';
import { OFFER_CONTENT } from '../fields';
import type { OfferContent } from '../offer-content.entity';
import { OfferDraft } from './offer-draft.entity';
import { faultsOfOffer } from '../offer-faults';
import { OfferTermsCheck } from '../terms/check';
import { OfferUses } from '../offer-uses';
import { newImagesOf } from '../offers.service';
import { Offer } from '../offer.entity';

/** Versions and drafts of offers. Terms and translations of a draft may have faults. */
@Injectable()
export class OfferVersions extends Versions<OfferContent, PublishedOfferDto> {
  constructor(
    units: UnitsOfWork,
    private readonly changes: OfferChanges,
    private readonly uses: OfferUses,
    private readonly check: OfferTermsCheck,
    private readonly images: ImagesService,
  ) {
    super(units, { type: 'offer', entity: Offer, draft: OfferDraft, content: OFFER_CONTENT });
  }

  /** An older version of the service creates offers without their first version. */
  protected override async unkept(reader: Reader, id: string): Promise<Version<OfferContent>> {
    const live = await reader.get(Offer, id);
    const { current_version: version, updated_at: created_at } = live;
    return { ...pick(live, OFFER_CONTENT), version, note: null, published_by: null, created_at };
  }

  override async restore(tenant: Tenant, id: string, version: number, body: PublishDto): Promise<PublishedOfferDto> {
    return this.withConsequences(tenant, await super.restore(tenant, id, version, body));
  }

  override async publishDraft(tenant: Tenant, id: string, body: PublishDto): Promise<PublishedOfferDto> {
    return this.withConsequences(tenant, await super.publishDraft(tenant, id, body));
  }

  /** Looked up afterwards: no row is locked while billing is asked. */
  private async withConsequences(tenant: Tenant, published: PublishedOfferDto): Promise<PublishedOfferDto> {
    const { id } = published;
    const offer = await this.units.reader(tenant).get(Offer, id);
    const warnings = await this.check.addedTo(published.warnings, tenant, offer);
    return { ...published, used_in: await this.uses.of(tenant, id), warnings };
  }

  protected async shown(reader: Reader, id: string): Promise<object> {
    return OfferDto.of(await reader.get(Offer, id));
  }

  protected async live(reader: Reader, id: string): Promise<OfferContent> {
    return pick(await reader.get(Offer, id), OFFER_CONTENT);
  }

  protected merged(content: OfferContent, changes: Partial<OfferContent>): OfferContent {
    return pick({ ...content, ...changes }, OFFER_CONTENT);
  }

  /** The picture that is live stays, even if its host is not allowed any more. */
  protected async faultsOf(reader: Reader, id: string, draft: StoredDraft<OfferContent>): Promise<FieldError[]> {
    const used = newImagesOf(draft, await reader.get(Offer, id));
    return [...faultsOfOffer(draft), ...(await this.images.faultsOf(reader, used))].slice(0, MAX_FIELD_ERRORS);
  }

  protected async restorable(
    reader: Reader,
    content: OfferContent,
  ): Promise<{ content: OfferContent; warnings: FieldError[] }> {
    const lost = await this.images.lostOf(reader, content.image ? [content.image.url] : []);
    if (lost.length === 0) return { content, warnings: [] };
    return { content: { ...content, image: null }, warnings: [{ pointer: '/image', message: LOST_IMAGE }] };
  }

  protected refused(faults: FieldError[]): Problem {
    return Problem.invalid(faults);
  }

  protected async write(
    work: Work,
    id: string,
    content: OfferContent,
    note: string | undefined,
  ): Promise<PublishedOfferDto> {
    const offer = await work.lock(Offer, id);
    await this.images.requireUsable(work, newImagesOf(content, offer));
    const { version, warnings } = await this.changes.write(work, offer, content, note);
    return { updated: true, id, version, warnings };
  }
}
