import { StripeDouble } from '../billing/stripe-double';
import { billingAt, Subscribers } from '../billing/subscriber';
import { workerDatabaseUrl } from '../support/database';
import { Service, type Tenant } from '../support/service';
import { ServiceProcess } from '../support/service-process';

const DISCOUNT = {
  name: '30 % off',
  offer_type: 'discount_percentage',
  terms: { percent_off: 30, duration: 'repeating', months: 3 },
};
const SUBSCRIPTION = 'sub_ada';
const READ = `GET /v1/subscriptions/${SUBSCRIPTION}`;

describe('Carrying out what a customer decided', () => {
  let stripe: StripeDouble;
  let env: Record<string, string>;
  let service: Service;
  let acme: Tenant;
  let subscribers: Subscribers;

  beforeAll(async () => {
    stripe = await StripeDouble.start();
    env = { DATABASE_URL: workerDatabaseUrl(), ...billingAt(stripe) };
    service = await Service.start({ ...env, BACKGROUND_JOBS: 'false' });
  });
  afterAll(async () => {
    await service.stop();
    await stripe.stop();
  });
  beforeEach(async () => {
    stripe.coupons.clear();
    stripe.made.length = 0;
    stripe.add(SUBSCRIPTION);
    acme = await service.workspace();
    subscribers = await Subscribers.of(service, acme);
  });
  afterEach(async () => {
    stripe.heard = () => undefined;
    stripe.carryOut = (make) => make();
    await ServiceProcess.killAll();
  });

  const kill = (worker: ServiceProcess) => {
    worker.signal('SIGKILL');
    return worker.ended;
  };

  /** How a worker is killed: while it waits for the answer to a call, the nth of its kind. */
  const atCall = (asked: string, nth = 1) => {
    let calls = 0;
    return (worker: ServiceProcess) => {
      stripe.heard = (call) => (call === asked && ++calls === nth ? kill(worker) : undefined);
    };
  };
  const afterChange = (worker: ServiceProcess) => {
    stripe.carryOut = (make) => {
      make();
      return kill(worker);
    };
  };

  it.each([
    ['reads the subscription', atCall(READ)],
    ['looks for the coupon', atCall('GET /v1/coupons/retention-flow-30pct-repeating-3m')],
    ['makes the coupon', atCall('POST /v1/coupons')],
    ['is about to change the subscription', atCall(`POST /v1/subscriptions/${SUBSCRIPTION}`)],
    ['has changed the subscription', afterChange],
    ['looks whether the change is there', atCall(READ, 2)],
  ])('happens once, also if the process is killed while it %s', async (_, killing) => {
    const worker = ServiceProcess.start(env);
    killing(worker);
    const session = await subscribers.accepts(SUBSCRIPTION, DISCOUNT);
    expect(await worker.ended).toBe('SIGKILL');
    stripe.heard = () => undefined;
    stripe.carryOut = (make) => make();

    // The dead process has its lease no more.
    await service.database.query('UPDATE fulfilments SET next_attempt_at = now() WHERE workspace_id = $1', [acme.id]);
    ServiceProcess.start(env);
    expect(await subscribers.ended(session)).toMatchObject({ state: 'applied' });
    expect(stripe.made).toHaveLength(1);
    expect(stripe.couponsOf(SUBSCRIPTION)).toEqual(['retention-flow-30pct-repeating-3m']);
    const told = `SELECT type FROM outbox WHERE workspace_id = $1 AND type LIKE 'fulfilment.%'
      UNION ALL SELECT type FROM events WHERE workspace_id = $1 AND type LIKE 'fulfilment.%'`;
    expect(await service.database.query(told, [acme.id])).toEqual([{ type: 'fulfilment.applied' }]);
  });
});
