import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository, type SelectQueryBuilder } from 'typeorm';
import { groupBy } from '../common/group-by';
import { firstIdAt, isSessionId } from '../common/ids';
import { type Page, readPage, untilOf } from '../common/pagination';
import { Problem } from '../common/problem';
import { settledTime } from '../database/settled-time';
import { readTime } from '../database/time';
import { Turns } from '../database/turns.service';
import { FlowLookup } from '../flows/flow-lookup.service';
import { type Answer, type Answered, answersOf } from '../runtime/answers';
import { FlowSession } from '../runtime/flow-session.entity';
import { ABANDONED_BEFORE } from '../runtime/session-status';
import { SessionStep } from '../runtime/session-step.entity';
import {
  EXPORTED,
  type ExportedSession,
  type ExportSessionsQuery,
  LISTED,
  type ListSessionsQuery,
  type SessionPage,
  type SessionRecord,
} from './dto/sessions.dto';
import { readPages } from './read-pages';

/** From a time, inclusive, until a time, exclusive. */
interface Span {
  since: Date;
  until: Date;
}

/** Sessions as records: what happened, for the workspace's own people. */
@Injectable()
export class SessionsService {
  constructor(
    @InjectRepository(FlowSession) private readonly sessions: Repository<FlowSession>,
    @InjectRepository(SessionStep) private readonly steps: Repository<SessionStep>,
    private readonly flows: FlowLookup,
    private readonly turns: Turns,
  ) {}

  list(workspaceId: string, query: ListSessionsQuery): Promise<SessionPage> {
    return this.page(workspaceId, query, LISTED);
  }

  all(workspaceId: string, query: ExportSessionsQuery): AsyncGenerator<ExportedSession[]> {
    return readPages((page) => this.page(workspaceId, { ...query, ...page }, EXPORTED));
  }

  /** @param columns those of a list at least */
  private page(
    workspaceId: string,
    query: ListSessionsQuery,
    columns: readonly (typeof EXPORTED)[number][],
  ): Promise<SessionPage & Page<ExportedSession>> {
    return this.turns.run(workspaceId, async () => {
      const span = await this.spanOf(query);
      const read = (before: string, take: number) => this.read(workspaceId, query, columns, span, before, take);
      const { items, next_cursor } = await readPage(query, read, span?.until);
      const answersOf = await this.answersOf(workspaceId, items);
      const sessions = items.map((session) => ({ ...session, answers: answersOf.get(session.id) ?? [] }));
      return { items: sessions, next_cursor, updated_until: span?.until ?? null };
    });
  }

  /** @param id the id of the record, or the session_id that a page was given */
  async get(workspaceId: string, id: string): Promise<SessionRecord> {
    const name = isSessionId(id) ? { session_id: id } : { id };
    const session = await this.sessions.findOneBy({ workspace_id: workspaceId, ...name });
    if (!session) throw new Problem('not_found');
    const { flow_id, flow_version } = session;
    const steps = await this.steps.find({
      where: { workspace_id: workspaceId, flow_session_id: session.id },
      order: { position: 'ASC' },
    });
    const version = await this.flows.version(workspaceId, flow_id, flow_version, this.sessions.manager);
    return { session, steps, answers: answersOf(steps, version) };
  }

  /** The span of time whose changes are asked for. */
  private async spanOf(query: ListSessionsQuery): Promise<Span | undefined> {
    if (query.updated_since === undefined) return undefined;
    const { manager } = this.sessions;
    const since = new Date(query.updated_since);
    const until = untilOf(query) ?? (await settledTime('flow_sessions', manager));
    if (since <= until) return { since, until };
    // Asked again within a moment: nothing has settled since. Never go back, or changes would be seen twice.
    if (since <= (await readTime(manager))) return { since, until: since };
    throw Problem.invalid([{ pointer: '/updated_since', message: 'must not be later than now' }]);
  }

  private read(
    workspaceId: string,
    query: ListSessionsQuery,
    columns: readonly (typeof EXPORTED)[number][],
    span: Span | undefined,
    before: string,
    take: number,
  ): Promise<Pick<FlowSession, (typeof EXPORTED)[number]>[]> {
    const sessions = this.sessions
      .createQueryBuilder('session')
      .select(columns.map((column) => `session.${column}`))
      .where('session.workspace_id = :workspaceId AND session.id < :before', { workspaceId, before })
      .orderBy('session.id', 'DESC')
      .limit(take);
    addFilters(sessions, query);
    // As the indexes of open and of ended sessions are: one for each.
    const isChanged = 'session.updated_at >= :since AND session.updated_at < :until';
    if (span) {
      const isOpen = `session.status = 'in_progress'`;
      sessions.andWhere(`(${isOpen} AND ${isChanged} OR NOT ${isOpen} AND ${isChanged})`, span);
    }
    return sessions.getMany();
  }

  /** The answers that were given in sessions, by the session's id. */
  private async answersOf(
    workspaceId: string,
    sessions: Pick<FlowSession, 'id' | 'flow_id' | 'flow_version'>[],
  ): Promise<Map<string, Answer[]>> {
    // Not as entities, which would cost as much as all the rest of the list.
    const steps: (Answered & Pick<SessionStep, 'flow_session_id'>)[] = await this.steps
      .createQueryBuilder('step')
      .select(['flow_session_id', 'node_key', 'option', 'comment'])
      .where('workspace_id = :workspaceId AND flow_session_id = ANY (:ids)', {
        workspaceId,
        ids: sessions.map(({ id }) => id),
      })
      .andWhere('option IS NOT NULL')
      .orderBy('flow_session_id')
      .addOrderBy('position')
      .getRawMany();
    const stepsOf = groupBy(steps, ({ flow_session_id }) => flow_session_id);
    const answers = new Map<string, Answer[]>();
    // One after another: most sessions share a version, which is remembered once it is read.
    for (const { id, flow_id, flow_version } of sessions) {
      const taken = stepsOf.get(id);
      if (!taken) continue;
      const version = await this.flows.version(workspaceId, flow_id, flow_version, this.sessions.manager);
      answers.set(id, answersOf(taken, version));
    }
    return answers;
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
