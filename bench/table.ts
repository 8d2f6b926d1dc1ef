import type { Case } from './cases';
import type { Measured } from './contestant';

/** All rounds of one contestant in one case. */
export interface Series {
  case: Case;
  contestant: string;
  rounds: Measured[];
}

type Measure = Exclude<keyof Measured, 'started'>;

/**
 * The table in Markdown: a row for each series, medians over the rounds. Each baseline has a column. A column without any
 * value is left out.
 */
export function tableOf(all: Series[], baselines: { name: string }[]): string {
  const rows = all.map((series, index) => {
    const rates = series.rounds.map(({ perSecond }) => perSecond);
    const rate = medianOf(series, 'perSecond')!;
    const rateOf = (name: string) =>
      medianOf(
        all.find((other) => other.case === series.case && other.contestant === name)!,
        'perSecond',
      )!;
    const megabytes = medianOf(series, 'rssBytes');
    const delivered = medianOf(series, 'deliveredShare');
    return {
      case: all[index - 1]?.case === series.case ? '' : series.case.title,
      server: series.contestant,
      'per second': format(rate),
      'lowest–highest': `${format(Math.min(...rates))}–${format(Math.max(...rates))}`,
      'p50 ms': format(medianOf(series, 'p50'), 2),
      'p99 ms': format(medianOf(series, 'p99'), 2),
      ...Object.fromEntries(baselines.map(({ name }) => [`× ${name}`, format(rate / rateOf(name), 2)])),
      'server CPU µs': format(medianOf(series, 'serverMicroseconds')),
      'Postgres CPU µs': format(medianOf(series, 'postgresMicroseconds')),
      'RSS MB': format(megabytes && megabytes / 1e6),
      'delivered %': format(delivered && delivered * 100),
    };
  });
  return markdown(rows, 2);
}

/** The largest share of a core that the load generator used, in percent: near 100, it is what was measured. */
export function generatorBusy(all: Series[]): string {
  return format(Math.max(...all.flatMap(({ rounds }) => rounds.map(({ busy }) => busy * 100))));
}

function medianOf({ rounds }: Series, measure: Measure): number | undefined {
  return median(rounds.map((round) => round[measure]));
}

/** undefined: there are no values. */
export function median(values: (number | undefined)[]): number | undefined {
  const sorted = values.filter((value) => value !== undefined).toSorted((a, b) => a - b);
  if (sorted.length === 0) return undefined;
  const [below, above] = [Math.floor, Math.ceil].map((round) => sorted[round((sorted.length - 1) / 2)]);
  return (below + above) / 2;
}

export function format(value: number | undefined, digits = 0): string {
  if (value === undefined) return '';
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/**
 * A table in Markdown, padded, to be read on a terminal too. A column without any value is left out.
 *
 * @param texts so many columns are text, and those after them numbers
 */
export function markdown(rows: Record<string, string>[], texts: number): string {
  const columns = Object.keys(rows[0]).filter((column) => rows.some((row) => row[column] !== ''));
  const cells = [columns, ...rows.map((row) => columns.map((column) => row[column]))];
  const widths = columns.map((_, index) => Math.max(...cells.map((row) => row[index].length)));
  const pad = (cell: string, index: number) =>
    index < texts ? cell.padEnd(widths[index]) : cell.padStart(widths[index]);
  const rule = widths.map((width, index) => (index < texts ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  const [head, ...body] = cells.map((row) => row.map(pad));
  return [head, rule, ...body].map((row) => `| ${row.join(' | ')} |`).join('\n');
}
