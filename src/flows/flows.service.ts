import { Injectable } from '@nestjs/common';
import { newId } from '../platform/api/ids';
import { type Page, type PageQuery, readPage } from '../platform/api/paging/pagination';
import { plain } from '../platform/api/fields/plain';
import { ImagesService } from '../images/images.service';
import { OffersService } from '../offers/offers.service';
import type { Tenant } from '../tenancy/work/tenant';
import { UnitsOfWork } from '../tenancy/work/units-of-work.service';
import { CreateFlowDto, UpdateFlowDto } from './dto/change-flow.dto';
import type { CreatedFlowDto, FlowDto, FlowListItemDto, ListFlowsQuery } from './dto/flow.dto';
import type { OfferFlowDto } from './dto/offer-flow.dto';
import type { PublishedDto } from './dto/flow-draft.dto';
import type { FlowStatus } from './flow.entity';
import { FlowChanges } from './flow-changes.service';
import { splitWarnings } from './graph/split-warnings';
import { FlowLanguages, MAX_WARNINGS } from './languages/flow-languages.service';
import { contentOf, isChangedBy, newImagesIn, offersNamedIn } from './flow-content';
import { FIND, LIST, LIST_WITH_OFFER, NOT_ARCHIVED, READ_MANY, readFlow } from './flow-queries';
import { newFlow, partsOf } from './new-flow';

/** Whether a change of the status takes audiences as they are now: a flow is published, or taken from the archive. */
export const isRenewedBy = (status: FlowStatus | undefined, before: FlowStatus): boolean =>
  status === 'published' || (before === 'archived' && status === 'draft');

/** Retention flows of a workspace and their versions. */
@Injectable()
export class FlowsService {
  constructor(
    private readonly units: UnitsOfWork,
    private readonly changes: FlowChanges,
    private readonly languages: FlowLanguages,
    private readonly offers: OffersService,
    private readonly images: ImagesService,
  ) {}

  create(tenant: Tenant, flow: CreateFlowDto): Promise<CreatedFlowDto> {
    const created = newFlow({ ...plain(flow), id: newId() });
    return this.units.run(tenant, async (work) => {
      this.changes.requireOwnSender(created.fields.exit);
      await this.offers.requireActive(work, offersNamedIn(flow));
      await this.images.requireUsable(work, newImagesIn(created.content.definition));
      await this.languages.requireFew(work, created.content);
      const [slug] = await this.changes.createAll(work, [created]);
      return { id: created.fields.id, name: flow.name, slug };
    });
  }

  list(tenant: Tenant, { status, key, slug, q, ...page }: ListFlowsQuery): Promise<Page<FlowListItemDto>> {
    const reader = this.units.reader(tenant);
    const list = (key ?? slug ?? q) === undefined ? LIST : FIND;
    const statuses = status ? [status] : NOT_ARCHIVED;
    const wanted = { statuses, key: key ?? null, slug: slug ?? null, q: q ?? null };
    return readPage(page, (before, take) => reader.rows<FlowListItemDto>(list, { ...wanted, before, take }));
  }

  /** The flows that name an offer, live or in a draft; archived ones are left out. */
  async withOffer(tenant: Tenant, offerId: string, query: PageQuery): Promise<Page<OfferFlowDto>> {
    await this.offers.get(tenant, offerId);
    const reader = this.units.reader(tenant);
    const named = { statuses: NOT_ARCHIVED, offer: offerId };
    return readPage(query, (before, take) => reader.rows<OfferFlowDto>(LIST_WITH_OFFER, { ...named, before, take }));
  }

  get(tenant: Tenant, id: string): Promise<FlowDto> {
    return readFlow(this.units.reader(tenant), id);
  }

  getAll(tenant: Tenant, ids: string[]): Promise<FlowDto[]> {
    return this.units.reader(tenant).rows(READ_MANY, { flows: ids });
  }

  /**
   * Merges the changes into the flow. A change to a field that versions have becomes the next version. Returns what is
   * missing in the languages of a flow that is published then.
   */
  update(tenant: Tenant, id: string, sent: UpdateFlowDto): Promise<Pick<PublishedDto, 'warnings'>> {
    const { fields, changes } = partsOf(plain(sent));
    return this.units.run(tenant, async (work) => {
      const locked = await this.changes.lock(work, id);
      const { flow, live } = locked;
      await work.requireMatch(() => readFlow(work, id));
      work.shows(() => readFlow(work, id));
      const content = contentOf(live, changes);
      const isPublished = (fields.status ?? flow.status) === 'published';
      const warnings = isPublished
        ? [...splitWarnings(live.definition, content.definition), ...(await this.languages.warningsOf(work, content))]
        : [];
      const changesContent = isChangedBy(changes, live);
      if (changesContent) {
        await this.offers.requireActive(work, offersNamedIn(changes));
        await this.images.requireUsable(work, newImagesIn(content.definition, live.definition));
        await this.languages.requireFew(work, content);
      }
      const takesAudiences = isRenewedBy(fields.status, flow.status);
      const isWritten = changesContent || takesAudiences;
      await this.changes.write(work, locked, { fields, ...(isWritten && { content, takesAudiences }) });
      return warnings.length > 0 ? { warnings: warnings.slice(0, MAX_WARNINGS) } : {};
    });
  }

  async archive(tenant: Tenant, id: string): Promise<void> {
    await this.update(tenant, id, { status: 'archived' });
  }
}
