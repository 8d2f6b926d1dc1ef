import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Candidate, serviceOf } from './contestant';
import { Postgres } from './postgres';
import { ChildProcesses } from './processes';

/** A benchmark that npm runs. */
export interface Benchmark {
  /** The name of the npm script. */
  command: string;
  /** For --help. */
  about: string;
  /** For --cases. */
  cases: { name: string; title: string }[];
  /** Returns the report. */
  measure(options: Options, postgres: Postgres, processes: ChildProcesses): Promise<string>;
}

export interface Options {
  rounds: number;
  seconds: number;
  /** The names of the cases to measure. */
  cases: string[];
  /** Other checkouts of this project, to compare with. */
  against: Candidate[];
  databaseUrl?: string;
}

const helpOf = ({ command, about, cases }: Benchmark) => `npm run ${command} [options]

${about}
Tables go to stdout, progress to stderr.

  --rounds N            measure each server N times in each case (default 3)
  --seconds S           for S seconds, after a warm-up (default 2)
  --cases name,name     only these cases (default: all)
  --against folder      another checkout of this project, built, as one more server; may be repeated
                        ("× against" compares to the first)
  --database-url url    a PostgreSQL whose role may create databases (default: the embedded one)
  --help

Cases:
${cases.map(({ name, title }) => `  ${name.padEnd(21)} ${title}`).join('\n')}
`;

/** Measures as the command line says, prints the report, and ends the process. */
export function run(benchmark: Benchmark): void {
  start(benchmark)
    .catch((error: unknown) => {
      console.error(error instanceof Error ? error.message : error);
      process.exitCode = 1;
    })
    // After an interruption, what the run still waits for is dropped.
    .finally(() => process.exit());
}

async function start(benchmark: Benchmark): Promise<void> {
  const options = readOptions(process.argv.slice(2), benchmark.cases);
  if (!options) return console.log(helpOf(benchmark));
  const folder = mkdtempSync(join(tmpdir(), 'retention-flow-bench-'));
  // As root, Postgres runs under another account, which has to reach its data.
  chmodSync(folder, 0o711);
  const processes = new ChildProcesses();
  const starting = Postgres.start(options.databaseUrl, join(folder, 'data'));
  try {
    const measured = starting.then((postgres) => benchmark.measure(options, postgres, processes));
    console.log(await Promise.race([measured, interruption()]));
  } finally {
    await processes.stop();
    await (await starting).close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** undefined: help is asked for. Throws an Error with one line for what it can't use. */
function readOptions(args: string[], all: Benchmark['cases']): Options | undefined {
  const { values } = parseArgs({
    args,
    options: {
      rounds: { type: 'string', default: '3' },
      seconds: { type: 'string', default: '2' },
      cases: { type: 'string' },
      against: { type: 'string', multiple: true, default: [] },
      'database-url': { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) return undefined;
  const rounds = Number(values.rounds);
  const seconds = Number(values.seconds);
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds must be an integer from 1');
  if (!(seconds > 0 && seconds <= 3600)) throw new Error('--seconds must be more than 0, at most 3600');
  const known = all.map(({ name }) => name);
  const cases = values.cases?.split(',') ?? known;
  const unknown = cases.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`--cases: there is no "${unknown}"; see --help`);
  return { rounds, seconds, cases, against: values.against.map(checkout), databaseUrl: values['database-url'] };
}

function checkout(folder: string): Candidate {
  const candidate = serviceOf(resolve(folder), `against ${basename(resolve(folder))}`);
  if (!existsSync(candidate.script))
    throw new Error(`--against: there is no ${candidate.script}; build that checkout first`);
  return candidate;
}

/** What was measured where, as a sentence below the tables. */
export function conditionsOf({ rounds, seconds }: Options, { description }: Postgres): string {
  return (
    `Medians of ${rounds} round(s) of ${seconds} s, ${description}, ` +
    `${availableParallelism()} × ${cpus()[0]?.model.trim() || process.arch}, Node ${process.versions.node}, ` +
    `${new Date().toISOString().slice(0, 10)}.`
  );
}

function interruption(): Promise<never> {
  return new Promise((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => reject(new Error(`Interrupted by ${signal}`)));
    }
  });
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
