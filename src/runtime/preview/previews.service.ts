import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { EntityManager, type FindOneOptions, In, Raw, Repository } from 'typeorm';
import type { IdempotentRequest } from '../../common/idempotent-request';
import { newPreviewId } from '../../common/ids';
import { pick } from '../../common/pick';
import { Problem } from '../../common/problem';
import { Idempotency } from '../../database/idempotency.service';
import { now } from '../../database/time';
import { Transactions } from '../../database/transactions';
import { Turns } from '../../database/turns.service';
import { FlowLookup } from '../../flows/flow-lookup.service';
import { FlowsService } from '../../flows/flows.service';
import { show } from '../../offers/offer-content';
import { Offer } from '../../offers/offer.entity';
import { WorkspaceCode } from '../../workspaces/workspace-code.entity';
import { WorkspacesService } from '../../workspaces/workspaces.service';
import { StartedSessionDto } from '../start/start.dto';
import { decide } from '../step/decide';
import { aheadOf, type Step } from '../step/next-step';
import type { SessionState } from '../step/step.dto';
import { GONE_BEFORE, Preview } from './preview.entity';

/** The most previews of a workspace. */
const MAX_PREVIEWS = 100;

/** $1: a workspace. Makes room for one more preview. */
const MAKE_ROOM = `
  DELETE FROM previews WHERE workspace_id = $1 AND (created_at <= ${GONE_BEFORE} OR session_id IN (
    SELECT session_id FROM previews WHERE workspace_id = $1 ORDER BY created_at DESC OFFSET ${MAX_PREVIEWS - 1}))`;

/**
 * Previews of flows: they take steps by the rules of sessions, in a table of their own, so that nothing that reads sessions
 * counts them. They wait for locks of their workspace, so they take turns.
 */
@Injectable()
export class PreviewsService {
  constructor(
    @InjectRepository(Preview) private readonly previews: Repository<Preview>,
    private readonly workspaces: WorkspacesService,
    private readonly flows: FlowsService,
    private readonly lookup: FlowLookup,
    private readonly transactions: Transactions,
    private readonly turns: Turns,
    private readonly idempotency: Idempotency,
  ) {}

  /** Starts a preview of the current version of a flow. The 100 newest of a workspace are kept. */
  async create(workspaceId: string, flowId: string, idempotent?: IdempotentRequest): Promise<StartedSessionDto> {
    const workspace = await this.workspaces.get(workspaceId);
    const { current_version } = await this.flows.get(workspaceId, flowId);
    const write = async (manager: EntityManager) => {
      const version = await this.lookup.version(workspaceId, flowId, current_version, manager);
      // Under lock, so that of two at once the second counts the first. Nothing else locks this row.
      const { code } = await manager.findOneOrFail(WorkspaceCode, {
        where: { workspace_id: workspaceId },
        lock: { mode: 'for_no_key_update' },
      });
      await manager.query(MAKE_ROOM, [workspaceId]);
      const session_id = newPreviewId(code);
      await manager.insert(Preview, {
        workspace_id: workspaceId,
        session_id,
        flow_id: flowId,
        flow_version: current_version,
        standing: {
          status: 'in_progress',
          node_key: version.definition.entry,
          presented_offer: null,
          accepted_offer: null,
        },
        steps: [],
        created_at: now,
      });
      return StartedSessionDto.of({ session_id, version, workspace });
    };
    return this.idempotency.run(workspaceId, idempotent, write);
  }

  async get(workspaceId: string, sessionId: string): Promise<SessionState> {
    const { standing, version } = await this.find(workspaceId, sessionId, this.previews.manager);
    return { session_id: sessionId, status: standing.status, standing, version };
  }

  /** Takes a step, or throws the Problem that prevents it. */
  take(workspaceId: string, sessionId: string, step: Step): Promise<SessionState> {
    const write = async (manager: EntityManager) => {
      const lock = { mode: 'for_no_key_update' } as const;
      const preview = await this.find(workspaceId, sessionId, manager, lock);
      const { version } = preview;
      const offers = await manager.findBy(Offer, {
        workspace_id: workspaceId,
        id: In(aheadOf(version.definition, step).offers),
        status: 'active',
      });
      // Comments are not stored, as of a session that was erased.
      const session = { ...preview.standing, session_id: sessionId, is_erased: true };
      // A preview has no customer.
      const decided = decide({ session, version, steps: [step] }, preview.steps, {
        offerOf: (id) => {
          const offer = offers.find((one) => one.id === id);
          return offer && show(offer);
        },
        visitor: sessionId,
        attributes: {},
      });
      const [outcome] = decided.outcomes;
      if (outcome instanceof Problem) throw outcome;
      // None if the step was taken before.
      for (const taken of decided.steps) {
        const steps = [...preview.steps, pick(taken, ['node_key', 'action', 'option', 'offer'])];
        const key = { workspace_id: workspaceId, session_id: sessionId };
        await manager.update(Preview, key, { standing: decided.standing, steps });
      }
      return outcome;
    };
    return this.turns.run(workspaceId, () => this.transactions.run(write));
  }

  /** A preview with the version that it is of. */
  private async find(
    workspaceId: string,
    sessionId: string,
    manager: EntityManager,
    lock?: FindOneOptions<Preview>['lock'],
  ) {
    const preview = await manager.findOne(Preview, {
      where: {
        workspace_id: workspaceId,
        session_id: sessionId,
        created_at: Raw((column) => `${column} > ${GONE_BEFORE}`),
      },
      lock,
    });
    if (!preview) throw new Problem('session_not_found');
    const { flow_id, flow_version, standing, steps } = preview;
    return { standing, steps, version: await this.lookup.version(workspaceId, flow_id, flow_version, manager) };
  }
}
