import { type Effect, partLeft } from '../../src/sessions/effect';
import { Service, serviceForAll, workspaceForEach } from '../support/service';
import { StripeDouble } from './stripe-double';
import { billingAt, CONNECTION, Subscribers } from './subscriber';

const PUBLIC = '/api/v1/public';
const HALF = {
  name: 'Half price',
  offer_type: 'discount_percentage',
  terms: { percent_off: 50, duration: 'repeating', months: 3 },
};

describe('What is left of the money that offers save', () => {
  let stripe: StripeDouble;
  let subscribers: Subscribers;
  const service = serviceForAll(async () => Service.start(billingAt((stripe = await StripeDouble.start()))));
  const acme = workspaceForEach(service);
  afterAll(() => stripe.stop());
  beforeEach(async () => {
    subscribers = await Subscribers.of(service, acme);
  });

  const stats = async () => (await acme.client.get(`${PUBLIC}/stats`)).body;
  async function accepts(subscription: string, offer: object): Promise<{ effect: Effect; at: string }> {
    const worth = { id: subscription, amount: 1000, currency: 'EUR', interval: 'month' };
    const customer_token = subscribers.token(subscription, { sub: subscription, subscription: worth });
    const session = await subscribers.accepts(subscription, offer, { customer_token });
    await subscribers.ended(session);
    const { fulfilment, updated_at } = (await acme.client.get(`${PUBLIC}/sessions/${session}`)).body;
    return { effect: fulfilment.effect, at: updated_at };
  }
  const netOf = (effect: Effect, at: string) => Math.round(100_000 * partLeft(effect, new Date(at))!) / 100;

  it('is the average of a month in the year from the save, of all and of the offer, also once the customer is erased', async () => {
    stripe.add('sub_half');
    const { effect, at } = await accepts('sub_half', HALF);
    expect(effect).toMatchObject({ price_now: 1000, price_then: 500 });
    const { value, flows } = await stats();
    // Three months at half the price: about an eighth of the year's.
    expect(value[0].net).toBeGreaterThan(850);
    expect(value[0].net).toBeLessThan(900);
    expect(value[0].net).toBeCloseTo(netOf(effect, at), 1);
    expect(flows[0].offers[0].value).toEqual([
      { currency: 'EUR', verified: true, customers: 1, saved: 1000, net: value[0].net, paid_since: 0 },
    ]);
    await acme.client.delete(`${PUBLIC}/customers/sub_half`);
    expect((await stats()).value).toEqual(value);
  });

  it('is what a dry run found that the offer would leave', async () => {
    await acme.client.put(CONNECTION, { mode: 'dry_run' });
    stripe.add('sub_dry');
    const { effect, at } = await accepts('sub_dry', HALF);
    expect((await stats()).value[0].net).toBeCloseTo(netOf(effect, at), 1);
  });

  it('is unknown while a person has to see to one of the offers', async () => {
    stripe.add('sub_known');
    await accepts('sub_known', HALF);
    await accepts('sub_unknown', { name: 'A call', offer_type: 'custom' });
    const { value, flows } = await stats();
    expect(value).toMatchObject([{ saved: 2000, net: null }]);
    expect(flows.map((flow: { offers: { value: { net: number | null }[] }[] }) => flow.offers[0].value[0].net)).toEqual(
      [null, expect.any(Number)],
    );
  });
});
