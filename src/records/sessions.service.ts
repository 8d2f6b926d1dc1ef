import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository, type SelectQueryBuilder } from 'typeorm';
import { statesOf } from '../billing/dto/fulfilment.dto';
import { FulfilmentsService } from '../billing/jobs/fulfilments.service';
import { groupBy } from '../platform/common/group-by';
import { firstIdAt } from '../platform/api/ids';
import { isSessionId } from '../sessions/session-ids';
import { jsonBytes, MAX_PAGE_BYTES, type Page, readPage, untilOf } from '../platform/api/paging/pagination';
import { Problem } from '../platform/api/problems/problem';
import { MAX_ATTRIBUTES } from '../platform/api/fields/schemas';
import { readTime, settledTime } from '../platform/database/time';
import { ManagementLimits } from '../platform/database/queue/management-limits.service';
import { FlowLookup } from '../flows/lookup/flow-lookup.service';
import { MAX_RESULT } from '../flows/graph/graph-limits';
import type { FlowVersion } from '../flows/versions/flow-version.entity';
import { type Answered, answersOf, resultsOf } from '../runtime/answers';
import { FlowSession } from '../sessions/flow-session.entity';
import { readSegment } from '../sessions/filter/segment';
import type { SessionFilter } from '../sessions/filter/session-filter';
import { FIRST_ALIVE, firstChangedSince, type SessionStatus } from '../sessions/session-status';
import { SessionStep } from '../sessions/session-step.entity';
import type { Tenant } from '../tenancy/work/tenant';
import { UnitsOfWork } from '../tenancy/work/units-of-work.service';
import {
  type Arm,
  type Column,
  EXPORTED,
  type ExportedSession,
  type ExportSessionsQuery,
  LISTED,
  type ListSessionsQuery,
  type SessionPage,
  type SessionRow,
  type Walk,
} from './dto/sessions.dto';
import type { SessionRecord } from './dto/session-record.dto';
import { readPages } from './downloads/downloads';
import { withFlowNames } from './flow-names';
import { isAmongAnswers, meaningsOf, ofCustomer, whereAny } from './session-search';

/** Attributes are looked for in this many sessions. */
const ATTRIBUTE_SESSIONS = 1000;

/** The ids of sessions whose fulfilment is in one of some states. */
const WITH_FULFILMENT = `
  SELECT flow_session_id FROM fulfilments WHERE workspace_id = :workspaceId AND state = ANY (:states)`;

const isIn = (time: string) => `${time} >= :since AND ${time} < :until`;

/** Conditions for sessions that changed from :since until :until, one for each index. */
const CHANGED_OPEN = [
  `session.status = 'in_progress' AND session.id >= :firstChanged AND ${isIn('session.updated_at')}`,
];
const CHANGED_ENDED = [
  `session.status <> 'in_progress' AND ${isIn('session.ended_at')}`,
  `session.kept_at IS NOT NULL AND ${isIn('session.kept_at')}`,
  // Those that `SessionEnds` has not dated yet.
  `session.status <> 'in_progress' AND session.ended_at IS NULL AND ${isIn('session.updated_at')}`,
];

/** The status says it, too: an index has only those that ended. */
const SAVED_BY_OFFER = `session.status = 'saved' AND session.saved_by_offer AND session.accepted_offer ->> 'id' = :offer_id`;

const WITH_REASON = `EXISTS (SELECT FROM session_steps AS step
  WHERE step.workspace_id = session.workspace_id AND step.flow_session_id = session.id
    AND ${isAmongAnswers('reason')})`;

/** SQL for one of some statuses, and whether sessions that have not ended, or have, can be among them. */
function havingStatus(statuses: SessionStatus[]) {
  const open = statuses.filter((status) => status in OPEN);
  const ended = statuses.filter((status) => !(status in OPEN));
  const parts = [
    ...open.map((status) => OPEN[status as keyof typeof OPEN]),
    ...(ended.length > 0 ? ['session.status = ANY (:ended)'] : []),
  ];
  return { isOpen: open.length > 0, isEnded: ended.length > 0, sql: `(${parts.join(' OR ')})`, ended };
}

/** Those that have not ended, in SQL. */
const OPEN = {
  abandoned: `session.status = 'in_progress' AND session.id < ${FIRST_ALIVE}`,
  in_progress: `session.status = 'in_progress' AND session.id >= ${FIRST_ALIVE}`,
};

const NO_STEPS: Walk = { answers: [], results: {}, arms: [] };

/** A span: `since` belongs to it, `until` does not. */
interface Span {
  since: Date;
  until: Date;
}

/** What a list is read with. */
interface Wanted {
  columns: readonly Column[];
  span: Span | undefined;
  segment: SessionFilter | undefined;
}

/** Sessions as records: what happened, for the workspace's own people. */
@Injectable()
export class SessionsService {
  constructor(
    @InjectRepository(FlowSession) private readonly sessions: Repository<FlowSession>,
    @InjectRepository(SessionStep) private readonly steps: Repository<SessionStep>,
    private readonly flows: FlowLookup,
    private readonly fulfilments: FulfilmentsService,
    private readonly limits: ManagementLimits,
    private readonly units: UnitsOfWork,
  ) {}

  list(tenant: Tenant, query: ListSessionsQuery): Promise<SessionPage> {
    return this.page(tenant, query, LISTED);
  }

  /** All sessions, and the attributes that have a column of their own. */
  async export(
    tenant: Tenant,
    query: ExportSessionsQuery,
  ): Promise<{ attributes: string[]; pages: AsyncGenerator<ExportedSession[]> }> {
    const { workspaceId } = tenant;
    const attributes = await this.limits.long.run(workspaceId, () => this.attributeNames(workspaceId, query));
    const pages = readPages(async (page) =>
      withFlowNames(await this.page(tenant, { ...query, ...page }, EXPORTED), this.units.reader(tenant)),
    );
    return { attributes, pages };
  }

  /** @param columns those of a list at least */
  private page(
    tenant: Tenant,
    query: ListSessionsQuery,
    columns: readonly Column[],
  ): Promise<SessionPage & Page<SessionRow>> {
    const { workspaceId } = tenant;
    return this.limits.long.run(workspaceId, async () => {
      const span = await this.spanOf(query);
      const segment = await readSegment(query, this.units.reader(tenant), 'session');
      const unread = new Set<string>();
      const read = async (before: string, take: number) => {
        const sessions = await this.read(workspaceId, query, { columns, span, segment }, before, take);
        const stepsOf = await this.stepsOf(workspaceId, sessions, unread);
        const fulfilmentOf = await this.fulfilments.of(
          tenant,
          sessions.map(({ id }) => id),
        );
        return sessions.map((session) => {
          return { ...session, ...(stepsOf.get(session.id) ?? NO_STEPS), fulfilment: fulfilmentOf(session) };
        });
      };
      const bytesOf = (session: SessionRow) => (unread.has(session.id) ? Infinity : jsonBytes(session));
      const page = await readPage(query, read, span?.until, bytesOf);
      return { ...page, updated_until: span?.until ?? null };
    });
  }

  /** @param id the id of the record, or the session_id that a page was given */
  async get(tenant: Tenant, id: string): Promise<SessionRecord> {
    const reader = this.units.reader(tenant);
    const session = await reader.get(FlowSession, isSessionId(id) ? { session_id: id } : { id });
    const steps = await reader.find(SessionStep, { flow_session_id: session.id }, { order: { position: 'ASC' } });
    const version = await this.flows.version(session);
    const fulfilmentOf = await this.fulfilments.of(reader, [session.id]);
    const answers = answersOf(steps, version, session.locale);
    return Object.assign(session, { steps, answers, results: resultsOf(steps), fulfilment: fulfilmentOf(session) });
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
    throw Problem.ofParameter('updated_since', 'must not be later than now');
  }

  /**
   * The names of attributes in the newest sessions of the flow and the span: the most frequent ones, in their order.
   */
  private async attributeNames(workspaceId: string, query: ExportSessionsQuery): Promise<string[]> {
    const [newest, parameters] = this.select(workspaceId, query, ATTRIBUTE_SESSIONS)
      .select(`session.customer -> 'attributes'`, 'attributes')
      .getQueryAndParameters();
    const names: { name: string }[] = await this.sessions.manager.query(
      `SELECT name FROM (${newest}) AS newest, jsonb_object_keys(attributes) AS name
       GROUP BY name ORDER BY count(*) DESC, name LIMIT ${MAX_ATTRIBUTES}`,
      parameters,
    );
    return names.map(({ name }) => name).toSorted();
  }

  /** The newest sessions of a flow and a span. */
  private select(workspaceId: string, query: ExportSessionsQuery, take: number): SelectQueryBuilder<FlowSession> {
    const sessions = this.sessions
      .createQueryBuilder('session')
      .where('session.workspace_id = :workspaceId', { workspaceId })
      .orderBy('session.id', 'DESC')
      .limit(take);
    const { flow_id, from, to } = query;
    if (flow_id) sessions.andWhere('session.flow_id = :flow_id', { flow_id });
    if (from) sessions.andWhere('session.id >= :from', { from: firstIdAt(new Date(from)) });
    if (to) sessions.andWhere('session.id < :to', { to: firstIdAt(new Date(to)) });
    return sessions;
  }

  private read(
    workspaceId: string,
    query: ListSessionsQuery,
    { columns, span, segment }: Wanted,
    before: string,
    take: number,
  ): Promise<Pick<FlowSession, Column>[]> {
    const sessions = this.select(workspaceId, query, take)
      .select(columns.map((column) => `session.${column}`))
      .andWhere('session.id < :before', { before });
    const { status, locale, customer_id, subscription_id, offer_id, reason, search, fulfilment } = query;
    if (segment) sessions.andWhere(segment.condition, { ...segment.values, workspace: workspaceId });
    if (fulfilment) {
      const states = { states: statesOf(fulfilment) };
      sessions.andWhere(`session.id IN (${WITH_FULFILMENT})`, states);
    }
    if (locale) sessions.andWhere('session.locale = :locale', { locale });
    if (subscription_id) sessions.andWhere('session.subscription_id = :subscription_id', { subscription_id });
    if (offer_id) sessions.andWhere(SAVED_BY_OFFER, { offer_id });
    if (reason) sessions.andWhere(WITH_REASON, { reason });
    const having = status && havingStatus(status);
    if (having) sessions.andWhere(having.sql, having);
    if (span) {
      const { isOpen, isEnded } = having ?? { isOpen: true, isEnded: true };
      const changed = [...(isOpen ? CHANGED_OPEN : []), ...(isEnded ? CHANGED_ENDED : [])];
      sessions.andWhere(`(${changed.join(' OR ')})`, { ...span, firstChanged: firstChangedSince(span.since) });
    }
    if (search === undefined) return customer_id ? whereAny(sessions, ofCustomer(customer_id)) : sessions.getMany();
    if (customer_id) sessions.andWhere('session.customer_id = :customer_id', { customer_id });
    return whereAny(sessions, meaningsOf(search));
  }

  /**
   * The answers, results and arms of sessions, by the session's id. Steps are read as far as they fit in a page; the
   * ids of the other sessions are added to `unread`. One session always fits: it has at most 50 comments of 16 KB.
   */
  private async stepsOf(
    workspaceId: string,
    sessions: Pick<FlowSession, 'id' | 'flow_id' | 'flow_version' | 'locale'>[],
    unread: Set<string>,
  ): Promise<Map<string, Walk>> {
    // Of a session and those before it in the list.
    const texts = `coalesce(octet_length(comment), 0) + coalesce(least(octet_length(result::text), ${MAX_RESULT}), 0)`;
    const fits = `sum(${texts}) OVER (ORDER BY flow_session_id DESC) <= ${MAX_PAGE_BYTES}`;
    // Not as entities, which would cost as much as all the rest of the list.
    const steps: (Answered & Pick<SessionStep, 'flow_session_id' | 'result' | 'ways'> & { fits: boolean })[] =
      await this.steps
        .createQueryBuilder('step')
        .select([
          'flow_session_id',
          'node_key',
          'option',
          'options',
          `CASE WHEN ${fits} THEN comment END AS comment`,
          `CASE WHEN ${fits} THEN result END AS result`,
          `${fits} AS fits`,
          'ways',
        ])
        .where('workspace_id = :workspaceId AND flow_session_id = ANY (:ids)', {
          workspaceId,
          ids: sessions.map(({ id }) => id),
        })
        .andWhere('(option IS NOT NULL OR ways IS NOT NULL OR result IS NOT NULL)')
        .orderBy('flow_session_id')
        .addOrderBy('position')
        .getRawMany();
    for (const { flow_session_id, fits } of steps) if (!fits) unread.add(flow_session_id);
    const stepsOf = groupBy(steps, ({ flow_session_id }) => flow_session_id);
    const walks = new Map<string, Walk>();
    // One after another: most sessions share a version, which is remembered once it is read.
    for (const { id, flow_id, flow_version, locale } of sessions) {
      const taken = stepsOf.get(id);
      if (!taken) continue;
      const version = await this.flows.version({ workspace_id: workspaceId, flow_id, flow_version });
      const answers = answersOf(taken, version, locale);
      walks.set(id, { answers, results: resultsOf(taken), arms: armsOf(taken, version) });
    }
    return walks;
  }
}

/** The arms that a customer came to, by the key of the split. Ways of branches are left out. */
function armsOf(steps: Pick<SessionStep, 'ways'>[], { definition }: Pick<FlowVersion, 'definition'>): Arm[] {
  const splits = new Set(definition.nodes.filter(({ type }) => type === 'split').map(({ key }) => key));
  const ways = steps.flatMap(({ ways }) => Object.entries(ways ?? {}));
  return ways.filter(([key]) => splits.has(key)).map(([split, name]) => ({ split, name }));
}
