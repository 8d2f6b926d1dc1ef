import { Injectable } from '@nestjs/common';
import { readFlows } from '../records/flow-names';
import { groupBy } from '../platform/common/group-by';
import { Problem } from '../platform/api/problems/problem';
import { ManagementLimits } from '../platform/database/queue/management-limits.service';
import type { Flow } from '../flows/flow.entity';
import type { Tenant } from '../tenancy/work/tenant';
import { UnitsOfWork } from '../tenancy/work/units-of-work.service';
import type { Reader } from '../tenancy/work/work';
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
import { type ArmCustomers, countCustomersOfArms } from './experiments/arm-customers';
import { countByAttribute, type GroupCount } from './by-attribute';
import { countCustomers, type CustomerCount } from './customers';
import { countLasting, type Lasting, lastingOf, ofScope } from './lasting/lasting';
import { nodesOf } from './nodes';
import { NO_CUSTOMERS, ratesOf, totalsOf, versionsOf, withAnonymous } from './session-counts';
import {
  type Experiment,
  experimentsOf,
  isRunning,
  numbersOfSplits,
  scopesOf,
  withEarlier,
} from './experiments/splits';
import {
  deletedOf,
  findDefinition,
  findFlow,
  readEarlierSplits,
  readOffers,
  readReasons,
  readSplits,
  type Since,
} from './stats-queries';
import type { SumKind } from './sums/daily-sum.entity';
import { countDays, countFacts, type FactCount } from './sums/facts';
import { daysOf, type Span, spanOf } from './sums/span';
import { estimateRetained, valueOf } from './value';

/** The kinds of facts that the numbers of a flow are made of, and those of its nodes. */
const OF_FLOW: SumKind[] = ['session', 'answer', 'offer', 'withheld', 'way', 'arm', 'anonymous'];
const OF_NODES: SumKind[] = ['session', 'answer', 'step', 'way', 'stopped'];

/** Those that say how many sessions came to an arm. */
const OF_ARMS: SumKind[] = ['way', 'arm'];

/** How long counting may take. */
const MOST_MS = 30_000;

/**
 * Counts the sessions of a span of time by their results. All numbers of a response are of one moment. When the signal
 * `client` aborts, nobody waits for them any more.
 */
@Injectable()
export class StatsService {
  constructor(
    private readonly units: UnitsOfWork,
    private readonly limits: ManagementLimits,
  ) {}

  ofFlow(tenant: Tenant, flowId: string, query: FlowStatsQuery, client: AbortSignal): Promise<FlowStatsDto> {
    return this.read(tenant, query, client, async (all, reader) => {
      const span = { ...all, flowId };
      const flow = await findFlow(flowId, reader);
      const counts = await countsOf(span, reader);
      const [numbers] = await numbersOf([flow], counts, reader);
      const { by } = query;
      return {
        ...numbers,
        by:
          by === undefined || counts.isDeleted({ flow_id: flowId, from: span.from })
            ? null
            : await byAttribute(span, by, reader),
      };
    });
  }

  ofWorkspace(tenant: Tenant, query: StatsQuery, client: AbortSignal): Promise<WorkspaceStatsDto> {
    return this.read(tenant, query, client, async (span, reader) => {
      const counts = await countsOf(span, reader);
      const flows = await readFlows([...new Set(counts.facts.map(({ flow_id }) => flow_id))], reader);
      const numbers = await numbersOf(flows, counts, reader);
      return {
        sessions: totalsOf(counts.facts.filter(({ kind }) => kind === 'session')),
        ...customersOf(counts)(null),
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

  /** Counts while the client waits, for 30 s at most. */
  private read<T>(
    tenant: Tenant,
    query: StatsQuery,
    client: AbortSignal,
    count: (span: Span, reader: Reader) => Promise<T>,
  ): Promise<T> {
    return this.limits.statistics.run(tenant.workspaceId, async () => {
      const late = AbortSignal.timeout(MOST_MS);
      const read = async (reader: Reader) => {
        // The counted rows may be most of a table: see `useIndexes`. A single statement is ended by the server, too.
        await reader.manager.query(
          `SELECT set_config('enable_seqscan', 'on', true), set_config('statement_timeout', '${MOST_MS}', true)`,
        );
        return count(await spanOf(query, reader), reader);
      };
      try {
        return await this.units.longSnapshot(tenant, AbortSignal.any([client, late]), MOST_MS + 1000, read);
      } catch (error) {
        // Nobody reads it.
        if (client.aborted) throw new Problem('service_unavailable');
        throw late.aborted ? new Problem('too_many_sessions') : error;
      }
    });
  }
}

interface SpanCounts {
  facts: FactCount[];
  /** The sessions that came to the arms since the experiments began. */
  arrivals: FactCount[];
  experiments: Experiment[];
  customers: CustomerCount[];
  arms: ArmCustomers[];
  lasting: Lasting;
  /** Whether sessions of a flow were deleted since a time: their customers are not known any more. */
  isDeleted: (since: Since) => boolean;
  span: Span;
}

const ofKinds = (facts: FactCount[], kinds: SumKind[]) => facts.filter(({ kind }) => kinds.includes(kind));

async function countsOf(span: Span, reader: Reader): Promise<SpanCounts> {
  const facts = await countFacts(span, OF_FLOW, reader);
  const splits = await readSplits(ofKinds(facts, ['way']), reader);
  const experiments = experimentsOf(await withEarlier(splits, (of, most) => readEarlierSplits(of, most, reader)));
  const scopes = scopesOf(experiments);
  const running = experiments.filter(({ config }) => isRunning(config));
  const since = running.map(({ flow_id, since: from }) => ({ flow_id, from }));
  const flows = [...new Set(facts.map(({ flow_id }) => flow_id))].map((flow_id) => ({ flow_id, from: span.from }));
  // An experiment is counted since its arms began, whatever the span.
  const from = new Date(Math.min(span.from.getTime(), ...since.map((one) => one.from.getTime())));
  const isEarlier = from < span.from;
  return {
    facts,
    arrivals: isEarlier ? await countFacts({ ...span, from }, OF_ARMS, reader) : ofKinds(facts, OF_ARMS),
    experiments,
    customers: await countCustomers(span, reader),
    arms: await countCustomersOfArms({ ...span, from }, scopes, reader),
    lasting: await countLasting(span, scopes, from, reader),
    isDeleted: await deletedOf([...flows, ...since], span, reader),
    span,
  };
}

/** The numbers of each of the flows, in their order. */
async function numbersOf(flows: Pick<Flow, 'id'>[], counts: SpanCounts, reader: Reader): Promise<FlowNumbersDto[]> {
  const factsOfKind = groupBy(counts.facts, ({ kind }) => kind);
  const facts = (...kinds: SumKind[]) => kinds.flatMap((kind) => factsOfKind.get(kind) ?? []);
  const sessionsOfFlow = byFlow(facts('session'));
  const reasonsOfFlow = byFlow(await readReasons(facts('answer'), reader));
  const offersOfFlow = byFlow(await readOffers(facts('offer', 'withheld'), reader));
  const splitsOfFlow = byFlow(
    numbersOfSplits(counts.experiments, {
      customers: counts.arms,
      lasting: counts.lasting,
      arrivals: counts.arrivals,
      isDeleted: ({ flow_id, since, config }) =>
        counts.isDeleted({ flow_id, from: isRunning(config) ? since : counts.span.from }),
      until: counts.span.to < counts.span.now ? counts.span.to : counts.span.now,
      isNow: counts.span.to >= counts.span.now,
    }),
  );
  const customersOfFlow = customersOf(counts);
  const isMissing = (flow_id: string) => counts.isDeleted({ flow_id, from: counts.span.from });
  const ofFlow = (id: string) => ofScope(counts.lasting, ({ flow_id }) => flow_id === id);
  return flows.map(({ id }) => {
    return {
      sessions: totalsOf(sessionsOfFlow(id)),
      ...customersOfFlow(id),
      reasons: reasonsOfFlow(id),
      offers: offersOfFlow(id).map((offer) => ({
        ...offer,
        lasting: isMissing(id) ? null : lastingOf(ofScope(ofFlow(id), (scope) => scope.offer === offer.id)),
      })),
      versions: versionsOf(sessionsOfFlow(id)),
      splits: splitsOfFlow(id),
    };
  });
}

/** Finds the numbers of the customers of a flow, or of the workspace. */
function customersOf({ facts, customers: counts, lasting, isDeleted, span: { from } }: SpanCounts) {
  const anonymous = facts.filter(({ kind }) => kind === 'anonymous');
  const ofFlow = byFlow(counts);
  const anonymousOfFlow = byFlow(anonymous);
  const whole = ofScope(lasting, ({ arm, offer }) => arm === null && offer === null);
  const flows = [...new Set(facts.map(({ flow_id }) => flow_id))];
  const isMissing = (flow_id: string) => isDeleted({ flow_id, from });
  return (flowId: string | null) => {
    const isKnown = flowId === null ? !flows.some(isMissing) : !isMissing(flowId);
    const { value: worth, paid, ...named } = ofFlow(flowId)[0] ?? { ...NO_CUSTOMERS, value: [], paid: [] };
    const customers = isKnown ? withAnonymous(named, flowId === null ? anonymous : anonymousOfFlow(flowId)) : null;
    const value = isKnown ? valueOf(worth, paid) : null;
    return {
      customers,
      rates: ratesOf(customers),
      lasting: isKnown ? lastingOf(ofScope(whole, ({ flow_id }) => flow_id === flowId)) : null,
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
  const days = daysOf(span);
  const counts = groupBy(await countDays(span, reader), ({ day }) => day);
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
