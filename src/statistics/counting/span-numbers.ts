import { dateOf } from '../../platform/common/days';
import { groupBy } from '../../platform/common/group-by';
import type { Flow } from '../../flows/flow.entity';
import type { Reader } from '../../tenancy/work/work';
import type { FlowNumbersDto, PeriodDto } from '../dto/stats.dto';
import { type ArmCustomers, countCustomersOfArms } from '../experiments/arm-customers';
import { countCustomers, type CustomerCounts } from '../customers';
import { countLasting, type Lasting, lastingOf, ofScope } from '../lasting/lasting';
import { countPeriods } from '../periods';
import { ratesOf, type SessionCount, totalsOf, versionsOf, withAnonymous } from '../session-counts';
import {
  type Experiment,
  experimentsOf,
  isRunning,
  numbersOfSplits,
  scopesOf,
  withEarlier,
} from '../experiments/splits';
import { deletedOf, readEarlierSplits, readOffers, readReasons, readSplits, type Since } from '../stats-queries';
import type { SumKind } from '../sums/daily-sum.entity';
import { countFacts, type FactCount, flowsOf } from '../sums/facts';
import { spanBefore, type StatsInterval } from '../sums/intervals';
import { type Span } from '../sums/span';
import { customersIn, estimateRetained, valueOf, valueOfOffer, valueOfReason } from '../money/value';

/** The kinds of facts that the numbers of a flow are made of. */
const OF_FLOW: SumKind[] = ['session', 'answer', 'offer', 'withheld', 'way', 'arm', 'anonymous'];

/** Those that say how many sessions came to an arm. */
const OF_ARMS: SumKind[] = ['way', 'arm'];

export interface SpanCounts {
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

export async function countsOf(span: Span, reader: Reader): Promise<SpanCounts> {
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
export async function numbersOf(
  flows: Pick<Flow, 'id'>[],
  counts: SpanCounts,
  reader: Reader,
): Promise<FlowNumbersDto[]> {
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
export function customersOf({ facts, flows, customers, lasting, isDeleted, span: { from } }: SpanCounts) {
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
export function numbersOfCustomers({ worth, paid }: CustomerCounts, anonymous: SessionCount[], isKnown: boolean) {
  const customers = isKnown ? withAnonymous(customersIn(worth), anonymous) : null;
  return { customers, rates: ratesOf(customers), value: isKnown ? valueOf(worth, paid) : null };
}

/** The numbers of the periods of a span, and of the span before. */
export async function periodsOf(
  span: Span,
  interval: StatsInterval,
  reader: Reader,
): Promise<{ periods: PeriodDto[]; previous: PeriodDto[] }> {
  const periods = await numbersOfPeriods(span, interval, reader);
  return { periods, previous: await numbersOfPeriods(spanBefore(span, interval), interval, reader) };
}

/** The numbers of the periods of a span, oldest first. */
export async function numbersOfPeriods(span: Span, interval: StatsInterval, reader: Reader): Promise<PeriodDto[]> {
  const periods = await countPeriods(span, interval, reader);
  return periods.map(({ from, sessions, anonymous, isKnown, ...customers }) => ({
    from: dateOf(from),
    sessions: totalsOf(sessions),
    ...numbersOfCustomers(customers, anonymous, isKnown),
  }));
}

/** The numbers of the customers of a span, of all flows together. */
export async function customersOfSpan(span: Span, reader: Reader): Promise<ReturnType<typeof numbersOfCustomers>> {
  const { from } = span;
  const facts = await countFacts(span, ['session', 'anonymous'], reader);
  const flows = await flowsOf(span, facts, reader);
  const isDeleted = await deletedOf(
    flows.map((flow_id) => ({ flow_id, from })),
    span,
    reader,
  );
  const { worth, paid } = await countCustomers(span, flows.length < 2, reader, false);
  return numbersOfCustomers(
    { worth: allAmong(worth)(null), paid: allAmong(paid)(null) },
    facts.filter(({ kind }) => kind === 'anonymous'),
    !flows.some((flow_id) => isDeleted({ flow_id, from })),
  );
}

/** Finds the rows of a flow, without its id: JSON leaves out what is undefined. */
function byFlow<Row extends { flow_id: string | null }>(rows: Row[]): (id: string | null) => Omit<Row, 'flow_id'>[] {
  const groups = groupBy(rows, ({ flow_id }) => flow_id);
  return (id) => (groups.get(id) ?? []).map((row) => ({ ...row, flow_id: undefined }));
}
