import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository, type SelectQueryBuilder } from 'typeorm';
import { firstIdAt } from '../platform/api/ids';
import { type Page, type Position, readPageAt } from '../platform/api/paging/pagination';
import { Problem } from '../platform/api/problems/problem';
import { searchFor } from '../platform/text/search-words';
import { NOW } from '../platform/database/time';
import { ManagementLimits } from '../platform/database/queue/management-limits.service';
import { FlowLookup } from '../flows/lookup/flow-lookup.service';
import { answersOf } from '../runtime/answers';
import { readSegment } from '../sessions/filter/segment';
import type { SessionFilter } from '../sessions/filter/session-filter';
import { FlowSession } from '../sessions/flow-session.entity';
import { statusAt } from '../sessions/session-status';
import { SessionStep } from '../sessions/session-step.entity';
import type { Tenant } from '../tenancy/work/tenant';
import { UnitsOfWork } from '../tenancy/work/units-of-work.service';
import type { Comment, ExportCommentsQuery, ExportedComment, ListCommentsQuery } from './dto/comments.dto';
import { readPages } from './downloads/downloads';
import { withFlowNames } from './flow-names';
import { LOOKED_THROUGH, newestFirst } from './newest-first';
import { isAmongAnswers } from './session-search';

const SHOWN = ['flow_session_id', 'position', 'node_key', 'option', 'options', 'comment', 'created_at'] as const;

type Row = Omit<Comment, 'label' | 'own_label' | 'labels' | 'own_labels'> &
  Pick<FlowSession, 'locale'> &
  Pick<SessionStep, 'options'>;

type CommentFilters = Omit<ListCommentsQuery, 'q' | 'limit' | 'cursor'> & {
  segment: SessionFilter | undefined;
};

/** The step of a comment. */
interface Place {
  id: string;
  number: number;
}

const BEFORE = '(step.flow_session_id, step.position) < (:id, :number::bigint)';
const endIn = ({ id, number }: Place) => ({ endId: id, endNumber: number });

/** Lists customers' comments. */
@Injectable()
export class CommentsService {
  constructor(
    @InjectRepository(SessionStep) private readonly steps: Repository<SessionStep>,
    private readonly flows: FlowLookup,
    private readonly limits: ManagementLimits,
    private readonly units: UnitsOfWork,
  ) {}

  list(tenant: Tenant, query: ListCommentsQuery): Promise<Page<Comment>> {
    if ((query.attribute === undefined) !== (query.value === undefined)) {
      const missing = query.value === undefined ? 'value' : 'attribute';
      throw Problem.ofParameter(missing, 'must be given: `attribute` and `value` go together');
    }
    return this.limits.long.run(tenant.workspaceId, async () => {
      const segment = await readSegment(query, this.units.reader(tenant), 'session');
      const read = async (position: Position, take: number) =>
        this.withLabels(tenant.workspaceId, await this.read(tenant.workspaceId, query, segment, position, take));
      return readPageAt(query, read, ({ flow_session_id, position }) => ({
        before: flow_session_id,
        number: position,
      }));
    });
  }

  all(tenant: Tenant, query: ExportCommentsQuery): AsyncGenerator<ExportedComment[]> {
    return readPages(async (page) =>
      withFlowNames(await this.list(tenant, { ...query, ...page }), this.units.reader(tenant)),
    );
  }

  /** Comments by session, newest first, and within one by step, latest first. */
  private async read(
    workspaceId: string,
    query: ListCommentsQuery,
    segment: SessionFilter | undefined,
    { before: id, number = 0 }: Position,
    take: number,
  ): Promise<Row[]> {
    const { q, limit: _, cursor: __, ...others } = query;
    const filters = { ...others, segment };
    // A cursor may be made up: its number is larger than any position.
    const from = { id, number };
    if (q === undefined) return this.comments(workspaceId, filters, take).andWhere(BEFORE, from).getRawMany();
    const search = searchFor(workspaceId, q);
    if (search === undefined) return [];
    const places = (which: string) =>
      this.steps
        .createQueryBuilder('step')
        .select(['step.flow_session_id AS id', 'step.position AS number'])
        .where(`step.workspace_id = :workspaceId AND ${which}`, { workspaceId, search });
    const among = (found: SelectQueryBuilder<SessionStep> | string, most: number) =>
      this.comments(workspaceId, filters, most)
        .addCommonTableExpression(found, 'found', { materialized: true })
        .innerJoin('found', 'found', 'found.id = step.flow_session_id AND found.number = step.position');
    const walk = (place: Place) =>
      places('step.comment IS NOT NULL')
        .andWhere(BEFORE, place)
        .orderBy('step.flow_session_id', 'DESC')
        .addOrderBy('step.position', 'DESC');
    return newestFirst<Row, Place>(from, take, {
      endOf: (place) =>
        walk(place)
          .offset(LOOKED_THROUGH - 1)
          .limit(1)
          .getRawOne(),
      lookThrough: (place, end, most) => {
        const near = walk(place).addSelect('step.words', 'words');
        if (end) near.andWhere('(step.flow_session_id, step.position) >= (:endId, :endNumber::bigint)', endIn(end));
        return among(near, most).andWhere('found.words @@ :search::tsquery').getRawMany();
      },
      // Without an order, Postgres has no other way than the index. Other filters ask for the sessions of all that it
      // finds.
      lookUp: (place, most) => {
        const isFiltered = Object.values(filters).some((filter) => filter !== undefined);
        const end = isFiltered ? '' : `ORDER BY id DESC, number DESC LIMIT ${most}`;
        const behind = `SELECT id, number FROM (${places(String.raw`step.words @@ :search::tsquery AND step.comment ~ '\S'`).getQuery()} OFFSET 0) AS matching
          WHERE (id, number) < (:id::uuid, :number::bigint) ${end}`;
        return among(behind, most)
          .setParameters({ ...place, search })
          .getRawMany();
      },
    });
  }

  /** Comments with what they say of their sessions, newest first. */
  private comments(
    workspaceId: string,
    { flow_id, reason, option, outcome, locale, attribute, value, from, to, segment }: CommentFilters,
    take: number,
  ): SelectQueryBuilder<SessionStep> {
    const comments = this.steps
      .createQueryBuilder('step')
      .innerJoin(
        FlowSession,
        'session',
        'session.workspace_id = step.workspace_id AND session.id = step.flow_session_id',
      )
      .select(SHOWN.map((column) => `step.${column} AS ${column}`))
      .addSelect(['session.flow_id AS flow_id', 'session.flow_version AS flow_version', 'session.locale AS locale'])
      .addSelect(['session.customer_id AS customer_id', `${statusAt(NOW, 'session')} AS status_now`])
      .where('step.workspace_id = :workspaceId AND step.comment IS NOT NULL', { workspaceId })
      // Nobody wrote anything in a blank one.
      .andWhere(`step.comment ~ '\\S'`)
      .orderBy('step.flow_session_id', 'DESC')
      .addOrderBy('step.position', 'DESC')
      .limit(take);
    if (segment) comments.andWhere(segment.condition, { ...segment.values, workspace: workspaceId });
    if (flow_id) comments.andWhere('session.flow_id = :flow_id', { flow_id });
    if (reason) comments.andWhere(isAmongAnswers('reason'), { reason });
    if (option) comments.andWhere(isAmongAnswers('option'), { option });
    if (outcome) comments.andWhere(`${statusAt(NOW, 'session')} = :outcome`, { outcome });
    if (locale) comments.andWhere('session.locale = :locale', { locale });
    if (attribute) comments.andWhere(`session.customer -> 'attributes' ->> :attribute = :value`, { attribute, value });
    if (from) comments.andWhere('step.flow_session_id >= :from', { from: firstIdAt(new Date(from)) });
    if (to) comments.andWhere('step.flow_session_id < :to', { to: firstIdAt(new Date(to)) });
    return comments;
  }

  /** One after another: most comments share a version, which is remembered once it is read. */
  private async withLabels(workspace_id: string, rows: Row[]): Promise<Comment[]> {
    const comments: Comment[] = [];
    for (const row of rows) {
      const version = await this.flows.version({ ...row, workspace_id });
      const { locale, options: _, ...comment } = row;
      const answers = answersOf([row], version, locale);
      const { label, own_label } = answers.find(({ option }) => option === row.option)!;
      const labels = answers.map((answer) => answer.label);
      const own_labels = answers.map((answer) => answer.own_label);
      comments.push({ ...comment, label, own_label, labels, own_labels });
    }
    return comments;
  }
}
