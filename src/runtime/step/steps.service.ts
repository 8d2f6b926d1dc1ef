import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { isPreviewId } from '../../sessions/session-ids';
import { languagesOfOffers } from '../../platform/text/languages';
import { readTime } from '../../platform/database/time';
import { Metrics } from '../../platform/metrics/metrics';
import { Problem } from '../../platform/api/problems/problem';
import { Citus } from '../../platform/database/connection/citus';
import { Batcher, type BatchLimits } from '../../platform/database/queue/batcher';
import { Pipeline } from '../../platform/database/transaction/pipeline.service';
import { Outbox } from '../../outbox/outbox.service';
import { FlowLookup } from '../../flows/lookup/flow-lookup.service';
import { WorkspacesService } from '../../workspaces/workspaces.service';
import { EligibilityService } from '../eligibility.service';
import { endIn } from '../../sessions/eligibility';
import { FlowSession } from '../../sessions/flow-session.entity';
import { Fulfilment } from '../../billing-jobs/fulfilment.entity';
import { isForPerson, shownFulfilmentOf } from '../../billing-jobs/shown-fulfilment';
import { PreviewsService } from '../preview/previews.service';
import { Acceptances } from './acceptances';
import { decide, type Results, type PendingSteps } from './decide';
import { aheadOf } from './ahead';
import { mayBeRepeated, type Step } from './next-step';
import type { FlowVersion } from '../../flows/versions/flow-version.entity';
import type { SessionState } from '../shown-session';
import type { ResumedSession } from './step.dto';
import { isReachable } from '../../billing-jobs/carried-out-by';
import type { NewJob } from '../../billing-jobs/new-jobs';
import {
  type ActiveOffer,
  type EarlierStep,
  type LockedSession,
  type Move,
  type SessionKey,
  StepStatements,
} from './step-statements';

/** A session's steps are in one batch at a time, so that they are decided one after another. */
const LIMITS: BatchLimits = { slots: 2, slotsOfKey: 1, keys: 64, items: 256, waitMs: 3000 };

/** A step that asks to be taken. */
interface Asked extends SessionKey {
  step: Step;
}

/**
 * Sessions in progress: their position, and where a step leads.
 *
 * Steps that arrive while others are committed form a batch, which is one transaction: it locks the sessions, decides
 * each step with `nextStep`, and writes those that are taken. Nobody gets an answer before the commit. A session that
 * somebody else has locked is left out, and tried again alone, waiting. Previews are taken by `PreviewsService`.
 */
@Injectable()
export class StepsService {
  private readonly batcher: Batcher<Asked, SessionState>;

  constructor(
    @InjectRepository(FlowSession) private readonly sessions: Repository<FlowSession>,
    private readonly flows: FlowLookup,
    private readonly pipeline: Pipeline,
    private readonly outbox: Outbox,
    private readonly previews: PreviewsService,
    private readonly workspaces: WorkspacesService,
    private readonly eligibility: EligibilityService,
    citus: Citus,
    metrics: Metrics,
  ) {
    const limits = { ...LIMITS, keys: citus.keysOfBatch(LIMITS.keys) };
    this.batcher = new Batcher<Asked, SessionState>(
      limits,
      (groups, isRetry) => this.commit(groups, isRetry),
      'session_not_found',
    );
    metrics.gauge('session_step_queue_length', 'Steps that wait for a batch', () => this.batcher.queueLength);
  }

  async get(workspaceId: string, sessionId: string): Promise<ResumedSession> {
    const state = await this.find(workspaceId, sessionId);
    return { ...state, workspace: await this.workspaces.get(workspaceId) };
  }

  /** Takes a step, or throws the Problem that prevents it. */
  async take(workspaceId: string, sessionId: string, step: Step): Promise<SessionState> {
    if (isPreviewId(sessionId)) return this.previews.take(workspaceId, sessionId, step);
    await this.eligibility.waitFor(sessionId);
    return this.batcher.submit(sessionId, { workspace_id: workspaceId, session_id: sessionId, step });
  }

  /**
   * Takes steps, in groups by session. A group whose session is locked or unknown has no results: SKIP LOCKED can't
   * tell them apart.
   */
  private async commit(groups: Asked[][], isRetry: boolean): Promise<(Results | undefined)[]> {
    const { results, moves, jobs } = await this.pipeline.run(async (send, manager) => {
      const keys = groups.map(([{ workspace_id, session_id }]) => ({ workspace_id, session_id }));
      const stepsOf = new Map(groups.map((group) => [group[0].session_id, group.map(({ step }) => step)]));
      const statements = new StepStatements(send, [...new Set(keys.map(({ workspace_id }) => workspace_id))]);
      const locked = await statements.lock(keys, isRetry);
      const pending = await Promise.all(
        locked.map(async (session) => {
          const version = await this.flows.version(session, manager);
          return { session, version, steps: stepsOf.get(session.session_id)! };
        }),
      );
      const decided = decideAll(pending, await readForDecisions(pending, statements));
      const resultsOf = new Map(decided.map(({ session, results }) => [session.session_id, results]));
      const results = groups.map(([{ session_id }]) => resultsOf.get(session_id));
      const moves = decided.filter(({ steps }) => steps.length > 0);
      return async () => ({ results, moves, jobs: moves.length > 0 ? await statements.write(moves) : [] });
    });
    addFulfilments(jobs, moves, results);
    const ended = moves.filter(({ position }) => position.status !== 'in_progress');
    for (const id of new Set(ended.map(({ session }) => session.workspace_id))) this.outbox.announce(id);
    return results;
  }

  private async find(workspaceId: string, sessionId: string): Promise<SessionState> {
    if (isPreviewId(sessionId)) return this.previews.get(workspaceId, sessionId);
    const session = await this.sessions.findOneBy({ workspace_id: workspaceId, session_id: sessionId });
    if (!session) throw new Problem('session_not_found');
    const job = await this.sessions.manager.findOneBy(Fulfilment, {
      workspace_id: workspaceId,
      flow_session_id: session.id,
    });
    const { status, current_node_key: node_key, presented_offer, accepted_offer } = session;
    const position = { status, node_key, presented_offer, accepted_offer };
    const version = await this.flows.version(session);
    const attributes = session.customer?.attributes ?? {};
    const fulfilment = job ? shownFulfilmentOf(job) : undefined;
    const { status_now, locale } = session;
    return {
      session_id: sessionId,
      status: status_now,
      position,
      version,
      locale,
      attributes,
      fulfilment,
      ends: await this.endOf(session),
      isForPerson: job ? isForPerson(job) : false,
    };
  }

  /** When the subscription of a customer who has canceled ends; undefined if it is not known, or has come. */
  private async endOf({ eligibility }: FlowSession): Promise<string | undefined> {
    const end = endIn(eligibility);
    return end !== undefined && new Date(end) > (await readTime(this.sessions.manager)) ? end : undefined;
  }
}

type Pending = PendingSteps & { session: LockedSession; version: FlowVersion };

/** Everything that decisions need besides the sessions, read for a whole batch. */
interface Readings {
  /** Oldest first. */
  earlier: EarlierStep[];
  offers: ActiveOffer[];
  acceptances: Acceptances;
}

/** Reads with as few statements as possible: mostly none. */
async function readForDecisions(pending: Pending[], statements: StepStatements): Promise<Readings> {
  const looking = pending.map(({ session, version, steps }) => {
    const { customer_id, presented_offer, offer_limit } = session;
    // A later step of the batch may come to an offer with a limit.
    const isLimited = offer_limit !== null || presented_offer?.limit != null || steps.length > 1;
    const ahead = steps.map((step) => aheadOf(version.definition, step, customer_id !== null && isLimited));
    return { session, steps, ahead, offerIds: ahead.flatMap(({ offers }) => offers) };
  });
  const needsSteps = looking.filter(
    ({ session, steps, ahead }) =>
      ahead.some(({ hasSilentNodes }) => hasSilentNodes) || steps.some((step) => mayBeRepeated(session, step)),
  );
  const [earlier, offers] = await Promise.all([
    statements.stepsOf(needsSteps.map(({ session }) => session)),
    statements.activeOffers(
      looking.flatMap(({ session: { workspace_id }, offerIds }) => offerIds.map((id) => ({ workspace_id, id }))),
    ),
  ]);
  const limited = looking.flatMap(({ session, steps, offerIds }) => {
    const { workspace_id, customer_id, customer_verified, subscription_id, presented_offer, offer_limit } = session;
    const acceptor = { workspace_id, customer_id, customer_verified, subscription_id };
    if (customer_id === null) return [];
    const accepts = steps.some(({ action }) => action === 'accept');
    const met = offers.filter((offer) => offer.workspace_id === workspace_id && offerIds.includes(offer.id));
    const own = [...(accepts && presented_offer ? [presented_offer] : []), ...met];
    return (own.length > 0 ? [...own, { id: null, limit: offer_limit }] : []).flatMap(({ id: offer_id, limit }) =>
      limit ? [{ ...acceptor, offer_id, within_days: limit.within_days, accepts }] : [],
    );
  });
  return { earlier, offers, acceptances: new Acceptances(await statements.acceptances(limited)) };
}

/** Decides the steps of each session. What one customer accepts counts for the next one of the batch. */
function decideAll(pending: Pending[], { earlier, offers, acceptances }: Readings): (Move & { results: Results })[] {
  return pending.map((one) => {
    const { session, version } = one;
    const { workspace_id, id, session_id, customer_id, attributes, facts, now, arms, locale, eligibility } = session;
    const before = earlier.filter((step) => step.workspace_id === workspace_id && step.flow_session_id === id);
    const ofWorkspace = offers.filter((offer) => offer.workspace_id === workspace_id);
    const decided = decide(one, before, {
      offers: new Map(ofWorkspace.map((offer) => [offer.id, offer])),
      languages: languagesOfOffers(locale, version.locale),
      visitor: customer_id ?? session_id,
      attributes: attributes ?? {},
      facts: facts ?? {},
      now,
      audiences: version.audiences,
      draws: version.draws,
      arms,
      locale,
      eligibility,
      isReachable: isReachable(session),
      usedUpLimit: (offer) => {
        if (acceptances.isUsedUp(session, offer.id, offer.limit)) return 'limit';
        return acceptances.isUsedUp(session, null, session.offer_limit) ? 'offer_limit' : undefined;
      },
    });
    const { accepted_offer } = decided.position;
    if (accepted_offer && decided.steps.length > 0) acceptances.add(session, accepted_offer);
    return { session, version, ...decided };
  });
}

/** Adds what billing does now to the results of steps that ended a session. */
function addFulfilments(jobs: NewJob[], moves: Move[], results: (Results | undefined)[]): void {
  if (jobs.length === 0) return;
  const names = new Map(moves.map(({ session }) => [session.id, session.session_id]));
  const left = new Map(jobs.map((job) => [names.get(job.flow_session_id), job]));
  for (const state of results.flat()) {
    const isEnd = state && !(state instanceof Problem) && state.status !== 'in_progress';
    const job = isEnd && left.get(state.session_id);
    if (job) Object.assign(state, { fulfilment: shownFulfilmentOf(job), isForPerson: isForPerson(job) });
  }
}
