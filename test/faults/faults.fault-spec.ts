import { setTimeout as pause } from 'node:timers/promises';
import { PostgresServer } from './support/postgres-server';
import { Proxy } from './support/proxy';
import { integer, seeds } from './support/seed';
import { ServiceUnderFault } from './support/service-under-fault';
import { Stage } from './support/stage';

/** The longest that a request may take, whatever the database does. */
const BOUND_MS = 10_000;
const DATABASE = 'faults';

describe.each(seeds())('Under load, with the seed %i,', (seed) => {
  let postgres: PostgresServer;
  let service: ServiceUnderFault;
  let stage: Stage;

  beforeAll(async () => {
    process.stdout.write(`Faults with FAULT_SEED=${seed}\n`);
    postgres = await PostgresServer.start();
    await postgres.query(`CREATE DATABASE ${DATABASE}`);
    service = await ServiceUnderFault.start(postgres.url(DATABASE));
  });

  afterAll(async () => {
    await service?.kill();
    await postgres?.stop();
  });

  afterEach(async () => {
    await stage.leave();
    expect(service.defects).toEqual([]);
  });

  const set = async (name: string, on = service) => {
    stage = await Stage.set(name, seed, postgres, DATABASE, on);
    await stage.warmUp();
  };

  it('nothing is lost or doubled when the service is killed', async () => {
    await set('service killed');
    await service.kill();
    service = await ServiceUnderFault.start(postgres.url(DATABASE));
    stage.load.serviceUrl = service.url;
    await stage.settle();
    expect(stage.load.unavailable).toBe(0);
  });

  it('nothing is lost or doubled when Postgres restarts at once', async () => {
    await set('Postgres restarted');
    await postgres.restartAtOnce();
    await stage.settle();
    expect(stage.load.lost).toBe(0);
  });

  it('nothing is lost or doubled when the backends are terminated, again and again', async () => {
    await set('backends terminated');
    for (let times = integer(stage.random, 10, 30); times > 0; times--) {
      await postgres.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [DATABASE]);
      await pause(integer(stage.random, 0, 100));
    }
    await stage.settle();
    expect(stage.load.lost).toBe(0);
  });

  it('nothing is lost or doubled when Postgres is frozen, and nobody waits for longer than 10 seconds', async () => {
    await set('Postgres frozen');
    const holdMs = integer(stage.random, 11_000, 13_000);
    await postgres.freezeDuring(() => pause(holdMs));
    await stage.settle();
    expect(stage.load.lost).toBe(0);
    expect(stage.load.unavailable).toBeGreaterThan(0);
    expect(stage.load.slowestMs).toBeLessThan(BOUND_MS);
  });

  it('nothing is lost or doubled when connections are cut just as a COMMIT is answered', async () => {
    const proxy = await Proxy.start(postgres.port);
    const proxied = await ServiceUnderFault.start(postgres.url(DATABASE, proxy.port));
    try {
      await set('COMMIT cut', proxied);
      proxy.cut = () => stage.random() < 0.1;
      await stage.load.untilAcknowledged(300);
      proxy.cut = () => false;
      await stage.settle();
      expect(stage.load.lost).toBe(0);
      expect(proxy.cuts).toBeGreaterThan(0);
      expect(stage.load.unavailable).toBeGreaterThanOrEqual(proxy.cuts);
      expect(proxied.defects).toEqual([]);
    } finally {
      await proxied.kill();
      await proxy.stop();
    }
  });
});
