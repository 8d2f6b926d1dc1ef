import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository, type SelectQueryBuilder } from 'typeorm';
import { firstIdAt, isSessionId } from '../common/ids';
import { type Page, readPage } from '../common/pagination';
import { Problem } from '../common/problem';
import { Turns } from '../database/turns.service';
import { FlowSession } from '../runtime/flow-session.entity';
import { ABANDONED_BEFORE } from '../runtime/session-status';
import { SessionStep } from '../runtime/session-step.entity';
import { LISTED, type ListedSession, type ListSessionsQuery } from './dto/sessions.dto';

/** Sessions as records: what happened, for the workspace's own people. */
@Injectable()
export class SessionsService {
  constructor(
    @InjectRepository(FlowSession) private readonly sessions: Repository<FlowSession>,
    @InjectRepository(SessionStep) private readonly steps: Repository<SessionStep>,
    private readonly turns: Turns,
  ) {}

  list(workspaceId: string, query: ListSessionsQuery): Promise<Page<ListedSession>> {
    return readPage(query, (before, take) => {
      const sessions = this.sessions
        .createQueryBuilder('session')
        .select(LISTED.map((column) => `session.${column}`))
        .where('session.workspace_id = :workspaceId AND session.id < :before', { workspaceId, before })
        .orderBy('session.id', 'DESC')
        .limit(take);
      addFilters(sessions, query);
      return this.turns.run(workspaceId, () => sessions.getMany());
    });
  }

  /** @param id the id of the record, or the session_id that a page was given */
  async get(workspaceId: string, id: string): Promise<{ session: FlowSession; steps: SessionStep[] }> {
    const name = isSessionId(id) ? { session_id: id } : { id };
    const session = await this.sessions.findOneBy({ workspace_id: workspaceId, ...name });
    if (!session) throw new Problem('not_found');
    const steps = await this.steps.find({
      where: { workspace_id: workspaceId, flow_session_id: session.id },
      order: { position: 'ASC' },
    });
    return { session, steps };
  }
}

function addFilters(
  sessions: SelectQueryBuilder<FlowSession>,
  { flow_id, status, customer_id, from, to }: ListSessionsQuery,
): void {
  if (flow_id) sessions.andWhere('session.flow_id = :flow_id', { flow_id });
  if (customer_id) sessions.andWhere('session.customer_id = :customer_id', { customer_id });
  if (from) sessions.andWhere('session.id >= :from', { from: firstIdAt(new Date(from)) });
  if (to) sessions.andWhere('session.id < :to', { to: firstIdAt(new Date(to)) });
  if (status === 'abandoned' || status === 'in_progress') {
    const comparison = status === 'abandoned' ? '<=' : '>';
    sessions.andWhere(`session.status = 'in_progress' AND session.updated_at ${comparison} ${ABANDONED_BEFORE}`);
  } else if (status) {
    sessions.andWhere('session.status = :status', { status });
  }
}
