import { Injectable } from '@nestjs/common';
import { pick } from '../../platform/common/pick';
import { type FieldError, MAX_FIELD_ERRORS, Problem } from '../../platform/api/problems/problem';
import { ImagesService, LOST_IMAGE } from '../../images/images.service';
import { OffersService } from '../../offers/offers.service';
import { UnitsOfWork } from '../../tenancy/work/units-of-work.service';
import { type StoredDraft, Versions } from '../../tenancy/versions/versions';
import type { Reader, Work } from '../../tenancy/work/work';
import type { PublishedDto } from '../dto/flow-draft.dto';
import type { FlowWarningDto } from '../dto/flow.dto';
import { AudiencesService } from '../audiences/audiences.service';
import { FlowChanges } from '../flow-changes.service';
import {
  type ContentChanges,
  draftedContentOf,
  faultsOfContent,
  newImagesIn,
  offersOfContent,
  withoutImages,
} from '../flow-content';
import { splitWarnings } from '../graph/split-warnings';
import { FlowLanguages, MAX_WARNINGS } from '../languages/flow-languages.service';
import { FlowDraft } from './flow-draft.entity';
import { Flow } from '../flow.entity';
import { readFlow } from '../flow-queries';
import { FLOW_CONTENT } from './flow-content-fields';
import { FlowContent, FlowVersion } from './flow-version.entity';

/** Versions and drafts of flows. The graph of a draft may have faults. */
@Injectable()
export class FlowVersions extends Versions<FlowContent, PublishedDto> {
  constructor(
    units: UnitsOfWork,
    private readonly changes: FlowChanges,
    private readonly offers: OffersService,
    private readonly languages: FlowLanguages,
    private readonly images: ImagesService,
    private readonly audiences: AudiencesService,
  ) {
    super(units, { type: 'flow', entity: Flow, draft: FlowDraft, content: FLOW_CONTENT });
  }

  protected shown(reader: Reader, id: string): Promise<object> {
    return readFlow(reader, id);
  }

  protected async live(reader: Reader, id: string): Promise<FlowContent> {
    return pick(await readFlow(reader, id), FLOW_CONTENT);
  }

  protected merged(content: FlowContent, changes: ContentChanges): FlowContent {
    return draftedContentOf(content, changes);
  }

  /** Offers that are live stay, even if they were archived, and so do pictures. */
  protected async faultsOf(reader: Reader, id: string, draft: StoredDraft<FlowContent>): Promise<FieldError[]> {
    const key = { flow_id: id, version: draft.current_version };
    const [live] = await reader.find(FlowVersion, key, { select: { offer_ids: true, definition: true } });
    const named = offersOfContent(draft).filter((offer) => !live.offer_ids.includes(offer.id));
    const own = faultsOfContent(draft);
    const faults = [
      ...own,
      // Only in a sound graph can be said what comes before a branch.
      ...(own.length === 0 ? await this.audiences.faultsOf(reader, draft.definition) : []),
      ...(await this.offers.faultsOf(reader, named)),
      ...(await this.images.faultsOf(reader, newImagesIn(draft.definition, live.definition))),
      ...(await this.languages.faultsOf(reader, draft)),
    ];
    return faults.slice(0, MAX_FIELD_ERRORS);
  }

  protected async restorable(
    reader: Reader,
    content: FlowContent,
  ): Promise<{ content: FlowContent; warnings: FlowWarningDto[] }> {
    const used = newImagesIn(content.definition);
    const lost = await this.images.lostOf(
      reader,
      used.map(({ url }) => url),
    );
    if (lost.length === 0) return { content, warnings: [] };
    const warnings = used
      .filter(({ url }) => lost.includes(url))
      .map(({ pointer }) => ({ pointer: pointer.replace(/\/url$/, ''), message: LOST_IMAGE }));
    return { content: { ...content, definition: withoutImages(content.definition, lost) }, warnings };
  }

  protected refused(faults: FieldError[]): Problem {
    return new Problem('draft_has_faults', { faults });
  }

  /** Offers that were archived since a version are passed over. */
  protected async write(work: Work, id: string, content: FlowContent, note: string | undefined): Promise<PublishedDto> {
    const locked = await this.changes.lock(work, id);
    await this.images.requireUsable(work, newImagesIn(content.definition, locked.live.definition));
    const warnings = [
      ...splitWarnings(locked.live.definition, content.definition),
      ...(await this.languages.warningsOf(work, content)),
    ].slice(0, MAX_WARNINGS);
    const version = await this.changes.write(work, locked, { content, takesAudiences: true, note });
    return { updated: true, id, version, ...(warnings.length > 0 && { warnings }) };
  }
}
