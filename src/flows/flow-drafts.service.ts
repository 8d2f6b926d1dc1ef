import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { type IfMatch, requireMatch } from '../common/etag';
import { pick } from '../common/pick';
import { plain } from '../common/plain';
import { type FieldError, MAX_FIELD_ERRORS, Problem } from '../common/problem';
import { now } from '../database/time';
import { Transactions } from '../database/transactions';
import { OffersService } from '../offers/offers.service';
import type { Actor } from '../workspaces/actor';
import { ChangeLog, fieldsIn } from '../workspaces/changes/change-log.service';
import type { FlowDraftDto, PublishDto, PublishedDto, UpdateFlowDraftDto } from './dto/flow-draft.dto';
import { FlowChanges } from './flow-changes.service';
import { draftedContentOf, faultsOfContent, offersOfContent } from './flow-content';
import { FlowLanguages } from './flow-languages.service';
import { FlowDraft } from './flow-draft.entity';
import { readFlow } from './flow-queries';
import { FLOW_CONTENT, type FlowContent, FlowVersion } from './flow-version.entity';

/** A draft as it is shown, but for its faults. */
type StoredDraft = Omit<FlowDraftDto, 'faults'>;

/** $1: a workspace. $2: a flow. */
const READ = `
  SELECT ${FLOW_CONTENT.map((field) => `draft.${field}`).join(', ')}, draft.based_on_version, flow.current_version,
    draft.updated_by, draft.updated_at
  FROM flow_drafts AS draft JOIN flows AS flow ON flow.workspace_id = draft.workspace_id AND flow.id = draft.flow_id
  WHERE draft.workspace_id = $1 AND draft.flow_id = $2`;

/** What the team is editing of flows, beside what is live. The lock of a draft is that of its flow. */
@Injectable()
export class FlowDrafts {
  constructor(
    private readonly manager: EntityManager,
    private readonly changes: FlowChanges,
    private readonly offers: OffersService,
    private readonly languages: FlowLanguages,
    private readonly log: ChangeLog,
    private readonly transactions: Transactions,
  ) {}

  async get(workspaceId: string, flowId: string): Promise<FlowDraftDto> {
    return this.shown(workspaceId, flowId, await this.read(workspaceId, flowId, this.manager), this.manager);
  }

  /** What customers would see of the draft. Throws a 409 if it has faults. */
  async getSound(workspaceId: string, flowId: string): Promise<FlowContent> {
    const { faults, ...draft } = await this.get(workspaceId, flowId);
    if (faults.length > 0) throw new Problem('draft_has_faults', { faults });
    return pick(draft, FLOW_CONTENT);
  }

  /** Merges the changes into the draft, or else into what is live. A graph with faults is kept. */
  save(
    workspaceId: string,
    flowId: string,
    changes: UpdateFlowDraftDto,
    actor: Actor,
    ifMatch?: IfMatch,
  ): Promise<FlowDraftDto> {
    const key = { workspace_id: workspaceId, flow_id: flowId };
    return this.transactions.run(async (manager) => {
      const { current_version } = await this.changes.lock(workspaceId, flowId, manager);
      const draft = await this.find(workspaceId, flowId, manager);
      // Before there is a draft, its author has read the flow.
      if (ifMatch) requireMatch(ifMatch, draft ?? (await readFlow(workspaceId, flowId, manager)));
      const version = current_version;
      const content = draft ?? (await manager.findOneByOrFail(FlowVersion, { ...key, version }));
      const row = {
        ...key,
        based_on_version: draft?.based_on_version ?? version,
        ...draftedContentOf(content, plain(changes)),
        updated_by: actor,
        updated_at: now,
      };
      if (draft) await manager.update(FlowDraft, key, row);
      else await manager.insert(FlowDraft, row);
      await this.log.append(
        workspaceId,
        {
          actor,
          action: 'draft.saved',
          subject: { type: 'flow', id: flowId, name: row.name },
          details: { fields: fieldsIn(changes) },
        },
        manager,
      );
      return this.shown(workspaceId, flowId, await this.read(workspaceId, flowId, manager), manager);
    });
  }

  delete(workspaceId: string, flowId: string, actor: Actor, ifMatch?: IfMatch): Promise<void> {
    return this.transactions.run(async (manager) => {
      await this.changes.lock(workspaceId, flowId, manager);
      const draft = await this.read(workspaceId, flowId, manager);
      if (ifMatch) requireMatch(ifMatch, draft);
      await manager.delete(FlowDraft, { workspace_id: workspaceId, flow_id: flowId });
      const subject = { type: 'flow' as const, id: flowId, name: draft.name };
      await this.log.append(workspaceId, { actor, action: 'draft.deleted', subject }, manager);
    });
  }

  /**
   * Makes the draft the next version, and removes it. If another version went live since it was begun, it takes the ETag of
   * the draft, which names the version that is live.
   */
  async publish(
    workspaceId: string,
    flowId: string,
    { note }: PublishDto,
    actor: Actor,
    ifMatch?: IfMatch,
  ): Promise<PublishedDto> {
    const warned: Pick<PublishedDto, 'warnings'> = {};
    const version = await this.changes.run(workspaceId, flowId, { actor }, async ({ flow, manager }) => {
      const draft = await this.read(workspaceId, flowId, manager);
      if (ifMatch) requireMatch(ifMatch, draft);
      const hasSeen = Array.isArray(ifMatch);
      if (!hasSeen && draft.based_on_version !== flow.current_version) throw new Problem('version_changed');
      const faults = await this.faultsOf(workspaceId, flowId, draft, manager);
      if (faults.length > 0) throw new Problem('draft_has_faults', { faults });
      await manager.delete(FlowDraft, { workspace_id: workspaceId, flow_id: flowId });
      warned.warnings = await this.languages.warningsOf(workspaceId, draft, manager);
      return { content: pick(draft, FLOW_CONTENT), note };
    });
    return { updated: true, id: flowId, version, ...warned };
  }

  private async find(workspaceId: string, flowId: string, manager: EntityManager): Promise<StoredDraft | undefined> {
    const [draft] = await manager.query<StoredDraft[]>(READ, [workspaceId, flowId]);
    return draft;
  }

  private async read(workspaceId: string, flowId: string, manager: EntityManager): Promise<StoredDraft> {
    const draft = await this.find(workspaceId, flowId, manager);
    if (!draft) throw new Problem('not_found');
    return draft;
  }

  private async shown(
    workspaceId: string,
    flowId: string,
    draft: StoredDraft,
    manager: EntityManager,
  ): Promise<FlowDraftDto> {
    return { ...draft, faults: await this.faultsOf(workspaceId, flowId, draft, manager) };
  }

  /** Why a draft can't be published. Offers that are live stay, even if they were archived. */
  private async faultsOf(
    workspaceId: string,
    flowId: string,
    draft: StoredDraft,
    manager: EntityManager,
  ): Promise<FieldError[]> {
    const key = { workspace_id: workspaceId, flow_id: flowId, version: draft.current_version };
    const live = await manager.findOneOrFail(FlowVersion, { select: { offer_ids: true }, where: key });
    const named = offersOfContent(draft).filter(({ id }) => !live.offer_ids.includes(id));
    const faults = [
      ...faultsOfContent(draft),
      ...(await this.offers.faultsOf(workspaceId, named, manager)),
      ...(await this.languages.faultsOf(workspaceId, draft, manager)),
    ];
    return faults.slice(0, MAX_FIELD_ERRORS);
  }
}
