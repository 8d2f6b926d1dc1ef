import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { groupBy } from '../common/group-by';
import { Problem } from '../common/problem';
import { Transactions } from '../database/transactions';
import { Turns } from '../database/turns.service';
import { FlowVersion } from '../flows/flow-version.entity';
import { Flow } from '../flows/flow.entity';
import { AttributeNumbersDto, MAX_VALUES } from './dto/attribute-numbers.dto';
import type { CustomersDto } from './dto/counts.dto';
import type { DailyStatsDto } from './dto/daily-stats.dto';
import type { FlowNodeStatsDto, FlowNodeStatsQuery } from './dto/nodes.dto';
import type { FlowNumbersDto, FlowStatsDto, FlowStatsQuery, StatsQuery, WorkspaceStatsDto } from './dto/stats.dto';
import { nodesOf } from './nodes';
import { ratesOf, sessionsAndSaved, share, totalsOf, versionsOf } from './session-counts';
import { splitsOf } from './splits';
import { countByAttribute, readFlows, readSplits, withLabels, withNames } from './stats-queries';
import { daysOf, spanOf } from './stats-span';
import { countCustomers, countDays, countFacts, countNodes, type CustomerCount, type FactCount } from './sums/counts';
import type { Span } from './sums/span';

const NO_CUSTOMERS = { total: 0, saved: 0, canceled: 0, in_progress: 0, abandoned: 0 };

/** What became of the sessions of a span of time, counted. All numbers of a response are of one moment. */
@Injectable()
export class StatsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly turns: Turns,
  ) {}

  ofFlow(workspaceId: string, flowId: string, query: FlowStatsQuery): Promise<FlowStatsDto> {
    return this.read(workspaceId, async (manager) => {
      const span = { ...(await spanOf(workspaceId, query, manager)), flowId };
      const flow = await findFlow(workspaceId, flowId, manager);
      const facts = await countFacts(span, manager);
      const [numbers] = await numbersOf([flow], span, facts, await countCustomers(span, manager), manager);
      return { ...numbers, by: query.by === undefined ? null : await byAttribute(span, query.by, manager) };
    });
  }

  ofWorkspace(workspaceId: string, query: StatsQuery): Promise<WorkspaceStatsDto> {
    return this.read(workspaceId, async (manager) => {
      const span = await spanOf(workspaceId, query, manager);
      const facts = await countFacts(span, manager);
      const customers = await countCustomers(span, manager);
      const flows = await readFlows(workspaceId, [...new Set(facts.map(flowOf))], manager);
      const numbers = await numbersOf(flows, span, facts, customers, manager);
      const sessions = facts.filter(isSession);
      const values = numbers.flatMap(({ estimated_monthly_value_retained: value }) => value ?? []);
      return {
        sessions: totalsOf(sessions),
        customers: customersOf(customers.find(({ flow_id }) => flow_id === null)),
        save_rate: ratesOf(sessions),
        estimated_monthly_value_retained: values.length > 0 ? inCents(values.reduce((a, b) => a + b)) : null,
        flows: flows.map(({ id, name }, index) => ({ flow_id: id, name, ...numbers[index] })),
      };
    });
  }

  dailyOfFlow(workspaceId: string, flowId: string, query: StatsQuery): Promise<DailyStatsDto> {
    return this.read(workspaceId, async (manager) => {
      const span = { ...(await spanOf(workspaceId, query, manager)), flowId };
      await findFlow(workspaceId, flowId, manager);
      return dailyOf(span, manager);
    });
  }

  /** By node, of one version. */
  nodesOfFlow(workspaceId: string, flowId: string, query: FlowNodeStatsQuery): Promise<FlowNodeStatsDto> {
    return this.read(workspaceId, async (manager) => {
      const span = await spanOf(workspaceId, query, manager);
      const { current_version } = await findFlow(workspaceId, flowId, manager);
      const { version = current_version } = query;
      const content = await manager.findOneBy(FlowVersion, { workspace_id: workspaceId, flow_id: flowId, version });
      if (!content) throw new Problem('not_found');
      const counts = await countNodes({ ...span, flowId, version }, manager);
      const sessions = counts.find(({ kind }) => kind === 'session')?.sessions ?? 0;
      return { version, sessions, nodes: nodesOf(content.definition, counts) };
    });
  }

  dailyOfWorkspace(workspaceId: string, query: StatsQuery): Promise<DailyStatsDto> {
    return this.read(workspaceId, async (manager) => dailyOf(await spanOf(workspaceId, query, manager), manager));
  }

  private read<T>(workspaceId: string, work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.turns.run(workspaceId, () => this.transactions.runOnSnapshot(work));
  }
}

async function findFlow(workspaceId: string, id: string, manager: EntityManager): Promise<Flow> {
  const flow = await manager.findOneBy(Flow, { workspace_id: workspaceId, id });
  if (!flow) throw new Problem('not_found');
  return flow;
}

/** The numbers of each of the flows, in their order. */
async function numbersOf(
  flows: Pick<Flow, 'id' | 'estimated_monthly_value'>[],
  { workspaceId }: Span,
  facts: FactCount[],
  customers: CustomerCount[],
  manager: EntityManager,
): Promise<FlowNumbersDto[]> {
  const factsByFlow = groupBy(facts, flowOf);
  const customersByFlow = new Map(customers.map((count) => [count.flow_id, count]));
  const ways = facts.filter(({ kind }) => kind === 'way');
  const reasonsByFlow = groupBy(await withLabels(workspaceId, reasonsOf(facts), manager), flowOf);
  const offersByFlow = groupBy(await withNames(workspaceId, offersOf(facts), manager), flowOf);
  const splitsByFlow = groupBy(await readSplits(workspaceId, versionsIn(ways), manager), flowOf);
  return flows.map(({ id, estimated_monthly_value: value }) => {
    const own = factsByFlow.get(id) ?? [];
    const sessions = own.filter(isSession);
    const persons = customersOf(customersByFlow.get(id));
    return {
      sessions: totalsOf(sessions),
      customers: persons,
      save_rate: ratesOf(sessions),
      reasons: (reasonsByFlow.get(id) ?? []).map(({ node_key, option, label, sessions: count, saved }) => ({
        node_key,
        option,
        label,
        sessions: count,
        saved,
      })),
      offers: (offersByFlow.get(id) ?? []).map(({ id: offer, name, presented, accepted }) => ({
        id: offer,
        name,
        presented,
        accepted,
        acceptance_rate: share(accepted, presented),
      })),
      versions: versionsOf(sessions),
      splits: splitsOf(
        own.filter(({ kind }) => kind === 'way'),
        splitsByFlow.get(id) ?? [],
      ),
      estimated_monthly_value_retained: value === null ? null : inCents(persons.saved * value),
    };
  });
}

async function byAttribute(span: Span, attribute: string, manager: EntityManager): Promise<AttributeNumbersDto> {
  return AttributeNumbersDto.of(attribute, await countByAttribute(span, attribute, MAX_VALUES, manager));
}

async function dailyOf(span: Span, manager: EntityManager): Promise<DailyStatsDto> {
  const days = daysOf(span);
  const countsByDay = groupBy(await countDays(span, manager), ({ day }) => day);
  return {
    days: days.map((date) => {
      const sum = { date, sessions: 0, saved: 0, canceled: 0 };
      for (const { sessions, saved, canceled } of countsByDay.get(date) ?? []) {
        sum.sessions += sessions;
        sum.saved += saved;
        sum.canceled += canceled;
      }
      return sum;
    }),
  };
}

function reasonsOf(facts: FactCount[]) {
  const answers = facts.filter(({ kind }) => kind === 'answer');
  return [...groupBy(answers, (fact) => JSON.stringify([fact.flow_id, fact.node_key, fact.value])).values()].map(
    (same) => ({
      flow_id: same[0].flow_id,
      version: Math.max(...same.map(({ version }) => version)),
      node_key: same[0].node_key,
      option: same[0].value,
      ...sessionsAndSaved(same),
    }),
  );
}

function offersOf(facts: FactCount[]) {
  const presented = facts.filter(({ kind }) => kind === 'offer');
  return [...groupBy(presented, (fact) => JSON.stringify([fact.flow_id, fact.value])).values()].map((same) => ({
    flow_id: same[0].flow_id,
    id: same[0].value,
    presented: same.reduce((sum, { sessions }) => sum + sessions, 0),
    accepted: same.reduce((sum, { accepted }) => sum + accepted, 0),
  }));
}

/** The versions of flows that facts are of, each once. */
function versionsIn(facts: FactCount[]): { flow_id: string; version: number }[] {
  const byVersion = groupBy(facts, ({ flow_id, version }) => `${flow_id} ${version}`);
  return [...byVersion.values()].map(([{ flow_id, version }]) => ({ flow_id, version }));
}

function isSession({ kind }: FactCount): boolean {
  return kind === 'session';
}

function flowOf({ flow_id }: { flow_id: string }): string {
  return flow_id;
}

function customersOf(count: CustomerCount | undefined): CustomersDto {
  if (!count) return NO_CUSTOMERS;
  const { total, saved, canceled, in_progress, abandoned } = count;
  return { total, saved, canceled, in_progress, abandoned };
}

/** An amount of money, rounded to cents. */
function inCents(amount: number): number {
  return Math.round(amount * 100) / 100;
}
