import { randomFrom } from '../statistics/histories';
import { Service, type Tenant } from '../support/service';
import { until } from '../support/until';
import { API_KEY, Cut, StripeDouble } from './stripe-double';
import { billingAt, CONNECTION, Subscribers } from './subscriber';

const PAUSE = { offer_type: 'pause_subscription', terms: { months: 1 } };
const COUPON = { name: 'Stay', offer_type: 'discount_percentage', terms: { coupon: 'stay' } };

describe('What a customer decided last', () => {
  let stripe: StripeDouble;
  let service: Service;
  let acme: Tenant;
  let subscribers: Subscribers;
  let names = 0;

  beforeAll(async () => {
    stripe = await StripeDouble.start();
    stripe.coupons.set('stay', { id: 'stay' });
    service = await Service.start(billingAt(stripe));
  });
  afterAll(async () => {
    await service.stop();
    await stripe.stop();
  });
  beforeEach(async () => {
    stripe.carryOut = (make) => make();
    stripe.isKeyRefused = false;
    acme = await service.workspace();
    subscribers = await Subscribers.of(service, acme);
  });

  const subscription = (fields?: Parameters<StripeDouble['add']>[1]) => stripe.add(`sub_last_${++names}`, fields);
  const signed = (id: string, claims?: object) => ({ customer_token: subscribers.token(id, claims) });
  /** By the page, which nobody has signed. */
  const named = (id: string) => ({
    customer: { id: 'eve', subscription: { id, amount: 100, currency: 'EUR', interval: 'month' } },
  });
  const pageOf = async (session: string) =>
    (await service.client.get(`/api/v1/runtime/session/${session}`)).body.fulfilment;
  const NOTHING = { state: 'none', carried_out_by: 'nobody', at: null, effect: null, detail: null, url: null };
  const noted = async (id: string) =>
    until(
      () => subscribers.fulfilment(id),
      ({ detail }: { detail: string | null }) => detail !== null,
    );

  it('is to keep: a cancellation that was carried out is taken back, and the page hears of it', async () => {
    const { id, ...known } = subscription();
    const first = await subscribers.ends('cancel', signed(id));
    expect(await subscribers.ended(first)).toMatchObject({ state: 'applied' });
    expect(stripe.subscriptions.get(id)).toMatchObject({ cancel_at_period_end: true });
    const second = await subscribers.ends('keep', signed(id));
    expect(await pageOf(second)).toBe('none');
    expect(await subscribers.ended(second)).toMatchObject({
      state: 'applied',
      detail: 'The cancellation that was carried out before is taken back.',
    });
    expect(await pageOf(second)).toBe('applied');
    expect(stripe.subscriptions.get(id)).toMatchObject({
      cancel_at_period_end: false,
      cancel_at: null,
      status: known.status,
    });
    expect(stripe.subscriptions.get(id)!.metadata).not.toHaveProperty('retention_flow_end');
  });

  it('is to keep: a cancellation that waits is never carried out', async () => {
    const { id } = subscription();
    stripe.isKeyRefused = true;
    const first = await subscribers.ends('cancel', signed(id));
    await noted(first);
    const second = await subscribers.ends('keep', signed(id));
    stripe.isKeyRefused = false;
    expect(await subscribers.ended(second)).toEqual(NOTHING);
    expect(await subscribers.ended(first)).toEqual(NOTHING);
    expect(stripe.asked.filter(({ path }) => path.endsWith(id))).toEqual([]);
  });

  it('is to keep: a cancellation that was sent, and may still happen, is done first and then taken back', async () => {
    const { id } = subscription();
    let late = () => {};
    stripe.carryOut = (make) => {
      late = make;
      cut();
    };
    const first = await subscribers.ends('cancel', signed(id));
    await noted(first);
    stripe.carryOut = (make) => make();
    const second = await subscribers.ends('keep', signed(id));
    late();
    expect(await subscribers.ended(first)).toMatchObject({ state: 'applied' });
    expect(await subscribers.ended(second)).toMatchObject({ state: 'applied' });
    expect(stripe.subscriptions.get(id)).toMatchObject({ cancel_at_period_end: false });
  });

  it('is to keep: nobody has to cancel any more what a person should have canceled before', async () => {
    const { id } = subscription({ schedule: 'sub_sched_1' });
    const first = await subscribers.ends('cancel', signed(id));
    expect(await subscribers.ended(first)).toMatchObject({ state: 'manual' });
    expect(await subscribers.ended(await subscribers.ends('keep', signed(id)))).toEqual(NOTHING);
    expect(await subscribers.fulfilment(first)).toEqual(NOTHING);
    expect((await acme.client.get('/api/v1/public/sessions?fulfilment=attention')).body.sessions).toEqual([]);
  });

  it('is not to take a call: a cancellation that waits is carried out, and nobody is asked to do anything', async () => {
    const { id } = subscription();
    stripe.isKeyRefused = true;
    const first = await subscribers.ends('cancel', signed(id));
    await noted(first);
    const call = await subscribers.accepts(id, { name: 'A call', offer_type: 'custom', outcome: 'open' });
    expect(await pageOf(call)).toBe('none');
    stripe.isKeyRefused = false;
    expect(await subscribers.ended(first)).toMatchObject({ state: 'applied' });
    expect(stripe.subscriptions.get(id)).toMatchObject({ cancel_at_period_end: true });
    expect(await subscribers.fulfilment(call)).toMatchObject({ state: 'none' });
  });

  it('is to cancel after taking a call: the subscription ends, as the flow has it', async () => {
    const { id } = subscription();
    const offer = await acme.offer({ name: 'A call', offer_type: 'custom', outcome: 'open' });
    const session = await subscribers.begins({ cancel_in_billing: true, offer_ids: [offer.id] }, signed(id));
    await subscribers.steps(session, { node_key: 'start', action: 'continue' });
    await subscribers.steps(session, { node_key: 'reason', action: 'answer', option: 'too_expensive' });
    await subscribers.steps(session, { node_key: 'offer_1', action: 'accept' });
    await subscribers.steps(session, { action: 'cancel' });
    expect(await subscribers.ended(session)).toMatchObject({ state: 'applied' });
    expect(stripe.subscriptions.get(id)).toMatchObject({ cancel_at_period_end: true });
  });

  it('is to accept: the offer comes with the end taken back', async () => {
    const { id } = subscription();
    await subscribers.ended(await subscribers.ends('cancel', signed(id)));
    const session = await subscribers.accepts(id, COUPON);
    expect(await subscribers.ended(session)).toMatchObject({
      state: 'applied',
      detail: expect.stringMatching(/taken back/),
    });
    expect(stripe.subscriptions.get(id)).toMatchObject({ cancel_at_period_end: false });
    expect(stripe.couponsOf(id)).toEqual(['stay']);
  });

  it('is to accept an offer that a person has to apply: they are told of the cancellation that stands', async () => {
    const { id } = subscription();
    await subscribers.ended(await subscribers.ends('cancel', signed(id)));
    const session = await subscribers.accepts(id, { name: 'A call', offer_type: 'custom' });
    expect(await subscribers.ended(session)).toMatchObject({
      state: 'manual',
      detail:
        'The offer is a custom one. Do what the offer "A call" promises. ' +
        'The cancellation that was carried out before may have to be taken back.',
    });
  });

  it('is to cancel, after all', async () => {
    const { id } = subscription();
    for (const action of ['cancel', 'keep', 'cancel'] as const) {
      expect(await subscribers.ended(await subscribers.ends(action, signed(id)))).toMatchObject({ state: 'applied' });
    }
    expect(stripe.subscriptions.get(id)).toMatchObject({ cancel_at_period_end: true });
  });

  it('is to keep, where somebody else has set the end: a person is told', async () => {
    const { id } = subscription({ cancel_at_period_end: true });
    const session = await subscribers.ends('keep', signed(id));
    expect(await subscribers.ended(session)).toMatchObject({
      state: 'manual',
      detail: expect.stringMatching(/^The subscription is about to end, which this service did not set\. .* go on\.$/),
    });
  });

  it.each(['incomplete', 'paused'] as const)('is to cancel what is %s, which ends at once', async (status) => {
    const { id, items } = subscription({ status });
    items.data[0].current_period_end = items.data[0].current_period_start + 60;
    const session = await subscribers.ends('cancel', signed(id));
    expect(await subscribers.ended(session)).toMatchObject({
      state: 'applied',
      detail: expect.stringMatching(/^It has ended at once\./),
    });
    expect(stripe.subscriptions.get(id)).toMatchObject({ status: 'canceled' });
  });

  it('is to cancel what has items that are paid on different days: a person chooses, and nothing is sent', async () => {
    const { id, items } = subscription();
    const yearly = { recurring: { interval: 'year' as const, interval_count: 1 } };
    items.data.push({ ...items.data[0], id: 'si_yearly', current_period_end: items.data[0].current_period_end + 1 });
    items.data[1].price = stripe.price('price_yearly', yearly);
    const session = await subscribers.ends('cancel', signed(id));
    expect(await subscribers.ended(session)).toMatchObject({
      state: 'manual',
      detail: expect.stringMatching(/^The subscription has 2 items that are paid on different days\./),
    });
    expect(stripe.subscriptions.get(id)).toMatchObject({ cancel_at_period_end: false });
  });

  it('is nothing that billing hears of, if nobody signed who keeps which subscription', async () => {
    const { id } = subscription();
    const kept = [
      await subscribers.ends('keep', { customer: { id: 'ada' } }),
      await subscribers.ends('keep', named(id)),
      await subscribers.ends('keep', { customer_token: subscribers.token(undefined) }),
    ];
    for (const session of kept) expect(await subscribers.fulfilment(session)).toEqual(NOTHING);
    expect(await service.database.query('SELECT FROM fulfilments WHERE workspace_id = $1', [acme.id])).toEqual([]);
  });

  it('is not undone by somebody who only names the subscription', async () => {
    const { id } = subscription();
    stripe.isKeyRefused = true;
    const session = await subscribers.ends('cancel', signed(id));
    await noted(session);
    await subscribers.accepts(undefined, COUPON, named(id));
    stripe.isKeyRefused = false;
    expect(await subscribers.ended(session)).toMatchObject({ state: 'applied' });
    expect(stripe.subscriptions.get(id)).toMatchObject({ cancel_at_period_end: true });
  });

  it('is carried out though the customer is erased while it waits, and nothing of them stays', async () => {
    const { id } = subscription();
    stripe.isKeyRefused = true;
    const session = await subscribers.ends('cancel', signed(id));
    await noted(session);
    expect((await acme.client.delete('/api/v1/public/customers/ada')).status).toBe(200);
    stripe.isKeyRefused = false;
    expect(await subscribers.ended(session)).toMatchObject({ state: 'applied', detail: null, url: null });
    expect(stripe.subscriptions.get(id)).toMatchObject({ cancel_at_period_end: true });
    const kept = 'SELECT subscription_id, billing_customer_id, request FROM fulfilments WHERE workspace_id = $1';
    expect(await service.database.query(kept, [acme.id])).toEqual([
      { subscription_id: null, billing_customer_id: null, request: null },
    ]);
  });

  it('is found by a person if the customer is erased and Stripe knows them by our id alone, until it is done', async () => {
    const { id } = subscription({ metadata: { customer_id: 'ada' } });
    stripe.isKeyRefused = true;
    const session = await subscribers.ends('cancel', signed(id, { customer_id: undefined }));
    await noted(session);
    await acme.client.delete('/api/v1/public/customers/ada');
    stripe.isKeyRefused = false;
    const url = `https://dashboard.stripe.com/test/subscriptions/${id}`;
    const detail = 'The customer was erased. Cancel the subscription at the end of its period.';
    expect(await subscribers.ended(session)).toMatchObject({ state: 'manual', detail, url });
    await acme.client.post(`/api/v1/public/sessions/${session}/fulfilment`, { action: 'done' });
    expect(await subscribers.fulfilment(session)).toMatchObject({ state: 'applied', url: null });
  });

  it('waits while Stripe refuses the key, and goes on by itself with another one', async () => {
    const { id } = subscription();
    const connection = async () => (await acme.client.get(CONNECTION)).body;
    stripe.isKeyRefused = true;
    const session = await subscribers.accepts(id, PAUSE);
    expect(await noted(session)).toMatchObject({ state: 'pending', detail: 'Stripe: Invalid API Key provided' });
    expect(await connection()).toMatchObject({ attention: 'key_refused' });
    // As if it had waited for days.
    await service.database.query(
      `UPDATE fulfilments SET give_up_at = now() - interval '1 day', next_attempt_at = now() WHERE workspace_id = $1`,
      [acme.id],
    );
    await until(
      () => service.database.query('SELECT attempts FROM fulfilments WHERE workspace_id = $1', [acme.id]),
      ([{ attempts }]: { attempts: number }[]) => attempts > 1,
    );
    await service.database.query(
      `UPDATE fulfilments SET next_attempt_at = now() + interval '4 hours' WHERE workspace_id = $1`,
      [acme.id],
    );
    stripe.isKeyRefused = false;
    expect((await acme.client.put(CONNECTION, { api_key: API_KEY })).body).toMatchObject({ attention: null });
    const ended = await until(
      () => subscribers.fulfilment(session),
      ({ state }: { state: string }) => state !== 'pending',
    );
    expect(ended).toMatchObject({ state: 'applied' });
  });

  it('goes on by itself when Stripe takes the same key again', async () => {
    const { id } = subscription();
    stripe.isKeyRefused = true;
    const session = await subscribers.accepts(id, PAUSE);
    await noted(session);
    stripe.isKeyRefused = false;
    expect(await subscribers.ended(session)).toMatchObject({ state: 'applied' });
    expect((await acme.client.get(CONNECTION)).body).toMatchObject({ attention: null });
  });

  it.each([1, 2, 3, 4, 5, 6])(
    'is what holds after any sequence of decisions and changes in Stripe, however Stripe fails meanwhile (%d)',
    async (seed) => {
      const random = randomFrom(seed);
      const oneOf = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)];
      const failures = [
        (make: () => void) => (make(), fail('Try again')),
        () => fail('Try again'),
        (make: () => void) => (make(), cut()),
        () => cut(),
      ];
      stripe.carryOut = (make) => (random() < 0.4 ? oneOf(failures)(make) : make());
      const known = subscription();
      const { id } = known;
      const sessions: string[] = [];
      const waiting: string[] = [];
      const happened: string[] = [];
      /**
       * What Stripe should hold: the end of the subscription, by the one who set it, and the prices that it has had.
       */
      const model = { end: 'nobody' as 'nobody' | 'us' | 'others', prices: ['price_pro'] };
      const untilAllEnded = async () => {
        for (const session of waiting.splice(0)) await subscribers.ended(session);
      };
      const decides: Record<string, () => Promise<unknown>> = {
        async cancel() {
          if (model.end === 'nobody') model.end = 'us';
          return subscribers.ends('cancel', signed(id));
        },
        async keep() {
          if (model.end === 'us') model.end = 'nobody';
          return subscribers.ends('keep', signed(id));
        },
        async accept() {
          const price = `price_${seed}_${happened.length}`;
          // Otherwise it is left to a person.
          if (model.end !== 'others') Object.assign(model, { end: 'nobody', prices: [...model.prices, price] });
          return subscribers.accepts(id, { name: price, offer_type: 'plan_change', terms: { price } });
        },
        async 'cancel in the portal'() {
          await untilAllEnded();
          if (model.end !== 'nobody') return;
          model.end = 'others';
          Object.assign(known, { cancel_at_period_end: true, cancel_at: known.items.data[0].current_period_end });
        },
        async 'take it back in the portal'() {
          await untilAllEnded();
          model.end = 'nobody';
          Object.assign(known, { cancel_at_period_end: false, cancel_at: null });
        },
        async renew() {
          await untilAllEnded();
          if (model.end === 'nobody') known.items.data[0].current_period_end += 30 * 24 * 60 * 60;
        },
        erase: () => acme.client.delete('/api/v1/public/customers/ada'),
      };
      const names = ['cancel', 'keep', 'accept', ...Object.keys(decides)];
      for (let n = 0; n < 10; n++) {
        const name = oneOf(names);
        happened.push(name);
        const session = await decides[name]();
        if (typeof session === 'string') for (const list of [sessions, waiting]) list.push(session);
        if (random() < 0.5) await untilAllEnded();
      }
      await untilAllEnded();
      expect([happened, known.cancel_at_period_end]).toEqual([happened, model.end !== 'nobody']);
      const made = stripe.made.flatMap(({ path, form }) => (path.endsWith(id) && /price_\w+/.exec(form)?.[0]) || []);
      expect([happened, 'price_pro', ...new Set(made)]).toEqual([happened, ...model.prices]);
      expect(known.items.data[0].price.id).toBe(model.prices.at(-1));
      const states = await Promise.all(sessions.map((session) => subscribers.fulfilment(session)));
      for (const { state } of states) expect(['applied', 'none', 'manual']).toContain(state);
    },
  );
});

function fail(message: string): never {
  throw new Error(message);
}

function cut(): never {
  throw new Cut();
}
