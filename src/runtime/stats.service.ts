import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { Problem } from '../common/problem';
import { readTime } from '../database/time';
import { Transactions } from '../database/transactions';
import { Turns } from '../database/turns.service';
import { Flow } from '../flows/flow.entity';
import type { FlowStatsDto, StatsQuery, WorkspaceStatsDto } from './dto/stats.dto';
import { statusAt } from './session-status';
import { groupBy, ratesOf, type SessionCount, share, totalsOf, versionsOf } from './stats';

const DEFAULT_SPAN_MS = 30 * 24 * 60 * 60 * 1000;

interface Span {
  workspaceId: string;
  from: Date;
  /** Exclusive. */
  to: Date | 'infinity';
  /** One flow; undefined: all of the workspace. */
  flowId?: string;
  /** When it is asked. */
  now: Date;
}

type FlowSessionCount = SessionCount & { flow_id: string };

interface ReasonCount {
  flow_id: string;
  node_key: string;
  option: string;
  /** As the newest version in which it was chosen words it. */
  label: string;
  sessions: number;
  saved: number;
}

interface OfferCount {
  flow_id: string;
  id: string;
  name: string;
  presented: number;
  accepted: number;
}

type NamedFlow = Pick<Flow, 'id' | 'estimated_monthly_value'> & { name: string };

/** What became of sessions, counted. All numbers of an answer are of one moment. */
@Injectable()
export class StatsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly turns: Turns,
  ) {}

  ofFlow(workspaceId: string, flowId: string, query: StatsQuery): Promise<FlowStatsDto> {
    return this.read(workspaceId, async (manager) => {
      const span = { ...(await spanOf(manager, workspaceId, query)), flowId };
      const flow = await manager.findOneBy(Flow, { workspace_id: workspaceId, id: flowId });
      if (!flow) throw new Problem('not_found');
      return (await this.statsOf(manager, span, [flow], await countSessions(manager, span)))[0];
    });
  }

  ofWorkspace(workspaceId: string, query: StatsQuery): Promise<WorkspaceStatsDto> {
    return this.read(workspaceId, async (manager) => {
      const span = await spanOf(manager, workspaceId, query);
      const counts = await countSessions(manager, span);
      const flows = await namedFlows(manager, workspaceId, [...new Set(counts.map(({ flow_id }) => flow_id))]);
      const stats = await this.statsOf(manager, span, flows, counts);
      const byFlow = flows.map(({ id, name }, index) => ({ flow_id: id, name, ...stats[index] }));
      const values = byFlow.flatMap(({ estimated_monthly_value_retained }) => estimated_monthly_value_retained ?? []);
      return {
        sessions: totalsOf(counts),
        save_rate: ratesOf(counts),
        estimated_monthly_value_retained: values.length > 0 ? inCents(values.reduce((a, b) => a + b)) : null,
        flows: byFlow,
      };
    });
  }

  private read<T>(workspaceId: string, work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.turns.run(workspaceId, () => this.transactions.runOnSnapshot(work));
  }

  /** Of each of the flows, in their order. */
  private async statsOf(
    manager: EntityManager,
    span: Span,
    flows: Pick<Flow, 'id' | 'estimated_monthly_value'>[],
    counts: FlowSessionCount[],
  ): Promise<FlowStatsDto[]> {
    const countsByFlow = groupBy(counts, flowOf);
    const reasonsByFlow = groupBy(await countReasons(manager, span), flowOf);
    const offersByFlow = groupBy(await countOffers(manager, span), flowOf);
    const stats: FlowStatsDto[] = [];
    for (const { id: flowId, estimated_monthly_value: value } of flows) {
      const own = countsByFlow.get(flowId) ?? [];
      const sessions = totalsOf(own);
      stats.push({
        sessions,
        save_rate: ratesOf(own),
        reasons: (reasonsByFlow.get(flowId) ?? []).map(({ node_key, option, label, sessions, saved }) => ({
          node_key,
          option,
          label,
          sessions,
          saved,
        })),
        offers: (offersByFlow.get(flowId) ?? []).map(({ id, name, presented, accepted }) => ({
          id,
          name,
          presented,
          accepted,
          acceptance_rate: share(accepted, presented),
        })),
        versions: versionsOf(own),
        estimated_monthly_value_retained: value === null ? null : inCents(sessions.saved * value),
      });
    }
    return stats;
  }
}

function flowOf({ flow_id }: { flow_id: string }): string {
  return flow_id;
}

/** Newest first. */
function namedFlows(manager: EntityManager, workspaceId: string, ids: string[]): Promise<NamedFlow[]> {
  return manager.query(
    `SELECT flow.id, content.name, flow.estimated_monthly_value::float AS estimated_monthly_value
     FROM flows flow JOIN flow_versions content ON content.workspace_id = flow.workspace_id
       AND content.flow_id = flow.id AND content.version = flow.current_version
     WHERE flow.workspace_id = $1 AND flow.id = ANY ($2::uuid[]) ORDER BY flow.id DESC`,
    [workspaceId, ids],
  );
}

async function spanOf(manager: EntityManager, workspaceId: string, query: StatsQuery): Promise<Span> {
  const now = await readTime(manager);
  const to = query.to ? new Date(query.to) : undefined;
  const from = query.from ? new Date(query.from) : new Date((to ?? now).getTime() - DEFAULT_SPAN_MS);
  if (from >= (to ?? now)) throw Problem.invalid([{ pointer: '/from', message: 'must be before to' }]);
  return { workspaceId, from, to: to ?? 'infinity', now };
}

/** The sessions of a span: its parameters are $1 to $3 and, for a flow, $4. */
function sessionsOf({ workspaceId, from, to, flowId }: Span): { where: string; parameters: unknown[] } {
  const where = 's.workspace_id = $1 AND s.created_at >= $2 AND s.created_at < $3';
  return flowId
    ? { where: `${where} AND s.flow_id = $4`, parameters: [workspaceId, from, to, flowId] }
    : { where, parameters: [workspaceId, from, to] };
}

function countSessions(manager: EntityManager, span: Span): Promise<FlowSessionCount[]> {
  const { where, parameters } = sessionsOf(span);
  const now = `$${parameters.length + 1}::timestamptz`;
  return manager.query(
    `SELECT s.flow_id, s.flow_version AS version, s.accepted_offer IS NOT NULL AS accepted,
       ${statusAt(now, 's')} AS status, count(*)::integer AS sessions
     FROM flow_sessions s WHERE ${where} GROUP BY 1, 2, 3, 4`,
    [...parameters, span.now],
  );
}

/** Labels are read where the versions are: a version may have 240 KB, and most of what is remembered is of other workspaces. */
function countReasons(manager: EntityManager, span: Span): Promise<ReasonCount[]> {
  const { where, parameters } = sessionsOf(span);
  return manager.query(
    `SELECT given.flow_id, given.node_key, given.option, given.sessions, given.saved,
       jsonb_path_query_first(content.definition,
         '$.nodes[*] ? (@.key == $node).config.options[*] ? (@.value == $option).label',
         jsonb_build_object('node', given.node_key, 'option', given.option)) #>> '{}' AS label
     FROM (
       SELECT s.flow_id, step.node_key, step.option, max(s.flow_version) AS version,
         count(DISTINCT s.id)::integer AS sessions,
         (count(DISTINCT s.id) FILTER (WHERE s.status = 'saved'))::integer AS saved
       FROM flow_sessions s JOIN session_steps step ON step.workspace_id = s.workspace_id AND step.session_id = s.id
       WHERE ${where} AND step.action = 'answer' GROUP BY 1, 2, 3
     ) given JOIN flow_versions content ON content.workspace_id = $1
       AND content.flow_id = given.flow_id AND content.version = given.version
     ORDER BY given.sessions DESC, given.option, given.node_key`,
    parameters,
  );
}

/** An offer counts as presented when it was answered, and when the customer stands before it. */
function countOffers(manager: EntityManager, span: Span): Promise<OfferCount[]> {
  const { where, parameters } = sessionsOf(span);
  return manager.query(
    `SELECT seen.flow_id, offer.id, offer.name, count(DISTINCT seen.session_id)::integer AS presented,
       (count(DISTINCT seen.session_id) FILTER (WHERE seen.accepted))::integer AS accepted
     FROM (
       SELECT s.flow_id, s.id AS session_id, step.offer ->> 'id' AS offer_id, step.action = 'accept' AS accepted
       FROM flow_sessions s JOIN session_steps step ON step.workspace_id = s.workspace_id AND step.session_id = s.id
       WHERE ${where} AND step.offer IS NOT NULL
       UNION ALL
       SELECT s.flow_id, s.id, s.presented_offer ->> 'id', false
       FROM flow_sessions s WHERE ${where} AND s.presented_offer IS NOT NULL
     ) seen JOIN offers offer ON offer.workspace_id = $1 AND offer.id = seen.offer_id::uuid
     GROUP BY 1, 2, 3 ORDER BY 4 DESC, 2`,
    parameters,
  );
}

/** An amount of money, without the dust of binary fractions. */
function inCents(amount: number): number {
  return Math.round(amount * 100) / 100;
}
