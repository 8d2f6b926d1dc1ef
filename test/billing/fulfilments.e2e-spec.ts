import { Service, type Tenant } from '../support/service';
import { until } from '../support/until';
import { API_KEY, type Change, Cut, StripeDouble } from './stripe-double';
import { billingAt, CONNECTION, Subscribers } from './subscriber';

const DISCOUNT = {
  name: '30 % off',
  offer_type: 'discount_percentage',
  terms: { percent_off: 30, duration: 'repeating', months: 3 },
};
const planChange = (price: string) => ({ name: price, offer_type: 'plan_change', terms: { price } });
const DAY = 24 * 60 * 60;
const YEARLY = { price: { recurring: { interval: 'year' as const, interval_count: 1 } } };

describe('What a customer decided', () => {
  let stripe: StripeDouble;
  let service: Service;
  let other: Service;
  let acme: Tenant;
  let subscribers: Subscribers;

  beforeAll(async () => {
    stripe = await StripeDouble.start();
    // Two processes share the work.
    [service, other] = await Promise.all([Service.start(billingAt(stripe)), Service.start(billingAt(stripe))]);
  });
  afterAll(async () => {
    await Promise.all([service.stop(), other.stop()]);
    await stripe.stop();
  });
  beforeEach(async () => {
    stripe.carryOut = (make) => make();
    stripe.forbidden = /^$/;
    stripe.isKeyRefused = stripe.isCardDeclined = false;
    stripe.heard = () => undefined;
    acme = await service.workspace();
    subscribers = await Subscribers.of(service, acme);
  });

  const madeFor = (id: string) => stripe.made.filter(({ path }) => path.endsWith(`/${id}`));

  describe('is carried out', () => {
    it('as a discount beside those that there are, by a coupon that is made once for its terms', async () => {
      const subscription = stripe.add('sub_discount');
      subscription.discounts.push(stripe.discount('loyal'));
      const session = await subscribers.accepts('sub_discount', DISCOUNT);
      expect(await subscribers.ended(session)).toMatchObject({
        state: 'applied',
        detail: null,
        url: 'https://dashboard.stripe.com/test/subscriptions/sub_discount',
      });
      expect(stripe.couponsOf('sub_discount')).toEqual(['loyal', 'retention-flow-30pct-repeating-3m']);
      expect(stripe.coupons.get('retention-flow-30pct-repeating-3m')).toMatchObject({
        percent_off: 30,
        duration: 'repeating',
        duration_in_months: 3,
      });
      stripe.add('sub_discount_2');
      await subscribers.ended(await subscribers.accepts('sub_discount_2', { ...DISCOUNT, name: 'The same again' }));
      expect(stripe.asked.filter(({ path }) => path === '/v1/coupons')).toHaveLength(1);
    });

    it('as a pause, an extension and a change of plan', async () => {
      const [pause, extension, plan] = ['sub_pause', 'sub_extension', 'sub_plan'].map((id) =>
        stripe.add(id, { item: { quantity: 25 } }),
      );
      const [end] = extension.items.data.map((item) => item.current_period_end);
      const sessions = [
        await subscribers.accepts('sub_pause', { offer_type: 'pause_subscription', terms: { months: 1 } }),
        await subscribers.accepts('sub_extension', { offer_type: 'trial_extension', terms: { days: 14 } }),
        await subscribers.accepts('sub_plan', planChange('price_small')),
      ];
      for (const session of sessions) expect(await subscribers.ended(session)).toMatchObject({ state: 'applied' });
      const resumesIn = pause.pause_collection!.resumes_at! - Date.now() / 1000;
      expect([pause.pause_collection!.behavior, Math.round(resumesIn / DAY)]).toEqual(['void', expect.any(Number)]);
      expect(extension.trial_end).toBe(end + 14 * DAY);
      expect(plan.items.data[0]).toMatchObject({ price: { id: 'price_small' }, quantity: 25 });
      expect(madeFor('sub_plan')[0].form).toContain('proration_behavior=create_prorations');
    });

    it('as a pause of the months that the customer chose', async () => {
      const { items } = stripe.add('sub_chosen');
      const pause = await subscribers.acme.offer({ offer_type: 'pause_subscription', terms: { months: [1, 2, 3] } });
      const customer_token = subscribers.token('sub_chosen');
      const session = await subscribers.begins({ offer_ids: [pause.id] }, { customer_token });
      await subscribers.steps(session, { node_key: 'start', action: 'continue' });
      await subscribers.steps(session, { node_key: 'reason', action: 'answer', option: 'other' });
      await subscribers.steps(session, { node_key: 'offer_1', action: 'accept', months: 1 });
      expect(await subscribers.ended(session)).toMatchObject({ state: 'applied' });
      // A day after the only invoice that falls away.
      const resumes_at = items.data[0].current_period_end + DAY;
      expect(stripe.subscriptions.get('sub_chosen')!.pause_collection).toEqual({ behavior: 'void', resumes_at });
    });

    it('as a cancellation at the end of the period, with the reason and the comment', async () => {
      const subscription = stripe.add('sub_cancel');
      const options = [{ value: 'price', label: 'The price', feedback: 'too_expensive' }];
      const survey = { title: 'Why?', comment: 'optional', options };
      const customer_token = subscribers.token('sub_cancel');
      const session = await subscribers.begins({ cancel_in_billing: true, survey }, { customer_token });
      await subscribers.steps(session, { node_key: 'start', action: 'continue' });
      await subscribers.steps(session, { node_key: 'reason', action: 'answer', option: 'price', comment: 'Too dear' });
      const body = await subscribers.steps(session, { node_key: 'confirm', action: 'confirm' });
      expect(body).toMatchObject({ status: 'canceled', fulfilment: 'pending' });
      expect(await subscribers.ended(session)).toMatchObject({ state: 'applied' });
      expect(subscription).toMatchObject({
        cancel_at_period_end: true,
        cancellation_details: { feedback: 'too_expensive', comment: 'Too dear' },
      });
    });

    it('as a cancellation that leaves the open invoice, or voids it, as the workspace says', async () => {
      const statusOf = (id: string) => stripe.invoices.find((one) => one.id === id)!.status;
      const cancels = async (id: string) => {
        stripe.add(id, { status: 'unpaid' });
        stripe.owe(id, `in_${id}`);
        const customer_token = subscribers.token(id);
        return subscribers.ended(await subscribers.ends('cancel', { customer_token }));
      };
      expect((await cancels('sub_owing')).detail).toBe(
        'Its open invoice stays open, and Stripe does not try to collect it.',
      );
      expect(statusOf('in_sub_owing')).toBe('open');
      await acme.client.put(CONNECTION, { unpaid_on_cancel: 'void' });
      expect(await cancels('sub_voided')).toMatchObject({ state: 'applied', detail: 'Its open invoices are voided.' });
      expect(statusOf('in_sub_voided')).toBe('void');
      expect(stripe.subscriptions.get('sub_voided')!.cancel_at_period_end).toBe(true);
      stripe.forbidden = /POST .*void/;
      await acme.client.put(CONNECTION, { api_key: API_KEY });
      const detail = 'The key may not void Invoices. Cancel the subscription at the end of its period.';
      expect(await cancels('sub_not_voided')).toMatchObject({ state: 'manual', carried_out_by: 'person', detail });
    });

    it("as a cancellation with Stripe's word for a reason of the survey that simple flows have", async () => {
      const subscription = stripe.add('sub_reason');
      const customer_token = subscribers.token('sub_reason');
      const session = await subscribers.begins({ cancel_in_billing: true }, { customer_token });
      await subscribers.steps(session, { node_key: 'start', action: 'continue' });
      await subscribers.steps(session, { node_key: 'reason', action: 'answer', option: 'not_using' });
      await subscribers.steps(session, { action: 'cancel' });
      await subscribers.ended(session);
      expect(subscription.cancellation_details).toEqual({ feedback: 'unused', comment: '' });
    });

    it("as a discount beside the customer's own, which the subscription would lose", async () => {
      stripe.add('sub_inherits', { customer: 'cus_loyal' });
      stripe.discountsOf.set('cus_loyal', stripe.discount('half for life'));
      expect(stripe.couponsOf('sub_inherits')).toEqual(['half for life']);
      const customer_token = subscribers.token('sub_inherits', { customer_id: 'cus_loyal' });
      const session = await subscribers.accepts('sub_inherits', DISCOUNT, { customer_token });
      expect(await subscribers.ended(session)).toMatchObject({ state: 'applied' });
      expect(stripe.couponsOf('sub_inherits')).toEqual(['half for life', 'retention-flow-30pct-repeating-3m']);
    });

    it('while the page is told that it is pending, then that it is applied', async () => {
      stripe.add('sub_page');
      let go = () => {};
      const held = new Promise<void>((resolve) => (go = resolve));
      stripe.carryOut = async (make) => held.then(make);
      const session = await subscribers.accepts('sub_page', DISCOUNT);
      const repeated = { node_key: 'offer_1', action: 'accept' };
      const pending = await subscribers.steps(session, repeated);
      expect(pending).toMatchObject({ status: 'saved', fulfilment: 'pending' });
      go();
      await subscribers.ended(session);
      const applied = await subscribers.steps(session, repeated);
      expect(applied).toMatchObject({ fulfilment: 'applied', closing: { title: 'Thank you for staying' } });
      expect(pending.closing.body).toBe(`${applied.closing.body}\n\nIt takes effect in a moment.`);
      expect((await service.client.get(`/api/v1/runtime/session/${session}`)).body.fulfilment).toBe('applied');
    });
  });

  describe('is carried out once', () => {
    const fails = (times: number, how: (make: () => void) => void) => {
      stripe.carryOut = (make) => {
        if (times-- > 0) how(make);
        else make();
      };
    };
    const wrong = () => {
      throw new Error('An unknown error occurred');
    };
    const cut = () => {
      throw new Cut();
    };

    it.each([
      ['though Stripe does it and answers 500', (make: () => void) => (make(), wrong())],
      ['though Stripe answers 500, and 500 again under the same key', wrong],
      ['though the line is cut after it was done', (make: () => void) => (make(), cut())],
      ['though the line is cut before', cut],
    ])('%s', async (_, how) => {
      const id = `sub_once_${stripe.subscriptions.size}`;
      stripe.add(id);
      fails(2, how);
      const session = await subscribers.accepts(id, DISCOUNT);
      expect(await subscribers.ended(session)).toMatchObject({ state: 'applied' });
      expect(madeFor(id)).toHaveLength(1);
      expect(stripe.couponsOf(id)).toHaveLength(1);
    });

    it('though Stripe has forgotten the key of what it did', async () => {
      const subscription = stripe.add('sub_forgotten');
      const [end] = subscription.items.data.map((item) => item.current_period_end);
      fails(1, (make) => {
        make();
        stripe.forgetKeys();
        cut();
      });
      const extension = { offer_type: 'trial_extension', terms: { days: 7 } };
      const session = await subscribers.accepts('sub_forgotten', extension);
      expect(await subscribers.ended(session)).toMatchObject({ state: 'applied' });
      expect(subscription.trial_end).toBe(end + 7 * DAY);
    });

    it('and a later decision is the last one, though the earlier one had to be tried again', async () => {
      const subscription = stripe.add('sub_order');
      fails(2, wrong);
      const earlier = await subscribers.accepts('sub_order', planChange('price_earlier'));
      await until(
        () => Promise.resolve(stripe.asked.length),
        () => stripe.asked.some(isOf('sub_order')),
      );
      const later = await subscribers.accepts('sub_order', planChange('price_later'));
      expect(await subscribers.ended(earlier)).toMatchObject({ state: 'applied' });
      expect(await subscribers.ended(later)).toMatchObject({ state: 'applied' });
      expect(madeFor('sub_order').map(({ form }) => /price_\w+/.exec(form)![0])).toEqual([
        'price_earlier',
        'price_later',
      ]);
      expect(subscription.items.data[0].price.id).toBe('price_later');
    });

    const isOf =
      (id: string) =>
      ({ path }: Change) =>
        path.endsWith(`/${id}`);
  });

  describe('is left to a person, who is told why and what to do,', () => {
    interface Subscribed {
      fields?: Parameters<StripeDouble['add']>[1];
      offer?: object;
      customer?: object;
      unnamed?: boolean;
    }

    it.each<[string, Subscribed, RegExp]>([
      [
        'if no token says who the customer is',
        { customer: { customer: { id: 'ada' } } },
        /No customer token.* Give 30 % off, for 3 months\./,
      ],
      ['if the token names no subscription', { unnamed: true }, /named no subscription/],
      ['if the subscription is of another customer', { fields: { customer: 'cus_eve' } }, /of another customer/],
      ['if a schedule manages the subscription', { fields: { schedule: 'sub_sched_1' } }, /A schedule manages/],
      ['if the subscription is canceled', { fields: { status: 'canceled' } }, /is canceled/],
      [
        'if a yearly plan is to be paused',
        { fields: YEARLY, offer: { offer_type: 'pause_subscription', terms: { months: 1 } } },
        /whole period free.* Pause the payments for 1 month\./,
      ],
      [
        'if the offer is one of your own',
        { offer: { name: 'A call', offer_type: 'custom', terms: null } },
        /Do what the offer "A call" promises\./,
      ],
      ['if the offer has no terms', { offer: { name: 'Half', terms: null } }, /no terms/],
    ])('%s', async (_, { fields, offer, customer, unnamed }: Subscribed, why) => {
      const id = `sub_manual_${stripe.subscriptions.size}`;
      stripe.add(id);
      const session = await subscribers.accepts(unnamed ? undefined : id, { ...DISCOUNT, ...offer }, customer, () =>
        stripe.add(id, fields),
      );
      expect(await subscribers.ended(session)).toMatchObject({ state: 'manual', detail: expect.stringMatching(why) });
      expect(madeFor(id)).toEqual([]);
    });

    it('if the customer is known by the metadata of the subscription, it is not', async () => {
      stripe.add('sub_metadata', { customer: 'cus_any', metadata: { customer_id: 'ada' } });
      const customer_token = subscribers.token('sub_metadata', { customer_id: undefined });
      const session = await subscribers.accepts('sub_metadata', DISCOUNT, { customer_token });
      expect(await subscribers.ended(session)).toMatchObject({ state: 'applied' });
    });

    it('if more than 100 later decisions about the subscription wait: the newest are carried out', async () => {
      stripe.add('sub_crowded');
      stripe.isKeyRefused = true;
      const sessions = [await subscribers.accepts('sub_crowded', DISCOUNT)];
      await until(
        () => subscribers.fulfilment(sessions[0]),
        ({ detail }: { detail: string | null }) => detail !== null,
      );
      const later = await acme.publishedFlow({ cancel_in_billing: true });
      for (let n = 0; n < 100; n++) {
        const start = { flow_slug: later.slug, customer_token: subscribers.token('sub_crowded') };
        const { body } = await service.client.post('/api/v1/runtime/session/init', start);
        await subscribers.steps(body.session_id, { action: n % 2 === 0 ? 'keep' : 'cancel' });
        sessions.push(body.session_id);
      }
      stripe.isKeyRefused = false;
      expect(await subscribers.ended(sessions[0])).toMatchObject({
        state: 'manual',
        detail: expect.stringMatching(
          /^100 later decisions about this subscription wait\..* Give 30 % off, for 3 months\.$/,
        ),
      });
      expect(await subscribers.ended(sessions[100])).toMatchObject({ state: 'applied' });
      expect(stripe.subscriptions.get('sub_crowded')).toMatchObject({ cancel_at_period_end: true });
    });

    it('who says when it is done', async () => {
      const session = await subscribers.accepts(undefined, DISCOUNT);
      await subscribers.ended(session);
      const listed = (filter: string) => acme.client.get(`/api/v1/public/sessions?fulfilment=${filter}`);
      const { id, fulfilment } = (await listed('attention')).body.sessions[0];
      expect(fulfilment.state).toBe('manual');
      const closing = async () => (await service.client.get(`/api/v1/runtime/session/${session}`)).body.closing.body;
      expect(await closing()).toBe('We are taking care of it.');
      const path = `/api/v1/public/sessions/${id}/fulfilment`;
      const { status, body } = await acme.client.post(path, { action: 'done' });
      expect([status, body]).toMatchObject([200, { state: 'applied', detail: 'Done by hand.' }]);
      // What was said stays.
      expect(await closing()).toBe('We are taking care of it.');
      expect((await listed('attention')).body.sessions).toEqual([]);
      expect((await listed('applied')).body.sessions).toHaveLength(1);
      expect((await acme.client.post(path, { action: 'retry' })).body.code).toBe('nothing_to_fulfil');
      const [change] = (await acme.client.get('/api/v1/public/changes')).body.changes;
      expect(change).toMatchObject({ action: 'fulfilment.done', subject: { type: 'fulfilment', id } });
      const events = await until(
        async () => {
          const { events: all } = (await acme.client.get('/api/v1/public/events')).body;
          return all.filter(({ type }: { type: string }) => type !== 'flow.published');
        },
        (all: { type: string }[]) => all.length === 3,
      );
      expect(events.map(({ type }: { type: string }) => type)).toEqual([
        'fulfilment.applied',
        'fulfilment.manual',
        'session.saved',
      ]);
    });
  });

  describe('has failed', () => {
    /** Somebody deletes the coupon just before it is given. */
    const acceptsDeleted = async (subscription: string, coupon: string) => {
      stripe.coupons.set(coupon, { id: coupon });
      stripe.heard = (call) => {
        if (call === `POST /v1/subscriptions/${subscription}`) stripe.coupons.delete(coupon);
      };
      const session = await subscribers.accepts(subscription, { ...DISCOUNT, terms: { coupon } });
      expect(await subscribers.ended(session)).toMatchObject({ state: 'failed' });
      stripe.heard = () => undefined;
      return session;
    };

    it('is left to a person if the coupon of the offer is gone since the customer saw it', async () => {
      stripe.add('sub_gone_coupon');
      stripe.coupons.set('gone', { id: 'gone' });
      const remove = () => stripe.coupons.delete('gone');
      const offer = { ...DISCOUNT, terms: { coupon: 'gone' } };
      const session = await subscribers.accepts('sub_gone_coupon', offer, undefined, remove);
      const detail = 'Stripe does not know the coupon gone. Add the coupon gone.';
      expect(await subscribers.ended(session)).toMatchObject({ state: 'manual', detail });
    });

    it('if Stripe refuses it, in its words, until somebody mends it and tries again', async () => {
      stripe.add('sub_coupon');
      const session = await acceptsDeleted('sub_coupon', 'deleted');
      const detail = `Stripe: No such coupon: 'deleted'. Add the coupon deleted.`;
      expect(await subscribers.ended(session)).toMatchObject({ state: 'failed', detail });
      stripe.coupons.set('deleted', { id: 'deleted' });
      const retry = await acme.client.post(`/api/v1/public/sessions/${session}/fulfilment`, { action: 'retry' });
      expect(retry.body).toMatchObject({ state: 'pending', detail: null });
      expect(await subscribers.ended(session)).toMatchObject({ state: 'applied' });
    });

    it('if the card is declined for a change that is billed at once: the plan stays', async () => {
      const subscription = stripe.add('sub_declined');
      await acme.client.put(CONNECTION, { proration: 'always_invoice' });
      stripe.isCardDeclined = true;
      const session = await subscribers.accepts('sub_declined', planChange('price_dear'));
      expect(await subscribers.ended(session)).toMatchObject({
        state: 'failed',
        detail: 'Stripe: Your card was declined. Change the price to price_dear.',
      });
      expect(subscription.items.data[0].price.id).toBe('price_pro');
    });

    it('an older one that is tried again does not win over a later one that is under way', async () => {
      const subscription = stripe.add('sub_beside');
      const older = await acceptsDeleted('sub_beside', 'beside');
      let release = () => {};
      const released = new Promise<void>((resolve) => (release = resolve));
      const asked = new Promise<void>((resolve) => {
        stripe.carryOut = async (make) => {
          resolve();
          await released;
          make();
        };
      });
      const later = await subscribers.accepts('sub_beside', planChange('price_beside'));
      await asked;
      stripe.coupons.set('beside', { id: 'beside' });
      await acme.client.post(`/api/v1/public/sessions/${older}/fulfilment`, { action: 'retry' });
      expect(await subscribers.ended(older)).toMatchObject({ state: 'manual', detail: expect.stringMatching(/later/) });
      release();
      expect(await subscribers.ended(later)).toMatchObject({ state: 'applied' });
      expect(subscription.discounts).toEqual([]);
    });

    it('an older one that is tried again does not win over a later one', async () => {
      const subscription = stripe.add('sub_older');
      const older = await acceptsDeleted('sub_older', 'missing');
      await subscribers.ended(await subscribers.accepts('sub_older', planChange('price_later')));
      await acme.client.post(`/api/v1/public/sessions/${older}/fulfilment`, { action: 'retry' });
      expect(await subscribers.ended(older)).toMatchObject({ state: 'manual', detail: expect.stringMatching(/later/) });
      expect(subscription.discounts).toEqual([]);
    });
  });

  it.each([
    [
      'a discount',
      DISCOUNT,
      /customers/,
      /may not read Customers: a discount of their own may be lost\. Give 30 % off/,
    ],
    ['a change of plan', planChange('price_small'), /prices/, /may not read Prices\. Change the price to price_small/],
  ])('is left to a person without the permission that it needs: %s', async (_, offer, forbidden, why) => {
    const id = `sub_permission_${stripe.subscriptions.size}`;
    stripe.add(id);
    stripe.forbidden = forbidden;
    const session = await subscribers.accepts(id, offer);
    expect(await subscribers.ended(session)).toMatchObject({ state: 'manual', detail: expect.stringMatching(why) });
    expect(madeFor(id)).toEqual([]);
    const { missing_permissions } = (await acme.client.get(CONNECTION)).body;
    expect(missing_permissions).toEqual([expect.stringMatching(forbidden.source.slice(0, -1))]);
  });

  it('needs nobody in a dry run, which says what a person would have to look at', async () => {
    await acme.client.put(CONNECTION, { mode: 'dry_run' });
    stripe.add('sub_dry_schedule', { schedule: 'sub_sched_1' });
    const session = await subscribers.accepts('sub_dry_schedule', DISCOUNT);
    expect(await subscribers.ended(session)).toMatchObject({
      state: 'dry_run',
      detail: expect.stringMatching(/^A person would have to look: A schedule manages/),
    });
    const unsigned = await subscribers.accepts(undefined, DISCOUNT, { customer: { id: 'ada' } });
    expect(await subscribers.ended(unsigned)).toMatchObject({
      state: 'dry_run',
      detail: expect.stringMatching(/would/),
    });
    expect((await acme.client.get('/api/v1/public/sessions?fulfilment=attention')).body.sessions).toEqual([]);
  });

  describe('is said to be carried out by whom it is, and the customer reads no more than that:', () => {
    const PLAN = planChange('price_small');
    const PAUSE = { offer_type: 'pause_subscription', terms: { months: 1 } };
    const said = async (session: string) => {
      const { fulfilment, closing } = (await service.client.get(`/api/v1/runtime/session/${session}`)).body;
      const { carried_out_by } = await subscribers.fulfilment(session);
      return [carried_out_by, fulfilment, closing?.body.split('\n').at(-1)];
    };
    const SOON = ['service', 'pending', 'It takes effect in a moment.'];
    const PERSON = ['person', 'none', 'We are taking care of it.'];
    const NOBODY = ['nobody', 'none', 'We are taking care of it.'];

    it('this service, also where Stripe did not answer in time', async () => {
      // Nothing is done meanwhile.
      stripe.carryOut = () => new Promise(() => {});
      stripe.add('sub_said');
      expect(await said(await subscribers.accepts('sub_said', PAUSE))).toEqual(SOON);
      stripe.add('sub_said_slow');
      stripe.heard = () => new Promise(() => {});
      expect(await said(await subscribers.accepts('sub_said_slow', PAUSE))).toEqual(SOON);
    });

    it.each<[string, object, object, Parameters<StripeDouble['add']>[1]?]>([
      ['no token', PAUSE, { customer: { id: 'ada' } }],
      ['no subscription', PAUSE, { customer_token: { subscription: undefined } }],
      ['no terms', { ...PAUSE, terms: null }, {}],
      ['an offer of your own', { offer_type: 'custom', terms: null }, {}],
      ['a subscription that is canceled', PAUSE, {}, { status: 'canceled' }],
      ['a subscription that somebody has set to end', PAUSE, {}, { cancel_at_period_end: true }],
      ['the subscription of another customer', PAUSE, {}, { customer: 'cus_eve' }],
    ])('a person, with %s', async (...[, offer, who, fields]) => {
      const id = `sub_said_${stripe.subscriptions.size}`;
      stripe.add(id, fields);
      const claims = (who as { customer_token?: object }).customer_token;
      const customer = claims ? { customer_token: subscribers.token(undefined, claims) } : who;
      const session = await subscribers.accepts(id, offer, 'customer' in who || claims ? customer : undefined);
      expect(await said(session)).toEqual(PERSON);
      expect(await subscribers.ended(session)).toMatchObject({ state: 'manual', carried_out_by: 'person' });
    });

    it.each<[string, Parameters<StripeDouble['add']>[1], string]>([
      ['this service, where nothing is in the way', {}, 'service'],
      ['a person, where a schedule manages the subscription', { schedule: 'sub_sched_1' }, 'person'],
      ['a person, where the subscription is of another customer', { customer: 'cus_eve' }, 'person'],
    ])('%s, if the customer cancels', async (_, fields, carrier) => {
      const id = `sub_said_cancel_${stripe.subscriptions.size}`;
      stripe.add(id, fields);
      const session = await subscribers.ends('cancel', { customer_token: subscribers.token(id) });
      expect(await subscribers.fulfilment(session)).toMatchObject({ carried_out_by: carrier });
      await subscribers.ended(session);
    });

    it('a person, without the permission that the offer needs, and while the key is refused', async () => {
      stripe.add('sub_lacking');
      stripe.forbidden = /prices/;
      expect(await said(await subscribers.accepts('sub_lacking', PLAN))).toEqual(PERSON);
      stripe.forbidden = /^$/;
      stripe.isKeyRefused = true;
      stripe.add('sub_refused');
      await subscribers.accepts('sub_refused', PAUSE);
      await until(
        async () => (await acme.client.get(CONNECTION)).body,
        ({ attention }: { attention: string | null }) => attention === 'key_refused',
      );
      const session = await subscribers.accepts('sub_refused', PAUSE);
      expect(await said(session)).toEqual(PERSON);
      stripe.isKeyRefused = false;
      expect(await subscribers.ended(session)).toMatchObject({ carried_out_by: 'person' });
      expect(await said(session)).toEqual(PERSON);
    });

    it('a person, where the key may not write: nothing is tried, and a customer who stays needs nobody', async () => {
      stripe.forbidden = /POST/;
      await acme.client.put(CONNECTION, { api_key: API_KEY });
      stripe.add('sub_read_only');
      const session = await subscribers.accepts('sub_read_only', PAUSE);
      expect(await said(session)).toEqual(PERSON);
      const detail = 'The key may not change Subscriptions. Pause the payments for 1 month.';
      expect(await subscribers.ended(session)).toMatchObject({ state: 'manual', detail });
      stripe.forbidden = /POST .*coupons/;
      await acme.client.put(CONNECTION, { api_key: API_KEY });
      const discount = await subscribers.accepts('sub_read_only', DISCOUNT);
      expect((await said(discount)).slice(0, 2)).toEqual(['person', 'none']);
      expect(await subscribers.ended(discount)).toMatchObject({
        state: 'manual',
        detail: 'The key may not make Coupons. Give 30 % off, for 3 months.',
      });
      const customer_token = subscribers.token('sub_read_only');
      expect(await subscribers.ended(await subscribers.ends('keep', { customer_token }))).toMatchObject({
        state: 'none',
      });
    });

    it('nobody, in a dry run and without a connection, also if it is carried out later', async () => {
      stripe.add('sub_nobody');
      await acme.client.put(CONNECTION, { mode: 'dry_run' });
      const session = await subscribers.accepts('sub_nobody', PAUSE);
      await subscribers.ended(session);
      await acme.client.put(CONNECTION, { mode: 'live' });
      await acme.client.post(`/api/v1/public/sessions/${session}/fulfilment`, { action: 'retry' });
      expect(await subscribers.ended(session)).toMatchObject({ state: 'applied', carried_out_by: 'nobody' });
      expect(await said(session)).toEqual(NOBODY);
      await acme.client.delete(CONNECTION);
      expect(await said(await subscribers.accepts('sub_nobody', PAUSE))).toEqual(NOBODY);
    });
  });

  it('is written down in a dry run, and not sent, and the page is told nothing', async () => {
    stripe.add('sub_dry');
    await acme.client.put(CONNECTION, { mode: 'dry_run' });
    stripe.coupons.set('stay', { id: 'stay' });
    const session = await subscribers.accepts('sub_dry', { ...DISCOUNT, terms: { coupon: 'stay' } });
    const [{ id }] = (await acme.client.get('/api/v1/public/sessions')).body.sessions;
    const marks = [`session]=${id}`, 'end]=', 'coupon]=stay'];
    const metadata = marks.map((mark) => `metadata[retention_flow_${mark}`);
    expect(await subscribers.ended(session)).toMatchObject({
      state: 'dry_run',
      detail: `POST /v1/subscriptions/sub_dry\ndiscounts[0][coupon]=stay\n${metadata.join('\n')}`,
    });
    expect((await service.client.get(`/api/v1/runtime/session/${session}`)).body.fulfilment).toBe('none');
    expect(madeFor('sub_dry')).toEqual([]);
  });

  it('is counted, and how long the oldest waits that nobody has come to', async () => {
    const sampled = async (sample: string) => {
      const texts = await Promise.all([service, other].map(({ client }) => client.get('/metrics')));
      return texts.map(({ body }) => Number(new RegExp(`^retention_${sample} (\\S+)$`, 'm').exec(body)![1]));
    };
    const applied = async () => {
      const [one, two] = await sampled('fulfilments_total{result="applied"}');
      return one + two;
    };
    const before = await applied();
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    stripe.carryOut = async (make) => {
      await released;
      make();
    };
    // Each process carries out four of a workspace at a time.
    for (let job = 0; job < 9; job++) {
      stripe.add(`sub_many_${job}`);
      await subscribers.accepts(`sub_many_${job}`, DISCOUNT);
    }
    const overdue = `UPDATE fulfilments SET next_attempt_at = next_attempt_at - interval '10 minutes'
      WHERE workspace_id = $1 AND attempts = 0 AND next_attempt_at > now() - interval '9 minutes'`;
    const oldest = async () => {
      await service.database.query(overdue, [acme.id]);
      return Math.max(...(await sampled('fulfilments_oldest_due_seconds')));
    };
    await until(oldest, (seconds) => seconds >= 600);
    release();
    await until(applied, (count) => count === before + 9);
    await until(oldest, (seconds) => seconds === 0);
  });

  it('is sent no more once the connection is a dry run', async () => {
    stripe.add('sub_stopped');
    stripe.carryOut = () => {
      throw new Error('Try again later');
    };
    const session = await subscribers.accepts('sub_stopped', DISCOUNT);
    await until(
      () => subscribers.fulfilment(session),
      ({ detail }: { detail: string | null }) => detail !== null,
    );
    stripe.carryOut = (make) => make();
    await acme.client.put(CONNECTION, { mode: 'dry_run' });
    expect(await subscribers.ended(session)).toMatchObject({ state: 'dry_run', carried_out_by: 'service' });
    expect(madeFor('sub_stopped')).toEqual([]);
    // What was said stays.
    expect((await service.client.get(`/api/v1/runtime/session/${session}`)).body.fulfilment).toBe('pending');
  });

  it('is carried out for a customer who is erased while it is under way, and leaves no trace of them', async () => {
    stripe.add('sub_erased');
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    const asked = new Promise<void>((resolve) => {
      stripe.heard = () => {
        resolve();
        return released;
      };
    });
    const session = await subscribers.accepts('sub_erased', DISCOUNT);
    await asked;
    stripe.heard = () => undefined;
    expect((await acme.client.delete('/api/v1/public/customers/ada')).status).toBe(200);
    release();
    const kept =
      'SELECT request, effect, detail, subscription_id, billing_customer_id FROM fulfilments WHERE workspace_id = $1';
    const overdue = `UPDATE fulfilments SET next_attempt_at = now() WHERE workspace_id = $1 AND state = 'pending'`;
    await until(
      async () => {
        await service.database.query(overdue, [acme.id]);
        return subscribers.fulfilment(session);
      },
      ({ state }: { state: string }) => state === 'applied',
    );
    const nothing = { request: null, effect: null, detail: null, subscription_id: null, billing_customer_id: null };
    expect(await service.database.query<object[]>(kept, [acme.id])).toEqual([nothing]);
    expect(madeFor('sub_erased')).toHaveLength(1);
  });

  it('is nothing to do without a connection', async () => {
    await acme.client.delete(CONNECTION);
    const session = await subscribers.accepts('sub_none', DISCOUNT);
    expect(await subscribers.fulfilment(session)).toEqual({
      state: 'none',
      carried_out_by: 'nobody',
      at: null,
      effect: null,
      detail: null,
      url: null,
    });
  });
});
