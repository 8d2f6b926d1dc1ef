import { Service, type Tenant } from '../support/service';
import { until } from '../support/until';
import { Cut, StripeDouble } from './stripe-double';
import { billingAt, CONNECTION, Subscribers } from './subscriber';

const DAY = 24 * 60 * 60;
const ENDS = Math.floor(Date.parse('2027-12-24T12:00:00Z') / 1000);
const DAY_OF_CHANGE = new Date(ENDS * 1000).toISOString();
const SMALLER = { name: 'Smaller', offer_type: 'plan_change', terms: { price: 'price_small' } };
const DISCOUNT = {
  name: '30 % off',
  offer_type: 'discount_percentage',
  terms: { percent_off: 30, duration: 'forever' },
};

describe('A plan that changes at the end of the period', () => {
  let stripe: StripeDouble;
  let service: Service;
  let acme: Tenant;
  let subscribers: Subscribers;
  let count = 0;

  beforeAll(async () => {
    stripe = await StripeDouble.start();
    stripe.prices.set('price_small', { unit_amount: 400, product: 'prod_small' });
    stripe.prices.set('price_free', { unit_amount: 200 });
    service = await Service.start(billingAt(stripe));
  });
  afterAll(async () => {
    await service.stop();
    await stripe.stop();
  });
  beforeEach(async () => {
    stripe.carryOut = (make) => make();
    stripe.forbidden = /^$/;
    acme = await service.workspace();
    subscribers = await Subscribers.of(service, acme, { proration: 'at_period_end' });
  });

  const subscribed = (fields: Parameters<StripeDouble['add']>[1] = {}) => {
    const item = { current_period_start: ENDS - 30 * DAY, current_period_end: ENDS };
    return stripe.add(`sub_later_${++count}`, { item, ...fields });
  };
  const customer = (id: string) => ({ customer_token: subscribers.token(id) });
  const accepts = async (id: string, offer: object) => subscribers.ended(await subscribers.accepts(id, offer));
  const now = (id: string) => stripe.subscriptions.get(id)!.items.data[0].price.id;
  const scheduleOf = (id: string) => stripe.schedules.get(stripe.subscriptions.get(id)!.schedule as string);
  const next = (id: string) => stripe.schedules.nextPrice(scheduleOf(id)?.id ?? '')?.id;

  it('is left as it is until then, with its discounts and taxes, and the record says from when it changes', async () => {
    const { id } = subscribed({ default_tax_rates: [{ id: 'txr_1', object: 'tax_rate' } as never] });
    const subscription = stripe.subscriptions.get(id)!;
    stripe.coupons.set('loyal', { id: 'loyal', percent_off: 10, duration: 'forever' });
    subscription.discounts.push(stripe.discount('loyal'));
    subscription.items.data[0].quantity = 3;
    expect(await accepts(id, SMALLER)).toMatchObject({
      state: 'applied',
      effect: { kind: 'plan_change', from: DAY_OF_CHANGE, until: null, price_now: 2700, price_then: 1080 },
    });
    expect([now(id), next(id)]).toEqual(['price_pro', 'price_small']);
    expect(stripe.couponsOf(id)).toEqual(['loyal']);
    expect(subscription.default_tax_rates).toMatchObject([{ id: 'txr_1' }]);
    stripe.schedules.begin(id);
    expect(now(id)).toBe('price_small');
    expect(subscription.items.data[0].quantity).toBe(3);
    expect(stripe.couponsOf(id)).toEqual(['loyal']);
    expect(subscription.default_tax_rates).toMatchObject([{ id: 'txr_1' }]);
  });

  it('is told to the customer with its day, and not as if it came in a moment', async () => {
    const { id } = subscribed();
    const { id: offer } = await acme.offer({ ...SMALLER, accepted_title: 'Smaller from {{changes_on|then}}' });
    const sessionId = await subscribers.begins({ offer_ids: [offer] }, customer(id));
    await subscribers.steps(sessionId, { node_key: 'start', action: 'continue' });
    await subscribers.steps(sessionId, { node_key: 'reason', action: 'answer', option: 'too_expensive' });
    const ended = await subscribers.steps(sessionId, { node_key: 'offer_1', action: 'accept' });
    expect(ended).toMatchObject({
      fulfilment: 'pending',
      closing: { title: 'Smaller from December 24, 2027', body: 'Your plan changes on December 24, 2027.' },
    });
  });

  it.each([
    ['a discount', { ...DISCOUNT }, { price_now: 400, price_then: 280 }],
    ['a pause', { name: 'Pause', offer_type: 'pause_subscription', terms: { months: 1 } }, { price_now: 400 }],
    ['an extension', { name: 'Later', offer_type: 'trial_extension', terms: { days: 5 } }, { price_now: 400 }],
  ])(
    'is not lost by %s that the customer accepts meanwhile, which goes by the price that comes',
    async (_, offer, effect) => {
      const { id } = subscribed();
      await accepts(id, SMALLER);
      expect(await accepts(id, offer)).toMatchObject({ state: 'applied', effect });
      expect([now(id), next(id)]).toEqual(['price_pro', 'price_small']);
      const coupons = stripe.couponsOf(id);
      stripe.schedules.begin(id);
      expect(stripe.couponsOf(id)).toEqual(coupons);
    },
  );

  it('gives way to the end, and is there again once the customer stays', async () => {
    const { id } = subscribed();
    await accepts(id, SMALLER);
    expect(await subscribers.ended(await subscribers.ends('cancel', customer(id)))).toMatchObject({
      state: 'applied',
      effect: { kind: 'end', until: DAY_OF_CHANGE },
    });
    expect(stripe.subscriptions.get(id)).toMatchObject({ cancel_at_period_end: true, schedule: null });
    expect(await subscribers.ended(await subscribers.ends('keep', customer(id)))).toMatchObject({ state: 'applied' });
    expect(stripe.subscriptions.get(id)).toMatchObject({ cancel_at_period_end: false });
    expect(next(id)).toBe('price_small');
  });

  it('is not taken back by a customer who stays another time', async () => {
    const { id } = subscribed();
    await accepts(id, SMALLER);
    const before = stripe.made.length;
    const session = await subscribers.ends('keep', customer(id));
    await subscribers.ended(await subscribers.accepts(id, DISCOUNT));
    expect(await subscribers.fulfilment(session)).toMatchObject({ state: 'none' });
    expect(stripe.made.length).toBeGreaterThan(before);
    expect(next(id)).toBe('price_small');
  });

  it('is another one, if the customer accepts another one before', async () => {
    const { id } = subscribed();
    await accepts(id, SMALLER);
    expect(await accepts(id, { ...SMALLER, name: 'Smallest', terms: { price: 'price_free' } })).toMatchObject({
      state: 'applied',
      effect: { price_now: 400, price_then: 200 },
    });
    expect(next(id)).toBe('price_free');
  });

  it('is made once, whichever request is cut off', async () => {
    // The mark, the schedule, its phases, and that it is made; and once each way.
    for (const isMade of [true, false]) {
      for (const cut of [1, 2, 3, 4]) {
        const { id } = subscribed();
        let calls = 0;
        stripe.carryOut = (make) => {
          if (++calls !== cut) return make();
          if (isMade) make();
          throw new Cut();
        };
        expect(await accepts(id, { ...SMALLER, name: `Smaller ${count}` })).toMatchObject({ state: 'applied' });
        expect([now(id), next(id)]).toEqual(['price_pro', 'price_small']);
        expect(stripe.subscriptions.get(id)!.metadata).not.toHaveProperty('retention_flow_price');
      }
    }
  });

  it('is not lost by a later change that is cut off, or refused', async () => {
    for (const cut of [1, 2, 3, 4, 5, 6]) {
      const { id } = subscribed();
      await accepts(id, { ...SMALLER, name: `Smaller ${count}` });
      let calls = 0;
      stripe.carryOut = (make) => {
        if (++calls === cut) throw new Cut();
        make();
      };
      expect(await accepts(id, { ...DISCOUNT, name: `Less ${count}` })).toMatchObject({ state: 'applied' });
      expect(stripe.couponsOf(id)).toHaveLength(1);
      expect(next(id)).toBe('price_small');
    }
    const { id } = subscribed();
    await accepts(id, { ...SMALLER, name: 'Smaller again' });
    stripe.coupons.set('gone', { id: 'gone' });
    const less = { name: 'Gone', offer_type: 'discount_fixed', terms: { coupon: 'gone' } };
    stripe.carryOut = (make, { path }) => {
      if (path === `/v1/subscriptions/${id}`) stripe.coupons.delete('gone');
      make();
    };
    expect(await accepts(id, less)).toMatchObject({ state: 'failed' });
    expect(next(id)).toBe('price_small');
  });

  it('is not lost by a change that is refused after another attempt was cut off, nor by one that nothing came of', async () => {
    for (const ends of ['refused', 'kept'] as const) {
      const { id } = subscribed();
      await accepts(id, { ...SMALLER, name: `Smaller ${count}` });
      let isCut = false;
      stripe.coupons.set('late', { id: 'late' });
      stripe.carryOut = (make, { path }) => {
        // The schedule is released by then.
        if (path.endsWith('/release')) make();
        else if (!isCut && path === `/v1/subscriptions/${id}` && stripe.subscriptions.get(id)!.schedule === null) {
          isCut = true;
          stripe.coupons.delete('late');
          throw new Cut();
        } else make();
      };
      const less = { name: `Late ${count}`, offer_type: 'discount_fixed', terms: { coupon: 'late' } };
      if (ends === 'refused') expect(['failed', 'manual']).toContain((await accepts(id, less)).state);
      else {
        stripe.subscriptions.get(id)!.metadata.retention_flow_price = 'price_pro>price_small';
        stripe.subscriptions.get(id)!.schedule = null;
        await subscribers.ended(await subscribers.ends('keep', customer(id)));
      }
      expect(next(id)).toBe('price_small');
    }
  });

  it('is told to a person with what was made, where Stripe takes the change and not the schedule', async () => {
    const { id } = subscribed();
    await accepts(id, SMALLER);
    stripe.forbidden = /^POST \/v1\/subscription_schedules$/;
    expect(await accepts(id, DISCOUNT)).toMatchObject({
      state: 'manual',
      effect: { kind: 'discount' },
      detail: expect.stringMatching(/^Stripe has made the change, but not that of the price to price_small at the end/),
    });
    expect(stripe.couponsOf(id)).toHaveLength(1);
  });

  it('leaves a schedule alone that somebody made while an attempt was cut off, and sends nothing in a dry run', async () => {
    for (const mode of ['live', 'dry_run']) {
      const { id } = subscribed();
      let isCut = false;
      stripe.carryOut = (make, { path }) => {
        make();
        if (path !== `/v1/subscriptions/${id}` || isCut) return;
        isCut = true;
        if (mode === 'live') stripe.subscriptions.get(id)!.schedule = `sub_sched_theirs_${id}`;
        throw new Cut();
      };
      const session = await subscribers.accepts(id, { ...SMALLER, name: `Smaller ${count}` });
      await until(
        () => Promise.resolve(isCut),
        (cut) => cut,
      );
      if (mode === 'dry_run') await acme.client.put(CONNECTION, { mode });
      const made = stripe.made.length;
      await subscribers.ended(session);
      expect(stripe.made.length).toBe(made);
    }
  });

  it('is forgotten once somebody has changed the price', async () => {
    const { id } = subscribed();
    await accepts(id, SMALLER);
    await subscribers.ended(await subscribers.ends('cancel', customer(id)));
    const subscription = stripe.subscriptions.get(id)!;
    Object.assign(subscription, { cancel_at_period_end: false, cancel_at: null });
    subscription.items.data[0].price = stripe.price('price_max');
    expect(await accepts(id, DISCOUNT)).toMatchObject({ state: 'applied', effect: { price_now: 1000 } });
    expect(subscription.schedule).toBeNull();
  });

  it('is left to a person where the key may not make schedules, and the customer is told no more', async () => {
    stripe.forbidden = /^POST \/v1\/subscription_schedules/;
    await acme.client.put(CONNECTION, { proration: 'none' });
    const { body } = await acme.client.put(CONNECTION, { proration: 'at_period_end' });
    expect(body).toMatchObject({ proration: 'at_period_end', missing_permissions: ['schedules_write'] });
    const { id } = subscribed();
    expect(await accepts(id, SMALLER)).toMatchObject({
      state: 'manual',
      carried_out_by: 'person',
      detail: 'The key may not make Subscription schedules. Change the price to price_small, at the end of the period.',
    });
    await acme.client.put(CONNECTION, { proration: 'none' });
    expect((await acme.client.get(CONNECTION)).body.missing_permissions).toEqual([]);
  });

  it('is somebody else’s, once they have changed the schedule', async () => {
    const { id } = subscribed();
    await accepts(id, SMALLER);
    const changes = () => scheduleOf(id)!.phases.push({ items: [{ price: 'price_pro' }] });
    const session = await subscribers.accepts(id, DISCOUNT, undefined, changes);
    expect(await subscribers.ended(session)).toMatchObject({
      state: 'manual',
      detail: expect.stringMatching(/^A schedule/),
    });
    expect(scheduleOf(id)).toMatchObject({ status: 'active' });
  });

  it('is said in the preview, and in a dry run with its requests', async () => {
    await acme.client.put(CONNECTION, { mode: 'dry_run' });
    const { id } = subscribed();
    expect(await accepts(id, SMALLER)).toMatchObject({
      state: 'dry_run',
      detail: expect.stringMatching(
        /from_subscription=sub_later_\d+\n\n.+\nphases\[1\]\[items\]\[0\]\[price\]=price_small$/,
      ),
    });
    const { id: offer } = await acme.offer({ ...SMALLER, name: 'In a preview' });
    const flow = await acme.publishedFlow({ offer_ids: [offer] });
    const body = { customer: { subscription: { id } } };
    const { effects } = (await acme.client.post(`/api/v1/public/flows/${flow.id}/preview`, body)).body;
    expect(effects[0]).toMatchObject({ text: 'The price changes from €10 to €4 from the next payment on.' });
    expect(stripe.subscriptions.get(id)!.schedule).toBeNull();
  });
});
