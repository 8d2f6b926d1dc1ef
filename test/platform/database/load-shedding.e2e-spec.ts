import { ConnectionPool } from '../../../src/platform/database/connection/connection-pool';
import { Service, serviceForAll, type Tenant } from '../../support/service';

const FLOWS = '/api/v1/public/flows';
const INIT = '/api/v1/runtime/session/init';
const POOL = 2;
/** How many requests of the management interface may wait for each connection. */
const WAITING = 25;

describe('Overload', () => {
  const service = serviceForAll(() => Service.start({ DATABASE_POOL_SIZE: String(POOL) }));
  let acme: Tenant;

  beforeAll(async () => {
    acme = await service.workspace();
  });

  /** Takes all connections of the pool and returns a function that releases them. */
  async function occupy(): Promise<() => Promise<void>> {
    const runners = Array.from({ length: POOL }, () => service.database.createQueryRunner());
    for (const runner of runners) await runner.connect();
    return async () => {
      for (const runner of runners) await runner.release();
    };
  }

  it('refuses excess requests of the management interface at once with 503, serves the rest and all starts, and recovers', async () => {
    const { slug: flow_slug } = await acme.publishedFlow();
    const { options } = service.app.get(ConnectionPool).pool;
    const { connectionTimeoutMillis } = options;
    // However slow the machine is, those that wait are served.
    options.connectionTimeoutMillis = 0;
    const release = await occupy();
    const responses = Array.from({ length: 3 * POOL * WAITING }, () => acme.client.get(FLOWS));
    // The refused ones do not wait for the others.
    const refused: number[] = [];
    await new Promise<void>((resolve) => {
      for (const response of responses) {
        void response.then(({ status }) => {
          if (refused.push(status) === 2 * POOL * WAITING) resolve();
        });
      }
    });
    expect(new Set(refused)).toEqual(new Set([503]));
    const starts = Array.from({ length: POOL * WAITING }, () => service.client.post(INIT, { flow_slug }));
    await release();
    expect((await Promise.all(starts)).map(({ status }) => status)).toEqual(starts.map(() => 201));
    const all = await Promise.all(responses);
    expect(all.filter(({ status }) => status === 200)).toHaveLength(POOL * WAITING);
    for (const { status, headers, body } of all.filter((response) => response.status !== 200)) {
      expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'service_unavailable', '1']);
    }
    expect((await acme.client.get(FLOWS)).status).toBe(200);
    options.connectionTimeoutMillis = connectionTimeoutMillis;
  });

  it('is 503 for a request that gets no connection in time', async () => {
    const release = await occupy();
    const response = await acme.client.get(FLOWS);
    expect([response.status, response.body.code, response.headers.get('retry-after')]).toEqual([
      503,
      'service_unavailable',
      '1',
    ]);
    await release();
    expect((await acme.client.get(FLOWS)).status).toBe(200);
  });
});
