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
import { OffersService } from '../offers/offers.service';
import type { Actor } from '../workspaces/actor';
import { CreateFlowDto, UpdateFlowDto } from './dto/change-flow.dto';
import type { CreatedFlowDto, FlowDto, FlowListItemDto, FlowVersionListItemDto, ListFlowsQuery } from './dto/flow.dto';
import type { OfferFlowDto } from './dto/offer-flow.dto';
import type { PublishDto, PublishedDto } from './dto/flow-draft.dto';
import { FlowChanges } from './flow-changes.service';
import { FlowLanguages } from './flow-languages.service';
import { contentOf, isChangedBy, offersNamedIn } from './flow-content';
import { LIST, LIST_WITH_OFFER, READ, READ_MANY } from './flow-queries';
import { FLOW_CONTENT, FlowVersion } from './flow-version.entity';
import { FLOW_STATUSES } from './flow.entity';
import { newFlow, partsOf } from './new-flow';

const NOT_ARCHIVED = FLOW_STATUSES.filter((status) => status !== 'archived');

type Warned = Pick<PublishedDto, 'warnings'>;

/** Retention flows of a workspace and their versions. */
@Injectable()
export class FlowsService {
  constructor(
    @InjectRepository(FlowVersion) private readonly flowVersions: Repository<FlowVersion>,
    private readonly changes: FlowChanges,
    private readonly languages: FlowLanguages,
    private readonly offers: OffersService,
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
    const created = newFlow({ ...plain(flow), id: newId() });
    const write = async (manager: EntityManager) => {
      this.changes.requireOwnSender(created.fields.exit);
      await this.offers.requireActive(workspaceId, offersNamedIn(flow), manager);
      await this.languages.requireFew(workspaceId, created.content, manager);
      await this.changes.createAll(workspaceId, [created], actor, manager);
      const { id, slug } = created.fields;
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

  /** Some flows, as a part of other work. */
  getAll(workspaceId: string, ids: string[], manager: EntityManager): Promise<FlowDto[]> {
    return manager.query(READ_MANY, [workspaceId, ids]);
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

  /**
   * Merges the changes into the flow. A change to what customers see becomes the next version. Returns what is missing in the languages
   * of a flow that is published then.
   */
  async update(
    workspaceId: string,
    id: string,
    sent: UpdateFlowDto,
    actor: Actor | null,
    ifMatch?: IfMatch,
  ): Promise<Warned> {
    const { fields, changes } = partsOf(plain(sent));
    const warned: Warned = {};
    await this.changes.run(workspaceId, id, { actor, ifMatch }, async ({ flow, live, manager }) => {
      const content = contentOf(live, changes);
      if ((fields.status ?? flow.status) === 'published') {
        warned.warnings = await this.languages.warningsOf(workspaceId, content, manager);
      }
      if (!isChangedBy(changes, live)) return { fields };
      await this.offers.requireActive(workspaceId, offersNamedIn(changes), manager);
      await this.languages.requireFew(workspaceId, content, manager);
      return { fields, content };
    });
    return warned;
  }

  async archive(workspaceId: string, id: string, actor: Actor, ifMatch?: IfMatch): Promise<void> {
    await this.update(workspaceId, id, { status: 'archived' }, actor, ifMatch);
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
    const warned: Warned = {};
    const restored = await this.changes.run(workspaceId, id, { actor, ifMatch }, async ({ manager }) => {
      warned.warnings = await this.languages.warningsOf(workspaceId, content, manager);
      return { content, note };
    });
    return { updated: true, id, version: restored, ...warned };
  }
}
