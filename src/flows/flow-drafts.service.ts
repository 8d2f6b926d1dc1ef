import { Injectable } from '@nestjs/common';
import { pick } from '../platform/common/pick';
import { plain } from '../platform/api/plain';
import { type FieldError, MAX_FIELD_ERRORS, Problem } from '../platform/api/problem';
import { prepared } from '../platform/database/statement';
import { now } from '../platform/database/time';
import { OffersService } from '../offers/offers.service';
import { fieldsIn } from '../tenancy/changes/change-log';
import type { Tenant } from '../tenancy/tenant';
import { UnitsOfWork } from '../tenancy/units-of-work.service';
import type { Reader } from '../tenancy/work';
import type { FlowDraftDto, PublishDto, PublishedDto, UpdateFlowDraftDto } from './dto/flow-draft.dto';
import { FlowChanges } from './flow-changes.service';
import { draftedContentOf, faultsOfContent, offersOfContent } from './flow-content';
import { FlowLanguages } from './flow-languages.service';
import { FlowDraft } from './flow-draft.entity';
import { Flow } from './flow.entity';
import { readFlow } from './flow-queries';
import { FLOW_CONTENT, type FlowContent, FlowVersion } from './flow-version.entity';

/** A draft as it is shown, but for its faults. */
type StoredDraft = Omit<FlowDraftDto, 'faults'>;

const READ = prepared(
  'flow-draft',
  `SELECT ${FLOW_CONTENT.map((field) => `draft.${field}`).join(', ')}, draft.based_on_version, flow.current_version,
    draft.updated_by, draft.updated_at
  FROM flow_drafts AS draft JOIN flows AS flow ON flow.workspace_id = draft.workspace_id AND flow.id = draft.flow_id
  WHERE draft.workspace_id = :workspace AND draft.flow_id = :flow`,
);

/** Drafts of flows beside the live versions. Locking the flow locks its draft. */
@Injectable()
export class FlowDrafts {
  constructor(
    private readonly units: UnitsOfWork,
    private readonly changes: FlowChanges,
    private readonly offers: OffersService,
    private readonly languages: FlowLanguages,
  ) {}

  async get(tenant: Tenant, flowId: string): Promise<FlowDraftDto> {
    const reader = this.units.reader(tenant);
    const draft = await read(reader, flowId);
    return { ...draft, faults: await this.faultsOf(reader, flowId, draft) };
  }

  /** The draft's content as customers would see it. Throws a 409 if it has faults. */
  async getSound(tenant: Tenant, flowId: string): Promise<FlowContent> {
    const { faults, ...draft } = await this.get(tenant, flowId);
    if (faults.length > 0) throw new Problem('draft_has_faults', { faults });
    return pick(draft, FLOW_CONTENT);
  }

  /** Merges the changes into the draft, or else into what is live. A graph with faults is kept. */
  save(tenant: Tenant, flowId: string, changes: UpdateFlowDraftDto): Promise<FlowDraftDto> {
    return this.units.run(tenant, async (work) => {
      const { current_version: version } = await work.lock(Flow, flowId);
      const draft = await work.row<StoredDraft>(READ, { flow: flowId });
      // Before there is a draft, its author has read the flow.
      await work.requireMatch(() => draft ?? readFlow(work, flowId));
      const content = draft ?? (await work.get(FlowVersion, { flow_id: flowId, version }));
      const row = {
        flow_id: flowId,
        based_on_version: draft?.based_on_version ?? version,
        ...draftedContentOf(content, plain(changes)),
        updated_by: work.actor,
        updated_at: now,
      };
      if (draft) await work.update(FlowDraft, { flow_id: flowId }, row);
      else work.insert(FlowDraft, row);
      const subject = { type: 'flow' as const, id: flowId, name: row.name };
      work.log({ action: 'draft.saved', subject, details: { fields: fieldsIn(changes) } });
      return this.get(work, flowId);
    });
  }

  delete(tenant: Tenant, flowId: string): Promise<void> {
    return this.units.run(tenant, async (work) => {
      await work.lock(Flow, flowId);
      const draft = await read(work, flowId);
      await work.requireMatch(() => draft);
      await work.delete(FlowDraft, { flow_id: flowId });
      work.log({ action: 'draft.deleted', subject: { type: 'flow', id: flowId, name: draft.name } });
    });
  }

  /**
   * Makes the draft the next version, and removes it. If another version went live since it was begun, it takes the ETag of
   * the draft, which names the version that is live.
   */
  publish(tenant: Tenant, flowId: string, { note }: PublishDto): Promise<PublishedDto> {
    return this.units.run(tenant, async (work) => {
      const locked = await this.changes.lock(work, flowId);
      const draft = await read(work, flowId);
      await work.requireMatch(() => draft);
      const hasSeen = Array.isArray(work.ifMatch);
      if (!hasSeen && draft.based_on_version !== draft.current_version) throw new Problem('version_changed');
      const faults = await this.faultsOf(work, flowId, draft);
      if (faults.length > 0) throw new Problem('draft_has_faults', { faults });
      await work.delete(FlowDraft, { flow_id: flowId });
      const warnings = await this.languages.warningsOf(work, draft);
      const version = await this.changes.write(work, locked, { content: pick(draft, FLOW_CONTENT), note });
      return { updated: true, id: flowId, version, warnings };
    });
  }

  /** Why a draft can't be published. Offers that are live stay, even if they were archived. */
  private async faultsOf(reader: Reader, flowId: string, draft: StoredDraft): Promise<FieldError[]> {
    const key = { flow_id: flowId, version: draft.current_version };
    const [live] = await reader.find(FlowVersion, key, { select: { offer_ids: true } });
    const named = offersOfContent(draft).filter(({ id }) => !live.offer_ids.includes(id));
    const faults = [
      ...faultsOfContent(draft),
      ...(await this.offers.faultsOf(reader, named)),
      ...(await this.languages.faultsOf(reader, draft)),
    ];
    return faults.slice(0, MAX_FIELD_ERRORS);
  }
}

async function read(reader: Reader, flowId: string): Promise<StoredDraft> {
  const draft = await reader.row<StoredDraft>(READ, { flow: flowId });
  if (!draft) throw new Problem('not_found', {}, 'There is no draft of a flow with this id.');
  return draft;
}
