import { parseArgs } from 'node:util';

export interface Options {
  /** Measure how reading behaves as the table grows, instead of comparing servers. */
  reading: boolean;
  /** Measure what the indexes that sessions are read by cost a start, instead. */
  indexes: boolean;
  /** With more than one: compare the service as so many processes with the service as one, instead. */
  processes: number;
  /** How long one measurement counts, after its warm-up. */
  seconds: number;
  /** How often each server is measured in each case. */
  rounds: number;
  /** A PostgreSQL server to work on, whose role may create databases; undefined: one is started. */
  databaseUrl?: string;
}

/** Throws an Error with one line for what it can't use. */
export function readOptions(args: string[], env: NodeJS.ProcessEnv): Options {
  const { values } = parseArgs({
    args,
    options: {
      reading: { type: 'boolean', default: false },
      indexes: { type: 'boolean', default: false },
      processes: { type: 'string', default: '1' },
      seconds: { type: 'string', default: '3' },
      rounds: { type: 'string', default: '3' },
    },
  });
  return {
    reading: values.reading,
    indexes: values.indexes,
    processes: small('--processes', values.processes),
    seconds: small('--seconds', values.seconds),
    rounds: small('--rounds', values.rounds),
    databaseUrl: env.BENCH_DATABASE_URL || undefined,
  };
}

function small(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > 60) {
    throw new Error(`${name} must be an integer from 1 to 60, not "${text}"`);
  }
  return value;
}
