import { Service, type Tenant } from '../support/service';
import { until } from '../support/until';
import { StripeDouble } from './stripe-double';
import { billingAt, CONNECTION, Subscribers } from './subscriber';

const INIT = '/api/v1/runtime/session/init';
const DISCOUNT = { offer_type: 'discount_percentage', terms: { percent_off: 30, duration: 'once' } };
const PAUSE = { offer_type: 'pause_subscription', terms: { months: 1 } };
const EXTENSION = { offer_type: 'trial_extension', terms: { days: 14 } };
const planChange = (price: string) => ({ offer_type: 'plan_change', terms: { price } });
const couponed = (coupon: string) => ({ offer_type: 'discount_percentage', terms: { coupon } });
const MONTHS = { ...DISCOUNT, terms: { percent_off: 30, duration: 'repeating', months: 3 } };
const METERED = {
  price: {
    recurring: { interval: 'month' as const, interval_count: 1, usage_type: 'metered' as const },
    unit_amount: null,
  },
};
const YEARLY = { price: { recurring: { interval: 'year' as const, interval_count: 1 } } };

describe('An offer that billing could not apply', () => {
  let stripe: StripeDouble;
  let service: Service;
  let other: Service;
  let acme: Tenant;
  let subscribers: Subscribers;
  let count = 0;

  beforeAll(async () => {
    stripe = await StripeDouble.start();
    const settings = { ...billingAt(stripe), BACKGROUND_JOBS: 'false' };
    [service, other] = await Promise.all([Service.start(settings), Service.start(settings)]);
    stripe.coupons.set('stay', { id: 'stay' });
    stripe.coupons.set('elsewhere', { id: 'elsewhere', applies_to: { products: ['prod_other'] } });
    stripe.coupons.set('expired', { id: 'expired', valid: false });
    stripe.coupons.set('dollars', { id: 'dollars', percent_off: null, amount_off: 500, currency: 'usd' });
    stripe.prices.set('price_old', { active: false });
    stripe.prices.set('price_yearly', YEARLY.price);
    stripe.prices.set('price_dollars', { currency: 'usd' });
  });
  afterAll(async () => {
    await Promise.all([service.stop(), other.stop()]);
    await stripe.stop();
  });
  beforeEach(async () => {
    stripe.heard = () => undefined;
    stripe.forbidden = /^$/;
    acme = await service.workspace();
    subscribers = await Subscribers.of(service, acme);
  });

  const subscribed = (fields: Parameters<StripeDouble['add']>[1] = {}) => stripe.add(`sub_shown_${++count}`, fields).id;
  const signed = (id: string, claims?: object) => ({ customer_token: subscribers.token(id, claims) });
  const known = (sessionId: string) =>
    until(
      () => service.database.query('SELECT eligibility FROM flow_sessions WHERE session_id = $1', [sessionId]),
      ([{ eligibility }]: { eligibility: object | null }[]) => eligibility !== null,
    );
  const answer = async (sessionId: string, one = service) => {
    await one.client.post(`/api/v1/runtime/session/${sessionId}/step`, { node_key: 'start', action: 'continue' });
    const answered = { node_key: 'reason', action: 'answer', option: 'other' };
    return (await one.client.post(`/api/v1/runtime/session/${sessionId}/step`, answered)).body.node;
  };
  const record = async (sessionId: string) => (await acme.client.get(`/api/v1/public/sessions/${sessionId}`)).body;

  type Fields = Parameters<StripeDouble['add']>[1];
  it.each<[string, string, object, Fields]>([
    ['discounted_already', 'has the discount', couponed('stay'), { discounts: [] }],
    [
      'currency',
      'is in another currency',
      { offer_type: 'discount_fixed', terms: { amount_off: 500, currency: 'EUR', duration: 'once' } },
      { currency: 'usd' },
    ],
    ['currency', 'is in another currency than the coupon', couponed('dollars'), {}],
    ['currency', 'is in another currency than the price', planChange('price_dollars'), {}],
    ['interval', 'is paid once a year, and would be paused for a month', PAUSE, YEARLY],
    ['interval', 'is paid once a month, and would be paid once a year', planChange('price_yearly'), {}],
    ['schedule', 'is managed by a schedule', DISCOUNT, { schedule: 'sub_sched_1' }],
    ['unpaid', 'has not been paid', DISCOUNT, { status: 'past_due' }],
    ['paused', 'is paused already', PAUSE, { pause_collection: { behavior: 'void', resumes_at: null } }],
    [
      'paused',
      'is paused, and its trial would be longer',
      EXTENSION,
      { pause_collection: { behavior: 'void', resumes_at: null } },
    ],
    ['discounted_already', 'has a discount that was accepted here', DISCOUNT, { discounts: [] }],
    ['interval', 'is paid once a year, and would get a discount of months', MONTHS, YEARLY],
    ['usage', 'is paid by usage, and would be paused', PAUSE, METERED],
    ['nothing', 'costs nothing', DISCOUNT, { price: { unit_amount: 0 } }],
    ['nothing', 'would get a coupon for other products', couponed('elsewhere'), {}],
    ['coupon', 'would get a coupon that there is not', couponed('gone'), {}],
    ['coupon', 'would get a coupon that is no longer valid', couponed('expired'), {}],
    ['price', 'has the price already', planChange('price_pro'), {}],
    ['price', 'would get a price that is archived', planChange('price_old'), {}],
    ['price', 'would get a price that there is not', planChange('price_gone'), {}],
  ])(
    'is not shown, and the record and the statistics say `%s`: the subscription %s',
    async (reason, _, offer, fields) => {
      const id = subscribed(fields);
      if (reason === 'discounted_already') {
        const coupon = offer === DISCOUNT ? 'retention-flow-50pct-forever' : 'stay';
        stripe.subscriptions.get(id)!.discounts.push(stripe.discount(coupon));
      }
      const { id: offer_id } = await acme.offer(offer);
      const next = await acme.offer({ heading: 'A call', offer_type: 'custom' });
      const flow = await acme.publishedFlow({ offer_ids: [offer_id, next.id] });
      const started = await service.client.post(INIT, { flow_slug: flow.slug, ...signed(id) });
      await known(started.body.session_id);
      // Whoever takes the step.
      expect(await answer(started.body.session_id, other)).toMatchObject({
        key: 'offer_2',
        config: { heading: 'A call' },
      });
      const { steps } = await record(started.body.session_id);
      expect(steps[1].withheld).toEqual([{ offer_id, reason }]);
      const { offers } = (await acme.client.get(`/api/v1/public/flows/${flow.id}/stats`)).body;
      expect(offers).toMatchObject([
        { id: next.id, presented: 1, withheld: [] },
        { id: offer_id, presented: 0, withheld: [{ reason, sessions: 1 }] },
      ]);
    },
  );

  it('is not shown if it is archived, and that is said, too', async () => {
    const { id: offer_id } = await acme.offer();
    const flow = await acme.publishedFlow({ offer_ids: [offer_id] });
    await acme.client.delete(`/api/v1/public/offers/${offer_id}`);
    const { body } = await service.client.post(INIT, { flow_slug: flow.slug });
    expect((await answer(body.session_id)).key).toBe('confirm');
    expect((await record(body.session_id)).steps[1].withheld).toEqual([{ offer_id, reason: 'archived' }]);
  });

  it('is shown where nothing is known: no token, no subscription, a foreign one, a dry run, no connection', async () => {
    const id = subscribed({ schedule: 'sub_sched_1' });
    const begin = async (customer: object) => answer(await subscribers.begins(await withOffer(), customer));
    const withOffer = async () => ({ offer_ids: [(await acme.offer(DISCOUNT)).id] });
    expect(await begin({ customer: { id: 'ada' } })).toMatchObject({ key: 'offer_1' });
    expect(await begin({ customer_token: subscribers.token(undefined) })).toMatchObject({ key: 'offer_1' });
    expect(await begin(signed(id, { customer_id: 'cus_eve' }))).toMatchObject({ key: 'offer_1' });
    await acme.client.put(CONNECTION, { mode: 'dry_run' });
    expect(await begin(signed(id))).toMatchObject({ key: 'offer_1' });
    await acme.client.delete(CONNECTION);
    expect(await begin(signed(id))).toMatchObject({ key: 'offer_1' });
  });

  it('is shown once its terms are others than those that were looked up', async () => {
    const { id: offer_id } = await acme.offer(couponed('gone'));
    const sessionId = await subscribers.begins({ offer_ids: [offer_id] }, signed(subscribed()));
    await known(sessionId);
    await acme.client.put(`/api/v1/public/offers/${offer_id}`, DISCOUNT);
    expect(await answer(sessionId)).toMatchObject({ key: 'offer_1' });
  });

  it.each([
    ['a coupon', couponed('stay')],
    ['a price', planChange('price_small')],
  ])('is not shown if it names %s and Stripe does not say in time whether it is there', async (_, offer) => {
    const { id: offer_id } = await acme.offer(offer);
    stripe.heard = () => new Promise<void>(() => {});
    const sessionId = await subscribers.begins({ offer_ids: [offer_id] }, signed(subscribed()));
    expect(await answer(sessionId)).toMatchObject({ key: 'confirm' });
    expect((await record(sessionId)).steps[1].withheld).toEqual([{ offer_id, reason: 'unread' }]);
  });

  it('is shown if Stripe fails, or is slow to answer: the step waits for a moment only', async () => {
    const id = subscribed({ schedule: 'sub_sched_1' });
    const { id: offer_id } = await acme.offer(DISCOUNT);
    stripe.forbidden = /subscriptions/;
    expect(await answer(await subscribers.begins({ offer_ids: [offer_id] }, signed(id)))).toMatchObject({
      key: 'offer_1',
    });
    stripe.forbidden = /^$/;
    let answerAtLast = () => {};
    stripe.heard = () => new Promise<void>((resolve) => (answerAtLast = resolve));
    const slow = await subscribers.begins({ offer_ids: [offer_id] }, signed(id));
    expect(await answer(slow)).toMatchObject({ key: 'offer_1' });
    answerAtLast();
  });

  it.each([
    ['a session, however often its start is repeated', { 'idempotency-key': 'again-and-again-1' }],
    ['a customer who begins several in a few seconds', {}],
  ])('is looked up once for %s', async (_, headers: Record<string, string>) => {
    const calls: string[] = [];
    const id = subscribed();
    stripe.heard = (call) => void calls.push(call);
    const { slug } = await acme.publishedFlow({ offer_ids: [(await acme.offer(DISCOUNT)).id] });
    const start = { flow_slug: slug, ...signed(id) };
    for (let n = 0; n < 3; n++) {
      const { body } = await service.client.post(INIT, start, headers);
      await known(body.session_id);
    }
    expect(calls).toEqual([`GET /v1/subscriptions/${id}`, 'GET /v1/customers/cus_ada', 'GET /v1/products/prod_pro']);
  });

  describe('or could: its texts name what the customer pays', () => {
    const TEXT = 'Now {{price_now|your price}}, then {{price_then|less}}, until {{until|later}}.';
    const textFor = async (offer: object, fields: Fields, more: object = {}) => {
      const id = subscribed(fields);
      const created = await acme.offer({ ...offer, heading: 'Stay', body: TEXT });
      const sessionId = await subscribers.begins({ offer_ids: [created.id] }, { ...signed(id), ...more });
      await known(sessionId);
      return { sessionId, body: (await answer(sessionId)).config.body as string };
    };
    const inSeconds = (date: string) => Date.parse(date) / 1000;
    const AT = { item: { current_period_end: inSeconds('2031-01-31T10:00:00Z'), quantity: 3 } };

    it('with all discounts, and what is left of them', async () => {
      stripe.coupons.set('loyal', { id: 'loyal', percent_off: 50 });
      const loyal = { discounts: [stripe.discount('loyal')] };
      expect((await textFor(DISCOUNT, { ...AT, ...loyal })).body).toBe(
        'Now €15.00, then €10.50, until February 28, 2031.',
      );
      const ended = { discounts: [{ ...stripe.discount('loyal'), end: inSeconds('2031-01-01T00:00:00Z') }] };
      expect((await textFor(DISCOUNT, { ...AT, ...ended })).body).toMatch(/^Now €30.00, then €21.00/);
    });

    it('in a pause, after an extension, and for another price', async () => {
      expect((await textFor(PAUSE, AT)).body).toBe('Now €30.00, then €0.00, until February 28, 2031.');
      expect((await textFor(EXTENSION, AT)).body).toBe('Now €30.00, then €0.00, until February 14, 2031.');
      stripe.prices.set('price_small', { unit_amount: 450 });
      expect((await textFor(planChange('price_small'), AT)).body).toBe('Now €30.00, then €13.50, until later.');
    });

    it('and so do the words after accepting, which say the day in the language of the customer', async () => {
      const closingOf = async (offer: object, more: object = {}, chosen: object = {}) => {
        const { sessionId } = await textFor(offer, AT, more);
        const step = { node_key: 'offer_1', action: 'accept', ...chosen };
        const { body } = await service.client.post(`/api/v1/runtime/session/${sessionId}/step`, step);
        return body.closing.body.split('\n')[0] as string;
      };
      expect(await closingOf(PAUSE)).toBe('Your subscription is paused until February 28, 2031.');
      expect(await closingOf(PAUSE, { locale: 'de' })).toBe('Ihr Abo pausiert bis 28. Februar 2031.');
      expect(await closingOf(EXTENSION)).toBe('Your next payment is on February 14, 2031.');
      expect(await closingOf(DISCOUNT)).toBe('You pay €21.00 until February 28, 2031.');
      expect(await closingOf({ ...PAUSE, accepted_body: 'Paused until {{until}}. See you!' })).toBe(
        'Paused until February 28, 2031. See you!',
      );
      const choice = { ...PAUSE, terms: { months: [1, 3] } };
      expect((await textFor(choice, AT)).body).toBe('Now €30.00, then €0.00, until later.');
      expect(await closingOf(choice, {}, { months: 3 })).toBe('Your subscription is paused until April 30, 2031.');
      expect(await closingOf({ ...choice, accepted_body: 'Until {{until}}!' }, { locale: 'de' }, { months: 1 })).toBe(
        'Until 28. Februar 2031!',
      );
    });

    it("in the customer's language", async () => {
      const { body } = await textFor(PAUSE, AT, { locale: 'de' });
      expect(body.replace(/\s/g, ' ')).toBe('Now 30,00 €, then 0,00 €, until 28. Februar 2031.');
    });

    it('or the words after the bar, where a price is by usage, or nothing is known', async () => {
      const metered = { ...AT, price: { unit_amount: null } };
      expect((await textFor(DISCOUNT, metered)).body).toBe('Now your price, then less, until later.');
    });

    it('but for an attribute of the customer that has the same name', async () => {
      const id = subscribed(AT);
      const { id: offer_id } = await acme.offer({ ...PAUSE, body: TEXT });
      const customer = signed(id, { attributes: { until: 'the summer' } });
      const sessionId = await subscribers.begins({ offer_ids: [offer_id] }, customer);
      await known(sessionId);
      expect((await answer(sessionId)).config.body).toBe('Now €30.00, then €0.00, until the summer.');
    });

    it('until the customer is erased', async () => {
      const { sessionId } = await textFor(PAUSE, AT);
      await acme.client.delete('/api/v1/public/customers/ada');
      const { current_offer, ...session } = await record(sessionId);
      expect(JSON.stringify({ current_offer, session })).not.toContain('€30');
      const kept = 'SELECT eligibility FROM flow_sessions WHERE session_id = $1';
      expect(await service.database.query(kept, [sessionId])).toEqual([{ eligibility: null }]);
    });
  });
});
