import { StripeDouble } from '../billing/stripe-double';
import { billingAt, Subscribers } from '../billing/subscriber';
import { insertSessions } from '../events/deliveries/many';
import { connected, workerDatabaseUrl } from '../support/database';
import { Service } from '../support/service';

const JOBS = 12_000;

describe('What customers decided', () => {
  let stripe: StripeDouble;
  let service: Service;

  beforeAll(async () => {
    stripe = await StripeDouble.start();
    service = await Service.start(billingAt(stripe));
  });
  afterAll(async () => {
    await service.stop();
    await stripe.stop();
  });

  it(`is carried out while ${JOBS} decisions about one subscription of another workspace wait`, async () => {
    const [acme, crowded] = [await service.workspace(), await service.workspace({ session_limit: JOBS })];
    const subscribers = await Subscribers.of(service, acme);
    await Subscribers.of(service, crowded);
    await crowded.publishedFlow();
    // Without the time-outs of the service.
    await connected(workerDatabaseUrl(), async (client) => {
      await insertSessions(client, crowded.id, JOBS);
      await client.query(
        `INSERT INTO fulfilments (workspace_id, flow_session_id, action, mode, state, subscription_id, attempts, next_attempt_at,
            give_up_at, request_number, created_at, updated_at)
          SELECT workspace_id, id, 'apply', 'live', 'pending', 'sub_crowded', 0, now(), now() + interval '3 days', 1, created_at, now()
          FROM flow_sessions WHERE workspace_id = $1`,
        [crowded.id],
      );
      await client.query('ANALYZE fulfilments');
    });
    stripe.add('sub_ada');
    stripe.coupons.set('stay', { id: 'stay' });
    const offer = { name: 'Stay', offer_type: 'discount_percentage', terms: { coupon: 'stay' } };
    const session = await subscribers.accepts('sub_ada', offer);
    expect(await subscribers.ended(session)).toMatchObject({ state: 'applied' });
    const waiting = `SELECT count(*)::integer AS jobs FROM fulfilments WHERE workspace_id = $1 AND state = 'pending'`;
    expect((await service.database.query(waiting, [crowded.id]))[0].jobs).toBeGreaterThan(JOBS / 2);
  });
});
