import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { EntityManager, FindOptionsSelect, Repository } from 'typeorm';
import { Problem } from '../common/problem';
import type { Caller } from '../http/request-log';
import { now } from '../database/time';
import { Transactions } from '../database/transactions';
import { nodeOf, offersOf } from '../flows/flow-definition';
import { FlowLookup } from '../flows/flow-lookup.service';
import type { FlowVersion } from '../flows/flow-version.entity';
import { OffersService } from '../offers/offers.service';
import { SessionDto, StepDto } from './dto/step.dto';
import { FlowSession } from './flow-session.entity';
import { nextStep, type Standing, type TakenStep } from './next-step';
import { present, type PresentedOffer } from './presented-offer';
import { SessionStep } from './session-step.entity';

/** Sessions that are under way: where they stand, and where a step leads. */
@Injectable()
export class StepsService {
  constructor(
    @InjectRepository(FlowSession) private readonly sessions: Repository<FlowSession>,
    private readonly flows: FlowLookup,
    private readonly offers: OffersService,
    private readonly transactions: Transactions,
  ) {}

  async get(sessionId: string, caller: Caller): Promise<SessionDto> {
    const session = await this.sessions.findOneBy({ id: sessionId });
    if (!session) throw new Problem('session_not_found');
    caller.workspaceId = session.workspace_id;
    const version = await this.versionOf(session, this.sessions.manager);
    return SessionDto.of(sessionId, standingOf(session), version, session.status_now);
  }

  /** Takes a step, under the lock of the session, so that of two at once one is decided after the other. */
  take(sessionId: string, step: StepDto, caller: Caller): Promise<SessionDto> {
    return this.transactions.run(async (manager) => {
      const session = await lockSession(manager, sessionId);
      caller.workspaceId = session.workspace_id;
      const version = await this.versionOf(session, manager);
      const standing = standingOf(session);
      const taken = await stepsOf(manager, session, step);
      const result = nextStep(version.definition, standing, taken, step, await this.presentable(manager, version));
      switch (result.kind) {
        case 'invalid':
          throw Problem.invalid([{ pointer: `/${result.field}`, message: result.message }]);
        case 'conflict':
          throw new Problem('step_conflict', {
            session: SessionDto.of(sessionId, standing, version),
            cancellation_url: version.cancellation_url,
          });
        case 'taken':
          await this.write(manager, session, version, result.standing, result.step, taken.length + 1);
      }
      return SessionDto.of(sessionId, result.standing, version);
    });
  }

  private versionOf(
    { workspace_id, flow_id, flow_version }: FlowSession,
    manager: EntityManager,
  ): Promise<FlowVersion> {
    return this.flows.version(manager, workspace_id, flow_id, flow_version);
  }

  /** The offers of a version that can be presented now, as they are now. */
  private async presentable(
    manager: EntityManager,
    { workspace_id, definition }: FlowVersion,
  ): Promise<Map<string, PresentedOffer>> {
    const ids = offersOf(definition).map(({ id }) => id);
    const offers = await this.offers.findActive(manager, workspace_id, ids);
    return new Map(offers.map((offer) => [offer.id, present(offer)]));
  }

  private async write(
    manager: EntityManager,
    { id, workspace_id, erased_at }: FlowSession,
    { definition }: FlowVersion,
    { status, node_key, presented_offer, accepted_offer }: Standing<PresentedOffer>,
    step: TakenStep<PresentedOffer>,
    position: number,
  ): Promise<void> {
    const { raw } = await manager.update(
      FlowSession,
      { id, workspace_id },
      { status, current_node_key: node_key, presented_offer, accepted_offer, updated_at: now },
      { returning: ['updated_at'] },
    );
    const [{ updated_at }] = raw as Pick<FlowSession, 'updated_at'>[];
    await manager.insert(SessionStep, {
      workspace_id,
      session_id: id,
      position,
      ...step,
      comment: erased_at ? null : step.comment,
      node_type: nodeOf(definition, step.node_key).type,
      created_at: updated_at,
    });
  }
}

/** Of a session, what decides where a step leads. */
const DECISIVE: FindOptionsSelect<FlowSession> = {
  id: true,
  workspace_id: true,
  flow_id: true,
  flow_version: true,
  status: true,
  current_node_key: true,
  presented_offer: true,
  accepted_offer: true,
  erased_at: true,
};

async function lockSession(manager: EntityManager, id: string): Promise<FlowSession> {
  const session = await manager.findOne(FlowSession, {
    select: DECISIVE,
    where: { id },
    lock: { mode: 'for_no_key_update' },
  });
  if (!session) throw new Problem('session_not_found');
  return session;
}

/** The steps of a session, oldest first. A comment that was erased counts as the one that is sent, to be no difference. */
async function stepsOf(
  manager: EntityManager,
  { workspace_id, id, erased_at }: FlowSession,
  sent: StepDto,
): Promise<TakenStep<PresentedOffer>[]> {
  const steps = await manager.find(SessionStep, {
    where: { workspace_id, session_id: id },
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
