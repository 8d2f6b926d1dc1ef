import { TcpProxy } from '../support/tcp-proxy';
import { send } from './support/http';
import { PostgresServer } from './support/postgres-server';
import { seeds } from './support/seed';
import { ServiceUnderFault } from './support/service-under-fault';
import { Scenario } from './support/scenario';
import { until } from './support/until';

const DATABASE = 'failover';

describe.each(seeds())(
  'With the seed %i, when the primary is killed and its synchronous standby is promoted,',
  (seed) => {
    let primary: PostgresServer;
    let standby: PostgresServer;
    let proxy: TcpProxy;
    let service: ServiceUnderFault;
    let scenario: Scenario | undefined;

    beforeAll(async () => {
      process.stdout.write(`Failover with FAULT_SEED=${seed}\n`);
      primary = await PostgresServer.start();
      await primary.query(`CREATE DATABASE ${DATABASE}`);
      standby = await primary.addStandby();
      proxy = await TcpProxy.start(primary.url(DATABASE));
      service = await ServiceUnderFault.start(proxy.url);
    });

    afterAll(async () => {
      await scenario?.stopLoad();
      await service?.kill();
      proxy?.close();
      await standby?.stop();
      await primary?.stop();
    });

    const isReady = async () => (await send(undefined, 'GET', `${service.url}/readyz`)).status === 200;

    it('no session is lost or duplicated, no response is 500, and the service is ready again by itself', async () => {
      scenario = await Scenario.prepare('failover', seed, primary, DATABASE, service);
      await scenario.warmUp();
      expect(await isReady()).toBe(true);

      await primary.kill();
      proxy.redirect(standby.url(DATABASE));
      // The standby accepts connections and refuses writes.
      const { load } = scenario;
      const { unavailable } = load;
      await until('the service writes to the standby', () => load.unavailable > unavailable + 100);
      await until('the service is not ready', async () => !(await isReady()));
      const sql = `SELECT FROM pg_stat_activity WHERE application_name = 'retention-flow-service'`;
      await until('the service is connected to the standby', async () => (await standby.query(sql)).length > 0);
      expect(await isReady()).toBe(false);

      await standby.query('SELECT pg_promote()');
      const recoveryMs = await until('the service is ready', isReady);

      scenario.postgres = standby;
      await scenario.verifyRecovery();
      expect(load.lost).toBe(0);
      expect(service.defects).toEqual([]);
      process.stdout.write(`  ready ${recoveryMs} ms after the promotion\n`);
    });
  },
);
