import { setTimeout as pause } from 'node:timers/promises';
import { TcpProxy } from '../support/tcp-proxy';
import { CommitCutter } from './support/commit-cutter';
import { PostgresServer } from './support/postgres-server';
import { integer, seeds } from './support/seed';
import { ServiceUnderFault } from './support/service-under-fault';
import { Scenario } from './support/scenario';

const DATABASE = 'faults';

describe.each(seeds())('Under load, with the seed %i,', (seed) => {
  let postgres: PostgresServer;
  let service: ServiceUnderFault;
  let scenario: Scenario;

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
    await scenario.stopLoad();
    expect(service.defects).toEqual([]);
  });

  const prepare = async (name: string, on = service) => {
    scenario = await Scenario.prepare(name, seed, postgres, DATABASE, on);
    await scenario.warmUp();
  };

  it('no session is lost or duplicated when the service is killed', async () => {
    await prepare('service killed');
    await service.kill();
    service = await ServiceUnderFault.start(postgres.url(DATABASE));
    scenario.load.serviceUrl = service.url;
    await scenario.verifyRecovery();
    expect(scenario.load.unavailable).toBe(0);
  });

  it('no session is lost or duplicated when Postgres crashes and restarts', async () => {
    await prepare('Postgres restarted');
    await postgres.crashAndRestart();
    await scenario.verifyRecovery();
    expect(scenario.load.lost).toBe(0);
  });

  it('no session is lost or duplicated when all backends are terminated again and again', async () => {
    await prepare('backends terminated');
    for (let times = integer(scenario.random, 10, 30); times > 0; times--) {
      await postgres.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [DATABASE]);
      await pause(integer(scenario.random, 0, 100));
    }
    await scenario.verifyRecovery();
    expect(scenario.load.lost).toBe(0);
  });

  it('no session is lost or duplicated when Postgres is frozen, and every request is answered', async () => {
    await prepare('Postgres frozen');
    const holdMs = integer(scenario.random, 11_000, 13_000);
    await postgres.freezeDuring(() => pause(holdMs));
    await scenario.verifyRecovery();
    expect(scenario.load.lost).toBe(0);
    expect(scenario.load.unavailable).toBeGreaterThan(0);
  });

  it('no session is lost or duplicated when connections are cut right after a COMMIT, before its response arrives', async () => {
    const cutter = new CommitCutter();
    const proxy = await TcpProxy.start(postgres.url(DATABASE), cutter.newFilter);
    const proxied = await ServiceUnderFault.start(proxy.url);
    try {
      await prepare('COMMIT cut', proxied);
      cutter.shouldCut = () => scenario.random() < 0.1;
      await scenario.load.untilAcknowledged(300);
      cutter.shouldCut = () => false;
      await scenario.verifyRecovery();
      expect(scenario.load.lost).toBe(0);
      expect(cutter.cuts).toBeGreaterThan(0);
      expect(scenario.load.unavailable).toBeGreaterThanOrEqual(cutter.cuts);
      expect(proxied.defects).toEqual([]);
    } finally {
      await proxied.kill();
      proxy.close();
    }
  });
});
