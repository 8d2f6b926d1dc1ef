import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { firstIdAt, MAX_ID } from '../common/ids';
import { Problem } from '../common/problem';
import { readTime } from '../database/time';
import { Transactions } from '../database/transactions';
import { Turns } from '../database/turns.service';
import { Flow } from '../flows/flow.entity';
import type { FlowStatsDto, StatsQuery, WorkspaceStatsDto } from './dto/stats.dto';
import { groupBy } from '../common/group-by';
import { ratesOf, share, totalsOf, versionsOf } from './session-counts';
import {
  countOffers,
  countReasons,
  countSessions,
  type FlowSessionCount,
  type OfferCount,
  readFlows,
  type ReasonCount,
  type Span,
} from './stats-queries';

const DEFAULT_SPAN_MS = 30 * 24 * 60 * 60 * 1000;

/** What became of the sessions of a span of time, counted. All numbers of a response are of one moment. */
@Injectable()
export class StatsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly turns: Turns,
  ) {}

  ofFlow(workspaceId: string, flowId: string, query: StatsQuery): Promise<FlowStatsDto> {
    return this.read(workspaceId, async (manager) => {
      const span = { ...(await spanOf(workspaceId, query, manager)), flowId };
      const flow = await manager.findOneBy(Flow, { workspace_id: workspaceId, id: flowId });
      if (!flow) throw new Problem('not_found');
      const [stats] = await statsOf([flow], span, await countSessions(span, manager), manager);
      return stats;
    });
  }

  ofWorkspace(workspaceId: string, query: StatsQuery): Promise<WorkspaceStatsDto> {
    return this.read(workspaceId, async (manager) => {
      const span = await spanOf(workspaceId, query, manager);
      const counts = await countSessions(span, manager);
      const flows = await readFlows(workspaceId, [...new Set(counts.map(({ flow_id }) => flow_id))], manager);
      const stats = await statsOf(flows, span, counts, manager);
      const values = stats.flatMap(({ estimated_monthly_value_retained: value }) => value ?? []);
      return {
        sessions: totalsOf(counts),
        save_rate: ratesOf(counts),
        estimated_monthly_value_retained: values.length > 0 ? inCents(values.reduce((a, b) => a + b)) : null,
        flows: flows.map(({ id, name }, index) => ({ flow_id: id, name, ...stats[index] })),
      };
    });
  }

  private read<T>(workspaceId: string, work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.turns.run(workspaceId, () => this.transactions.runOnSnapshot(work));
  }
}

async function spanOf(workspaceId: string, query: StatsQuery, manager: EntityManager): Promise<Span> {
  const now = await readTime(manager);
  const to = query.to ? new Date(query.to) : now;
  const from = query.from ? new Date(query.from) : new Date(to.getTime() - DEFAULT_SPAN_MS);
  if (from >= to) throw Problem.invalid([{ pointer: '/from', message: 'must be before to' }]);
  return { workspaceId, firstId: firstIdAt(from), endId: query.to ? firstIdAt(to) : MAX_ID, now };
}

/** The statistics of each of the flows, in their order. */
async function statsOf(
  flows: Pick<Flow, 'id' | 'estimated_monthly_value'>[],
  span: Span,
  counts: FlowSessionCount[],
  manager: EntityManager,
): Promise<FlowStatsDto[]> {
  const countsByFlow = groupBy(counts, flowOf);
  const reasonsByFlow = groupBy(await countReasons(span, manager), flowOf);
  const offersByFlow = groupBy(await countOffers(span, manager), flowOf);
  return flows.map(({ id, estimated_monthly_value: value }) => {
    const own = countsByFlow.get(id) ?? [];
    const sessions = totalsOf(own);
    return {
      sessions,
      save_rate: ratesOf(own),
      reasons: (reasonsByFlow.get(id) ?? []).map(reasonOf),
      offers: (offersByFlow.get(id) ?? []).map(offerOf),
      versions: versionsOf(own),
      estimated_monthly_value_retained: value === null ? null : inCents(sessions.saved * value),
    };
  });
}

function flowOf({ flow_id }: { flow_id: string }): string {
  return flow_id;
}

function reasonOf({ node_key, option, label, sessions, saved }: ReasonCount): FlowStatsDto['reasons'][number] {
  return { node_key, option, label, sessions, saved };
}

function offerOf({ id, name, presented, accepted }: OfferCount): FlowStatsDto['offers'][number] {
  return { id, name, presented, accepted, acceptance_rate: share(accepted, presented) };
}

/** An amount of money, rounded to cents. */
function inCents(amount: number): number {
  return Math.round(amount * 100) / 100;
}
