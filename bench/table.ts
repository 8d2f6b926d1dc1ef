import type { Case } from './cases';
import type { LoadResult } from './load/generator';

/** All rounds of one contestant in one case. */
export interface Series {
  case: Case;
  contestant: string;
  rounds: LoadResult[];
}

type Measure = Exclude<keyof LoadResult, 'started'>;

/**
 * The table in Markdown: a row for each series, medians over the rounds. The contestants after the first are baselines with a
 * column each. A column without any value is left out.
 */
export function tableOf(all: Series[]): string {
  const [, ...baselines] = new Set(all.map(({ contestant }) => contestant));
  const rows = all.map((series, index) => {
    const rates = series.rounds.map(({ perSecond }) => perSecond);
    const rate = median(series, 'perSecond')!;
    const rateOf = (name: string) =>
      median(
        all.find((other) => other.case === series.case && other.contestant === name)!,
        'perSecond',
      )!;
    const megabytes = median(series, 'rssBytes');
    return {
      case: all[index - 1]?.case === series.case ? '' : series.case.title,
      server: series.contestant,
      'per second': format(rate),
      'lowest–highest': `${format(Math.min(...rates))}–${format(Math.max(...rates))}`,
      'p50 ms': format(median(series, 'p50'), 2),
      'p99 ms': format(median(series, 'p99'), 2),
      ...Object.fromEntries(baselines.map((name) => [`× ${name}`, format(rate / rateOf(name), 2)])),
      'server CPU µs': format(median(series, 'serverMicroseconds')),
      'Postgres CPU µs': format(median(series, 'postgresMicroseconds')),
      'RSS MB': format(megabytes && megabytes / 1e6),
    };
  });
  const columns = Object.keys(rows[0]) as (keyof (typeof rows)[number])[];
  const shown = columns.filter((column) => rows.some((row) => row[column] !== ''));
  return markdown([shown, ...rows.map((row) => shown.map((column) => row[column]))]);
}

/** The largest share of a core that the load generator used: near 1, it is what was measured. */
export function generatorBusy(all: Series[]): number {
  return Math.max(...all.flatMap(({ rounds }) => rounds.map(({ busy }) => busy)));
}

function median({ rounds }: Series, measure: Measure): number | undefined {
  const values = rounds.flatMap((round) => round[measure] ?? []).toSorted((a, b) => a - b);
  if (values.length === 0) return undefined;
  const [below, above] = [Math.floor, Math.ceil].map((round) => values[round((values.length - 1) / 2)]);
  return (below + above) / 2;
}

function format(value: number | undefined, digits = 0): string {
  if (value === undefined) return '';
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** Padded, to be read on a terminal too. The first two columns are text, all others numbers. */
function markdown(rows: string[][]): string {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const pad = (cell: string, column: number) =>
    column < 2 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]);
  const rule = widths.map((width, column) => (column < 2 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  const [head, ...body] = rows.map((row) => row.map(pad));
  return [head, rule, ...body].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
