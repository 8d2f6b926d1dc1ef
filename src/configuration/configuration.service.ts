import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { type IfMatch, requireMatch } from '../platform/api/etag';
import { newId } from '../platform/api/ids';
import { jsonBytes } from '../platform/api/paging/pagination';
import { jsonPointer } from '../platform/api/problems/json-pointer';
import { Problem } from '../platform/api/problems/problem';
import { Turns } from '../platform/common/turns';
import { statement } from '../platform/database/transaction/statement';
import { ManagementLimits } from '../platform/database/queue/management-limits.service';
import { addressAfter } from '../events/webhooks/formats';
import { WebhooksService } from '../events/webhooks/webhooks.service';
import { audiencesNamedIn, AudiencesService } from '../flows/audiences/audiences.service';
import { FlowChanges } from '../flows/flow-changes.service';
import { contentOf, isChangedBy, newImagesIn } from '../flows/flow-content';
import { FlowLanguages } from '../flows/languages/flow-languages.service';
import { FlowExitDto } from '../flows/dto/flow-exit.dto';
import type { FlowExit } from '../flows/flow-exit';
import { FlowsService, isRenewedBy } from '../flows/flows.service';
import { newFlow, partsOf } from '../flows/new-flow';
import { ImagesService } from '../images/images.service';
import { requireSound } from '../offers/offer-faults';
import { newImagesOf, type NewOffer, OffersService } from '../offers/offers.service';
import { requireRole } from '../tenancy/access/api-key.guard';
import type { Tenant } from '../tenancy/work/tenant';
import { UnitsOfWork } from '../tenancy/work/units-of-work.service';
import type { Reader, Work } from '../tenancy/work/work';
import { bareSlug, meansSlug } from '../workspaces/test-slugs';
import { WorkspacesService } from '../workspaces/workspaces.service';
import { audienceKeysIn, inIds, type KnownKeys, offerKeysIn, readDocument } from './document';
import { type ApplyQuery, ConfigDto, type ConfigExitDto, ConfigPlanDto, MAX_THINGS } from './dto/configuration.dto';
import { namesEnvironment, withoutEnvironment } from './environment';
import { Plan, pruned, Rehearsed } from './plan';
import * as state from './workspace-state';

/** The largest document. */
export const MAX_BYTES = 8 * 1024 * 1024;
export const MAX_VALUES = 500_000;

/** Waits for the documents before it. Nothing else takes this lock. */
const TURN = statement(`SELECT pg_advisory_xact_lock(hashtextextended('config ' || :workspace::text, 0))`);

/** A document on its way into a workspace. */
interface Application {
  work: Work;
  document: ConfigDto;
  before: state.WorkspaceState;
  /** What the document calls offers and audiences, by their ids. */
  names: Map<string, string>;
  plan: Plan;
  prune: boolean;
}

/** A workspace as one document. */
@Injectable()
export class ConfigurationService {
  constructor(
    private readonly units: UnitsOfWork,
    private readonly workspaces: WorkspacesService,
    private readonly offers: OffersService,
    private readonly audiences: AudiencesService,
    private readonly flows: FlowsService,
    private readonly flowChanges: FlowChanges,
    private readonly languages: FlowLanguages,
    private readonly webhooks: WebhooksService,
    private readonly images: ImagesService,
    private readonly limits: ManagementLimits,
  ) {}

  /** @param environment whether the document has what is of this environment, too */
  read(tenant: Tenant, { environment }: { environment: boolean }): Promise<ConfigDto> {
    const documentIn = async (reader: Reader) => {
      const { things, bytes } = await state.sizeOf(reader);
      if (things > MAX_THINGS || bytes > MAX_BYTES) throw new Problem('config_too_large');
      const document = state.documentOf(await this.stateFor(reader, {}, true));
      if ((await bytesOf(document)) > MAX_BYTES) throw new Problem('config_too_large');
      return environment ? document : withoutEnvironment(document);
    };
    return this.limits.long.run(tenant.workspaceId, () => this.units.snapshot(tenant, documentIn));
  }

  /**
   * Makes a new workspace as another one is, within a transaction: but for its webhooks, its name, and whatever sends
   * mails to the team, or to customers for sessions.
   *
   * @param whole the document of the other one
   */
  async copy(work: Work, whole: ConfigDto, from: string): Promise<void> {
    const { settings, flows, webhooks: _, ...document } = whole;
    const silent = { recipient_email: null, confirmation_from: null, session_receipts: false };
    const alike = flows!.map((flow) => ({
      ...flow,
      notification_email: null,
      exit: flow.exit && { ...flow.exit, ...silent },
    }));
    await this.images.copy(work, from);
    const { name } = await this.workspaces.of(work);
    await this.applyIn(work, { ...document, settings: { ...settings, name }, flows: alike }, false);
  }

  /** Makes the workspace as the document says, and returns what that changed. A dry run takes any role. */
  async apply(
    { ifMatch, ...tenant }: Tenant,
    sent: unknown,
    { dry_run, prune, images }: ApplyQuery,
  ): Promise<ConfigPlanDto> {
    if (!dry_run) requireRole(tenant.role, 'owner', tenant.actor);
    if (images && !dry_run) throw Problem.ofParameter('images', 'is only for dry_run=true');
    const work = async () => {
      const document = await readDocument(sent);
      // The ETag is of the document, not of each thing that it changes.
      return this.units.run(tenant, async (work) => {
        if (images) await this.images.rehearseUploads(work, [...new Set(images.split(','))]);
        const plan = await this.applyIn(work, document, prune, ifMatch);
        if (dry_run) throw new Rehearsed(plan);
        return plan;
      });
    };
    try {
      return await this.limits.long.run(tenant.workspaceId, work);
    } catch (error) {
      if (error instanceof Rehearsed) return error.plan;
      throw error;
    }
  }

  /**
   * One document after another. Starts of sessions go on, but for the moment at the end in which settings or webhooks
   * change.
   */
  private async applyIn(work: Work, document: ConfigDto, prune: boolean, ifMatch?: IfMatch): Promise<ConfigPlanDto> {
    await work.row(TURN);
    const all = prune || ifMatch !== undefined;
    const before = await this.stateFor(work, document, all, 'FOR NO KEY UPDATE');
    if (ifMatch) {
      const whole = state.documentOf(before);
      // Who has read no values of the environment overwrites none.
      requireMatch(ifMatch, whole, ...(namesEnvironment(document) ? [] : [withoutEnvironment(whole)]));
    }
    const plan = new Plan();
    const names = new Map([...before.offers, ...before.audiences].map(({ id, called }) => [id, called]));
    // Graphs as they are now may name others.
    const named = before.flows.flatMap(({ definition }) => audiencesNamedIn(definition));
    for (const { id, called } of await state.audienceNames(work, named)) names.set(id, called);
    const application = { work, document, before, names, plan, prune };
    const audiences = await this.applyAudiences(application);
    const offerOf = await this.applyOffers(application);
    await this.applyFlows(application, offerOf, audiences);
    await this.pruneAudiences(application);
    await this.applySettings(application);
    plan.requireSound();
    return plan.changes;
  }

  /** The state that a document is compared with, or `all`. */
  private async stateFor(
    reader: Reader,
    { audiences = [], offers = [], flows = [], webhooks = [] }: ConfigDto,
    all: boolean,
    lock?: string,
  ): Promise<state.WorkspaceState> {
    const keysOf = (things: { key: string }[]) => things.map(({ key }) => key);
    const wanted = { keys: [...keysOf(offers), ...flows.flatMap(offerKeysIn)], all };
    const offerIds = await state.findCalled('offers', reader, wanted, lock);
    const called = await state.findCalled('flows', reader, { keys: keysOf(flows), all }, lock);
    const read = await this.flows.getAll(reader, [...called.keys()]);
    const ids = new Set([...offerIds.keys(), ...read.flatMap(({ offer_ids }) => offer_ids)]);
    const named = { keys: [...keysOf(audiences), ...flows.flatMap(audienceKeysIn)], all };
    return {
      audiences: await state.readAudiences(reader, named, lock),
      offers: await state.readOffers(reader, [...ids]),
      flows: read.map((flow) => ({ ...flow, called: called.get(flow.id)! })),
      ...(await state.readSettings(reader, { keys: keysOf(webhooks), all })),
    };
  }

  /** Returns how flows find the audiences that they name, and which of these have other conditions now. */
  private async applyAudiences({ work, document, before, names, plan }: Application) {
    const stored = new Map(before.audiences.map((audience) => [audience.called, audience]));
    const ids = new Map(before.audiences.map(({ called, id }) => [called, id]));
    const changed = new Set<string>();
    for (const [index, { key, ...wanted }] of (document.audiences ?? []).entries()) {
      const audience = stored.get(key);
      const path = ['audiences', index];
      if (!audience) {
        plan.create('audience', key);
        await plan.at(path, async () => {
          const { id } = await this.audiences.create(work, { ...wanted, key });
          ids.set(key, id);
          names.set(id, key);
        });
        continue;
      }
      const changes = plan.update({ kind: 'audience', key, path }, wanted, audience);
      if (!changes) continue;
      await plan.at(path, () => this.audiences.update(work, audience.id, changes));
      if (changes.when) changed.add(audience.id);
    }
    plan.requireSound();
    return { idOf: (key: unknown) => ids.get(key as string), changed };
  }

  /** Last, when no flow of the document names them any more. */
  private async pruneAudiences({ work, document, before, plan, prune }: Application): Promise<void> {
    const things = before.audiences.map((audience) => ({ ...audience, status: 'active' }));
    for (const { called, id } of pruned(things, document.audiences, 'active', prune)) {
      plan.archive('audience', called);
      await this.audiences.delete(work, id);
    }
  }

  /** Returns how flows find the offers that they name. */
  private async applyOffers({ work, document, before, names, plan, prune }: Application) {
    const stored = new Map(before.offers.map((offer) => [offer.called, offer]));
    const ids = new Map(
      before.offers.filter(({ status }) => status === 'active').map(({ called, id }) => [called, id]),
    );
    const created: NewOffer[] = [];
    const hosts = document.settings?.image_hosts;
    for (const [index, { key, ...entry }] of (document.offers ?? []).entries()) {
      const offer = stored.get(key);
      const wanted = { status: 'active' as const, ...entry };
      const path = ['offers', index];
      const id = offer?.id ?? newId();
      ids.set(key, id);
      names.set(id, key);
      if (!offer) {
        plan.create('offer', key);
        await plan.at(path, () => requireSound(wanted));
        await plan.at(path, () => this.images.requireUsable(work, newImagesOf(wanted), hosts));
        created.push({ ...wanted, key, id });
        continue;
      }
      const changes = plan.update({ kind: 'offer', key, path }, wanted, offer);
      if (!changes) continue;
      await plan.at(path, () => this.offers.change(work, id, changes, hosts));
    }
    plan.requireSound();
    await this.offers.createAll(work, created);
    for (const { called, id } of pruned(before.offers, document.offers, 'active', prune)) {
      plan.archive('offer', called);
      ids.delete(called);
      await this.offers.archive(work, id);
    }
    return (key: unknown, flow?: state.WorkspaceState['flows'][number]) => {
      const id = ids.get(key as string) ?? stored.get(key as string)?.id;
      return id !== undefined && (ids.has(key as string) || flow?.offer_ids.includes(id)) ? id : undefined;
    };
  }

  private async applyFlows(
    { work, document, before, names, plan, prune }: Application,
    offerOf: (key: unknown, flow?: state.WorkspaceState['flows'][number]) => string | undefined,
    audiences: { idOf: KnownKeys['audience']; changed: Set<string> },
  ): Promise<void> {
    const stored = new Map(before.flows.map((flow) => [flow.called, flow]));
    const created: ReturnType<typeof newFlow>[] = [];
    const places: string[] = [];
    const hosts = document.settings?.image_hosts;
    const turns = new Turns();
    const shown = (fields: object) => state.inKeys(fields, (id) => names.get(id)!);
    for (const [index, { key, slug, exit, ...entry }] of (document.flows ?? []).entries()) {
      await turns.next();
      const path = ['flows', index];
      const flow = stored.get(key);
      const { wanted: named, faults } = inIds(entry, { offer: (one) => offerOf(one, flow), audience: audiences.idOf });
      plan.refuse(path, faults);
      if (faults.length > 0) continue;
      const wanted = { ...named, ...(exit !== undefined && { exit: exitAfter(flow?.exit, exit) }) };
      if (!flow) {
        plan.create('flow', key);
        await plan.at(path, async () => {
          const made = newFlow({ ...wanted, cancellation_url: requiredUrl(wanted), key, slug, id: newId() });
          this.flowChanges.requireOwnSender(made.fields.exit);
          await this.images.requireUsable(work, newImagesIn(made.content.definition), hosts);
          await this.languages.requireFew(work, made.content);
          // Refused here, where the document says it.
          await this.audiences.held(work, made.content.definition);
          created.push(made);
          places.push(jsonPointer(...path));
        });
        continue;
      }
      if (slug !== undefined && !meansSlug(work.workspaceId, flow.slug, slug)) {
        const known = bareSlug(work.workspaceId, flow.slug);
        plan.refuse(path, [{ pointer: '/slug', message: `never changes: it is ${known}` }]);
      }
      const back = flow.status === 'archived' ? { status: 'draft' as const } : {};
      // What is published takes the audiences as the document says them.
      const isPublished = (wanted.status ?? flow.status) === 'published';
      const isOther = (id: string) => audiences.changed.has(id);
      const takes = isPublished && (flow.audiences_changed || audiencesNamedIn(flow.definition).some(isOther));
      // Their own entries say what changed of them.
      const also = takes ? ['audiences'] : [];
      const changes = plan.update({ kind: 'flow', key, path, shown, also }, { ...back, ...wanted }, flow);
      if (!changes) continue;
      const { fields, changes: content } = partsOf(changes);
      await plan.at(path, async () => {
        const locked = await this.flowChanges.lock(work, flow.id);
        const takesAudiences = takes || isRenewedBy(fields.status, flow.status);
        if (!takesAudiences && !isChangedBy(content, locked.live))
          return this.flowChanges.write(work, locked, { fields });
        const next = contentOf(locked.live, content);
        await this.images.requireUsable(work, newImagesIn(next.definition, locked.live.definition), hosts);
        await this.languages.requireFew(work, next);
        return this.flowChanges.write(work, locked, { fields, content: next, takesAudiences });
      });
    }
    plan.requireSound();
    await this.flowChanges.createAll(work, created, (index) => places[index]);
    for (const { called, id } of pruned(before.flows, document.flows, undefined, prune)) {
      plan.archive('flow', called);
      await this.flows.archive(work, id);
    }
  }

  /** Settings and webhooks, last: starts of sessions wait from then on. */
  private async applySettings({ work, document, before, plan, prune }: Application) {
    const steps: (() => Promise<unknown>)[] = [];
    const stored = new Map(before.webhooks.map((webhook) => [webhook.called, webhook]));
    for (const [index, { key, ...entry }] of (document.webhooks ?? []).entries()) {
      const path = ['webhooks', index];
      const at = (change: () => Promise<unknown>) => steps.push(() => plan.at(path, change));
      const webhook = stored.get(key);
      if (!webhook) {
        plan.create('webhook', key);
        at(() => this.webhooks.create(work, { ...entry, key }));
        continue;
      }
      const address = await plan.at(path, () => addressAfter(webhook, entry));
      if (!address) continue;
      const wanted = { status: 'enabled' as const, ...entry, url: address.url };
      const changes = plan.update({ kind: 'webhook', key, path, shown: withoutSecret }, wanted, webhook);
      if (changes) at(() => this.webhooks.update(work, webhook.id, changes));
    }
    for (const { called, id } of pruned(before.webhooks, document.webhooks, 'enabled', prune)) {
      plan.archive('webhook', called);
      steps.push(() => this.webhooks.update(work, id, { status: 'disabled' }));
    }
    const entry = { kind: 'settings', key: 'settings', path: ['settings'] } as const;
    const { settings } = document;
    // What it leaves out of the brand stays.
    const brand = settings?.brand && { brand: { ...before.settings.brand, ...settings.brand } };
    const changes = settings && plan.update(entry, { ...settings, ...brand }, before.settings);
    if (changes) steps.push(() => this.workspaces.update(work, changes));
    if (steps.length === 0) return;
    const known = { keys: before.webhooks.map(({ called }) => called), all: false };
    await state.findCalled('webhooks', work, known, 'FOR NO KEY UPDATE');
    await this.workspaces.lock(work);
    const now = await state.readSettings(work, known);
    if (!isDeepStrictEqual(state.choicesIn(now), state.choicesIn(before))) throw new Problem('conflict');
    for (const step of steps) await step();
  }
}

/** The path of a webhook's URL may be a secret, whatever its format. */
function withoutSecret({ url, ...fields }: { url?: string }): object {
  return { ...(url !== undefined && { url: new URL(url).origin }), ...fields };
}

/** The exit page of a flow after a document: what it leaves out stays as it is stored. */
function exitAfter(stored: FlowExit | null | undefined, sent: ConfigExitDto | null): FlowExit | null {
  return sent && { ...new FlowExitDto(), enabled: false, ...stored, ...sent };
}

/** Exports leave the address out, because it is of one environment. */
function requiredUrl({ cancellation_url }: { cancellation_url?: string }): string {
  const message =
    'is required of a new flow: it is of one environment, so an export without `environment` leaves it out';
  if (cancellation_url === undefined) throw Problem.invalid([{ pointer: '/cancellation_url', message }]);
  return cancellation_url;
}

/** The bytes of a document as JSON, but for some hundred. */
async function bytesOf(document: ConfigDto): Promise<number> {
  const turns = new Turns();
  let bytes = 0;
  for (const things of [
    document.audiences ?? [],
    document.offers ?? [],
    document.flows ?? [],
    document.webhooks ?? [],
  ]) {
    for (const thing of things) {
      bytes += jsonBytes(thing) + 1;
      await turns.next();
    }
  }
  return bytes;
}
