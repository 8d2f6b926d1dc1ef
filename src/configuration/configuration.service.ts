import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type IfMatch, requireMatch } from '../common/etag';
import { newId } from '../common/ids';
import { Problem } from '../common/problem';
import { Turns } from '../common/turns';
import { ManagementLimits } from '../database/management-limits.service';
import { Transactions } from '../database/transactions';
import { WebhooksService } from '../delivery/webhooks.service';
import { Outbox } from '../events/outbox.service';
import { FlowChanges } from '../flows/flow-changes.service';
import { contentOf, isChangedBy } from '../flows/flow-content';
import { FlowLanguages } from '../flows/flow-languages.service';
import { FlowsService } from '../flows/flows.service';
import { newFlow, partsOf } from '../flows/new-flow';
import { OffersService, requireSound } from '../offers/offers.service';
import type { Actor } from '../workspaces/actor';
import { WorkspaceCodes } from '../workspaces/workspace-codes.service';
import { WorkspacesService } from '../workspaces/workspaces.service';
import { inIds, offerKeysIn, readDocument } from './document';
import { ConfigDto, ConfigPlanDto, MAX_THINGS } from './dto/configuration.dto';
import { Plan, pruned, Rehearsed } from './plan';
import * as state from './workspace-state';

/** The largest document. */
export const MAX_BYTES = 8 * 1024 * 1024;
export const MAX_VALUES = 500_000;

interface Asked {
  actor: Actor;
  ifMatch?: IfMatch;
  dry_run: boolean;
  prune: boolean;
}

/** A document on its way into a workspace. */
interface Application extends Omit<Asked, 'dry_run'> {
  workspaceId: string;
  document: ConfigDto;
  before: state.WorkspaceState;
  plan: Plan;
  manager: EntityManager;
}

/** A workspace as one document. */
@Injectable()
export class ConfigurationService {
  constructor(
    private readonly workspaces: WorkspacesService,
    private readonly codes: WorkspaceCodes,
    private readonly offers: OffersService,
    private readonly flows: FlowsService,
    private readonly flowChanges: FlowChanges,
    private readonly languages: FlowLanguages,
    private readonly webhooks: WebhooksService,
    private readonly outbox: Outbox,
    private readonly transactions: Transactions,
    private readonly limits: ManagementLimits,
  ) {}

  read(workspaceId: string): Promise<ConfigDto> {
    const work = async (manager: EntityManager) => {
      const { things, bytes } = await state.sizeOf(workspaceId, manager);
      if (things > MAX_THINGS || bytes > MAX_BYTES) throw new Problem('config_too_large');
      const document = state.documentOf(await this.stateFor(workspaceId, {}, true, manager));
      if (Buffer.byteLength(JSON.stringify(document)) > MAX_BYTES) throw new Problem('config_too_large');
      return document;
    };
    return this.limits.long.run(workspaceId, () => this.transactions.runOnSnapshot(work));
  }

  /** Makes the workspace as the document says, and returns what that changed. */
  async apply(workspaceId: string, sent: unknown, { dry_run, ...asked }: Asked): Promise<ConfigPlanDto> {
    const work = async () => {
      const document = await readDocument(sent);
      return this.transactions.run(async (manager) => {
        const plan = await this.applyIn(workspaceId, document, asked, manager);
        if (dry_run) throw new Rehearsed(plan);
        return plan;
      });
    };
    try {
      const plan = await this.limits.long.run(workspaceId, work);
      this.outbox.announce(workspaceId);
      return plan;
    } catch (error) {
      if (error instanceof Rehearsed) return error.plan;
      throw error;
    }
  }

  /**
   * One document after another, since each locks the code of the workspace. Starts of sessions go on, but for the moment at the end
   * in which settings or webhooks change.
   */
  private async applyIn(
    workspaceId: string,
    document: ConfigDto,
    { actor, ifMatch, prune }: Omit<Asked, 'dry_run'>,
    manager: EntityManager,
  ): Promise<ConfigPlanDto> {
    await this.codes.lock(workspaceId, manager);
    const all = prune || ifMatch !== undefined;
    const before = await this.stateFor(workspaceId, document, all, manager, 'FOR NO KEY UPDATE');
    if (ifMatch) requireMatch(ifMatch, state.documentOf(before));
    const plan = new Plan();
    const application = { workspaceId, document, before, plan, actor, prune, manager };
    const idOf = await this.applyOffers(application);
    await this.applyFlows(application, idOf);
    await this.applySettings(application);
    plan.requireSound();
    return plan.changes;
  }

  /** What a document is about, or `all`. */
  private async stateFor(
    workspaceId: string,
    { offers = [], flows = [], webhooks = [] }: ConfigDto,
    all: boolean,
    manager: EntityManager,
    lock?: string,
  ): Promise<state.WorkspaceState> {
    const keysOf = (things: { key: string }[]) => things.map(({ key }) => key);
    const wanted = { keys: [...keysOf(offers), ...flows.flatMap(offerKeysIn)], all };
    const offerIds = await state.findCalled('offers', workspaceId, wanted, manager, lock);
    const called = await state.findCalled('flows', workspaceId, { keys: keysOf(flows), all }, manager, lock);
    const read = await this.flows.getAll(workspaceId, [...called.keys()], manager);
    const ids = new Set([...offerIds.keys(), ...read.flatMap(({ offer_ids }) => offer_ids)]);
    return {
      offers: await state.readOffers(workspaceId, [...ids], manager),
      flows: read.map((flow) => ({ ...flow, called: called.get(flow.id)! })),
      ...(await state.readSettings(workspaceId, { keys: keysOf(webhooks), all }, manager)),
    };
  }

  /** Returns how flows find the offers that they name. */
  private async applyOffers({ workspaceId, document, before, plan, actor, prune, manager }: Application) {
    const stored = new Map(before.offers.map((offer) => [offer.called, offer]));
    const ids = new Map(
      before.offers.filter(({ status }) => status === 'active').map(({ called, id }) => [called, id]),
    );
    const created: Parameters<OffersService['createAll']>[1] = [];
    for (const [index, { key, ...entry }] of (document.offers ?? []).entries()) {
      const offer = stored.get(key);
      const wanted = { status: 'active' as const, ...entry };
      ids.set(key, offer?.id ?? newId());
      if (!offer) {
        plan.create('offer', key);
        await plan.at(['offers', index], () => requireSound(wanted));
        created.push({ ...wanted, key, id: ids.get(key)! });
        continue;
      }
      const changes = plan.update('offer', key, wanted, offer);
      if (!changes) continue;
      const { id } = offer;
      await plan.at(['offers', index], () => this.offers.updateIn(workspaceId, id, changes, { actor, manager }));
    }
    plan.requireSound();
    await this.offers.createAll(workspaceId, created, actor, manager);
    for (const { called, id } of pruned(before.offers, document.offers, 'active', prune)) {
      plan.archive('offer', called);
      ids.delete(called);
      await this.offers.updateIn(workspaceId, id, { status: 'archived' }, { actor, manager });
    }
    return (key: unknown, flow?: state.WorkspaceState['flows'][number]) => {
      const id = ids.get(key as string) ?? stored.get(key as string)?.id;
      return id !== undefined && (ids.has(key as string) || flow?.offer_ids.includes(id)) ? id : undefined;
    };
  }

  private async applyFlows(
    { workspaceId, document, before, plan, actor, prune, manager }: Application,
    idOf: (key: unknown, flow?: state.WorkspaceState['flows'][number]) => string | undefined,
  ): Promise<void> {
    const stored = new Map(before.flows.map((flow) => [flow.called, flow]));
    const created: ReturnType<typeof newFlow>[] = [];
    const turns = new Turns();
    for (const [index, { key, slug, ...entry }] of (document.flows ?? []).entries()) {
      await turns.next();
      const path = ['flows', index];
      const flow = stored.get(key);
      const { wanted, faults } = inIds(entry, (one) => idOf(one, flow));
      plan.refuse(path, faults);
      if (faults.length > 0) continue;
      if (!flow) {
        plan.create('flow', key);
        await plan.at(path, async () => {
          const made = newFlow({ ...wanted, key, slug, id: newId() });
          this.flowChanges.requireOwnSender(made.fields.exit);
          await this.languages.requireFew(workspaceId, made.content, manager);
          created.push(made);
        });
        continue;
      }
      if (slug !== undefined && slug !== flow.slug) {
        plan.refuse(path, [{ pointer: '/slug', message: `never changes: it is ${flow.slug}` }]);
      }
      const back = flow.status === 'archived' ? { status: 'draft' as const } : {};
      const changes = plan.update('flow', key, { ...back, ...wanted }, flow);
      if (!changes) continue;
      const { fields, changes: content } = partsOf(changes);
      await plan.at(path, () =>
        this.flowChanges.runIn(workspaceId, flow.id, { actor, manager }, async ({ live }) => {
          if (!isChangedBy(content, live)) return { fields };
          const next = contentOf(live, content);
          await this.languages.requireFew(workspaceId, next, manager);
          return { fields, content: next };
        }),
      );
    }
    plan.requireSound();
    await this.flowChanges.createAll(workspaceId, created, actor, manager);
    for (const { called, id } of pruned(before.flows, document.flows, undefined, prune)) {
      plan.archive('flow', called);
      const archived = Promise.resolve({ fields: { status: 'archived' as const } });
      await this.flowChanges.runIn(workspaceId, id, { actor, manager }, () => archived);
    }
  }

  /** Settings and webhooks, last: starts of sessions wait from then on. */
  private async applySettings({ workspaceId, document, before, plan, actor, prune, manager }: Application) {
    const work: (() => Promise<unknown>)[] = [];
    const stored = new Map(before.webhooks.map((webhook) => [webhook.called, webhook]));
    for (const [index, { key, ...entry }] of (document.webhooks ?? []).entries()) {
      const at = (change: () => Promise<unknown>) => work.push(() => plan.at(['webhooks', index], change));
      const webhook = stored.get(key);
      if (!webhook) {
        plan.create('webhook', key);
        at(() => this.webhooks.createIn(workspaceId, { ...entry, key }, actor, manager));
        continue;
      }
      const changes = plan.update('webhook', key, { status: 'enabled' as const, ...entry }, webhook);
      if (changes) at(() => this.webhooks.updateIn(workspaceId, webhook.id, changes, { actor, manager }));
    }
    for (const { called, id } of pruned(before.webhooks, document.webhooks, 'enabled', prune)) {
      plan.archive('webhook', called);
      work.push(() => this.webhooks.updateIn(workspaceId, id, { status: 'disabled' }, { actor, manager }));
    }
    const changes = document.settings && plan.update('settings', 'settings', document.settings, before.settings);
    if (changes) work.push(() => this.workspaces.updateIn(workspaceId, changes, { actor, manager, ifMatch: '*' }));
    if (work.length === 0) return;
    const change = async () => {
      const wanted = { keys: before.webhooks.map(({ called }) => called), all: false };
      const now = await state.readSettings(workspaceId, wanted, manager);
      if (!isDeepStrictEqual(state.choicesIn(now), state.choicesIn(before))) throw new Problem('conflict');
      for (const one of work) await one();
    };
    await this.webhooks.subscribeIn(workspaceId, change, manager);
  }
}
