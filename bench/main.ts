import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Case, CASES } from './cases';
import { ChildProcesses } from './processes';
import { Contestant, HAND_WRITTEN, SERVICE } from './contestant';
import { Postgres } from './postgres';
import { generatorBusy, type Series, tableOf } from './table';

const HELP = `npm run bench -- [options]

Compares the service with a hand-written server on one Postgres, in turn.
The table goes to stdout, progress to stderr.

  --rounds N            measure each server N times in each case (default 3)
  --seconds S           for S seconds, after a warm-up (default 2)
  --cases name,name     only these cases (default: all)
  --against folder      a second checkout of this project, built, as a third server
  --database-url url    a PostgreSQL whose role may create databases (default: the embedded one)
  --help

Cases:
${CASES.map(({ name, title }) => `  ${name.padEnd(21)} ${title}`).join('\n')}
`;

interface Options {
  rounds: number;
  seconds: number;
  cases: Case[];
  against?: string;
  databaseUrl?: string;
}

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if (!options) return console.log(HELP);
  const folder = mkdtempSync(join(tmpdir(), 'retention-flow-bench-'));
  // As root, Postgres runs under another account, which has to reach its data.
  chmodSync(folder, 0o711);
  const processes = new ChildProcesses();
  const postgres = Postgres.start(options.databaseUrl, join(folder, 'data'));
  try {
    console.log(await Promise.race([compare(options, postgres, processes), interruption()]));
  } finally {
    await processes.stop();
    await (await postgres).close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** undefined: help is asked for. Throws an Error with one line for what it can't use. */
function readOptions(args: string[]): Options | undefined {
  const { values } = parseArgs({
    args,
    options: {
      rounds: { type: 'string', default: '3' },
      seconds: { type: 'string', default: '2' },
      cases: { type: 'string' },
      against: { type: 'string' },
      'database-url': { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) return undefined;
  const rounds = Number(values.rounds);
  const seconds = Number(values.seconds);
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds must be an integer from 1');
  if (!(seconds > 0 && seconds <= 3600)) throw new Error('--seconds must be more than 0, at most 3600');
  if (values.against && !existsSync(scriptOf(values.against))) {
    throw new Error(`--against: there is no ${scriptOf(values.against)}; build that checkout first`);
  }
  const names = values.cases?.split(',') ?? CASES.map(({ name }) => name);
  const cases = names.map((name) => {
    const found = CASES.find((one) => one.name === name);
    if (!found) throw new Error(`--cases: there is no "${name}"; see --help`);
    return found;
  });
  return { rounds, seconds, cases, against: values.against, databaseUrl: values['database-url'] };
}

function scriptOf(checkout: string): string {
  return resolve(checkout, 'dist/src/main.js');
}

/** Measures every contestant in every case and returns the report. */
async function compare(
  { rounds, seconds, cases, against }: Options,
  starting: Promise<Postgres>,
  processes: ChildProcesses,
): Promise<string> {
  const postgres = await starting;
  const servers = [SERVICE, HAND_WRITTEN];
  if (against) servers.push({ name: `against ${basename(resolve(against))}`, script: scriptOf(against) });
  const contestants: Contestant[] = [];
  for (const server of servers) {
    console.error(`Filling ${server.name}`);
    contestants.push(await Contestant.start(server, postgres, processes));
  }
  // Node compiles a server while it works; the first case should not pay for it.
  const session = CASES.find(({ unit }) => unit === 'walk')!;
  for (const contestant of contestants) await contestant.measure(session, seconds);

  const all: Series[] = [];
  for (const one of cases) {
    all.push(...(await playRounds(one, contestants, rounds, seconds)));
    for (const contestant of contestants) await contestant.checkCounts();
  }
  return [
    tableOf(all),
    '',
    `Medians of ${rounds} round(s) of ${seconds} s, ${postgres.description}, ` +
      `${availableParallelism()} × ${cpus()[0]?.model.trim() || process.arch}, Node ${process.versions.node}, ` +
      `${new Date().toISOString().slice(0, 10)}.`,
    `The load generator used at most ${Math.round(generatorBusy(all) * 100)} % of a core.`,
  ].join('\n');
}

/** Within a round the contestants take turns, and each round begins with another: a slow spell of the machine hits all. */
async function playRounds(one: Case, contestants: Contestant[], rounds: number, seconds: number): Promise<Series[]> {
  const series = contestants.map(({ name }): Series => ({ case: one, contestant: name, rounds: [] }));
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < contestants.length; turn++) {
      const index = (round + turn) % contestants.length;
      const result = await contestants[index].measure(one, seconds);
      series[index].rounds.push(result);
      console.error(`${one.title}, round ${round + 1}: ${contestants[index].name} ${Math.round(result.perSecond)}/s`);
    }
  }
  return series;
}

function interruption(): Promise<never> {
  return new Promise((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => reject(new Error(`Interrupted by ${signal}`)));
    }
  });
}

main()
  .catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  })
  // After an interruption, what the run still waits for is dropped.
  .finally(() => process.exit());
