import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { type FieldError, MAX_FIELD_ERRORS, Problem } from '../platform/api/problems/problem';
import { requireRoom } from '../platform/api/room';
import { Config } from '../settings/config';
import { setsKey, requireFreeKeys } from '../tenancy/own-key';
import { statement } from '../platform/database/transaction/statement';
import { now } from '../platform/database/time';
import type { NewEvent } from '../outbox/event-types';
import { changedIn } from '../tenancy/log/change-log';
import { publisherIn } from '../tenancy/versions/versions';
import type { Work } from '../tenancy/work/work';
import { WorkspaceCounter } from '../workspaces/counters/workspace-counter.service';
import { isTest } from '../workspaces/is-test';
import { bareSlug, looksLikeTest, MAX_BARE_SLUG, testSlug } from '../workspaces/test-slugs';
import { AudiencesService } from './audiences/audiences.service';
import { drawsAfter } from './graph/draws';
import type { HeldAudiences } from '../conditions/conditions';
import type { FlowExit } from './flow-exit';
import { FlowSlug } from './lookup/flow-slug.entity';
import { createSlug } from './lookup/slug';
import { FLOW_CONTENT } from './versions/flow-content-fields';
import { type FlowContent, FlowVersion } from './versions/flow-version.entity';
import { Flow, type FlowStatus } from './flow.entity';
import type { NewFlow } from './new-flow';

/** What a version has that a change can make another. */
const VERSIONED = [...FLOW_CONTENT, 'audiences'] as const;

/** A flow under its lock, with the version that is live. */
export interface LockedFlow {
  flow: Flow;
  live: FlowVersion;
}

/** A change of a flow. */
export interface FlowChange {
  /** Fields that customers don't see. */
  fields?: Partial<Flow>;
  /** Everything that the next version has; undefined if it stays. */
  content?: FlowContent;
  /** Whether the content takes its audiences as they are now, also where it names the same as before. */
  takesAudiences?: boolean;
  note?: string;
}

/** Versions are numbered from 1 and never deleted, so the current one is how many a flow has. */
const COUNT = statement(
  `SELECT count(*)::int AS flows, COALESCE(sum(current_version), 0)::int AS versions
  FROM flows WHERE workspace_id = :workspace`,
);

/** The one way to write flows: under their locks, each with its next version and event in one transaction. */
@Injectable()
export class FlowChanges {
  constructor(
    private readonly counter: WorkspaceCounter,
    private readonly audiences: AudiencesService,
    private readonly config: Config,
  ) {}

  /** Locks a flow, so that of two changes at once one is merged after the other. */
  async lock(work: Work, id: string): Promise<LockedFlow> {
    const flow = await work.lock(Flow, id);
    return { flow, live: await work.get(FlowVersion, { flow_id: id, version: flow.current_version }) };
  }

  /**
   * Writes a change, as the next version if customers will see a difference. Returns the number of the version that is
   * live then.
   */
  async write(
    work: Work,
    { flow, live }: LockedFlow,
    { fields = {}, content, note, takesAudiences }: FlowChange,
  ): Promise<number> {
    const { id } = flow;
    if (fields.exit?.confirmation_from !== flow.exit?.confirmation_from) this.requireOwnSender(fields.exit);
    if (setsKey(flow, fields.key ?? undefined)) {
      await this.counter.lock(work);
      await requireFreeKeys(work, 'flows', [fields.key]);
    }
    const isTaking = takesAudiences || !isDeepStrictEqual(content?.definition, live.definition);
    const next = content && {
      ...content,
      audiences: isTaking ? await this.audiences.held(work, content.definition) : live.audiences,
    };
    const changed = next ? VERSIONED.filter((field) => !isDeepStrictEqual(next[field], live[field])) : [];
    const others = changedIn(flow, fields);
    const isNew = changed.length > 0;
    if (!isNew && others.length === 0) return flow.current_version;
    const version = flow.current_version + (isNew ? 1 : 0);
    if (isNew) {
      await this.requireRoom(work, flow);
      const published_by = publisherIn(work);
      const draws = drawsAfter(live, content!.definition, version);
      work.insert(FlowVersion, { flow_id: id, version, ...next, draws, note, published_by, created_at: now });
    }
    const event = eventOf(flow, { status: fields.status ?? flow.status, version, note });
    if (event) await work.emit(event);
    work.log({
      action: event?.type ?? 'flow.changed',
      subject: { type: 'flow', id, name: content?.name ?? live.name },
      details: { fields: [...others, ...changed], ...(isNew && { version, note: note ?? null }) },
    });
    await work.update(Flow, id, {
      ...fields,
      first_published_at: flow.first_published_at ?? (fields.status === 'published' ? now : null),
      current_version: version,
      updated_at: now,
    });
    return version;
  }

  /**
   * Creates flows with their first versions, and returns their slugs. Published ones have an event.
   *
   * @param placeOf the JSON Pointer to what the request says of the flow with an index
   */
  async createAll(work: Work, asked: NewFlow[], placeOf: (index: number) => string = () => ''): Promise<string[]> {
    if (asked.length === 0) return [];
    await this.requireRoom(work, undefined, asked.length);
    const flows = await withSlugs(work, asked, placeOf);
    const slugs = flows.map(({ fields: { slug } }) => slug);
    const taken = await work.manager.findBy(FlowSlug, { slug: In(slugs) });
    if (taken.length > 0) {
      const places = taken.map(({ slug }) => ({
        pointer: `${placeOf(slugs.indexOf(slug))}/slug`,
        message: `is taken: ${slug}`,
      }));
      throw new Problem('slug_taken', { errors: places.slice(0, MAX_FIELD_ERRORS) });
    }
    const names = flows.map(({ fields: { key, slug } }) => key ?? slug);
    await requireFreeKeys(work, 'flows', names);
    const held: HeldAudiences[] = [];
    for (const { content } of flows) held.push(await this.audiences.held(work, content.definition));
    await insertFlows(work, flows, held);
    work.log(
      ...flows.map(({ fields: { id }, content: { name } }) => ({
        action: 'flow.created' as const,
        subject: { type: 'flow' as const, id, name },
      })),
    );
    for (const { fields } of flows.filter(({ fields: { status } }) => status === 'published')) {
      await work.emit({ type: 'flow.published', data: { flow_id: fields.id, version: 1, note: null } });
    }
    return slugs;
  }

  /** Throws a 400 if receipts can't be sent from the address that a flow names. */
  requireOwnSender(exit: FlowExit | null | undefined): void {
    const sender = exit?.confirmation_from;
    if (!sender || this.config.allowsSender(sender)) return;
    const domains = this.config.confirmationDomains?.join(', ');
    const message = domains
      ? `must be at a domain that the operator allows (CONFIRMATION_DOMAINS): ${domains}`
      : `must be ${this.config.mail!.from.address}: the operator allows no domain (CONFIRMATION_DOMAINS)`;
    throw Problem.invalid([{ pointer: '/exit/confirmation_from', message }]);
  }

  /**
   * Throws a 409 if the workspace may not have another version of a flow, or that many more flows with their first
   * versions. Archived flows count, because their rows are kept. Nobody else adds to what is counted until the
   * transaction ends.
   */
  private async requireRoom(work: Work, flow: Flow | undefined, more = 1): Promise<void> {
    const { flows, versions } = await this.counter.count(work, { flows: flow ? 0 : more, versions: more }, COUNT);
    if (flow) requireRoom(flow.current_version, this.config.maxVersionsPerFlow, 'version_limit_reached');
    else requireRoom(flows - 1, this.config.maxFlowsPerWorkspace, 'flow_limit_reached');
    requireRoom(versions - 1, this.config.maxVersionsPerWorkspace, 'workspace_version_limit_reached');
  }
}

type SluggedFlow = NewFlow & { fields: Pick<Flow, 'slug'> };

/**
 * Flows with the slugs that they are stored with. In a test workspace these begin with a part of its own, so each has
 * the bare slug as its key: documents call it what the live workspace calls it.
 */
async function withSlugs(work: Work, flows: NewFlow[], placeOf: (index: number) => string): Promise<SluggedFlow[]> {
  const { workspaceId } = work;
  const isOfTests = await isTest(work);
  const faults: FieldError[] = [];
  const slugged = flows.map(({ fields, content }, index) => {
    const longest = isOfTests ? MAX_BARE_SLUG : undefined;
    const bare = fields.slug === undefined ? createSlug(content.name, longest) : bareSlug(workspaceId, fields.slug);
    if (!isOfTests && looksLikeTest(bare)) {
      faults.push({
        pointer: `${placeOf(index)}/slug`,
        message: 'must not begin with test-: slugs of test workspaces do',
      });
    }
    const own = isOfTests ? { key: fields.key ?? bare, slug: testSlug(workspaceId, bare) } : { slug: bare };
    return { fields: { ...fields, ...own }, content };
  });
  if (faults.length > 0) throw Problem.invalid(faults.slice(0, MAX_FIELD_ERRORS));
  return slugged;
}

async function insertFlows(work: Work, flows: SluggedFlow[], held: HeldAudiences[]): Promise<void> {
  const rows = flows.map(({ fields }) => {
    const first_published_at = fields.status === 'published' ? now : null;
    return { current_version: 1, ...fields, first_published_at, created_at: now, updated_at: now };
  });
  work.insert(Flow, ...rows);
  const published_by = publisherIn(work);
  const versions = flows.map(({ fields: { id }, content }, index) => {
    return { flow_id: id, version: 1, ...content, audiences: held[index], published_by, created_at: now };
  });
  work.insert(FlowVersion, ...versions);
  work.insert(FlowSlug, ...rows.map(({ slug, id }) => ({ slug, flow_id: id })));
}

type FlowEvent = Extract<NewEvent, { type: 'flow.published' | 'flow.archived' }>;

/** The event of a change of a flow, if it has one. */
function eventOf(
  before: Flow,
  { status, version, note = null }: { status: FlowStatus; version: number; note?: string | null },
): FlowEvent | undefined {
  const data = { flow_id: before.id, version };
  const isChanged = status !== before.status || version !== before.current_version;
  if (status === 'published' && isChanged) return { type: 'flow.published', data: { ...data, note } };
  if (status === 'archived' && status !== before.status) return { type: 'flow.archived', data };
  return undefined;
}
