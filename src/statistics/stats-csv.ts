import type { Columns } from '../records/downloads/csv';
import type { CustomersDto, RatesDto, TotalsDto } from './dto/counts.dto';
import type { FlowNumbersDto, FlowStatsDto, PeriodDto, WorkspaceStatsDto } from './dto/stats.dto';
import type { ArmValueDto, ValueDto } from './dto/value.dto';

/** A line of the statistics: of one thing, or one more currency of it. */
export interface StatsLine {
  of: 'workspace' | 'flow' | 'period' | 'previous' | 'reason' | 'offer' | 'arm';
  key?: string;
  name?: string;
  from?: Date | string;
  sessions?: Pick<TotalsDto, 'total' | 'saved'> & Partial<TotalsDto>;
  customers?: Partial<CustomersDto> | null;
  rates?: Pick<RatesDto, 'saved' | 'canceled'>;
  value?: Partial<ValueDto & ArmValueDto>;
}

export const STATS_COLUMNS: Columns<StatsLine> = {
  of: (line) => line.of,
  key: (line) => line.key,
  name: (line) => line.name,
  from: (line) => line.from,
  sessions: ({ sessions }) => sessions?.total,
  sessions_saved: ({ sessions }) => sessions?.saved,
  sessions_canceled: ({ sessions }) => sessions?.canceled,
  customers: ({ customers }) => customers?.total,
  customers_saved: ({ customers }) => customers?.saved,
  customers_saved_by_offer: ({ customers }) => customers?.saved_by_offer,
  customers_canceled: ({ customers }) => customers?.canceled,
  saved_rate: ({ rates }) => rates?.saved,
  canceled_rate: ({ rates }) => rates?.canceled,
  currency: ({ value }) => value?.currency,
  verified: ({ value }) => value?.verified,
  value_customers: ({ value }) => value?.customers,
  value_at_risk: ({ value }) => value?.at_risk,
  value_saved: ({ value }) => value?.saved,
  value_canceled: ({ value }) => value?.canceled,
  value_net: ({ value }) => value?.net,
  paid_since: ({ value }) => value?.paid_since,
  mean: ({ value }) => value?.mean,
  mean_low: ({ value }) => value?.interval?.[0],
  mean_high: ({ value }) => value?.interval?.[1],
};

export const EXAMPLE_LINE: StatsLine = {
  of: 'workspace',
  sessions: { total: 40, saved: 12, canceled: 18 },
  customers: { total: 33, saved: 10, saved_by_offer: 7, canceled: 15 },
  rates: { saved: 0.303, canceled: 0.455 },
  value: {
    currency: 'EUR',
    verified: true,
    customers: 33,
    at_risk: 164670,
    saved: 49900,
    canceled: 74850,
    net: 44910,
    paid_since: 99800,
  },
};

/** The statistics of the workspace, its flows and its periods. */
export function linesOfWorkspace({ flows, ...all }: WorkspaceStatsDto): StatsLine[] {
  return [
    ...linesOf({ of: 'workspace', ...counts(all) }, all.value),
    ...linesOfPeriods(all),
    ...flows.flatMap(({ flow_id: key, name, ...flow }) =>
      linesOf({ of: 'flow', key, name, ...counts(flow) }, flow.value),
    ),
  ];
}

/** The statistics of a flow, its periods, reasons, offers and arms. */
export function linesOfFlow(flow: FlowStatsDto): StatsLine[] {
  return [...linesOf({ of: 'flow', ...counts(flow) }, flow.value), ...linesOfPeriods(flow), ...linesOfParts(flow)];
}

function linesOfParts({ reasons, offers, splits }: FlowNumbersDto): StatsLine[] {
  return [
    ...reasons.flatMap(({ node_key, option, label: name, sessions: total, saved, value }) =>
      linesOf({ of: 'reason', key: `${node_key}: ${option}`, name, sessions: { total, saved } }, value),
    ),
    ...offers.flatMap(({ id: key, name, presented: total, accepted: saved, value }) =>
      linesOf({ of: 'offer', key, name, sessions: { total, saved } }, value),
    ),
    ...splits.flatMap(({ node_key, since: from, arms }) =>
      (arms ?? []).flatMap(({ name, customers: total, saved, saved_by_offer, canceled, rates, value }) => {
        const customers = { total, saved, saved_by_offer, canceled };
        return linesOf({ of: 'arm', key: `${node_key}: ${name}`, name, from, customers, rates }, value);
      }),
    ),
  ];
}

function linesOfPeriods({
  periods = [],
  previous = [],
}: {
  periods?: PeriodDto[];
  previous?: PeriodDto[];
}): StatsLine[] {
  const named = (of: 'period' | 'previous') => (period: PeriodDto) =>
    linesOf({ of, from: period.from, ...counts(period) }, period.value);
  return [...previous.flatMap(named('previous')), ...periods.flatMap(named('period'))];
}

const counts = ({ sessions, customers, rates }: Pick<PeriodDto, 'sessions' | 'customers' | 'rates'>) => {
  return { sessions, customers, rates };
};

/** A line for each currency. The counts stand in the first alone, so that a sum of a column is right. */
function linesOf(line: StatsLine, value: StatsLine['value'][] | null): StatsLine[] {
  const { of, key, name, from } = line;
  const [first, ...others] = value ?? [];
  return [{ ...line, value: first }, ...others.map((one) => ({ of, key, name, from, value: one }))];
}
