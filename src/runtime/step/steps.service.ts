import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { EntityManager, FindOptionsSelect, Repository } from 'typeorm';
import { Problem } from '../../common/problem';
import { now } from '../../database/time';
import { Transactions } from '../../database/transactions';
import { nodeOf, offersOf } from '../../flows/flow-definition';
import { FlowLookup } from '../../flows/flow-lookup.service';
import type { FlowVersion } from '../../flows/flow-version.entity';
import { present, type PresentedOffer } from '../../offers/offer-content';
import { OffersService } from '../../offers/offers.service';
import { FlowSession } from '../flow-session.entity';
import { SessionStep } from '../session-step.entity';
import { nextStep, type Standing, type Step, type TakenStep } from './next-step';
import { SessionDto, type SessionState } from './step.dto';

/** Sessions that are under way: where they stand, and where a step leads. */
@Injectable()
export class StepsService {
  constructor(
    @InjectRepository(FlowSession) private readonly sessions: Repository<FlowSession>,
    private readonly flows: FlowLookup,
    private readonly offers: OffersService,
    private readonly transactions: Transactions,
  ) {}

  async get(workspaceId: string, sessionId: string): Promise<SessionState> {
    const session = await this.sessions.findOneBy({ workspace_id: workspaceId, session_id: sessionId });
    if (!session) throw new Problem('session_not_found');
    const version = await this.versionOf(session, this.sessions.manager);
    return { session_id: sessionId, status: session.status_now, standing: standingOf(session), version };
  }

  /** Takes a step, under the lock of the session, so that concurrent steps are decided one by one. */
  take(workspaceId: string, sessionId: string, step: Step): Promise<SessionState> {
    return this.transactions.run(async (manager) => {
      const session = await lockSession(workspaceId, sessionId, manager);
      const version = await this.versionOf(session, manager);
      const standing = standingOf(session);
      const taken = await takenSteps(session, step, manager);
      const stateAt = (standing: Standing<PresentedOffer>): SessionState => {
        return { session_id: sessionId, status: standing.status, standing, version };
      };
      const offers = await this.presentableOffers(version, manager);
      const result = nextStep(version.definition, standing, taken, step, offers);
      switch (result.kind) {
        case 'invalid':
          throw Problem.invalid([{ pointer: `/${result.field}`, message: result.message }]);
        case 'conflict':
          throw new Problem('step_conflict', {
            session: SessionDto.of(stateAt(standing)),
            cancellation_url: version.cancellation_url,
          });
        case 'taken':
          await write(session, version, result.standing, result.step, taken.length + 1, manager);
      }
      return stateAt(result.standing);
    });
  }

  private versionOf(
    { workspace_id, flow_id, flow_version }: FlowSession,
    manager: EntityManager,
  ): Promise<FlowVersion> {
    return this.flows.version(workspace_id, flow_id, flow_version, manager);
  }

  /** The active offers of a version as they are now, by id. */
  private async presentableOffers(
    { workspace_id, definition }: FlowVersion,
    manager: EntityManager,
  ): Promise<Map<string, PresentedOffer>> {
    const ids = offersOf(definition).map(({ id }) => id);
    const offers = await this.offers.findActive(workspace_id, ids, manager);
    return new Map(offers.map((offer) => [offer.id, present(offer)]));
  }
}

/** The fields of a session that decide where a step leads. */
const DECISIVE: FindOptionsSelect<FlowSession> = {
  workspace_id: true,
  id: true,
  flow_id: true,
  flow_version: true,
  status: true,
  current_node_key: true,
  presented_offer: true,
  accepted_offer: true,
  erased_at: true,
};

async function lockSession(workspaceId: string, sessionId: string, manager: EntityManager): Promise<FlowSession> {
  const session = await manager.findOne(FlowSession, {
    select: DECISIVE,
    where: { workspace_id: workspaceId, session_id: sessionId },
    lock: { mode: 'for_no_key_update' },
  });
  if (!session) throw new Problem('session_not_found');
  return session;
}

/** The steps of a session, oldest first. An erased comment counts as equal to the one that is sent now. */
async function takenSteps(
  { workspace_id, id, erased_at }: FlowSession,
  sent: Step,
  manager: EntityManager,
): Promise<TakenStep<PresentedOffer>[]> {
  const steps = await manager.find(SessionStep, {
    where: { workspace_id, flow_session_id: id },
    order: { position: 'ASC' },
  });
  return steps.map(({ node_key, action, option, comment, offer }) => ({
    node_key,
    action,
    option: option ?? undefined,
    comment: erased_at ? sent.comment : (comment ?? undefined),
    offer,
  }));
}

function standingOf(session: FlowSession): Standing<PresentedOffer> {
  const { status, current_node_key: node_key, presented_offer, accepted_offer } = session;
  return { status, node_key, presented_offer, accepted_offer };
}

/** Stores a step and where it led. */
async function write(
  { workspace_id, id, erased_at }: FlowSession,
  { definition }: FlowVersion,
  { status, node_key, presented_offer, accepted_offer }: Standing<PresentedOffer>,
  step: TakenStep<PresentedOffer>,
  position: number,
  manager: EntityManager,
): Promise<void> {
  const { raw } = await manager.update(
    FlowSession,
    { workspace_id, id },
    { status, current_node_key: node_key, presented_offer, accepted_offer, updated_at: now },
    { returning: ['updated_at'] },
  );
  const [{ updated_at }] = raw as Pick<FlowSession, 'updated_at'>[];
  await manager.insert(SessionStep, {
    workspace_id,
    flow_session_id: id,
    position,
    ...step,
    comment: erased_at ? null : step.comment,
    node_type: nodeOf(definition, step.node_key).type,
    created_at: updated_at,
  });
}
