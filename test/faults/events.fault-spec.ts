import { deliveriesLeft } from './support/delivery';
import { ErraticReceiver } from './support/erratic-receiver';
import { PostgresServer } from './support/postgres-server';
import { Scenario } from './support/scenario';
import { integer, seeds } from './support/seed';
import { ServiceUnderFault } from './support/service-under-fault';

const DATABASE = 'events';

describe.each(seeds())('Under load, with the seed %i and an erratic receiver,', (seed) => {
  let postgres: PostgresServer;
  let services: ServiceUnderFault[];
  let receiver: ErraticReceiver;
  let scenario: Scenario;

  beforeAll(async () => {
    process.stdout.write(`Events with FAULT_SEED=${seed}\n`);
    postgres = await PostgresServer.start();
    await postgres.query(`CREATE DATABASE ${DATABASE}`);
  });

  beforeEach(async () => {
    services = [await start()];
    receiver = await ErraticReceiver.start(seed);
  });

  afterEach(async () => {
    await scenario.stopLoad();
    const defects = services.flatMap((service) => service.defects);
    await Promise.all(services.map((service) => service.kill()));
    await receiver.stop();
    expect(defects).toEqual([]);
  });

  afterAll(() => postgres?.stop());

  const start = () => ServiceUnderFault.start(postgres.url(DATABASE));

  const expectDeliveryDespite = async (name: string, times: number, fault: () => Promise<void>) => {
    scenario = await Scenario.prepare(name, seed, postgres, DATABASE, services[0], receiver);
    await scenario.warmUp();
    for (; times > 0; times--) {
      await fault();
      // Something was committed and not delivered yet.
      expect(await deliveriesLeft(postgres, DATABASE)).toBeGreaterThan(0);
      await scenario.load.untilAcknowledged(integer(scenario.random, 20, 100));
    }
    await scenario.verifyDelivery(receiver);
  };

  it('every event arrives, and those of a session in order, when the only process is killed again and again', () =>
    expectDeliveryDespite('only process killed', 3, async () => {
      await services.pop()!.kill();
      services.push(await start());
      scenario.load.serviceUrl = services[0].url;
    }));

  it('every event arrives, and those of a session in order, when one of two processes is killed', async () => {
    services.push(await start());
    await expectDeliveryDespite('one of two killed', 1, async () => {
      await services.shift()!.kill();
      scenario.load.serviceUrl = services[0].url;
    });
  });

  it('every event arrives, and those of a session in order, when Postgres is killed again and again', () =>
    expectDeliveryDespite('Postgres killed', 3, () => postgres.killAndRestart()));
});
