import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { migrate } from '../../../src/platform/database/schema/migrate';
import { StripeDouble } from '../../billing/stripe-double';
import { DOCUMENT } from '../../support/contract';
import { Databases } from '../../support/databases';
import { Service } from '../../support/service';
import { Coverage } from './coverage';
import { createFixtures, type Fixtures, withFixtures } from './fixtures';
import { operationsOf } from './operations';
import { checkResponse } from './oracle';
import { bytesOf, send, targetOf } from './raw-http';
import { type FuzzRequest, requestsTo } from './requests';
import { digestRows, untilIdle } from './row-digest';

const { FUZZ_REQUESTS, FUZZ_SEED, FUZZ_PATH } = process.env;
const REQUESTS_OF_THE_SUITE = 4200;
const REQUESTS = Number(FUZZ_REQUESTS ?? REQUESTS_OF_THE_SUITE);
/**
 * The suite always sends the same requests, so that it never fails by chance. `FUZZ_REQUESTS=4000` sends others each
 * time.
 */
const SEED = Number(FUZZ_SEED ?? (FUZZ_REQUESTS ? randomInt(2 ** 31) : 23));
/** Requests change their fixtures, so new ones are made now and then. */
const REQUESTS_PER_FIXTURES = 80;

describe('Every request, valid, nearly valid or hostile,', () => {
  // Its own database: every row is compared before and after each request, and other tests leave many.
  const databases = new Databases();
  let service: Service;
  let stripe: StripeDouble;

  beforeAll(async () => {
    const url = await databases.create();
    await migrate(url);
    stripe = await StripeDouble.start();
    service = await Service.start({ DATABASE_URL: url, STRIPE_API_URL: stripe.url });
  });
  afterAll(async () => {
    await service.stop();
    await stripe.stop();
    await databases.dropAll();
  });

  it(
    'gets a response that the OpenAPI document names, and changes no row when it is refused',
    async () => {
      const url = new URL(service.client.baseUrl);
      const operations = operationsOf(DOCUMENT);
      const coverage = new Coverage(operations);
      let fixtures: Fixtures;
      let sent = 0;

      const check = async (request: FuzzRequest): Promise<void> => {
        // Some workspaces are for tests: only these can be deleted, and their time can pass.
        const batch = Math.floor(sent / REQUESTS_PER_FIXTURES);
        if (sent++ % REQUESTS_PER_FIXTURES === 0) fixtures = await createFixtures(service, { test: batch % 4 === 3 });
        const filled = withFixtures(request, fixtures);
        const before = await digestRows(service.database, fixtures.workspaceId);
        const responses = await send(url, filled);
        // Requests go on when their connection is closed.
        if (responses.length < request.copies) await untilIdle(service.database);
        const after = await digestRows(service.database, fixtures.workspaceId);

        for (const response of responses.slice(0, request.copies)) {
          const operation = checkResponse(request.method, targetOf(filled), response);
          if (operation) coverage.count(operation, response.status);
        }
        // Bytes after the request on its connection are refused as a request without a route.
        for (const surplus of responses.slice(request.copies)) checkResponse('', '/nothing', surplus);
        const isRefused = responses.length >= request.copies && responses.every(({ status }) => status >= 400);
        if (isRefused || request.method === 'GET') expect(after).toEqual(before);
        // It makes another workspace.
        const makesOne = request.operation.path === '/api/v1/public/workspace/test';
        if (request.operation.scheme === 'api_key' && !makesOne) expect(after.others).toBe(before.others);
      };

      process.stdout.write(`fuzz: ${REQUESTS} requests, FUZZ_SEED=${SEED}\n`);
      const property = fc.asyncProperty(requestsTo(operations), check);
      const run = await fc.check(property, { seed: SEED, path: FUZZ_PATH, numRuns: REQUESTS });
      if (run.failed) throw new Error(report(run), { cause: run.errorInstance });
      if (FUZZ_REQUESTS) process.stdout.write(`${coverage.table()}\n`);
      if (REQUESTS >= REQUESTS_OF_THE_SUITE && !FUZZ_PATH) expect(coverage.missing()).toEqual([]);
    },
    REQUESTS * 500 + 30_000,
  );
});

/** The smallest request that failed, and how to send it again. */
function report({ seed, counterexamplePath, counterexample, numShrinks, errorInstance }: fc.RunDetails<[FuzzRequest]>) {
  const bytes = bytesOf(counterexample![0]);
  const rest = bytes.length > 4000 ? `… (${bytes.length} bytes)` : '';
  return [
    String(errorInstance instanceof Error ? errorInstance.message : errorInstance),
    `After ${numShrinks} simplifications, this request failed (bytes as latin1, {{names}} as in test/fuzz/fixtures.ts):`,
    JSON.stringify(bytes.slice(0, 4000)) + rest,
    `FUZZ_SEED=${seed} FUZZ_PATH=${counterexamplePath} npm run test:thorough -- fuzz`,
  ].join('\n');
}
