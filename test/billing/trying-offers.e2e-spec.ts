import { Service, type Tenant } from '../support/service';
import { API_KEY, Cut, StripeDouble } from './stripe-double';
import { billingAt, CONNECTION } from './subscriber';

const SUBSCRIPTIONS = '/api/v1/public/billing/subscriptions';
const SESSION = '/api/v1/runtime/session';
const DAY = 24 * 60 * 60;
const MONTHLY = { amount: 2900, currency: 'EUR', interval: 'month' };
const PAUSE = { offer_type: 'pause_subscription', terms: { months: 2 }, accepted_body: 'Paused until {{until}}.' };
const LESS = { offer_type: 'discount_percentage', terms: { percent_off: 30, duration: 'forever' } };
const day = (seconds: number) =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(1000 * seconds));

describe('An offer is tried on a subscription', () => {
  let stripe: StripeDouble;
  let service: Service;
  let acme: Tenant;

  beforeEach(async () => {
    stripe = await StripeDouble.start();
    service = await Service.start({ ...billingAt(stripe), BACKGROUND_JOBS: 'false' });
    acme = await service.workspace();
  });
  afterEach(async () => {
    await service.stop();
    await stripe.stop();
  });

  const connect = (fields: object = {}) => acme.client.put(CONNECTION, { api_key: API_KEY, ...fields });
  const flowWith = async (...offers: object[]) => {
    const made = [];
    for (const [index, offer] of offers.entries())
      made.push(await acme.offer({ name: `Offer ${index + 1}`, ...offer }));
    return acme.flow({ offer_ids: made.map(({ id }) => id) });
  };
  const preview = ({ id }: { id: string }, subscription: object, { client }: Pick<Tenant, 'client'> = acme) =>
    client.post(`/api/v1/public/flows/${id}/preview`, { customer: { subscription } });
  const foreseen = async (offer: object, subscription: object): Promise<[boolean, string]> => {
    const { body } = await preview(await flowWith(offer), subscription);
    return [body.effects[0].is_shown, body.effects[0].text];
  };
  const step = async (id: string, body: object) => (await service.client.post(`${SESSION}/${id}/step`, body)).body;
  const toOffers = async (id: string) => {
    await step(id, { node_key: 'start', action: 'continue' });
    return step(id, { node_key: 'reason', action: 'answer', option: 'other' });
  };

  it('that is chosen from those of Stripe, with the names of their customers', async () => {
    await connect();
    stripe.customers.set('cus_ada', { name: 'Ada Lovelace', email: 'ada@example.com' });
    stripe.customers.set('cus_bob', { email: 'bob@example.com' });
    stripe.add('sub_ada', { price: { unit_amount: 2900 } });
    stripe.add('sub_bob', { customer: 'cus_bob', price: { recurring: { interval: 'year', interval_count: 1 } } });
    stripe.add('sub_gone', { status: 'canceled' });
    const { body } = await acme.client.get(SUBSCRIPTIONS);
    const plain = { status: 'active', currency: 'EUR', interval_count: 1 };
    expect(body).toEqual({
      provider: 'stripe',
      subscriptions: [
        { id: 'sub_ada', customer: 'Ada Lovelace', amount: 2900, interval: 'month', ...plain },
        { id: 'sub_bob', customer: 'bob@example.com', amount: 1000, interval: 'year', ...plain },
      ],
      has_more: false,
    });
    stripe.forbidden = /customers/;
    const { body: nameless } = await acme.client.get(SUBSCRIPTIONS);
    expect(nameless.subscriptions.map(({ customer }: { customer: unknown }) => customer)).toEqual([null, null]);
  });

  it('which only editors see: their list names customers', async () => {
    await connect();
    stripe.add('sub_ada');
    const flow = await flowWith(PAUSE);
    const viewer = { client: await service.person(acme, 'viewer') };
    expect((await viewer.client.get(SUBSCRIPTIONS)).status).toBe(403);
    expect((await preview(flow, { id: 'sub_ada' }, viewer)).status).toBe(403);
    expect((await preview(flow, MONTHLY, viewer)).status).toBe(201);
  });

  it('and says in a sentence what accepting and leaving would do, and changes nothing', async () => {
    await connect();
    const { items } = stripe.add('sub_ada', { price: { unit_amount: 2900 } });
    const next = items.data[0].current_period_end;
    const { body } = await preview(await flowWith(PAUSE, LESS, { offer_type: 'custom' }), { id: 'sub_ada' });
    expect(body.effects.map(({ text }: { text: string }) => text)).toEqual([
      expect.stringMatching(/^Payments pause until \d+ \w+ \d{4}; €58 is not billed\.$/),
      'The customer pays €20.30 in place of €29 from the next payment on.',
      'A person would have to do this: Do what the offer "Offer 3" promises.',
      `The subscription ends on ${day(next)}.`,
    ]);
    expect(stripe.asked).toEqual([]);
  });

  it('without a flood of questions: a coupon is asked for once, whatever is made up, and four previews at a time', async () => {
    await connect();
    stripe.coupons.set('stay', { id: 'stay' });
    const flow = await flowWith({ offer_type: 'discount_percentage', terms: { coupon: 'stay' } });
    const calls: string[] = [];
    let [under, most] = [0, 0];
    stripe.heard = async (call) => {
      calls.push(call);
      most = Math.max(most, ++under);
      await new Promise((resolve) => setImmediate(resolve));
      under--;
    };
    const made = Array.from({ length: 20 }, (_, amount) => preview(flow, { ...MONTHLY, amount: 1000 + amount }));
    for (const { status } of await Promise.all(made)) expect(status).toBe(201);
    expect(calls).toEqual(['GET /v1/coupons/stay']);
    const ids = Array.from({ length: 12 }, (_, n) => stripe.add(`sub_${n}`).id);
    for (const { status } of await Promise.all(ids.map((id) => preview(flow, { id })))) expect(status).toBe(201);
    expect(most).toBeLessThanOrEqual(4);
  });

  it.each<[string, object, object, RegExp]>([
    [
      'a pause of which the customer chooses the months',
      { offer_type: 'pause_subscription', terms: { months: [1, 3] } },
      MONTHLY,
      /^With 1 month: Payments pause until .+; €29 is not billed\. With 3 months: Payments pause until .+; €87 is not billed\.$/,
    ],
    [
      'a longer trial',
      { offer_type: 'trial_extension', terms: { days: 14 } },
      MONTHLY,
      /^The next payment, €29, comes on .+ in place of .+\.$/,
    ],
    [
      'another plan',
      { offer_type: 'plan_change', terms: { price: 'price_basic' } },
      MONTHLY,
      /^The price changes from €29 to €19 at once, and the next invoice has the difference for the rest of the period\.$/,
    ],
    [
      'a discount for a time',
      { offer_type: 'discount_fixed', terms: { amount_off: 500, currency: 'EUR', duration: 'repeating', months: 2 } },
      MONTHLY,
      /^The customer pays €24 in place of €29 until .+\.$/,
    ],
    [
      'a discount on what is paid once a week',
      LESS,
      { ...MONTHLY, interval: 'week' },
      /^The customer pays €20\.30 in place of €29 from the next payment on\.$/,
    ],
  ])('that is made up: %s', async (_, offer, subscription, text) => {
    await connect();
    stripe.prices.set('price_basic', { unit_amount: 1900 });
    expect(await foreseen(offer, subscription)).toEqual([true, expect.stringMatching(text)]);
  });

  it.each([
    ['year', 'Customers don’t see this offer. The subscription is not paid once a month.'],
    ['quarter', 'Customers don’t see this offer. The subscription is not paid once a month.'],
    ['week', 'Customers don’t see this offer. The subscription is not paid once a month.'],
  ])('that is paid once a %s, so that a pause is passed over', async (interval, text) => {
    await connect();
    const flow = await flowWith(PAUSE, LESS);
    const { body } = await preview(flow, { ...MONTHLY, interval });
    expect(body.effects[0]).toMatchObject({ is_shown: false, text });
    expect((await toOffers(body.session_id)).node.config.offer_type).toBe(LESS.offer_type);
  });

  it('and says which offers a person would have to carry out, because the key may not read what they need', async () => {
    await connect();
    stripe.add('sub_ada');
    const flow = await flowWith(LESS, { offer_type: 'plan_change', terms: { price: 'price_basic' } }, PAUSE);
    stripe.forbidden = /customers|prices/;
    const { body } = await preview(flow, { id: 'sub_ada' });
    expect(body.effects.slice(0, 3).map(({ text }: { text: string }) => text)).toEqual([
      expect.stringMatching(
        /^The key may not read Customers.+A person would have to do this: Give 30 % off, permanently\.$/,
      ),
      'The key may not read Prices. A person would have to do this: Change the price to price_basic.',
      expect.stringMatching(/^Payments pause until /),
    ]);
  });

  it('with a discount that may end before, and no amount is named that may be another', async () => {
    await connect();
    stripe.coupons.set('half', { id: 'half', percent_off: 50, duration: 'forever' });
    stripe.add('sub_ada', { discounts: [stripe.discount('half')] });
    expect(await foreseen({ offer_type: 'trial_extension', terms: { days: 14 } }, { id: 'sub_ada' })).toEqual([
      true,
      expect.stringMatching(/^The next payment comes on .+ in place of .+\.$/),
    ]);
  });

  it('in a trial, and another plan has no difference to bill', async () => {
    await connect({ proration: 'always_invoice' });
    stripe.add('sub_ada', { status: 'trialing' });
    const [, text] = await foreseen({ offer_type: 'plan_change', terms: { price: 'price_basic' } }, { id: 'sub_ada' });
    expect(text).toMatch(/from the next payment on\.$/);
  });

  it('and the walk fills in its prices, and ends as a customer reads it', async () => {
    await connect();
    const heading = 'Pay {{price_then}} in place of {{price_now}}';
    const { body } = await preview(await flowWith({ ...PAUSE, heading }), MONTHLY);
    const { node } = await toOffers(body.session_id);
    expect(node.config.heading).toBe('Pay €0.00 in place of €29.00');
    const accepted = await step(body.session_id, { node_key: node.key, action: 'accept' });
    expect(accepted.fulfilment).toBe('pending');
    expect(accepted.closing.body).toMatch(/^Paused until \w+ \d+, \d{4}\./);
    expect((await service.client.get(`${SESSION}/${body.session_id}`)).body.closing).toEqual(accepted.closing);
  });

  it('whose end is set already, and leaving would do nothing', async () => {
    await connect();
    const cancel_at = Math.floor(Date.now() / 1000) + 5 * DAY;
    stripe.add('sub_ada', { cancel_at });
    const { body } = await preview(await flowWith(PAUSE), { id: 'sub_ada' });
    expect(body.effects.map(({ text }: { text: string }) => text)).toEqual([
      'The subscription is about to end, which this service did not set. A person would have to do this: Pause the payments for 2 months.',
      `It already ends on ${new Date(1000 * cancel_at).toISOString().slice(0, 10)}.`,
    ]);
    const [, text] = await foreseen({ ...PAUSE, terms: { months: [1, 3] } }, { id: 'sub_ada' });
    expect(text).toMatch(/: Pause the payments for 1 or 3 months, as the customer chooses\.$/);
  });

  it.each<[string, object, string]>([
    ['an unknown one', { id: 'sub_unknown' }, '/customer/subscription/id'],
    ['one with an id and a price', { id: 'sub_ada', ...MONTHLY }, '/customer/subscription'],
    ['one without a price', { currency: 'EUR', interval: 'month' }, '/customer/subscription'],
    ['nothing', {}, '/customer/subscription'],
    ['a currency that there is not', { ...MONTHLY, currency: 'XXXX' }, '/customer/subscription/currency'],
  ])('and %s is 400', async (_, subscription, pointer) => {
    await connect();
    const { status, body } = await preview(await flowWith(PAUSE), subscription);
    expect([status, body.errors.map((one: { pointer: string }) => one.pointer)]).toEqual([400, [pointer]]);
  });

  it('which needs a connection that answers', async () => {
    const flow = await flowWith(PAUSE);
    expect((await acme.client.get(SUBSCRIPTIONS)).status).toBe(404);
    expect((await preview(flow, MONTHLY)).body.errors).toEqual([
      { pointer: '/customer/subscription', message: 'can’t be tried: no billing system is connected' },
    ]);
    await connect();
    stripe.isKeyRefused = true;
    expect((await acme.client.get(SUBSCRIPTIONS)).body.code).toBe('billing_refused');
    expect((await preview(flow, { id: 'sub_ada' })).body.code).toBe('billing_refused');
    stripe.isKeyRefused = false;
    stripe.heard = () => Promise.reject(new Cut());
    expect((await acme.client.get(SUBSCRIPTIONS)).status).toBe(503);
    expect((await preview(flow, { id: 'sub_ada' })).status).toBe(503);
  });
});
