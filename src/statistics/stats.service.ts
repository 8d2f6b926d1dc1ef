import { Injectable } from '@nestjs/common';
import { readFlows } from '../records/flow-names';
import { dateOf } from '../platform/common/days';
import { groupBy } from '../platform/common/group-by';
import type { Tenant } from '../tenancy/work/tenant';
import type { Reader } from '../tenancy/work/work';
import { type AttributeNumbersDto, type GroupNumbersDto, MAX_VALUES } from './dto/counts.dto';
import type { FlowNodeStatsDto, FlowNodeStatsQuery } from './dto/nodes.dto';
import type {
  DailyStatsDto,
  FlowStatsDto,
  FlowStatsQuery,
  StatsQuery,
  WorkspaceStatsDto,
  WorkspaceStatsQuery,
} from './dto/stats.dto';
import { countByAttribute, type GroupCount } from './by-attribute';
import { nodesOf } from './nodes';
import { NO_CUSTOMERS, ratesOf, totalsOf } from './session-counts';
import { findDefinition, findFlow } from './stats-queries';
import type { SumKind } from './sums/daily-sum.entity';
import { countDays, countFacts } from './sums/facts';
import { fewStartsOf } from './sums/intervals';
import { type Span, spanOf } from './sums/span';
import { Counting, sessionsThatCount } from './counting/counting.service';
import { countsOf, customersOf, numbersOf, periodsOf } from './counting/span-numbers';

/** The kinds of facts that the numbers of nodes are made of. */
const OF_NODES: SumKind[] = ['session', 'answer', 'step', 'way', 'stopped'];

/**
 * Counts the sessions of a span of time by their results. All numbers of a response are of one moment. When the signal
 * `client` aborts, nobody waits for them any more.
 */
@Injectable()
export class StatsService {
  constructor(private readonly counting: Counting) {}

  ofFlow(tenant: Tenant, flowId: string, query: FlowStatsQuery, client: AbortSignal): Promise<FlowStatsDto> {
    return this.read(tenant, query, client, async (all, reader) => {
      const span = { ...all, flowId };
      const flow = await findFlow(flowId, reader);
      const counts = await countsOf(span, reader);
      const [numbers] = await numbersOf([flow], counts, reader);
      const { by, interval } = query;
      return {
        ...numbers,
        ...(interval && (await periodsOf(span, interval, reader))),
        by:
          by === undefined || counts.isDeleted({ flow_id: flowId, from: span.from })
            ? null
            : await byAttribute(span, by, reader),
      };
    });
  }

  ofWorkspace(tenant: Tenant, query: WorkspaceStatsQuery, client: AbortSignal): Promise<WorkspaceStatsDto> {
    const { interval } = query;
    return this.read(tenant, query, client, async (span, reader) => {
      const counts = await countsOf(span, reader);
      const flows = await readFlows([...new Set(counts.facts.map(({ flow_id }) => flow_id))], reader);
      const numbers = await numbersOf(flows, counts, reader);
      return {
        sessions: totalsOf(counts.facts.filter(({ kind }) => kind === 'session')),
        ...customersOf(counts)(null),
        ...(interval && (await periodsOf(span, interval, reader))),
        flows: flows.map(({ id, name }, index) => ({ flow_id: id, name, ...numbers[index] })),
      };
    });
  }

  dailyOfFlow(tenant: Tenant, flowId: string, query: StatsQuery, client: AbortSignal): Promise<DailyStatsDto> {
    return this.read(tenant, query, client, async (span, reader) => {
      await findFlow(flowId, reader);
      return dailyOf({ ...span, flowId }, reader);
    });
  }

  dailyOfWorkspace(tenant: Tenant, query: StatsQuery, client: AbortSignal): Promise<DailyStatsDto> {
    return this.read(tenant, query, client, dailyOf);
  }

  /** Counts by node, of one version. */
  nodesOfFlow(
    tenant: Tenant,
    flowId: string,
    query: FlowNodeStatsQuery,
    client: AbortSignal,
  ): Promise<FlowNodeStatsDto> {
    return this.read(tenant, query, client, async (span, reader) => {
      const { current_version } = await findFlow(flowId, reader);
      const { version = current_version } = query;
      const definition = await findDefinition(flowId, version, reader);
      const counts = await countFacts({ ...span, flowId, version }, OF_NODES, reader);
      const sessions = counts.find(({ kind }) => kind === 'session')?.sessions ?? 0;
      return { version, sessions, nodes: nodesOf(definition, counts) };
    });
  }

  private read<T>(
    tenant: Tenant,
    { from, to, ...asked }: WorkspaceStatsQuery,
    client: AbortSignal,
    count: (span: Span, reader: Reader) => Promise<T>,
  ): Promise<T> {
    return this.counting.run(tenant, client, async (reader) => {
      const span = await spanOf({ from, to }, reader);
      if (asked.interval) fewStartsOf(span, asked.interval);
      const filter = await sessionsThatCount(asked, reader);
      return count({ ...span, ...(filter && { filter }) }, reader);
    });
  }
}

async function byAttribute(span: Span, attribute: string, reader: Reader): Promise<AttributeNumbersDto> {
  const { values, other, none } = await countByAttribute(span, attribute, MAX_VALUES, reader);
  return {
    attribute,
    values: values.map((group) => ({ value: group.value, ...numbersOfGroup(group) })),
    other: numbersOfGroup(other),
    none: numbersOfGroup(none),
  };
}

async function dailyOf(span: Span, reader: Reader): Promise<DailyStatsDto> {
  const starts = fewStartsOf(span, 'day');
  const counts = groupBy(await countDays(span, ['session'], reader), ({ day }) => day);
  return {
    days: starts.map((start) => {
      const date = dateOf(start);
      const { total, saved, canceled } = totalsOf(counts.get(date) ?? []);
      return { date, sessions: total, saved, canceled };
    }),
  };
}

function numbersOfGroup(count?: GroupCount): GroupNumbersDto {
  const { customers } = count ?? { customers: NO_CUSTOMERS };
  return { sessions: totalsOf(count ? [count] : []), customers, rates: ratesOf(customers) };
}
