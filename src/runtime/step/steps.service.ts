import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { EntityManager, Repository } from 'typeorm';
import { isPreviewId } from '../../common/ids';
import { Metrics } from '../../common/metrics';
import { Problem } from '../../common/problem';
import { Citus } from '../../database/citus';
import { GroupCommit, type Limits } from '../../database/group-commit';
import { Pooler } from '../../database/pooler';
import { Transactions } from '../../database/transactions';
import { Outbox } from '../../events/outbox.service';
import { FlowLookup } from '../../flows/flow-lookup.service';
import type { FlowVersion } from '../../flows/flow-version.entity';
import { show } from '../../offers/offer-content';
import { FlowSession } from '../flow-session.entity';
import { PreviewsService } from '../preview/previews.service';
import { decide, type Outcomes, type Walk } from './decide';
import { aheadOf, mayBeRepeated, type Step } from './next-step';
import type { SessionState } from './step.dto';
import { SpreadStepStatements } from './spread-step-statements';
import { type End, type LockedSession, type Move, type SessionKey, StepStatements } from './step-statements';

/** A session's steps are in one batch at a time, so that they are decided one after another. */
const LIMITS: Limits = {
  lanes: 2,
  lanesOfKey: 1,
  keys: 64,
  membersOfKey: 64,
  members: 256,
  aloneLanes: 2,
  waitMs: 3000,
};

/** If Citus spreads the tables: a batch is of one session. */
const SPREAD_LIMITS: Limits = { ...LIMITS, lanes: 8, keys: 1 };

/** A step that asks to be taken. */
interface Asked extends SessionKey {
  step: Step;
}

/** A locked session with the steps that are to be decided. */
interface LockedWalk extends Walk {
  session: LockedSession;
}

/**
 * Sessions that are under way: where they stand, and where a step leads.
 *
 * Steps that arrive while others are committed form a batch, which is one transaction: it locks the sessions, decides each
 * step with `nextStep`, and writes those that are taken. Nobody gets an answer before the commit. A session that somebody
 * else has locked is left out, and waits for its lock alone. Previews of flows go their own way.
 */
@Injectable()
export class StepsService {
  private readonly group: GroupCommit<Asked, SessionState>;

  constructor(
    @InjectRepository(FlowSession) private readonly sessions: Repository<FlowSession>,
    private readonly flows: FlowLookup,
    private readonly transactions: Transactions,
    private readonly pooler: Pooler,
    private readonly citus: Citus,
    private readonly outbox: Outbox,
    private readonly previews: PreviewsService,
    metrics: Metrics,
  ) {
    this.group = new GroupCommit<Asked, SessionState>(citus.isPresent ? SPREAD_LIMITS : LIMITS, {
      together: (groups) => this.commit(groups, 'leave out'),
      alone: async (group) => {
        const [outcomes] = await this.commit([group], 'wait');
        return outcomes ?? group.map(() => new Problem('session_not_found'));
      },
    });
    metrics.gauge('session_step_queue_length', 'Steps that wait for a batch', () => this.group.queueLength);
  }

  async get(workspaceId: string, sessionId: string): Promise<SessionState> {
    if (isPreviewId(sessionId)) return this.previews.get(workspaceId, sessionId);
    const session = await this.sessions.findOneBy({ workspace_id: workspaceId, session_id: sessionId });
    if (!session) throw new Problem('session_not_found');
    const { status, current_node_key: node_key, presented_offer, accepted_offer } = session;
    const standing = { status, node_key, presented_offer, accepted_offer };
    const version = await this.versionOf(session, this.sessions.manager);
    return { session_id: sessionId, status: session.status_now, standing, version };
  }

  /** Takes a step, or throws the Problem that prevents it. */
  take(workspaceId: string, sessionId: string, step: Step): Promise<SessionState> {
    if (isPreviewId(sessionId)) return this.previews.take(workspaceId, sessionId, step);
    return this.group.submit(sessionId, { workspaceId, sessionId, step });
  }

  /** Takes steps, each group on one session. A session that is missing or left out has no outcomes. */
  private async commit(groups: Asked[][], whenLocked: 'wait' | 'leave out'): Promise<(Outcomes | undefined)[]> {
    const { outcomes, ends } = await this.transactions.runPipelined(async (client, manager) => {
      const statements = this.citus.isPresent
        ? new SpreadStepStatements(client, this.pooler, groups[0][0].workspaceId)
        : new StepStatements(client, this.pooler);
      const keys = groups.map(([key]) => key);
      const locked = new Map((await statements.lock(keys, whenLocked)).map((session) => [session.session_id, session]));
      const walks = await Promise.all(
        groups.map(async (group): Promise<LockedWalk | undefined> => {
          const session = locked.get(group[0].sessionId);
          const steps = group.map(({ step }) => step);
          return session && { session, version: await this.versionOf(session, manager), steps };
        }),
      );
      const decided = await decideAll(walks, statements);
      const moves = decided.flatMap((one) => (one && one.move.steps.length > 0 ? one.move : []));
      const ends = moves.flatMap(endOf);
      const result = { outcomes: decided.map((one) => one?.outcomes), ends };
      if (moves.length === 0) return { result, last: () => undefined };
      if (!this.citus.isPresent) {
        return { result, last: () => Promise.all([statements.write(moves), statements.record(ends)]) };
      }
      await statements.write(moves);
      await statements.record(ends);
      return { result, last: () => undefined };
    });
    for (const workspaceId of new Set(ends.map(({ workspace_id }) => workspace_id))) this.outbox.announce(workspaceId);
    return outcomes;
  }

  private versionOf(
    { workspace_id, flow_id, flow_version }: Pick<FlowSession, 'workspace_id' | 'flow_id' | 'flow_version'>,
    manager: EntityManager,
  ): Promise<FlowVersion> {
    return this.flows.version(workspace_id, flow_id, flow_version, manager);
  }
}

/** Reads what the decisions need besides the sessions, and decides. */
async function decideAll(walks: (LockedWalk | undefined)[], statements: StepStatements) {
  const found = walks.flatMap((walk) => {
    if (!walk) return [];
    const ahead = walk.steps.map((step) => aheadOf(walk.version.definition, step));
    return [{ ...walk, ahead, isSilent: ahead.some(({ hasSilentNodes }) => hasSilentNodes) }];
  });
  const looking = found.filter(
    ({ session, steps, isSilent }) => isSilent || steps.some((step) => mayBeRepeated(session, step)),
  );
  const named = found.flatMap(({ session: { workspace_id }, ahead }) =>
    ahead.flatMap(({ offers }) => offers.map((id) => ({ workspace_id, id }))),
  );
  const [earlier, customers, offers] = await Promise.all([
    statements.stepsOf(looking.map(({ session }) => session)),
    statements.customersOf(found.filter(({ isSilent }) => isSilent).map(({ session }) => session)),
    statements.activeOffers(named),
  ]);
  return walks.map((walk) => {
    if (!walk) return undefined;
    const { workspace_id, id, session_id } = walk.session;
    const taken = earlier.filter((step) => step.workspace_id === workspace_id && step.flow_session_id === id);
    const customer = customers.find((one) => one.workspace_id === workspace_id && one.id === id);
    const { outcomes, ...move } = decide(walk, taken, {
      offerOf: (offerId) => {
        const offer = offers.find((one) => one.workspace_id === workspace_id && one.id === offerId);
        return offer && show(offer);
      },
      visitor: customer?.customer_id ?? session_id,
      attributes: customer?.attributes ?? {},
    });
    return { outcomes, move: { session: walk.session, ...move } };
  });
}

function endOf({ session: { workspace_id, id }, standing: { status } }: Move): End[] {
  return status === 'in_progress' ? [] : [{ workspace_id, type: `session.${status}`, flow_session_id: id }];
}
