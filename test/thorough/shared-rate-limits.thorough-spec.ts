import { until } from '../support/until';
import type { Answer } from '../support/client';
import { describeWithRedis, RedisServer } from '../support/redis';
import { Service, serviceForAll, Tenant } from '../support/service';

const INIT = '/api/v1/runtime/session/init';
const FLOWS = '/api/v1/public/flows';
const LIMIT = 20;

type Counts = Record<number, number>;

describeWithRedis('Limits of requests with REDIS_URL', () => {
  const unlimited = serviceForAll();
  let redis: RedisServer;
  let services: Service[];
  let acme: Tenant;
  let slug: string;

  beforeEach(async () => {
    redis = await RedisServer.start();
    services = [];
  });
  afterEach(async () => {
    await Promise.all(services.map((service) => service.stop()));
    await redis.stop();
  });

  /** Starts two services on one database and one Redis. */
  async function startTwo(env: Record<string, string> = {}): Promise<void> {
    const tenant = await unlimited.workspace();
    const { id, key } = tenant;
    slug = (await tenant.publishedFlow()).slug;
    const settings = {
      RUNTIME_REQUESTS_PER_MINUTE: `${LIMIT}`,
      MANAGEMENT_REQUESTS_PER_MINUTE: `${LIMIT}`,
      FAILED_AUTHENTICATIONS_PER_MINUTE: `${LIMIT}`,
      REDIS_URL: redis.url,
      LOG_LEVEL: 'info',
      ...env,
    };
    services = [await Service.start(settings), await Service.start(settings)];
    acme = new Tenant(id, key, services[0].client.with(key));
  }

  /** Sends this many requests, to each service in turn, all at once. */
  async function send(times: number, request: (service: Service) => Promise<Answer>): Promise<Counts> {
    const answers = Array.from({ length: times }, (_, index) => request(services[index % services.length]));
    const counts: Counts = {};
    for (const { status } of await Promise.all(answers)) counts[status] = (counts[status] ?? 0) + 1;
    return counts;
  }

  const start = (service: Service) => service.client.post(INIT, { flow_slug: slug });
  const list = (service: Service) => service.client.with(acme.key).get(FLOWS);
  const guess = (service: Service) => service.client.with('rf_live_wrong').get(FLOWS);

  /** Waits until each service says that Redis counts, or that it doesn't. */
  async function untilRedisIs(up: 0 | 1): Promise<void> {
    for (const { client } of services) {
      const metrics = async () => (await client.get('/metrics')).body as string;
      await until(metrics, (text) => text.includes(`\nretention_redis_up ${up}\n`));
    }
  }

  const linesOf = (service: Service, text: string) => service.log.filter((line) => line.includes(text));

  it.each([
    ['starts, by address', start, 201],
    ['management requests, by key', list, 200],
    ['failed authentications, by address', guess, 401],
  ])('are those of all processes together: %s', async (_, request, allowed) => {
    await startTwo();
    await untilRedisIs(1);
    expect(await send(3 * LIMIT, request)).toEqual({ [allowed]: LIMIT, 429: 2 * LIMIT });
  });

  it('say what is left in all processes', async () => {
    await startTwo();
    await untilRedisIs(1);
    const left = [];
    for (const service of [...services, ...services]) left.push((await start(service)).headers.get('ratelimit'));
    expect(left.map((header) => /r=(\d+)/.exec(header!)![1])).toEqual(['19', '18', '17', '16']);
  });

  it.each<[string, (server: RedisServer) => unknown]>([
    ['was never there', (server) => server.kill()],
    ['wants a password', (server) => server.command('CONFIG', 'SET', 'requirepass', 'secret')],
  ])('are those of each process when Redis %s', async (_, harm) => {
    await harm(redis);
    await startTwo();
    expect(await send(3 * LIMIT, start)).toEqual({ 201: 2 * LIMIT, 429: LIMIT });
    for (const service of services) expect(linesOf(service, 'each process has its own limits')).toHaveLength(1);
  });

  it.each<[string, (server: RedisServer) => unknown]>([
    ['is killed', (server) => server.kill()],
    ['does not reply', (server) => server.freeze()],
    ['refuses to write', (server) => server.command('REPLICAOF', '127.0.0.1', '1')],
    ['has no memory left', (server) => server.command('CONFIG', 'SET', 'maxmemory', '1')],
  ])('are those of each process once Redis %s, and no request is refused for it', async (_, harm) => {
    await startTwo();
    await untilRedisIs(1);
    expect(await send(2, start)).toEqual({ 201: 2 });
    await harm(redis);
    // Each process has counted one of the first two.
    expect(await send(3 * LIMIT, start)).toEqual({ 201: 2 * LIMIT - 2, 429: LIMIT + 2 });
    for (const service of services) expect(linesOf(service, 'each process has its own limits')).toHaveLength(1);
    await untilRedisIs(0);
  });

  it.each<[string, (server: RedisServer) => Promise<void>, (server: RedisServer) => unknown]>([
    ['was killed and started', (server) => server.kill(), (server) => server.start()],
    ['stood still', (server) => Promise.resolve(server.freeze()), (server) => server.thaw()],
  ])('are shared again after Redis %s', async (_, harm, mend) => {
    await startTwo();
    await untilRedisIs(1);
    await harm(redis);
    expect(await send(2, start)).toEqual({ 201: 2 });
    await untilRedisIs(0);
    await mend(redis);
    await untilRedisIs(1);
    expect(await send(3 * LIMIT, list)).toEqual({ 200: LIMIT, 429: 2 * LIMIT });
  });

  it('let every start within the own limit pass while Redis is killed and started again under load', async () => {
    await startTwo({ RUNTIME_REQUESTS_PER_MINUTE: '1000000' });
    await untilRedisIs(1);
    const over = new AbortController();
    const counts: Counts = {};
    const load = async (service: Service) => {
      while (!over.signal.aborted) {
        const { status } = await start(service);
        counts[status] = (counts[status] ?? 0) + 1;
      }
    };
    const loads = [...services, ...services, ...services, ...services].map(load);
    for (let time = 0; time < 2; time++) {
      await redis.kill();
      await untilRedisIs(0);
      await redis.start();
      await untilRedisIs(1);
    }
    over.abort();
    await Promise.all(loads);
    expect(Object.keys(counts)).toEqual(['201']);
  });

  it('end within a minute although the count in Redis has lost its end', async () => {
    await startTwo();
    await untilRedisIs(1);
    expect(await send(3 * LIMIT, start)).toEqual({ 201: LIMIT, 429: 2 * LIMIT });
    const keys = redis.command('KEYS', '*').split('\n');
    for (const key of keys) redis.command('PERSIST', key);
    const refused = await start(services[0]);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toMatch(/^([1-9]|[1-5]\d|60)$/);
    for (const key of keys) expect(Number(redis.command('PTTL', key))).toBeGreaterThan(0);
  });

  it('leave nothing in Redis that does not end within a minute, and no key of the API', async () => {
    await startTwo();
    await untilRedisIs(1);
    await send(2, start);
    await send(2, list);
    const keys = redis.command('KEYS', '*').split('\n');
    expect(keys.length).toBeGreaterThanOrEqual(2);
    for (const key of keys) {
      expect(key).toMatch(/^retention-flow:/);
      expect(Number(redis.command('PTTL', key))).toBeGreaterThan(0);
      expect(Number(redis.command('PTTL', key))).toBeLessThanOrEqual(60_000);
    }
    expect(keys.join()).not.toContain(acme.key.slice('rf_live_'.length));
  });

  it('need no Redis to stop', async () => {
    await startTwo();
    await untilRedisIs(1);
    redis.freeze();
    await Promise.all(services.splice(0).map((service) => service.stop()));
  });
});
