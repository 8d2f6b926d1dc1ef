import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { EntityManager, In, IsNull, Not, Repository } from 'typeorm';
import { idAfter } from '../common/pagination';
import { Problem } from '../common/problem';
import { now } from '../database/time';
import { Transactions } from '../database/transactions';
import { Turns } from '../database/turns.service';
import { LISTED, type ListedSession, type ListSessionsQuery } from './dto/sessions.dto';
import { FlowSession } from './flow-session.entity';
import { ABANDONED_BEFORE } from './session-status';
import { SessionStep } from './session-step.entity';

const ERASED_AT_A_TIME = 1000;

/** What happened: the sessions of a workspace as its own people read them, and what they hold of a customer. */
@Injectable()
export class SessionsService {
  constructor(
    @InjectRepository(FlowSession) private readonly sessions: Repository<FlowSession>,
    @InjectRepository(SessionStep) private readonly steps: Repository<SessionStep>,
    private readonly transactions: Transactions,
    private readonly turns: Turns,
  ) {}

  /** Newest first. Their ids are random, so a page continues after the time and the id of the session it ended with. */
  async list(workspaceId: string, query: ListSessionsQuery): Promise<ListedSession[]> {
    const { flow_id, status, customer_id, from, to } = query;
    const sessions = this.sessions
      .createQueryBuilder('session')
      .select(LISTED.map((column) => `session.${column}`))
      .where('session.workspace_id = :workspaceId', { workspaceId })
      .orderBy('session.created_at', 'DESC')
      .addOrderBy('session.id', 'DESC')
      .limit(query.limit + 1);
    const after = idAfter(query);
    if (after) {
      const { created_at, id } = await this.lastOf(workspaceId, after);
      sessions.andWhere('(session.created_at, session.id) < (:created_at, :id)', { created_at, id });
    }
    if (flow_id) sessions.andWhere('session.flow_id = :flow_id', { flow_id });
    if (customer_id) sessions.andWhere('session.customer_id = :customer_id', { customer_id });
    if (from) sessions.andWhere('session.created_at >= :from', { from: new Date(from) });
    if (to) sessions.andWhere('session.created_at < :to', { to: new Date(to) });
    if (status === 'abandoned' || status === 'in_progress') {
      const comparison = status === 'abandoned' ? '<=' : '>';
      sessions.andWhere(`session.status = 'in_progress' AND session.updated_at ${comparison} ${ABANDONED_BEFORE}`);
    } else if (status) {
      sessions.andWhere('session.status = :status', { status });
    }
    return this.turns.run(workspaceId, () => sessions.getMany());
  }

  async get(workspaceId: string, id: string): Promise<{ session: FlowSession; steps: SessionStep[] }> {
    const session = await this.sessions.findOneBy({ workspace_id: workspaceId, id });
    if (!session) throw new Problem('not_found');
    const steps = await this.steps.find({
      where: { workspace_id: workspaceId, session_id: id },
      order: { position: 'ASC' },
    });
    return { session, steps };
  }

  /**
   * Erases what identifies a customer from all sessions, and answers from how many. They stay, and so do all counts. It
   * goes in batches, so that locks are held briefly; after one that was cut short, the next erases the rest.
   */
  async erase(workspaceId: string, customerId: string): Promise<number> {
    let erased = 0;
    for (let batch = ERASED_AT_A_TIME; batch === ERASED_AT_A_TIME; erased += batch) {
      const erase = () => this.transactions.run((manager) => eraseSome(manager, workspaceId, customerId));
      batch = await this.turns.run(workspaceId, erase);
    }
    return erased;
  }

  private async lastOf(workspaceId: string, id: string): Promise<Pick<FlowSession, 'id' | 'created_at'>> {
    const session = await this.sessions.findOne({
      select: { id: true, created_at: true },
      where: { workspace_id: workspaceId, id },
    });
    if (session) return session;
    throw Problem.invalid([{ pointer: '/cursor', message: 'must be a next_cursor that this list answered' }]);
  }
}

/** The sessions are locked first, so that a step under way is either erased with them or knows of it. */
async function eraseSome(manager: EntityManager, workspaceId: string, customerId: string): Promise<number> {
  const sessions = await manager.find(FlowSession, {
    select: { id: true },
    where: { workspace_id: workspaceId, customer_id: customerId },
    take: ERASED_AT_A_TIME,
    lock: { mode: 'for_no_key_update' },
  });
  if (sessions.length === 0) return 0;
  const ids = In(sessions.map(({ id }) => id));
  await manager.update(
    SessionStep,
    { workspace_id: workspaceId, session_id: ids, comment: Not(IsNull()) },
    { comment: null },
  );
  await manager.update(
    FlowSession,
    { workspace_id: workspaceId, id: ids },
    { customer_id: null, customer: null, idempotency_key: null, request_hash: null, erased_at: now },
  );
  return sessions.length;
}
