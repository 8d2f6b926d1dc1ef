import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { EntityManager, Repository, SelectQueryBuilder } from 'typeorm';
import type { IdempotentRequest } from '../common/idempotent-request';
import { newId } from '../common/ids';
import { MAX_PAGE, type Page, readPage } from '../common/pagination';
import { Problem } from '../common/problem';
import { CompiledQueries } from '../database/compiled-queries.service';
import { Idempotency } from '../database/idempotency.service';
import { now } from '../database/time';
import { Transactions } from '../database/transactions';
import { Turns } from '../database/turns.service';
import type { NewEvent } from '../events/event-types';
import { Outbox } from '../events/outbox.service';
import { OffersService } from '../offers/offers.service';
import { CreateFlowDto, UpdateFlowDto } from './dto/change-flow.dto';
import { ListFlowsQuery } from './dto/flow.dto';
import { contentOf, type ContentChanges, offersNamedIn } from './flow-content';
import { FlowSlug } from './flow-slug.entity';
import { CurrentFlow, FlowContent, FlowVersion } from './flow-version.entity';
import { Flow, FLOW_STATUSES, type FlowStatus } from './flow.entity';
import { createSlug } from './slug';

/** Columns of a flow and of its current version. */
interface Columns {
  flow: readonly (keyof Flow)[];
  content: readonly (keyof FlowContent)[];
}

/** What a list of flows shows. */
const LISTED = {
  flow: ['id', 'slug', 'status', 'current_version', 'updated_at'],
  content: ['name', 'product_name', 'flow_mode'],
} as const satisfies Columns;

type ListedFlow = Pick<CurrentFlow, (typeof LISTED)['flow' | 'content'][number]>;

const SHOWN: Columns = {
  flow: [...LISTED.flow, 'description', 'estimated_monthly_value', 'notification_email', 'metadata', 'created_at'],
  content: [...LISTED.content, 'cancellation_url', 'offer_ids', 'definition'],
};

const NOT_ARCHIVED = FLOW_STATUSES.filter((status) => status !== 'archived');

/** Retention flows of a workspace and their versions. */
@Injectable()
export class FlowsService {
  private readonly readOne;
  private readonly readList;

  constructor(
    @InjectRepository(Flow) private readonly flows: Repository<Flow>,
    private readonly offers: OffersService,
    private readonly transactions: Transactions,
    private readonly turns: Turns,
    private readonly idempotency: Idempotency,
    private readonly outbox: Outbox,
    queries: CompiledQueries,
  ) {
    this.readOne = queries.select<CurrentFlow>(this.currentFlows(SHOWN).andWhere('flow.id = :id'), 'flow');
    this.readList = queries.select<ListedFlow>(
      this.currentFlows(LISTED)
        .andWhere('flow.status = ANY (:statuses) AND flow.id < :before')
        .orderBy('flow.id', 'DESC'),
      'flows',
    );
  }

  create(
    workspaceId: string,
    flow: CreateFlowDto,
    idempotent?: IdempotentRequest,
  ): Promise<{ id: string; name: string; slug: string }> {
    const { description, estimated_monthly_value, notification_email, metadata = {}, ...sent } = plain(flow);
    const content = contentOf({ flow_mode: 'simple', offer_ids: [], ...sent }, sent);
    const id = newId();
    const slug = createSlug(flow.name);
    const write = async (manager: EntityManager) => {
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
        created_at: now,
      });
      await manager.insert(FlowSlug, { slug, workspace_id: workspaceId, flow_id: id });
      return { id, name: flow.name, slug };
    };
    return idempotent ? this.idempotency.run(workspaceId, idempotent, write) : this.transactions.run(write);
  }

  list(workspaceId: string, { status, ...page }: ListFlowsQuery): Promise<Page<ListedFlow>> {
    const statuses = status ? [status] : NOT_ARCHIVED;
    return readPage(page, (before, take) => this.readList({ workspaceId, statuses, before }, take));
  }

  async get(workspaceId: string, id: string): Promise<CurrentFlow> {
    const [flow] = await this.readOne({ workspaceId, id });
    if (!flow) throw new Problem('not_found');
    return flow;
  }

  /** The newest versions, newest first, each with the time it was written. */
  async versions(workspaceId: string, id: string): Promise<Pick<FlowVersion, 'version' | 'created_at'>[]> {
    const versions = await this.flows.manager.find(FlowVersion, {
      select: { version: true, created_at: true },
      where: { workspace_id: workspaceId, flow_id: id },
      order: { version: 'DESC' },
      take: MAX_PAGE,
    });
    if (versions.length === 0) throw new Problem('not_found');
    return versions.map(({ version, created_at }) => ({ version, created_at }));
  }

  async version(workspaceId: string, id: string, version: number): Promise<FlowVersion> {
    const found = await this.flows.manager.findOneBy(FlowVersion, { workspace_id: workspaceId, flow_id: id, version });
    if (!found) throw new Problem('not_found');
    return found;
  }

  /** Merges the changes into the flow. A change to what customers see becomes the next version. */
  async update(workspaceId: string, id: string, changes: UpdateFlowDto): Promise<void> {
    const { status, description, estimated_monthly_value, notification_email, metadata, ...contentChanges } =
      plain(changes);
    const write = async (manager: EntityManager) => {
      const flow = await lockFlow(manager, workspaceId, id);
      const version = await this.writeVersion(manager, flow, contentChanges);
      const event = eventOf(flow, { status: status ?? flow.status, version });
      if (event) await this.outbox.append(workspaceId, event, manager);
      await manager.update(
        Flow,
        { workspace_id: workspaceId, id },
        {
          status,
          description,
          estimated_monthly_value,
          notification_email,
          metadata,
          first_published_at: flow.first_published_at ?? (status === 'published' ? now : null),
          current_version: version,
          updated_at: now,
        },
      );
      return event;
    };
    const event = await this.turns.run(workspaceId, () => this.transactions.run(write));
    if (event) this.outbox.announce(workspaceId);
  }

  archive(workspaceId: string, id: string): Promise<void> {
    return this.update(workspaceId, id, { status: 'archived' });
  }

  /** Flows of a workspace with their current content, in one query. */
  private currentFlows({ flow, content }: Columns): SelectQueryBuilder<Flow> {
    return this.flows
      .createQueryBuilder('flow')
      .select(flow.map((column) => `flow.${column}`))
      .addSelect(content.map((column) => `content.${column}`))
      .innerJoin(
        FlowVersion,
        'content',
        'content.workspace_id = flow.workspace_id AND content.flow_id = flow.id AND content.version = flow.current_version',
      )
      .where('flow.workspace_id = :workspaceId');
  }

  /** Writes the next version if customers will see a difference. Returns the number of the current version. */
  private async writeVersion(manager: EntityManager, flow: Flow, changes: ContentChanges): Promise<number> {
    const key = { workspace_id: flow.workspace_id, flow_id: flow.id };
    const current = await manager.findOneByOrFail(FlowVersion, { ...key, version: flow.current_version });
    const content = contentOf(current, changes);
    const unchanged = Object.entries(changes).every(([field, value]) =>
      isDeepStrictEqual(value, current[field as keyof FlowContent]),
    );
    if (unchanged) return flow.current_version;
    await this.offers.requireActive(flow.workspace_id, offersNamedIn(changes), manager);
    const version = flow.current_version + 1;
    await manager.insert(FlowVersion, { ...key, version, ...content, created_at: now });
    return version;
  }
}

/** Plain data instead of instances of DTOs, to compare with what is stored. */
function plain<T>(request: T): T {
  return JSON.parse(JSON.stringify(request)) as T;
}

/** Reads the flow and locks it, so that of two changes at once one is merged after the other. */
async function lockFlow(manager: EntityManager, workspaceId: string, id: string): Promise<Flow> {
  const flow = await manager.findOne(Flow, {
    where: { workspace_id: workspaceId, id },
    lock: { mode: 'for_no_key_update' },
  });
  if (!flow) throw new Problem('not_found');
  return flow;
}

/** What a change of a flow is to others; undefined if it is nothing. */
function eventOf(before: Flow, { status, version }: { status: FlowStatus; version: number }): NewEvent | undefined {
  const data = { flow_id: before.id, version };
  const isChanged = status !== before.status || version !== before.current_version;
  if (status === 'published' && isChanged) return { type: 'flow.published', data };
  if (status === 'archived' && status !== before.status) return { type: 'flow.archived', data };
  return undefined;
}
