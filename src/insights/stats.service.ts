import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { groupBy } from '../common/group-by';
import { Problem } from '../common/problem';
import { ManagementLimits } from '../database/management-limits.service';
import { Transactions } from '../database/transactions';
import { FlowVersion } from '../flows/flow-version.entity';
import { Flow } from '../flows/flow.entity';
import { type AttributeNumbersDto, type GroupNumbersDto, MAX_VALUES } from './dto/counts.dto';
import type { FlowNodeStatsDto, FlowNodeStatsQuery } from './dto/nodes.dto';
import type {
  DailyStatsDto,
  FlowNumbersDto,
  FlowStatsDto,
  FlowStatsQuery,
  StatsQuery,
  WorkspaceStatsDto,
} from './dto/stats.dto';
import { type ArmCustomers, countCustomersOfArms } from './arm-customers';
import { countByAttribute, type GroupCount } from './by-attribute';
import { countCustomers, type CustomerCount } from './customers';
import { countLasting, type LastingCount, lastingOf } from './lasting';
import { nodesOf } from './nodes';
import { NO_CUSTOMERS, ratesOf, totalsOf, versionsOf, withAnonymous } from './session-counts';
import { type Experiment, experimentsOf, numbersOfSplits, scopesOf } from './splits';
import { flowsWithDeleted, readFlows, readOffers, readReasons, readSplits } from './stats-queries';
import type { SumKind } from './sums/daily-sum.entity';
import { countDays, countFacts, type FactCount } from './sums/facts';
import { daysOf, type Span, spanOf } from './sums/span';
import { estimateRetained, valueOf } from './value';

/** What the numbers of a flow are made of, and those of its nodes. */
const OF_FLOW: SumKind[] = ['session', 'answer', 'offer', 'withheld', 'way', 'arm', 'anonymous'];
const OF_NODES: SumKind[] = ['session', 'answer', 'step', 'way', 'stopped'];

/** What became of the sessions of a span of time, counted. All numbers of a response are of one moment. */
@Injectable()
export class StatsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly limits: ManagementLimits,
  ) {}

  ofFlow(workspaceId: string, flowId: string, query: FlowStatsQuery): Promise<FlowStatsDto> {
    return this.read(workspaceId, query, async (all, manager) => {
      const span = { ...all, flowId };
      const flow = await findFlow(workspaceId, flowId, manager);
      const counts = await countsOf(span, manager);
      const [numbers] = await numbersOf([flow], counts, span, manager);
      const { by } = query;
      return {
        ...numbers,
        by: by === undefined || counts.deleted.size > 0 ? null : await byAttribute(span, by, manager),
      };
    });
  }

  ofWorkspace(workspaceId: string, query: StatsQuery): Promise<WorkspaceStatsDto> {
    return this.read(workspaceId, query, async (span, manager) => {
      const counts = await countsOf(span, manager);
      const flows = await readFlows(workspaceId, [...new Set(counts.facts.map(({ flow_id }) => flow_id))], manager);
      const numbers = await numbersOf(flows, counts, span, manager);
      return {
        sessions: totalsOf(counts.facts.filter(({ kind }) => kind === 'session')),
        ...customersOf(counts)(null),
        flows: flows.map(({ id, name }, index) => ({ flow_id: id, name, ...numbers[index] })),
      };
    });
  }

  dailyOfFlow(workspaceId: string, flowId: string, query: StatsQuery): Promise<DailyStatsDto> {
    return this.read(workspaceId, query, async (span, manager) => {
      await findFlow(workspaceId, flowId, manager);
      return dailyOf({ ...span, flowId }, manager);
    });
  }

  dailyOfWorkspace(workspaceId: string, query: StatsQuery): Promise<DailyStatsDto> {
    return this.read(workspaceId, query, dailyOf);
  }

  /** By node, of one version. */
  nodesOfFlow(workspaceId: string, flowId: string, query: FlowNodeStatsQuery): Promise<FlowNodeStatsDto> {
    return this.read(workspaceId, query, async (span, manager) => {
      const { current_version } = await findFlow(workspaceId, flowId, manager);
      const { version = current_version } = query;
      const content = await manager.findOneBy(FlowVersion, { workspace_id: workspaceId, flow_id: flowId, version });
      if (!content) throw new Problem('not_found');
      const counts = await countFacts({ ...span, flowId, version }, OF_NODES, manager);
      const sessions = counts.find(({ kind }) => kind === 'session')?.sessions ?? 0;
      return { version, sessions, nodes: nodesOf(content.definition, counts) };
    });
  }

  private read<T>(
    workspaceId: string,
    query: StatsQuery,
    work: (span: Span, manager: EntityManager) => Promise<T>,
  ): Promise<T> {
    return this.limits.long.run(workspaceId, () =>
      this.transactions.runOnSnapshot(async (manager) => work(await spanOf(workspaceId, query, manager), manager)),
    );
  }
}

async function findFlow(workspaceId: string, id: string, manager: EntityManager): Promise<Flow> {
  const flow = await manager.findOneBy(Flow, { workspace_id: workspaceId, id });
  if (!flow) throw new Problem('not_found');
  return flow;
}

interface SpanCounts {
  facts: FactCount[];
  experiments: Experiment[];
  customers: CustomerCount[];
  arms: ArmCustomers[];
  lasting: LastingCount[];
  /** The flows of which sessions of the span were deleted: nobody knows whose they were. */
  deleted: Set<string>;
}

async function countsOf(span: Span, manager: EntityManager): Promise<SpanCounts> {
  const facts = await countFacts(span, OF_FLOW, manager);
  const ways = facts.filter(({ kind }) => kind === 'way');
  const experiments = experimentsOf(await readSplits(span.workspaceId, ways, manager));
  const scopes = scopesOf(experiments);
  return {
    facts,
    experiments,
    customers: await countCustomers(span, manager),
    arms: await countCustomersOfArms(span, scopes, manager),
    lasting: await countLasting(span, scopes, manager),
    deleted: await flowsWithDeleted(span, manager),
  };
}

/** The numbers of each of the flows, in their order. */
async function numbersOf(
  flows: Pick<Flow, 'id'>[],
  counts: SpanCounts,
  span: Span,
  manager: EntityManager,
): Promise<FlowNumbersDto[]> {
  const { workspaceId } = span;
  const factsOfKind = groupBy(counts.facts, ({ kind }) => kind);
  const facts = (...kinds: SumKind[]) => kinds.flatMap((kind) => factsOfKind.get(kind) ?? []);
  const sessionsOfFlow = byFlow(facts('session'));
  const reasonsOfFlow = byFlow(await readReasons(workspaceId, facts('answer'), manager));
  const offersOfFlow = byFlow(await readOffers(workspaceId, facts('offer', 'withheld'), manager));
  const splitsOfFlow = byFlow(
    numbersOfSplits(counts.experiments, counts.arms, counts.lasting, facts('way', 'arm'), counts.deleted),
  );
  const customersOfFlow = customersOf(counts);
  return flows.map(({ id }) => {
    return {
      sessions: totalsOf(sessionsOfFlow(id)),
      ...customersOfFlow(id),
      reasons: reasonsOfFlow(id),
      offers: offersOfFlow(id),
      versions: versionsOf(sessionsOfFlow(id)),
      splits: splitsOfFlow(id),
    };
  });
}

/** Finds the numbers of the customers of a flow, or of the workspace. */
function customersOf({ facts, customers: counts, lasting, deleted }: SpanCounts) {
  const anonymous = facts.filter(({ kind }) => kind === 'anonymous');
  const ofFlow = byFlow(counts);
  const anonymousOfFlow = byFlow(anonymous);
  const lastingOfFlow = byFlow(lasting.filter(({ arm }) => arm === null));
  return (flowId: string | null) => {
    const isKnown = flowId === null ? deleted.size === 0 : !deleted.has(flowId);
    const { value: worth, paid, ...named } = ofFlow(flowId)[0] ?? { ...NO_CUSTOMERS, value: [], paid: [] };
    const customers = isKnown ? withAnonymous(named, flowId === null ? anonymous : anonymousOfFlow(flowId)) : null;
    const value = isKnown ? valueOf(worth, paid) : null;
    return {
      customers,
      rates: ratesOf(customers),
      lasting: isKnown ? lastingOf(lastingOfFlow(flowId)) : null,
      value,
      estimated_monthly_value_retained: estimateRetained(value),
    };
  };
}

/** Finds the rows of a flow, without its id: JSON leaves out what is undefined. */
function byFlow<Row extends { flow_id: string | null }>(rows: Row[]): (id: string | null) => Omit<Row, 'flow_id'>[] {
  const groups = groupBy(rows, ({ flow_id }) => flow_id);
  return (id) => (groups.get(id) ?? []).map((row) => ({ ...row, flow_id: undefined }));
}

async function byAttribute(span: Span, attribute: string, manager: EntityManager): Promise<AttributeNumbersDto> {
  const { values, other, none } = await countByAttribute(span, attribute, MAX_VALUES, manager);
  return {
    attribute,
    values: values.map((group) => ({ value: group.value, ...numbersOfGroup(group) })),
    other: numbersOfGroup(other),
    none: numbersOfGroup(none),
  };
}

async function dailyOf(span: Span, manager: EntityManager): Promise<DailyStatsDto> {
  const days = daysOf(span);
  const counts = groupBy(await countDays(span, manager), ({ day }) => day);
  return {
    days: days.map((date) => {
      const { total, saved, canceled } = totalsOf(counts.get(date) ?? []);
      return { date, sessions: total, saved, canceled };
    }),
  };
}

function numbersOfGroup(count?: GroupCount): GroupNumbersDto {
  const { customers } = count ?? { customers: NO_CUSTOMERS };
  return { sessions: totalsOf(count ? [count] : []), customers, rates: ratesOf(customers) };
}
