import { Injectable, Optional } from '@nestjs/common';
import { type FindOneOptions, In, Raw } from 'typeorm';
import { newId } from '../../platform/api/ids';
import { newPreviewId } from '../../sessions/session-ids';
import { languagesOfOffers } from '../../platform/text/languages';
import { pick } from '../../platform/common/pick';
import { Problem } from '../../platform/api/problems/problem';
import { statement } from '../../platform/database/transaction/statement';
import { now, readTime } from '../../platform/database/time';
import { ManagementLimits } from '../../platform/database/queue/management-limits.service';
import { factsIn } from '../../flows/graph/branch-conditions';
import { FlowVersions } from '../../flows/versions/flow-versions.service';
import { AudiencesService } from '../../flows/audiences/audiences.service';
import { armFaults } from '../../flows/graph/flow-faults';
import { FlowLookup } from '../../flows/lookup/flow-lookup.service';
import type { FlowVersion } from '../../flows/versions/flow-version.entity';
import { FlowsService } from '../../flows/flows.service';
import { Offer } from '../../offers/offer.entity';
import { requireRole } from '../../tenancy/access/api-key.guard';
import { type Tenant, theServiceIn } from '../../tenancy/work/tenant';
import { CANCELLATION, endIn } from '../../sessions/eligibility';
import { UnitsOfWork } from '../../tenancy/work/units-of-work.service';
import type { Reader, Work } from '../../tenancy/work/work';
import { WorkspaceCounter } from '../../workspaces/counters/workspace-counter.service';
import { WorkspacesService } from '../../workspaces/workspaces.service';
import { StartedSessionDto } from '../start/start.dto';
import { decide } from '../step/decide';
import { aheadOf } from '../step/ahead';
import { type Position, positionAt, type Step } from '../step/next-step';
import type { SessionState } from '../shown-session';
import { factsOfOffered } from '../../offers/offered';
import { effectsIn, Foresight } from './effects';
import type { PreviewDto, PreviewSubscriptionDto, StartedPreviewDto } from './preview.dto';
import { GONE_BEFORE, Preview } from './preview.entity';
import { toldOf } from './preview-data';
import { PreviewEvents } from './preview-events';

/** The most previews of a workspace. */
const MAX_PREVIEWS = 100;

const LOCK = { lock: { mode: 'for_no_key_update' } } as const;

/** How many fields a made-up subscription has. */
const MADE_UP_OF = 3;

/** Makes room for one more preview. */
const MAKE_ROOM = statement(
  `DELETE FROM previews WHERE workspace_id = :workspace AND (created_at <= ${GONE_BEFORE} OR session_id = ANY (ARRAY(
    SELECT session_id FROM previews WHERE workspace_id = :workspace ORDER BY created_at DESC OFFSET ${MAX_PREVIEWS - 1})))`,
);

/**
 * Previews of flows: they take steps by the rules of sessions, in a table of their own, so that nothing that reads
 * sessions counts them. Their steps may wait for a lock, so `ManagementLimits` bounds them. Their events, if they have
 * any, are tests.
 */
@Injectable()
export class PreviewsService {
  constructor(
    private readonly workspaces: WorkspacesService,
    private readonly counter: WorkspaceCounter,
    private readonly flows: FlowsService,
    private readonly versions: FlowVersions,
    private readonly audiences: AudiencesService,
    private readonly lookup: FlowLookup,
    private readonly limits: ManagementLimits,
    private readonly units: UnitsOfWork,
    private readonly events: PreviewEvents,
    @Optional() private readonly billing?: Foresight,
  ) {}

  /** Starts a preview of the current version of a flow, or of its draft. The 100 newest of a workspace are kept. */
  async create(
    tenant: Tenant,
    flowId: string,
    { customer, locale: preferred, arm: arms = {}, draft: isOfDraft, events }: PreviewDto,
  ): Promise<StartedPreviewDto> {
    const { workspaceId, role, actor } = tenant;
    if (events || customer?.subscription?.id !== undefined) requireRole(role, 'editor', actor);
    const { attributes = {}, subscription } = customer ?? {};
    if (subscription) requireWhole(subscription);
    const { workspace, current_version, draft, version, offers } = await this.limits.short.run(
      workspaceId,
      async () => {
        const workspace = await this.workspaces.get(workspaceId);
        const { current_version } = await this.flows.get(tenant, flowId);
        const reader = this.units.reader(tenant);
        const sound = isOfDraft ? await this.versions.soundDraft(tenant, flowId) : null;
        const draft = sound && { ...sound, audiences: await this.audiences.now(reader, sound.definition) };
        const current = { workspace_id: workspaceId, flow_id: flowId, flow_version: current_version };
        const version = previewed(await this.lookup.version(current, reader.manager), draft, arms);
        return {
          workspace,
          current_version,
          draft,
          version,
          offers: subscription ? await offersOf(version, reader) : [],
        };
      },
    );
    const locale = preferred ?? version.locale;
    const asked = [...new Set([...factsIn(version, 'subscription'), ...factsOfOffered(offers)])];
    // Takes no turn: others go on while the billing system is asked.
    const foreseen = subscription && (await this.billing?.foresee(workspaceId, subscription, offers, asked));
    const start = async (work: Work): Promise<StartedPreviewDto> => {
      const code = await this.counter.lock(work);
      await work.write(MAKE_ROOM);
      const session_id = newPreviewId(code);
      const preview = {
        workspace_id: workspaceId,
        session_id,
        flow_id: flowId,
        flow_version: current_version,
        draft,
        locale,
        attributes,
        facts: { ...foreseen?.facts, ...customer?.facts },
        arms,
        eligibility: foreseen?.eligibility ?? null,
        position: positionAt(version.definition.entry),
        steps: [],
        test_session: events ? await newTestSession(work) : null,
      };
      work.insert(Preview, { ...preview, created_at: now });
      await this.tell(work, preview, version);
      const started = StartedSessionDto.of({ session_id, locale, version, workspace, attributes });
      if (!foreseen) return started;
      const known = { attributes, facts: preview.facts };
      return { ...started, effects: effectsIn(foreseen, offers, known, await readTime(work.manager)) };
    };
    return this.limits.short.run(workspaceId, () => this.units.run(tenant, start));
  }

  async get(workspaceId: string, sessionId: string): Promise<SessionState> {
    const preview = await this.find(this.units.reader(theServiceIn(workspaceId)), sessionId);
    return stateOf(preview, preview.position);
  }

  /** Takes a step, or throws the Problem that prevents it. */
  take(workspaceId: string, sessionId: string, step: Step): Promise<SessionState> {
    return this.changing(workspaceId, async (work) => {
      const preview = await this.find(work, sessionId, LOCK);
      const { version, locale } = preview;
      const ids = aheadOf(version.definition, step, false).offers;
      const offers = await work.find(Offer, { id: In(ids), status: 'active' });
      // Comments are not stored, as of a session that was erased.
      const session = { ...preview.position, session_id: sessionId, locale, is_erased: true, is_expired: false };
      const decided = decide({ session, version, steps: [step] }, preview.steps, {
        offers: new Map(offers.map((offer) => [offer.id, offer])),
        languages: languagesOfOffers(locale, version.locale),
        visitor: sessionId,
        attributes: preview.attributes,
        facts: preview.facts,
        now: await readTime(work.manager),
        audiences: version.audiences,
        draws: version.draws,
        eligibility: preview.eligibility,
        locale,
        usedUpLimit: () => undefined,
      });
      const [result] = decided.results;
      if (result instanceof Problem) throw result;
      // None if the step was taken before.
      for (const taken of decided.steps) {
        const steps = [
          ...preview.steps,
          pick(taken, ['node_key', 'action', 'option', 'options', 'months', 'result', 'offer']),
        ];
        const moved = { position: decided.position, steps };
        await work.update(Preview, { session_id: sessionId }, moved);
        if (result.status !== 'in_progress') await this.tell(work, { ...preview, ...moved }, version);
      }
      return stateOf(preview, result.position);
    });
  }

  /**
   * Goes back to the entry, so that anybody with the link can walk through it again. Its events are of a new session.
   */
  restart(workspaceId: string, sessionId: string): Promise<SessionState> {
    return this.changing(workspaceId, async (work) => {
      const preview = await this.find(work, sessionId, LOCK);
      const position = positionAt(preview.version.definition.entry);
      const test_session = preview.test_session && (await newTestSession(work));
      const begun = { position, steps: [], test_session };
      await work.update(Preview, { session_id: sessionId }, begun);
      await this.tell(work, { ...preview, ...begun }, preview.version);
      return stateOf(preview, position);
    });
  }

  private changing<T>(workspaceId: string, steps: (work: Work) => Promise<T>): Promise<T> {
    return this.limits.short.run(workspaceId, () => this.units.run(theServiceIn(workspaceId), steps));
  }

  /** Records that a preview has begun or ended, if its events are sent, and not too many. */
  private async tell(work: Work, preview: Omit<Preview, 'created_at'>, version: FlowVersion): Promise<void> {
    const { workspace_id, test_session } = preview;
    if (!test_session || !(await this.events.hasRoom(workspace_id))) return;
    const data = toldOf(preview, test_session, version);
    await work.emit({ type: 'test', flow_session_id: test_session.id, data });
  }

  /** A preview with the version that it is of. */
  private async find(reader: Reader, sessionId: string, options: FindOneOptions<Preview> = {}) {
    const isKept = Raw((created_at) => `${created_at} > ${GONE_BEFORE}`);
    const [preview] = await reader.find(Preview, { session_id: sessionId, created_at: isKept }, options);
    if (!preview) throw new Problem('session_not_found');
    const live = await this.lookup.version(preview, reader.manager);
    return { ...preview, version: previewed(live, preview.draft, preview.arms) };
  }
}

/** Refuses a subscription that is neither named nor made up. */
function requireWhole({ id, ...parts }: PreviewSubscriptionDto): void {
  const given = Object.values(parts).filter((value) => value !== undefined).length;
  if (id === undefined ? given === MADE_UP_OF : given === 0) return;
  const message = 'must have either an id, or amount, currency and interval';
  throw Problem.invalid([{ pointer: '/customer/subscription', message }]);
}

/** The active offers of a flow, as it shows them. */
async function offersOf({ definition }: FlowVersion, reader: Reader): Promise<Offer[]> {
  const ids = definition.nodes.flatMap((node) => (node.type === 'offer' ? [node.config.offer_id] : []));
  const offers = await reader.find(Offer, { id: In(ids), status: 'active' });
  return offers.toSorted((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id));
}

type Found = Pick<Preview, 'session_id' | 'locale' | 'attributes' | 'eligibility'> & { version: FlowVersion };

/** A preview that stands at a position. */
function stateOf({ session_id, version, locale, attributes, eligibility }: Found, position: Position): SessionState {
  const { status, accepted_offer } = position;
  // Shown as right after accepting: the subscription is about to change.
  const decided = accepted_offer?.id ?? (status === 'canceled' && version.cancel_in_billing ? CANCELLATION : undefined);
  const foreseen = decided === undefined ? undefined : eligibility?.[decided];
  const isForeseen = foreseen && !foreseen.left_to_person;
  return {
    session_id,
    status,
    position,
    version,
    locale,
    attributes,
    ...(isForeseen && { fulfilment: 'pending' }),
    isForPerson: Boolean(foreseen?.left_to_person),
    ends: endIn(eligibility),
  };
}

/** The session in the events of a walk. */
async function newTestSession({ manager }: Work): Promise<Preview['test_session']> {
  return { id: newId(), started_at: (await readTime(manager)).toISOString() };
}

/**
 * The content of a preview: a version, or a draft in its place, in which only the chosen arms of splits have a weight.
 */
function previewed(live: FlowVersion, draft: Preview['draft'], arms: Record<string, string>): FlowVersion {
  const version = { ...live, ...draft };
  const errors = armFaults(version.definition, arms);
  if (errors.length > 0) throw Problem.invalid(errors);
  const nodes = version.definition.nodes.map((node) => {
    if (node.type !== 'split' || !Object.hasOwn(arms, node.key)) return node;
    const ways = node.config.ways.map((arm) => ({ ...arm, weight: arm.name === arms[node.key] ? 1 : 0 }));
    return { ...node, config: { ...node.config, ways } };
  });
  return { ...version, definition: { ...version.definition, nodes } };
}
