import { Service, serviceForAll, workspaceForEach } from '../support/service';
import { Cut, StripeDouble } from './stripe-double';
import { billingAt, CONNECTION, Subscribers } from './subscriber';

const OFF = { name: 'Half', offer_type: 'discount_percentage' };
const DISCOUNT = { ...OFF, terms: { percent_off: 50, duration: 'repeating', months: 3 } };
const PAUSE = { offer_type: 'pause_subscription', terms: { months: 2 } };

describe('What a decision does to the subscription', () => {
  let stripe: StripeDouble;
  let subscribers: Subscribers;
  const service = serviceForAll(async () => Service.start(billingAt((stripe = await StripeDouble.start()))));
  const acme = workspaceForEach(service);
  afterAll(() => stripe.stop());
  beforeEach(async () => {
    stripe.carryOut = (make) => make();
    stripe.forbidden = /^$/;
    subscribers = await Subscribers.of(service, acme);
  });

  /** Months after a time of Stripe's, as the service writes it. */
  const later = (seconds: number, months: number) => {
    const time = new Date(seconds * 1000);
    const day = time.getUTCDate();
    time.setUTCMonth(time.getUTCMonth() + months, 1);
    const last = new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + 1, 0)).getUTCDate();
    time.setUTCDate(Math.min(day, last));
    return time.toISOString();
  };

  it('is data of its fulfilment: payments, days and prices', async () => {
    const [end, pauseEnd] = ['sub_effect', 'sub_effect_pause'].map(
      (id) => stripe.add(id, { item: { quantity: 2 } }).items.data[0].current_period_end,
    );
    const session = await subscribers.accepts('sub_effect', DISCOUNT);
    const euros = { currency: 'EUR', price_now: 2000 };
    expect(await subscribers.ended(session)).toMatchObject({
      state: 'applied',
      effect: { kind: 'discount', from: later(end, 0), until: later(end, 3), ...euros, price_then: 1000 },
    });
    expect(await subscribers.ended(await subscribers.accepts('sub_effect_pause', PAUSE))).toMatchObject({
      state: 'applied',
      effect: { kind: 'pause', from: later(pauseEnd, 0), until: later(pauseEnd, 2), ...euros, price_then: 0 },
    });
  });

  it("is counted by the time of a test, where the subscription goes by Stripe's test clock", async () => {
    const [day, now] = [24 * 60 * 60, Math.floor(Date.now() / 1000)];
    stripe.clocks.set('clock_1', now + 400 * day);
    const end = now + 410 * day;
    stripe.add('sub_effect_clock', { test_clock: 'clock_1', item: { current_period_end: end } });
    const session = await subscribers.accepts('sub_effect_clock', DISCOUNT);
    expect(await subscribers.ended(session)).toMatchObject({
      state: 'applied',
      effect: { from: later(end, 0), until: later(end, 3) },
    });
    stripe.forbidden = /test_clocks/;
    stripe.add('sub_effect_clock_unread', { test_clock: 'clock_1' });
    expect(await subscribers.ended(await subscribers.accepts('sub_effect_clock_unread', PAUSE))).toMatchObject({
      state: 'applied',
    });
  });

  it('is the end of a subscription, and that it goes on', async () => {
    const { items } = stripe.add('sub_effect_end');
    const customer = { customer_token: subscribers.token('sub_effect_end') };
    const none = { from: null, currency: 'EUR', price_now: null, price_then: null };
    expect(await subscribers.ended(await subscribers.ends('cancel', customer))).toMatchObject({
      state: 'applied',
      effect: { kind: 'end', ...none, until: later(items.data[0].current_period_end, 0) },
    });
    expect(await subscribers.ended(await subscribers.ends('keep', customer))).toMatchObject({
      state: 'applied',
      effect: { kind: 'stay', ...none, until: null },
    });
  });

  it('is said in a dry run, and of nothing that a person has to do', async () => {
    await acme.client.put(CONNECTION, { mode: 'dry_run' });
    stripe.add('sub_effect_dry');
    const session = await subscribers.accepts('sub_effect_dry', DISCOUNT);
    expect(await subscribers.ended(session)).toMatchObject({ state: 'dry_run', effect: { price_then: 500 } });
    await acme.client.put(CONNECTION, { mode: 'live' });
    stripe.add('sub_effect_person', { customer: 'cus_eve' });
    const foreign = await subscribers.accepts('sub_effect_person', DISCOUNT);
    expect(await subscribers.ended(foreign)).toMatchObject({ state: 'manual', effect: null });
  });

  describe('is held against what came of it: a person is told both', () => {
    it.each<[string, object, (id: string) => void, RegExp]>([
      [
        'where the next payment is another one',
        DISCOUNT,
        (id) => Object.assign(stripe.subscriptions.get(id)!.items.data[0].price, { unit_amount: 4000 }),
        /^Stripe has made the change, but the next payment would be €20, and €5 was expected\. Set it right in Stripe\.$/,
      ],
      [
        'where the pause is gone',
        PAUSE,
        (id) => Object.assign(stripe.subscriptions.get(id)!, { pause_collection: null }),
        /but it shows no pause that ends, and \d{4}-\d\d-\d\d was expected/,
      ],
      [
        'where the next payment comes on another day',
        { offer_type: 'trial_extension', terms: { days: 14 } },
        (id) => (stripe.subscriptions.get(id)!.items.data[0].current_period_end += 30 * 24 * 60 * 60),
        /but the next payment would be on \d{4}-\d\d-\d\d, and \d{4}-\d\d-\d\d was expected/,
      ],
    ])('%s', async (_, offer, alter, detail) => {
      const id = `sub_effect_other_${stripe.subscriptions.size}`;
      stripe.add(id);
      stripe.carryOut = (make) => {
        make();
        alter(id);
      };
      const ended = await subscribers.ended(await subscribers.accepts(id, offer));
      expect(ended).toMatchObject({ state: 'manual', carried_out_by: 'service', effect: { currency: 'EUR' } });
      expect(ended.detail).toMatch(detail);
    });

    it('also where the line was cut after the change', async () => {
      const { items } = stripe.add('sub_effect_cut');
      let times = 0;
      stripe.carryOut = (make) => {
        make();
        items.data[0].price.unit_amount = 4000;
        if (times++ === 0) throw new Cut();
      };
      const session = await subscribers.accepts('sub_effect_cut', DISCOUNT);
      const ended = await subscribers.ended(session);
      const mismatch = { state: 'manual', detail: expect.stringMatching(/€20, and €5 was expected/) };
      expect(ended).toMatchObject(mismatch);
      expect(times).toBe(1);
      // Nothing is better for being looked at again.
      const path = `/api/v1/public/sessions/${session}/fulfilment`;
      expect((await acme.client.post(path, { action: 'retry' })).status).toBe(200);
      expect(await subscribers.ended(session)).toMatchObject(mismatch);
      items.data[0].price.unit_amount = 1000;
      await acme.client.post(path, { action: 'retry' });
      expect(await subscribers.ended(session)).toMatchObject({ state: 'applied', effect: { kind: 'discount' } });
    });

    it('unless the billing system does not say it', async () => {
      const { items } = stripe.add('sub_effect_unsaid');
      stripe.forbidden = /create_preview/;
      stripe.carryOut = (make) => {
        make();
        items.data[0].price.unit_amount = 4000;
      };
      const session = await subscribers.accepts('sub_effect_unsaid', DISCOUNT);
      expect(await subscribers.ended(session)).toMatchObject({ state: 'applied', detail: null });
    });
  });

  it('is forgotten with an erased customer', async () => {
    stripe.add('sub_effect_erased');
    const session = await subscribers.accepts('sub_effect_erased', DISCOUNT);
    await subscribers.ended(session);
    await acme.client.delete('/api/v1/public/customers/ada');
    expect(await subscribers.fulfilment(session)).toMatchObject({ state: 'applied', effect: null });
  });
});
