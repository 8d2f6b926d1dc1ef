import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { EntityManager, In } from 'typeorm';
import { batchesOf } from '../common/batches';
import { type IfMatch, requireMatch } from '../common/etag';
import { Problem } from '../common/problem';
import { requireRoom } from '../common/room';
import { Config } from '../config';
import { isNamed, requireFreeKeys } from '../database/own-key';
import { now } from '../database/time';
import { Transactions } from '../database/transactions';
import type { NewEvent } from '../events/event-types';
import { Outbox } from '../events/outbox.service';
import { type Actor, THE_SERVICE } from '../workspaces/actor';
import { ChangeLog, fieldsIn } from '../workspaces/changes/change-log.service';
import { WorkspaceCodes } from '../workspaces/workspace-codes.service';
import type { FlowExit } from './flow-exit';
import { readFlow } from './flow-queries';
import { FlowSlug } from './flow-slug.entity';
import { FLOW_CONTENT, type FlowContent, FlowVersion } from './flow-version.entity';
import { Flow, type FlowStatus } from './flow.entity';
import type { NewFlow } from './new-flow';

/** A flow under its lock, with the version that is live. */
export interface LockedFlow {
  flow: Flow;
  live: FlowVersion;
  manager: EntityManager;
}

/** What is to change of a flow. */
export interface FlowChange {
  /** What customers don't see. */
  fields?: Partial<Flow>;
  /** What they see; undefined if it stays. */
  content?: FlowContent;
  note?: string;
}

/** $1: a workspace. Versions are numbered from 1 and never deleted, so the current one is how many a flow has. */
const COUNT = `
  SELECT count(*)::int AS flows, COALESCE(sum(current_version), 0)::int AS versions FROM flows WHERE workspace_id = $1`;

/** The one way to change a flow that exists: under its lock, with the next version and the event in one transaction. */
@Injectable()
export class FlowChanges {
  constructor(
    private readonly transactions: Transactions,
    private readonly outbox: Outbox,
    private readonly log: ChangeLog,
    private readonly codes: WorkspaceCodes,
    private readonly config: Config,
  ) {}

  /**
   * Writes what `decide` wants to change, and the next version if customers will see a difference. Returns the number of the
   * version that is live then.
   */
  async run(
    workspaceId: string,
    id: string,
    { actor, ifMatch }: { actor: Actor | null; ifMatch?: IfMatch },
    decide: (locked: LockedFlow) => Promise<FlowChange>,
  ): Promise<number> {
    const work = (manager: EntityManager) => this.runIn(workspaceId, id, { actor, ifMatch, manager }, decide);
    const { version, event } = await this.transactions.run(work);
    if (event) this.outbox.announce(workspaceId);
    return version;
  }

  /** Changes a flow in a transaction of other work. */
  async runIn(
    workspaceId: string,
    id: string,
    { actor, ifMatch, manager }: { actor: Actor | null; ifMatch?: IfMatch; manager: EntityManager },
    decide: (locked: LockedFlow) => Promise<FlowChange>,
  ): Promise<{ version: number; event?: FlowEvent }> {
    const flow = await this.lock(workspaceId, id, manager, ifMatch);
    const key = { workspace_id: workspaceId, flow_id: id, version: flow.current_version };
    const live = await manager.findOneByOrFail(FlowVersion, key);
    const { fields = {}, content, note } = await decide({ flow, live, manager });
    if (fields.exit?.confirmation_from !== flow.exit?.confirmation_from) this.requireOwnSender(fields.exit);
    if (isNamed(flow, fields.key ?? undefined)) {
      await this.codes.lock(workspaceId, manager);
      await requireFreeKeys('flows', workspaceId, [fields.key], manager);
    }
    const changed = content ? FLOW_CONTENT.filter((field) => !isDeepStrictEqual(content[field], live[field])) : [];
    const isNew = changed.length > 0;
    const version = flow.current_version + (isNew ? 1 : 0);
    if (isNew) {
      await this.requireRoom(workspaceId, flow, manager);
      await manager.insert(FlowVersion, { ...key, version, ...content, note, published_by: actor, created_at: now });
    }
    const event = eventOf(flow, { status: fields.status ?? flow.status, version, note });
    if (event) await this.outbox.append(workspaceId, event, manager);
    const change = {
      actor: actor ?? THE_SERVICE,
      action: event?.type ?? ('flow.changed' as const),
      subject: { type: 'flow' as const, id, name: content?.name ?? live.name },
      details: { fields: [...fieldsIn(fields), ...changed], ...(isNew && { version, note: note ?? null }) },
    };
    await this.log.append(workspaceId, change, manager);
    await manager.update(
      Flow,
      { workspace_id: workspaceId, id },
      {
        ...fields,
        first_published_at: flow.first_published_at ?? (fields.status === 'published' ? now : null),
        current_version: version,
        updated_at: now,
      },
    );
    return { version, event };
  }

  /** Creates flows with their first versions as a part of other work. Those that are published are told to others. */
  async createAll(workspaceId: string, flows: NewFlow[], actor: Actor | null, manager: EntityManager): Promise<void> {
    if (flows.length === 0) return;
    await this.requireRoom(workspaceId, undefined, manager, flows.length);
    const names = flows.map(({ fields: { key, slug } }) => key ?? slug);
    await requireFreeKeys('flows', workspaceId, names, manager);
    const slugs = flows.map(({ fields: { slug } }) => slug);
    if (await manager.existsBy(FlowSlug, { slug: In(slugs) })) throw new Problem('slug_taken');
    for (const batch of batchesOf(flows)) await insertFlows(workspaceId, batch, actor, manager);
    const changes = flows.map(({ fields: { id }, content: { name } }) => ({
      actor: actor ?? THE_SERVICE,
      action: 'flow.created' as const,
      subject: { type: 'flow' as const, id, name },
    }));
    await this.log.appendAll(workspaceId, changes, manager);
    for (const { fields } of flows.filter(({ fields: { status } }) => status === 'published')) {
      const data = { flow_id: fields.id, version: 1, note: null };
      await this.outbox.append(workspaceId, { type: 'flow.published', data }, manager);
    }
  }

  /** Throws a 400 if receipts can't be sent from the address that a flow names. */
  requireOwnSender(exit: FlowExit | null | undefined): void {
    const sender = exit?.confirmation_from;
    if (!sender || this.config.allowsSender(sender)) return;
    const domains = this.config.confirmationDomains!.join(', ');
    const message = `must be at a domain that the operator allows (CONFIRMATION_DOMAINS): ${domains}`;
    throw Problem.invalid([{ pointer: '/exit/confirmation_from', message }]);
  }

  /** Locks a flow, so that of two changes at once one is merged after the other. Throws a 412 if it is not the one that is expected. */
  async lock(workspaceId: string, id: string, manager: EntityManager, ifMatch?: IfMatch): Promise<Flow> {
    const lock = { mode: 'for_no_key_update' } as const;
    const flow = await manager.findOne(Flow, { where: { workspace_id: workspaceId, id }, lock });
    if (!flow) throw new Problem('not_found');
    if (ifMatch) requireMatch(ifMatch, await readFlow(workspaceId, id, manager));
    return flow;
  }

  /**
   * Throws a 409 if the workspace may not have another version of a flow, or that many more flows with their first versions. Archived
   * flows count, because their rows are kept. Nobody else adds to what is counted until the transaction ends.
   */
  async requireRoom(workspaceId: string, flow: Flow | undefined, manager: EntityManager, more = 1): Promise<void> {
    await this.codes.lock(workspaceId, manager);
    const [{ flows, versions }] = await manager.query<{ flows: number; versions: number }[]>(COUNT, [workspaceId]);
    if (flow) requireRoom(flow.current_version, this.config.maxVersionsPerFlow, 'version_limit_reached');
    else requireRoom(flows + more - 1, this.config.maxFlowsPerWorkspace, 'flow_limit_reached');
    requireRoom(versions + more - 1, this.config.maxVersionsPerWorkspace, 'workspace_version_limit_reached');
  }
}

async function insertFlows(
  workspace_id: string,
  flows: NewFlow[],
  published_by: Actor | null,
  manager: EntityManager,
): Promise<void> {
  const times = { created_at: now, updated_at: now };
  const rows = flows.map(({ fields }) => {
    const first_published_at = fields.status === 'published' ? now : null;
    return { workspace_id, current_version: 1, ...fields, first_published_at, ...times };
  });
  await manager.insert(Flow, rows);
  const versions = flows.map(({ fields: { id }, content }) => {
    return { workspace_id, flow_id: id, version: 1, ...content, published_by, created_at: now };
  });
  await manager.insert(FlowVersion, versions);
  await manager.insert(
    FlowSlug,
    rows.map(({ slug, id }) => ({ slug, workspace_id, flow_id: id })),
  );
}

type FlowEvent = Extract<NewEvent, { type: 'flow.published' | 'flow.archived' }>;

/** What a change of a flow is to others; undefined if it is nothing. */
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
