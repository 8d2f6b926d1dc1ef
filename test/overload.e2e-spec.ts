import { Service, Tenant } from './support/service';

const FLOWS = '/api/v1/public/flows';
const POOL = 2;
/** So much work may wait for each connection. */
const WAITING = 50;

describe('Under too much load', () => {
  let service: Service;
  let acme: Tenant;

  beforeAll(async () => {
    service = await Service.start({ DATABASE_POOL_SIZE: String(POOL) });
    acme = await service.workspace();
  });
  afterAll(() => service.stop());

  /** Takes all connections to the database, and answers how to give them back. */
  async function occupy(): Promise<() => Promise<void>> {
    const runners = Array.from({ length: POOL }, () => service.database.createQueryRunner());
    for (const runner of runners) await runner.connect();
    return async () => {
      for (const runner of runners) await runner.release();
    };
  }

  it("turns away at once what can't be served in time, serves the rest, and recovers", async () => {
    const release = await occupy();
    const answers = Array.from({ length: 3 * POOL * WAITING }, () => acme.client.get(FLOWS));
    // Those that are turned away don't wait for the others.
    const turnedAway: number[] = [];
    await new Promise<void>((resolve) => {
      for (const answer of answers) {
        void answer.then(({ status }) => {
          if (turnedAway.push(status) === 2 * POOL * WAITING) resolve();
        });
      }
    });
    expect(new Set(turnedAway)).toEqual(new Set([503]));
    await release();
    const all = await Promise.all(answers);
    expect(all.filter(({ status }) => status === 200)).toHaveLength(POOL * WAITING);
    for (const { status, headers, body } of all.filter((answer) => answer.status !== 200)) {
      expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'service_unavailable', '1']);
    }
    expect((await acme.client.get(FLOWS)).status).toBe(200);
  });

  it('lets nobody wait longer than 3 seconds for a connection', async () => {
    const release = await occupy();
    const answer = await acme.client.get(FLOWS);
    expect([answer.status, answer.body.code, answer.headers.get('retry-after')]).toEqual([
      503,
      'service_unavailable',
      '1',
    ]);
    await release();
    expect((await acme.client.get(FLOWS)).status).toBe(200);
  });
});
