import { send } from './support/http';
import { PostgresServer } from './support/postgres-server';
import { Proxy } from './support/proxy';
import { seeds } from './support/seed';
import { ServiceUnderFault } from './support/service-under-fault';
import { Stage } from './support/stage';
import { until } from './support/until';

/** Within this time after its promotion the standby is in use. */
const READY_MS = 10_000;
const DATABASE = 'failover';

describe.each(seeds())('With the seed %i, when the primary dies and its synchronous standby takes over,', (seed) => {
  let primary: PostgresServer;
  let standby: PostgresServer;
  let proxy: Proxy;
  let service: ServiceUnderFault;
  let stage: Stage | undefined;

  beforeAll(async () => {
    process.stdout.write(`Failover with FAULT_SEED=${seed}\n`);
    primary = await PostgresServer.start();
    await primary.query(`CREATE DATABASE ${DATABASE}`);
    standby = await primary.addStandby();
    proxy = await Proxy.start(primary.port);
    service = await ServiceUnderFault.start(primary.url(DATABASE, proxy.port));
  });

  afterAll(async () => {
    await stage?.leave();
    await service?.kill();
    await proxy?.stop();
    await standby?.stop();
    await primary?.stop();
  });

  const isReady = async () => (await send(undefined, 'GET', `${service.url}/readyz`)).status === 200;

  it('nothing is lost or doubled, nobody gets a 500, and the service is ready within 10 seconds, by itself', async () => {
    stage = await Stage.set('failover', seed, primary, DATABASE, service);
    await stage.warmUp();
    expect(await isReady()).toBe(true);

    await primary.kill();
    proxy.turnTo(standby.port);
    // The standby lets everybody in, and refuses what they write.
    const { load } = stage;
    const { unavailable } = load;
    await until('the service writes to the standby', () => load.unavailable > unavailable + 100);
    await until('the service is not ready', async () => !(await isReady()));
    const sql = `SELECT FROM pg_stat_activity WHERE application_name = 'retention-flow-service'`;
    await until('the service is connected to the standby', async () => (await standby.query(sql)).length > 0);
    expect(await isReady()).toBe(false);

    await standby.query('SELECT pg_promote()');
    const recoveryMs = await until('the service is ready', isReady);
    expect(recoveryMs).toBeLessThan(READY_MS);

    stage.postgres = standby;
    await stage.settle();
    expect(load.lost).toBe(0);
    expect(service.defects).toEqual([]);
    process.stdout.write(`  ready ${recoveryMs} ms after the promotion\n`);
  });
});
