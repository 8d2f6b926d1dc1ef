import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Children } from './children';
import { compareProcesses } from './compare-processes';
import { compareServers } from './compare-servers';
import { weighIndexes } from './index-cost';
import { type Options, readOptions } from './options';
import { Postgres } from './postgres';
import { readAsItGrows } from './reading';
import { estimateSeconds } from './rounds';
import type { Stage, Suite } from './stage';

/** Room for the start, and for a machine that is much slower than thought. */
const START_SECONDS = 180;

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2), process.env);
  const folder = mkdtempSync(join(tmpdir(), 'retention-flow-bench-'));
  // As root, Postgres runs under another account, which has to get through to its data.
  chmodSync(folder, 0o711);
  const suite = suiteOf(options);
  const children = new Children();
  const postgres = new Postgres(options.databaseUrl, join(folder, 'data'));
  const stage: Stage = { options, children, postgres, folder, notify: (line) => console.error(line) };
  try {
    const seconds = START_SECONDS + 2 * estimateSeconds(options);
    const report = await Promise.race([suite(stage), untilInterrupted(), untilDeadline(seconds)]);
    console.log(`${report}\n${machine()}`);
  } finally {
    await children.stop();
    await postgres.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function suiteOf({ reading, indexes, processes }: Options): Suite {
  if (reading) return readAsItGrows;
  if (indexes) return weighIndexes;
  return processes > 1 ? compareProcesses : compareServers;
}

/** Where and when, without which numbers say nothing. */
function machine(): string {
  const cores = `${availableParallelism()} × ${cpus()[0]?.model.trim() ?? process.arch}`;
  return `${cores}, Node ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}.`;
}

function untilInterrupted(): Promise<never> {
  return new Promise((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => reject(new Error(`Interrupted by ${signal}`)));
    }
  });
}

async function untilDeadline(seconds: number): Promise<never> {
  await pause(seconds * 1000, undefined, { ref: false });
  throw new Error(`The benchmark was not done after ${Math.round(seconds)} s`);
}

main()
  .catch((error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  })
  // What an interrupted suite still waits for is let go.
  .finally(() => process.exit());
