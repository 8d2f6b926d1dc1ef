import { Injectable } from '@nestjs/common';
import { readFlows } from '../records/flow-names';
import { dateOf } from '../platform/common/days';
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
  PeriodDto,
  StatsQuery,
  WorkspaceStatsDto,
  WorkspaceStatsQuery,
} from './dto/stats.dto';
import { type ArmCustomers, countCustomersOfArms } from './experiments/arm-customers';
import { countByAttribute, type GroupCount } from './by-attribute';
import { countCustomers, type CustomerCounts } from './customers';
import { countLasting, type Lasting, lastingOf, ofScope } from './lasting/lasting';
import { nodesOf } from './nodes';
import { countPeriods, type PeriodCounts } from './periods';
import { NO_CUSTOMERS, ratesOf, type SessionCount, totalsOf, versionsOf, withAnonymous } from './session-counts';
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
import { countDays, countFacts, type FactCount, flowsOf } from './sums/facts';
import { fewStartsOf, spanBefore, type StatsInterval } from './sums/intervals';
import { type Span, spanOf } from './sums/span';
import { customersIn, estimateRetained, valueOf, valueOfOffer, valueOfReason } from './money/value';
import { EVERY_SESSION, type SessionFilter } from '../sessions/filter/session-filter';
import { readSegment } from '../sessions/filter/segment';
import { IS_CUSTOMERS } from '../sessions/session-source';

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

  /** Counts while the client waits, for 30 s at most. */
  private read<T>(
    tenant: Tenant,
    query: WorkspaceStatsQuery,
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
        const { from, to, ...asked } = query;
        const span = await spanOf({ from, to }, reader);
        if (query.interval) fewStartsOf(span, query.interval);
        const filter = await filterOf(asked, reader);
        return count({ ...span, ...(filter && { filter }) }, reader);
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

/** Which sessions count, if not all that customers began. */
async function filterOf(
  { source, ...segment }: Omit<StatsQuery, 'from' | 'to'>,
  reader: Reader,
): Promise<SessionFilter | undefined> {
  const filter = await readSegment(segment, reader);
  if (source === 'all') return filter ?? EVERY_SESSION;
  return filter && { ...filter, condition: `${filter.condition} AND ${IS_CUSTOMERS}` };
}

interface SpanCounts {
  facts: FactCount[];
  /** The sessions that came to the arms since the experiments began. */
  arrivals: FactCount[];
  experiments: Experiment[];
  customers: CustomerCounts;
  arms: ArmCustomers[];
  lasting: Lasting;
  /** The flows that had sessions, also if none of them passes the filter. */
  flows: string[];
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
  const flows = await flowsOf(span, facts, reader);
  // An experiment is counted since its arms began, whatever the span.
  const from = new Date(Math.min(span.from.getTime(), ...since.map((one) => one.from.getTime())));
  const isEarlier = from < span.from;
  return {
    facts,
    arrivals: isEarlier ? await countFacts({ ...span, from }, OF_ARMS, reader) : ofKinds(facts, OF_ARMS),
    experiments,
    customers: await countCustomers(span, flows.length < 2, reader),
    arms: await countCustomersOfArms({ ...span, from }, scopes, reader),
    lasting: await countLasting(span, scopes, from, reader),
    flows,
    isDeleted: await deletedOf([...flows.map((flow_id) => ({ flow_id, from: span.from })), ...since], span, reader),
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
      isNow: counts.span.to >= counts.span.now && !counts.span.filter,
    }),
  );
  const customersOfFlow = customersOf(counts);
  const isMissing = (flow_id: string) => counts.isDeleted({ flow_id, from: counts.span.from });
  const ofFlow = (id: string) => ofScope(counts.lasting, ({ flow_id }) => flow_id === id);
  const worthOf = among(counts.customers.worth);
  const paidOf = among(counts.customers.paid);
  return flows.map(({ id }) => {
    return {
      sessions: totalsOf(sessionsOfFlow(id)),
      ...customersOfFlow(id),
      reasons: reasonsOfFlow(id).map((reason) => {
        const { node_key, option } = reason;
        return { ...reason, value: isMissing(id) ? null : valueOfReason(worthOf(id, node_key, option)) };
      }),
      offers: offersOfFlow(id).map((offer) => ({
        ...offer,
        lasting: isMissing(id) ? null : lastingOf(ofScope(ofFlow(id), (scope) => scope.offer === offer.id)),
        value: isMissing(id) ? null : valueOfOffer(worthOf(id, null, offer.id), paidOf(id, null, offer.id)),
      })),
      versions: versionsOf(sessionsOfFlow(id)),
      splits: splitsOfFlow(id),
    };
  });
}

/** Finds the rows of customers of a flow who gave an answer, or accepted an offer. */
function among<Row extends CustomerCounts['paid' | 'worth'][number]>(rows: Row[]) {
  const groups = groupBy(rows, ({ key, node_key, value }) => JSON.stringify([key, node_key, value]));
  return (flowId: string, nodeKey: string | null, value: string | null) =>
    groups.get(JSON.stringify([flowId, nodeKey, value])) ?? [];
}

/** Finds the rows of all customers of a flow, or of the workspace. */
function allAmong<Row extends CustomerCounts['paid' | 'worth'][number]>(rows: Row[]) {
  const all = rows.filter(({ value }) => value === null);
  const flows = groupBy(all, ({ key }) => key);
  return (flowId: string | null) =>
    flowId === null ? all.filter(({ is_last }) => is_last) : (flows.get(flowId) ?? []);
}

/** Finds the numbers of the customers of a flow, or of the workspace. */
function customersOf({ facts, flows, customers, lasting, isDeleted, span: { from } }: SpanCounts) {
  const anonymousOfFlow = byFlow(facts.filter(({ kind }) => kind === 'anonymous'));
  const whole = ofScope(lasting, ({ arm, offer }) => arm === null && offer === null);
  const isMissing = (flow_id: string) => isDeleted({ flow_id, from });
  const [worthOf, paidOf] = [allAmong(customers.worth), allAmong(customers.paid)];
  return (flowId: string | null) => {
    const isKnown = flowId === null ? !flows.some(isMissing) : !isMissing(flowId);
    const numbers = numbersOfCustomers(
      { worth: worthOf(flowId), paid: paidOf(flowId) },
      flowId === null ? flows.flatMap(anonymousOfFlow) : anonymousOfFlow(flowId),
      isKnown,
    );
    return {
      ...numbers,
      lasting: isKnown ? lastingOf(ofScope(whole, ({ flow_id }) => flow_id === flowId)) : null,
      estimated_monthly_value_retained: estimateRetained(numbers.value),
    };
  };
}

/** @param isKnown whether no sessions of the customers were deleted */
function numbersOfCustomers({ worth, paid }: CustomerCounts, anonymous: SessionCount[], isKnown: boolean) {
  const customers = isKnown ? withAnonymous(customersIn(worth), anonymous) : null;
  return { customers, rates: ratesOf(customers), value: isKnown ? valueOf(worth, paid) : null };
}

/** The numbers of the periods of a span, and of the span before. */
async function periodsOf(
  span: Span,
  interval: StatsInterval,
  reader: Reader,
): Promise<{ periods: PeriodDto[]; previous: PeriodDto[] }> {
  const numbersOfPeriod = ({ from, sessions, anonymous, isKnown, ...customers }: PeriodCounts): PeriodDto => ({
    from: dateOf(from),
    sessions: totalsOf(sessions),
    ...numbersOfCustomers(customers, anonymous, isKnown),
  });
  const periods = await countPeriods(span, interval, reader);
  const previous = await countPeriods(spanBefore(span, interval), interval, reader);
  return { periods: periods.map(numbersOfPeriod), previous: previous.map(numbersOfPeriod) };
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
