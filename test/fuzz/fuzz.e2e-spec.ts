import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { createDocument } from '../../src/openapi';
import { Contract } from '../support/contract';
import { Service } from '../support/service';
import { digestOf } from './digest';
import { judge } from './judge';
import { operationsOf, schemasOf } from './operations';
import { type FuzzRequest, requestsTo } from './requests';
import { Tally } from './tally';
import { bytesOf, Wire } from './wire';
import { World } from './world';

const { FUZZ_REQUESTS, FUZZ_SEED, FUZZ_PATH } = process.env;
const REQUESTS_OF_THE_SUITE = 1000;
const REQUESTS = Number(FUZZ_REQUESTS ?? REQUESTS_OF_THE_SUITE);
/** The suite always sends the same, to fail for a change and never by chance; `npm run fuzz` sends others each time. */
const SEED = Number(FUZZ_SEED ?? (FUZZ_REQUESTS ? randomInt(2 ** 31) : 1));
/** Requests change their world, so it is left for a new one now and then. */
const REQUESTS_A_WORLD = 40;

describe('Whatever is sent', () => {
  let service: Service;
  let wire: Wire;

  beforeAll(async () => {
    service = await Service.start();
    wire = new Wire(new URL(service.client.baseUrl));
  });
  afterAll(async () => {
    wire.close();
    await service.stop();
  });

  it(
    'is answered as the document says, and what is refused changes nothing',
    async () => {
      const document = createDocument(service.app);
      const operations = operationsOf(document);
      const contract = new Contract(document);
      const tally = new Tally(operations);
      let world: World;
      let sent = 0;

      const holds = async (request: FuzzRequest): Promise<void> => {
        if (sent++ % REQUESTS_A_WORLD === 0) world = await World.begin(service);
        const filled = await world.fill(request);
        const before = await digestOf(service.database, world.own.id);
        const answers = await wire.exchange(filled);
        const after = await digestOf(service.database, world.own.id);

        for (const answer of answers.slice(0, request.copies)) {
          const operation = judge(contract, request.method, filled.path, answer);
          if (operation) tally.count(operation, answer.status);
        }
        // What follows a request on its connection without being one is refused for itself.
        for (const surplus of answers.slice(request.copies)) judge(contract, '', '/nothing', surplus);
        const isRefused = answers.length >= request.copies && answers.every(({ status }) => status >= 400);
        const mayChange = !isRefused && request.method !== 'GET';
        if (!mayChange) expect(after).toEqual(before);
        if (request.operation.scheme === 'api_key') expect(after.others).toBe(before.others);
      };

      process.stdout.write(`fuzz: ${REQUESTS} requests, FUZZ_SEED=${SEED}\n`);
      const requests = requestsTo(operations, schemasOf(document));
      const run = await fc.check(fc.asyncProperty(requests, holds), { seed: SEED, path: FUZZ_PATH, numRuns: REQUESTS });
      if (run.failed) throw new Error(report(run), { cause: run.errorInstance });
      if (FUZZ_REQUESTS) process.stdout.write(`${tally.table()}\n`);
      // The fuzzer is of no use to operations that take, or refuse, whatever it sends.
      if (REQUESTS >= REQUESTS_OF_THE_SUITE && !FUZZ_PATH) expect(tally.onesided()).toEqual([]);
    },
    REQUESTS * 200 + 30_000,
  );
});

/** What is needed to send the same again: by hand, or as part of the same run. */
function report({
  seed,
  counterexamplePath,
  counterexample,
  numShrinks,
  errorInstance,
}: fc.RunDetails<[FuzzRequest]>): string {
  const bytes = bytesOf(counterexample![0]);
  const shown =
    bytes.length > 4000 ? `${JSON.stringify(bytes.slice(0, 4000))}… (${bytes.length} bytes)` : JSON.stringify(bytes);
  return [
    String(errorInstance instanceof Error ? errorInstance.message : errorInstance),
    `After ${numShrinks} simplifications, this request failed (bytes as latin1, {{names}} as test/fuzz/world.ts makes them):`,
    shown,
    `FUZZ_SEED=${seed} FUZZ_PATH=${counterexamplePath} npm run fuzz`,
  ].join('\n');
}
