import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { EntityManager, Repository } from 'typeorm';
import type { IfMatch } from '../common/etag';
import type { IdempotentRequest } from '../common/idempotent-request';
import { newId } from '../common/ids';
import { MAX_PAGE, type Page, type PageQuery, readPage } from '../common/pagination';
import { pick } from '../common/pick';
import { plain } from '../common/plain';
import { Problem } from '../common/problem';
import { ConnectionPool } from '../database/connection-pool';
import { Idempotency } from '../database/idempotency.service';
import { now } from '../database/time';
import { OffersService } from '../offers/offers.service';
import { type Actor, THE_SERVICE } from '../workspaces/actor';
import { ChangeLog } from '../workspaces/changes/change-log.service';
import { CreateFlowDto, UpdateFlowDto } from './dto/change-flow.dto';
import type { CreatedFlowDto, FlowDto, FlowListItemDto, FlowVersionListItemDto, ListFlowsQuery } from './dto/flow.dto';
import type { OfferFlowDto } from './dto/offer-flow.dto';
import type { PublishDto, PublishedDto } from './dto/flow-draft.dto';
import { FlowChanges } from './flow-changes.service';
import { contentOf, offersNamedIn } from './flow-content';
import { LIST, LIST_WITH_OFFER, READ } from './flow-queries';
import { FlowSlug } from './flow-slug.entity';
import { FLOW_CONTENT, type FlowContent, FlowVersion } from './flow-version.entity';
import { Flow, FLOW_STATUSES } from './flow.entity';
import { createSlug } from './slug';

const NOT_ARCHIVED = FLOW_STATUSES.filter((status) => status !== 'archived');

/** Retention flows of a workspace and their versions. */
@Injectable()
export class FlowsService {
  constructor(
    @InjectRepository(FlowVersion) private readonly flowVersions: Repository<FlowVersion>,
    private readonly changes: FlowChanges,
    private readonly offers: OffersService,
    private readonly log: ChangeLog,
    private readonly idempotency: Idempotency,
    private readonly connections: ConnectionPool,
  ) {}

  /** @param actor null for the service itself */
  create(
    workspaceId: string,
    flow: CreateFlowDto,
    actor: Actor | null,
    idempotent?: IdempotentRequest,
  ): Promise<CreatedFlowDto> {
    const { description, estimated_monthly_value, notification_email, metadata = {}, ...sent } = plain(flow);
    const content = contentOf({ flow_mode: 'simple', offer_ids: [], survey: null, ...sent }, sent);
    const id = newId();
    const slug = createSlug(flow.name);
    const write = async (manager: EntityManager) => {
      await this.changes.requireRoom(workspaceId, undefined, manager);
      await this.offers.requireActive(workspaceId, offersNamedIn(sent), manager);
      await manager.insert(Flow, {
        workspace_id: workspaceId,
        id,
        slug,
        status: 'draft',
        current_version: 1,
        description,
        estimated_monthly_value,
        notification_email,
        metadata,
        created_at: now,
        updated_at: now,
      });
      await manager.insert(FlowVersion, {
        workspace_id: workspaceId,
        flow_id: id,
        version: 1,
        ...content,
        published_by: actor,
        created_at: now,
      });
      await manager.insert(FlowSlug, { slug, workspace_id: workspaceId, flow_id: id });
      const subject = { type: 'flow' as const, id, name: flow.name };
      await this.log.append(workspaceId, { actor: actor ?? THE_SERVICE, action: 'flow.created', subject }, manager);
      return { id, name: flow.name, slug };
    };
    return this.idempotency.run(workspaceId, idempotent, write);
  }

  list(workspaceId: string, { status, ...page }: ListFlowsQuery): Promise<Page<FlowListItemDto>> {
    const statuses = status ? [status] : NOT_ARCHIVED;
    return readPage(page, (before, take) =>
      this.connections.read<FlowListItemDto>('flows', LIST, [workspaceId, statuses, before, take]),
    );
  }

  /** The flows that name an offer, live or in a draft; archived ones are left out. */
  async withOffer(workspaceId: string, offerId: string, query: PageQuery): Promise<Page<OfferFlowDto>> {
    await this.offers.get(workspaceId, offerId);
    return readPage(query, (before, take) =>
      this.connections.read<OfferFlowDto>('flows-with-offer', LIST_WITH_OFFER, [
        workspaceId,
        NOT_ARCHIVED,
        offerId,
        before,
        take,
      ]),
    );
  }

  async get(workspaceId: string, id: string): Promise<FlowDto> {
    const [flow] = await this.connections.read<FlowDto>('flow', READ, [workspaceId, id]);
    if (!flow) throw new Problem('not_found');
    return flow;
  }

  /** The newest versions, newest first. */
  async versions(workspaceId: string, id: string): Promise<FlowVersionListItemDto[]> {
    const versions = await this.flowVersions.find({
      select: { version: true, note: true, published_by: true, created_at: true },
      where: { workspace_id: workspaceId, flow_id: id },
      order: { version: 'DESC' },
      take: MAX_PAGE,
    });
    if (versions.length === 0) throw new Problem('not_found');
    return versions;
  }

  async version(workspaceId: string, id: string, version: number): Promise<FlowVersion> {
    const found = await this.flowVersions.findOneBy({ workspace_id: workspaceId, flow_id: id, version });
    if (!found) throw new Problem('not_found');
    return found;
  }

  /** Merges the changes into the flow. A change to what customers see becomes the next version. */
  async update(
    workspaceId: string,
    id: string,
    sent: UpdateFlowDto,
    actor: Actor | null,
    ifMatch?: IfMatch,
  ): Promise<void> {
    const { status, description, estimated_monthly_value, notification_email, metadata, ...changes } = plain(sent);
    const fields = { status, description, estimated_monthly_value, notification_email, metadata };
    await this.changes.run(workspaceId, id, { actor, ifMatch }, async ({ live, manager }) => {
      const content = contentOf(live, changes);
      const isChanged = Object.entries(changes).some(
        ([field, value]) => !isDeepStrictEqual(value, live[field as keyof FlowContent]),
      );
      if (!isChanged) return { fields };
      await this.offers.requireActive(workspaceId, offersNamedIn(changes), manager);
      return { fields, content };
    });
  }

  archive(workspaceId: string, id: string, actor: Actor, ifMatch?: IfMatch): Promise<void> {
    return this.update(workspaceId, id, { status: 'archived' }, actor, ifMatch);
  }

  /** Makes the content of a version the next version. Offers that were archived since are passed over. */
  async restore(
    workspaceId: string,
    id: string,
    version: number,
    { note }: PublishDto,
    actor: Actor,
    ifMatch?: IfMatch,
  ): Promise<PublishedDto> {
    const content = pick(await this.version(workspaceId, id, version), FLOW_CONTENT);
    const restored = await this.changes.run(workspaceId, id, { actor, ifMatch }, () =>
      Promise.resolve({ content, note }),
    );
    return { updated: true, id, version: restored };
  }
}
