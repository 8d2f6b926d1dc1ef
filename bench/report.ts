import { startsSessions } from './cases';
import type { Measurement } from './contestant';
import type { Series } from './rounds';
import { ECHO, HANDWRITTEN } from './servers';

const columnsBeside = (baseline: string) => [
  'case',
  'server',
  'requests/s',
  'lowest–highest',
  'p50 ms',
  'p99 ms',
  `× ${baseline}`,
  `of the ${ECHO}`,
  'CPU µs/request',
  'RSS MB',
];

const NONE = '–';

/** The table, in Markdown: medians over the rounds. Each server is compared with the one that is the baseline. */
export function tableOf(all: Series[], baselineName = HANDWRITTEN): string {
  const rows = all.map((series, index) => {
    const perSecond = median(series, 'perSecond')!;
    const rates = series.rounds.map((round) => round.perSecond);
    const rateOf = (name: string) => {
      const other = all.find((one) => one.case === series.case && one.contestant === name);
      return other && median(other, 'perSecond');
    };
    const baseline = rateOf(baselineName);
    const echo = rateOf(ECHO);
    return [
      all[index - 1]?.case === series.case ? '' : series.case.name,
      series.contestant,
      whole(perSecond),
      `${whole(Math.min(...rates))}–${whole(Math.max(...rates))}`,
      milliseconds(median(series, 'p50')),
      milliseconds(median(series, 'p99')),
      baseline ? (perSecond / baseline).toFixed(2) : NONE,
      echo && startsSessions(series.case) ? `${Math.round((perSecond / echo) * 100)} %` : NONE,
      whole(median(series, 'cpuMicroseconds')),
      whole(megabytes(median(series, 'rssBytes'))),
    ];
  });
  return markdown([columnsBeside(baselineName), ...rows]);
}

/** How busy the load generator was at most: near 100 % of its core, it is what was measured. */
export function driverBusyAtMost(all: Series[]): number {
  return Math.max(...all.flatMap(({ rounds }) => rounds.map(({ driverBusy }) => driverBusy ?? 0)));
}

function median(series: Series, field: keyof Measurement): number | undefined {
  return medianOf(series.rounds.flatMap((round) => round[field] ?? []));
}

/** undefined of none. */
export function medianOf(numbers: number[]): number | undefined {
  const values = numbers.toSorted((a, b) => a - b);
  const middle = values.length / 2;
  if (values.length === 0) return undefined;
  return Number.isInteger(middle) ? (values[middle - 1] + values[middle]) / 2 : values[Math.floor(middle)];
}

/** The values below which a quarter and three quarters of them are. */
export function quartilesOf(numbers: number[]): [number, number] {
  const values = numbers.toSorted((a, b) => a - b);
  const at = (share: number) => values[Math.round(share * (values.length - 1))];
  return [at(0.25), at(0.75)];
}

function whole(value: number | undefined): string {
  return value === undefined ? NONE : Math.round(value).toLocaleString('en-US');
}

function milliseconds(value: number | undefined): string {
  return value === undefined ? NONE : value.toFixed(2);
}

function megabytes(bytes: number | undefined): number | undefined {
  return bytes === undefined ? undefined : bytes / 1e6;
}

/** Padded, so that it reads well on a terminal too. The first columns are text, two unless told, all others numbers. */
export function markdown(rows: string[][], textColumns = 2): string {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const isText = (column: number) => column < textColumns;
  const lines = rows.map((row) =>
    row.map((cell, column) => (isText(column) ? cell.padEnd(widths[column]) : cell.padStart(widths[column]))),
  );
  const rule = widths.map((width, column) => (isText(column) ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  return [lines[0], rule, ...lines.slice(1)].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
