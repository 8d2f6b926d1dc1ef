import { readFileSync } from 'node:fs';
import { Connection, encode } from './connection';
import type { Load, LoadResult } from './load';

/** How long a request that is under way at the end may take before it counts as lost. */
const PATIENCE_MS = 15_000;

/**
 * The load generator: `node driver.js <file>`, a Load as JSON, answers a LoadResult as one line of JSON.
 * A process of its own, so that its work does not stand in the way of what it measures.
 */
async function main(file: string): Promise<void> {
  const load = JSON.parse(readFileSync(file, 'utf8')) as Load;
  process.stdout.write(`${JSON.stringify(await run(load))}\n`);
}

async function run({ addresses, ...load }: Load): Promise<LoadResult> {
  const requests = load.requests.map((request) => encode(request, addresses[0].host));
  const connections = await Promise.all(
    Array.from({ length: load.connections }, (_, number) => {
      const { host, port } = addresses[number % addresses.length];
      return Connection.open(host, port);
    }),
  );

  const latencies: number[] = [];
  const statuses: Record<string, number> = {};
  const errors: Record<string, number> = {};
  let answeredInTime = 0;
  let next = 0;

  const cpuAtStart = process.cpuUsage();
  const start = performance.now();
  const from = start + load.warmupSeconds * 1000;
  const until = from + load.seconds * 1000;

  /** What is under way at the end is awaited: it counts as an answer and for the latencies, not for the throughput. */
  async function keepAsking(connection: Connection): Promise<void> {
    for (;;) {
      const sent = performance.now();
      if (sent >= until) return;
      const status = await connection.ask(requests[next++ % requests.length]);
      const answered = performance.now();
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (sent >= from) latencies.push(answered - sent);
      if (answered >= from && answered < until) answeredInTime++;
    }
  }

  const patience = setTimeout(() => closeAll('no answer in time'), until - start + PATIENCE_MS);
  await Promise.all(
    connections.map((connection) =>
      keepAsking(connection).catch(({ message }: Error) => {
        errors[message] = (errors[message] ?? 0) + 1;
      }),
    ),
  );
  clearTimeout(patience);
  const { user, system } = process.cpuUsage(cpuAtStart);
  const busy = (user + system) / 1000 / (performance.now() - start);
  closeAll('done');

  function closeAll(reason: string): void {
    for (const connection of connections) connection.close(reason);
  }

  const sorted = Float64Array.from(latencies).toSorted();
  return {
    perSecond: answeredInTime / load.seconds,
    p50: percentile(sorted, 0.5),
    p99: percentile(sorted, 0.99),
    max: percentile(sorted, 1),
    statuses,
    errors,
    busy,
  };
}

/** The smallest value that the share of all does not exceed; 0 where there are none. */
function percentile(sorted: Float64Array, share: number): number {
  return sorted[Math.max(Math.ceil(sorted.length * share) - 1, 0)] ?? 0;
}

main(process.argv[2]).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
