import type { Columns } from '../../records/downloads/csv';
import type { KeptDto, ReportDto } from './report.dto';

/** A line of the report: of one thing, or one more currency of it. */
export interface ReportLine {
  of: 'report' | 'before' | 'last_year' | 'month' | 'reason' | 'offer' | 'plan';
  key?: string | null;
  name?: string;
  from?: string;
  to?: string;
  sessions?: number;
  customers?: number | null;
  saved?: number | null;
  kept?: KeptDto;
}

export const REPORT_COLUMNS: Columns<ReportLine> = {
  of: (line) => line.of,
  key: (line) => line.key,
  name: (line) => line.name,
  from: (line) => line.from,
  to: (line) => line.to,
  sessions: (line) => line.sessions,
  customers: (line) => line.customers,
  saved: (line) => line.saved,
  currency: ({ kept }) => kept?.currency,
  kept: ({ kept }) => kept?.amount,
};

export const EXAMPLE_REPORT_LINE: ReportLine = {
  of: 'report',
  from: '2026-11-01',
  to: '2026-12-01',
  customers: 33,
  saved: 10,
  kept: { currency: 'EUR', amount: 44910 },
};

export function linesOfReport({
  before,
  last_year,
  months,
  by_reason,
  by_offer,
  by_plan,
  ...all
}: ReportDto): ReportLine[] {
  return [
    ...linesOf({ of: 'report', ...countsOf(all) }, all.kept),
    ...linesOf({ of: 'before', ...countsOf(before) }, before.kept),
    ...linesOf({ of: 'last_year', ...countsOf(last_year) }, last_year.kept),
    ...months.flatMap(({ month, kept, ...counts }) => linesOf({ of: 'month', key: month, ...counts }, kept)),
    ...by_reason.flatMap(({ option, label, sessions, saved, kept }) =>
      linesOf({ of: 'reason', key: option, name: label, sessions, saved }, kept),
    ),
    ...by_offer.flatMap(({ id, name, presented, accepted, kept }) =>
      linesOf({ of: 'offer', key: id, name, sessions: presented, saved: accepted }, kept),
    ),
    ...(by_plan ?? []).flatMap(({ plan, kept, ...counts }) => linesOf({ of: 'plan', key: plan, ...counts }, kept)),
  ];
}

/** A span without its money, which may be several lines. */
const countsOf = ({ from, to, customers, saved }: ReportDto['before']) => ({ from, to, customers, saved });

/** A line for each currency. The counts stand in the first alone, so that they are not added up twice. */
function linesOf(line: ReportLine, kept: KeptDto[] | null): ReportLine[] {
  const { of, key, name, from, to } = line;
  const [first, ...others] = kept ?? [];
  return [{ ...line, kept: first }, ...others.map((one) => ({ of, key, name, from, to, kept: one }))];
}
