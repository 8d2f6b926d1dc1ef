import { Injectable } from '@nestjs/common';
import { dateOf } from '../../platform/common/days';
import { groupBy } from '../../platform/common/group-by';
import { readTime } from '../../platform/database/time';
import { readFlows } from '../../records/flow-names';
import type { Tenant } from '../../tenancy/work/tenant';
import type { Reader } from '../../tenancy/work/work';
import { Counting, sessionsThatCount } from '../counting/counting.service';
import {
  countsOf,
  customersOf,
  customersOfSpan,
  numbersOf,
  numbersOfCustomers,
  numbersOfPeriods,
  type SpanCounts,
} from '../counting/span-numbers';
import { countCustomersOfPlans } from '../customers';
import type { CustomersDto } from '../dto/counts.dto';
import type { FlowNumbersDto } from '../dto/stats.dto';
import type { ValueDto } from '../dto/value.dto';
import { exact } from '../money/value';
import { fewStartsOf, spanBefore } from '../sums/intervals';
import type { Span } from '../sums/span';
import { aYearBefore, lastWhole, type Days, monthsOf } from './months';
import {
  type KeptDto,
  MAX_PLANS,
  type ReportDto,
  type ReportedOfferDto,
  type ReportedPlanDto,
  type ReportedReasonDto,
  type ReportedSpanDto,
  type ReportQuery,
} from './report.dto';

/** What a mail says of a week or a month. */
export type LastReport = ReportedSpanDto & Pick<ReportDto, 'before' | 'by_reason' | 'by_offer'>;

/** What happened in some months, by the numbers of the statistics. */
@Injectable()
export class ReportService {
  constructor(private readonly counting: Counting) {}

  read(tenant: Tenant, { from, to, where, audience }: ReportQuery, client: AbortSignal): Promise<ReportDto> {
    return this.counting.run(tenant, client, async (reader) => {
      const now = await readTime(reader.manager);
      const filter = await sessionsThatCount({ where, audience }, reader);
      const within = (months: Days): Span => ({ ...months, now, ...(filter && { filter }) });
      const months = monthsOf({ from, to }, now);
      const span = within(months);
      const { counts, numbers, all } = await countedIn(span, reader);
      const compared = (other: Days) => reportedSpan(within(other), reader);
      // One month is known already.
      const periods =
        fewStartsOf(span, 'month').length === 1
          ? [{ from: dateOf(span.from), ...all }]
          : await numbersOfPeriods(span, 'month', reader);
      return {
        ...daysOf(months),
        interval: 'month',
        ...savedOf(all.customers, all.value),
        value: all.value,
        before: await compared(spanBefore(span, 'month')),
        last_year: await compared(aYearBefore(months)),
        months: periods.map(({ from: month, customers, value }) => ({
          month: month.slice(0, 7),
          ...savedOf(customers, value),
        })),
        by_reason: reasonsOf(numbers),
        by_offer: offersOf(numbers),
        by_plan: await plansOf(counts, reader),
      };
    });
  }

  /** The last whole week or month, beside the one before. */
  readLast(tenant: Tenant, unit: 'week' | 'month', client: AbortSignal): Promise<LastReport> {
    return this.counting.run(tenant, client, async (reader) => {
      const now = await readTime(reader.manager);
      const span: Span = { ...lastWhole(unit, now), now };
      const { numbers, all } = await countedIn(span, reader);
      return {
        ...daysOf(span),
        ...savedOf(all.customers, all.value),
        before: await reportedSpan(spanBefore(span, unit === 'week' ? 'day' : 'month'), reader),
        by_reason: reasonsOf(numbers),
        by_offer: offersOf(numbers),
      };
    });
  }
}

/** The numbers of each flow that had sessions, and of all customers together. */
async function countedIn(span: Span, reader: Reader) {
  const counts = await countsOf(span, reader);
  const flows = await readFlows([...new Set(counts.facts.map(({ flow_id }) => flow_id))], reader);
  return { counts, numbers: await numbersOf(flows, counts, reader), all: customersOf(counts)(null) };
}

async function reportedSpan(span: Span, reader: Reader): Promise<ReportedSpanDto> {
  const { customers, value } = await customersOfSpan(span, reader);
  return { ...daysOf(span), ...savedOf(customers, value) };
}

const daysOf = ({ from, to }: Days) => ({ from: dateOf(from), to: dateOf(to) });

function savedOf(customers: CustomersDto | null, value: KeptValue[] | null) {
  return { customers: customers && customers.total, saved: customers && customers.saved, kept: keptOf(value) };
}

type KeptValue = Pick<ValueDto, 'currency' | 'net'>;

/** What is left of the money that was saved, whether tokens told the amounts or not. Null if sessions were deleted. */
function keptOf(value: KeptValue[] | null): KeptDto[] | null {
  if (!value) return null;
  const byName = value.toSorted((one, other) => ((one.currency ?? '~') < (other.currency ?? '~') ? -1 : 1));
  return [...groupBy(byName, ({ currency }) => currency)].map(([currency, rows]) => {
    const nets = rows.map(({ net }) => net);
    const isKnown = nets.every((net) => net !== null);
    return { currency, amount: isKnown ? exact(nets.reduce((all, net) => all + net, 0)) : null };
  });
}

/** The rows of several flows together. */
function keptOfAll(values: (KeptValue[] | null)[]): KeptDto[] | null {
  return values.includes(null) ? null : keptOf(values.flatMap((value) => value!));
}

const sumOf = (numbers: number[]): number => numbers.reduce((all, one) => all + one, 0);

function reasonsOf(flows: FlowNumbersDto[]): ReportedReasonDto[] {
  const reasons = groupBy(
    flows.flatMap(({ reasons }) => reasons),
    ({ option }) => option,
  );
  return [...reasons]
    .map(([option, rows]) => ({
      option,
      label: rows.toSorted((one, other) => other.sessions - one.sessions)[0].label,
      sessions: sumOf(rows.map(({ sessions }) => sessions)),
      saved: sumOf(rows.map(({ saved }) => saved)),
      kept: keptOfAll(rows.map(({ value }) => value)),
    }))
    .toSorted((one, other) => other.sessions - one.sessions);
}

function offersOf(flows: FlowNumbersDto[]): ReportedOfferDto[] {
  const offers = groupBy(
    flows.flatMap(({ offers }) => offers),
    ({ id }) => id,
  );
  return [...offers]
    .map(([id, rows]) => ({
      id,
      name: rows[0].name,
      presented: sumOf(rows.map(({ presented }) => presented)),
      accepted: sumOf(rows.map(({ accepted }) => accepted)),
      kept: keptOfAll(rows.map(({ value }) => value)),
    }))
    .toSorted((one, other) => other.presented - one.presented);
}

/** Sessions without a customer have no plan. */
async function plansOf(
  { facts, flows, isDeleted, span }: SpanCounts,
  reader: Reader,
): Promise<ReportedPlanDto[] | null> {
  if (flows.some((flow_id) => isDeleted({ flow_id, from: span.from }))) return null;
  const { worth, paid } = await countCustomersOfPlans(span, reader);
  const worthOf = groupBy(worth, ({ key }) => key);
  const paidOf = groupBy(paid, ({ key }) => key);
  const anonymous = facts.filter(({ kind }) => kind === 'anonymous');
  const plans = new Set([...worthOf.keys(), ...(anonymous.length > 0 ? [''] : [])]);
  return [...plans]
    .map((plan) => {
      const counts = { worth: worthOf.get(plan) ?? [], paid: paidOf.get(plan) ?? [] };
      const { customers, value } = numbersOfCustomers(counts, plan === '' ? anonymous : [], true);
      return { plan: plan === '' ? null : plan, ...savedOf(customers, value) };
    })
    .toSorted((one, other) => other.customers! - one.customers! || (one.plan ?? '~').localeCompare(other.plan ?? '~'))
    .slice(0, MAX_PLANS);
}
