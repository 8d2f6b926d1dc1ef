import { dateOf } from '../platform/common/days';
import { groupBy } from '../platform/common/group-by';
import type { Reader } from '../tenancy/work/work';
import { type CustomerCounts, countCustomersOfPeriods } from './customers';
import { type StatsInterval, startsOf } from './sums/intervals';
import { deletedOf } from './stats-queries';
import { countDays, countFacts, type DayCount, flowsOf } from './sums/facts';
import type { Span } from './sums/span';

/** The sessions that began from one time on, until the next period, and their customers. */
export interface PeriodCounts extends CustomerCounts {
  from: Date;
  sessions: DayCount[];
  /** Those of them without a customer. */
  anonymous: DayCount[];
  /** Whether no sessions of it were deleted. */
  isKnown: boolean;
}

/** The counts of a span by day or by month (UTC), oldest first. */
export async function countPeriods(span: Span, interval: StatsInterval, reader: Reader): Promise<PeriodCounts[]> {
  const starts = startsOf(span, interval);
  if (starts.length === 0) return [];
  const customers = await countCustomersOfPeriods(span, starts, reader);
  const days = await countDays(span, ['session', 'anonymous'], reader);
  const flows = await flowsOf(span, await countFacts(span, ['session'], reader), reader);
  const since = flows.flatMap((flow_id) => starts.map((from) => ({ flow_id, from })));
  const isDeleted = await deletedOf(since, span, reader);
  const periodOf = ({ day }: DayCount) => starts.findLastIndex((start) => dateOf(start) <= day);
  const daysOf = groupBy(days, (count) => `${count.kind} ${periodOf(count)}`);
  const worthOf = groupBy(customers.worth, ({ key }) => Number(key) - 1);
  const paidOf = groupBy(customers.paid, ({ key }) => Number(key) - 1);
  return starts.map((from, index) => ({
    from,
    sessions: daysOf.get(`session ${index}`) ?? [],
    anonymous: daysOf.get(`anonymous ${index}`) ?? [],
    worth: worthOf.get(index) ?? [],
    paid: paidOf.get(index) ?? [],
    isKnown: !flows.some((flow_id) => isDeleted({ flow_id, from })),
  }));
}
