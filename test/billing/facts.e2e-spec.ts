import type { Condition } from '../../src/conditions/condition.dto';
import type { FlowDefinition } from '../../src/flows/graph/flow-definition';
import { Service, type Tenant } from '../support/service';
import { claimsFor, secretKey, type SigningKey, tokenOf } from '../support/customer-token';
import { StripeDouble } from './stripe-double';
import { billingAt, CONNECTION, Subscribers } from './subscriber';

const INIT = '/api/v1/runtime/session/init';
const DAY = 24 * 60 * 60;
const now = () => Math.floor(Date.now() / 1000);
const ALL = (conditions: Condition[]) => ({ all: conditions });

/** Customers who fit the conditions come to `yes`, all others to `no`. */
function branching(...conditions: Condition[]): FlowDefinition {
  const confirm = (key: string) => ({ key, type: 'confirm' as const, config: { title: 'Cancel?' } });
  return {
    entry: 'start',
    nodes: [
      { key: 'start', type: 'start', config: { title: 'Before you go' }, next: 'who' },
      { key: 'who', type: 'branch', config: { ways: [{ when: ALL(conditions), next: 'yes' }] }, next: 'no' },
      confirm('yes'),
      confirm('no'),
    ],
  };
}

describe('A branch goes by facts', () => {
  let stripe: StripeDouble;
  let service: Service;
  let acme: Tenant;
  let count = 0;

  beforeAll(async () => {
    stripe = await StripeDouble.start();
    service = await Service.start({ ...billingAt(stripe), BACKGROUND_JOBS: 'false' });
    stripe.products.set('prod_pro', { name: 'Pro' });
    stripe.customers.set('cus_ada', { address: { country: 'DE' } });
  });
  afterAll(async () => {
    await service.stop();
    await stripe.stop();
  });
  beforeEach(async () => {
    stripe.heard = () => undefined;
    stripe.forbidden = /^$/;
    acme = await service.workspace();
  });

  const begin = async (definition: FlowDefinition, customer: object) => {
    const { slug: flow_slug } = await acme.publishedFlow({ flow_mode: 'advanced', definition });
    return (await service.client.post(INIT, { flow_slug, ...customer })).body.session_id as string;
  };
  const step = async (sessionId: string, body: object) =>
    (await service.client.post(`/api/v1/runtime/session/${sessionId}/step`, body)).body;
  /** Where a customer comes to from the start. */
  const walk = async (definition: FlowDefinition, customer: object) => {
    const sessionId = await begin(definition, customer);
    const { node } = await step(sessionId, { node_key: 'start', action: 'continue' });
    const { facts } = (await acme.client.get(`/api/v1/public/sessions/${sessionId}`)).body;
    return { at: node.key as string, facts };
  };

  describe('of the billing system', () => {
    let subscribers: Subscribers;
    beforeEach(async () => {
      subscribers = await Subscribers.of(service, acme);
    });
    const subscribed = (fields: Parameters<StripeDouble['add']>[1] = {}) => {
      const { id } = stripe.add(`sub_facts_${++count}`, fields);
      return { customer_token: subscribers.token(id) };
    };

    it('which an offer goes by, though no branch asks for them', async () => {
      const { id } = await acme.offer({ when: ALL([{ fact: 'country', is: '=', value: 'DE' }]) });
      const { slug: flow_slug } = await acme.publishedFlow({ offer_ids: [id] });
      const comeTo = async (customer: string) => {
        const { session_id } = (await service.client.post(INIT, { flow_slug, ...subscribed({ customer }) })).body;
        await step(session_id, { node_key: 'start', action: 'continue' });
        return (await step(session_id, { node_key: 'reason', action: 'answer', option: 'other' })).node.key;
      };
      expect([await comeTo('cus_ada'), await comeTo('cus_bob')]).toEqual(['offer_1', 'confirm']);
    });

    it('which filters, reports and webhooks know, also of a flow that has no branch', async () => {
      const { slug: flow_slug } = await acme.publishedFlow();
      const customer = subscribed({ price: { unit_amount: 15_000 } });
      const { session_id } = (await service.client.post(INIT, { flow_slug, ...customer })).body;
      await step(session_id, { action: 'cancel' });
      const where = encodeURIComponent(JSON.stringify(ALL([{ fact: 'amount', is: '>', value: 10_000 }])));
      const { sessions } = (await acme.client.get(`/api/v1/public/sessions?where=${where}`)).body;
      expect(sessions).toHaveLength(1);
      const { facts } = (await acme.client.get(`/api/v1/public/sessions/${session_id}`)).body;
      expect(facts).toMatchObject({ plan: 'Pro', amount: 15_000 });
      const month = new Date().toISOString().slice(0, 7);
      const { by_plan } = (await acme.client.get(`/api/v1/public/report?from=${month}-01`)).body;
      expect(by_plan).toMatchObject([{ plan: 'Pro', customers: 1 }]);
    });

    it('with the plan, the price, the age, the country and the rest of the subscription', async () => {
      const price = { unit_amount: 30_000, recurring: { interval: 'year' as const, interval_count: 1 } };
      const began = { start_date: now() - 70 * DAY, cancel_at_period_end: true };
      const customer = subscribed({ price, item: { quantity: 4 }, ...began });
      const asked = branching(
        { fact: 'plan', is: 'in', value: ['Pro', 'Team'] },
        { fact: 'country', is: '=', value: 'DE' },
        { fact: 'months', is: '>=', value: 2 },
        { fact: 'amount', is: '=', value: 10_000 },
        { fact: 'discounted', is: '=', value: false },
      );
      expect(await walk(asked, customer)).toEqual({
        at: 'yes',
        facts: {
          plan: 'Pro',
          price: 'price_pro',
          amount: 10_000,
          currency: 'EUR',
          interval: 'year',
          months: 2,
          status: 'active',
          quantity: 4,
          discounted: false,
          country: 'DE',
          ends: true,
        },
      });
    });

    it('in a dry run, too, and without a single offer', async () => {
      await acme.client.put(CONNECTION, { mode: 'dry_run' });
      const asked = branching({ fact: 'status', is: '=', value: 'trialing' });
      expect(await walk(asked, subscribed({ status: 'trialing' }))).toMatchObject({ at: 'yes' });
    });

    it('and a fact that the key may not read is unknown', async () => {
      stripe.forbidden = /^GET \/v1\/(products|customers)/;
      const unknown = branching({ fact: 'plan', is: 'exists' });
      const { at, facts } = await walk(unknown, subscribed());
      expect(at).toBe('no');
      expect(facts).toMatchObject({ price: 'price_pro' });
      expect(facts).not.toHaveProperty('plan');
      expect(await walk(branching({ fact: 'country', is: '!=', value: 'FR' }), subscribed())).toMatchObject({
        at: 'no',
      });
    });

    it('and those of another customer’s subscription are unknown', async () => {
      const { id } = stripe.add(`sub_facts_${++count}`, { customer: 'cus_other' });
      const asked = branching({ fact: 'status', is: 'exists' });
      expect(await walk(asked, { customer_token: subscribers.token(id) })).toEqual({ at: 'no', facts: {} });
    });

    it('and a token’s claims count for nothing while billing can be asked', async () => {
      const { id } = stripe.add(`sub_facts_${++count}`);
      const subscription = { id, plan: 'Claimed', since: '2020-01-01', quantity: 9 };
      const asked = branching({ fact: 'plan', is: '=', value: 'Pro' }, { fact: 'quantity', is: '=', value: 1 });
      expect(await walk(asked, { customer_token: subscribers.token(id, { subscription }) })).toMatchObject({
        at: 'yes',
      });
      stripe.heard = () => new Promise(() => undefined);
      const late = { ...subscription, id: stripe.add(`sub_facts_${++count}`).id };
      const token = subscribers.token(late.id, { subscription: late });
      expect(await walk(asked, { customer_token: token })).toEqual({ at: 'no', facts: {} });
    });

    it('and what billing says after the first step changes nothing for the session', async () => {
      let answer: () => void = () => undefined;
      stripe.heard = () => new Promise<void>((resolve) => (answer = resolve));
      const definition = branching({ fact: 'status', is: 'exists' });
      const sessionId = await begin(definition, subscribed());
      expect((await step(sessionId, { node_key: 'start', action: 'continue' })).node.key).toBe('no');
      answer();
      stripe.heard = () => undefined;
      const again = await step(sessionId, { node_key: 'start', action: 'continue' });
      expect(again.node.key).toBe('no');
      const { body } = await acme.client.get(`/api/v1/public/sessions/${sessionId}`);
      expect(body.facts).toEqual({});
    });
  });

  describe('of a token, where no billing system is connected', () => {
    let key: SigningKey;
    beforeEach(async () => {
      key = await secretKey(acme.client);
    });
    const token = (subscription: object, claims: object = {}) => ({
      customer_token: tokenOf(key, {}, claimsFor(acme, { subscription, ...claims })),
    });

    it('with the plan, the date it began and the quantity', async () => {
      const price = { amount: 30_000, currency: 'eur', interval: 'year' };
      const subscription = { ...price, plan: 'Pro', since: '2020-01-01', quantity: 3 };
      const asked = branching({ fact: 'months', is: '>', value: 60 }, { fact: 'plan', is: '=', value: 'Pro' });
      const { at, facts } = await walk(asked, token(subscription));
      expect(at).toBe('yes');
      expect(facts).toEqual({
        plan: 'Pro',
        amount: 2500,
        currency: 'EUR',
        interval: 'year',
        quantity: 3,
        months: expect.any(Number),
      });
      expect(await walk(asked, token({ plan: 'Pro', since: '2020-01-01' }))).toMatchObject({ at: 'yes' });
    });

    it.each<[string, object, RegExp]>([
      ['a date that there is not', { since: '2026-02-30' }, /since/],
      ['a plan that is no text', { plan: 7 }, /plan/],
      ['a quantity below 0', { quantity: -1 }, /quantity/],
    ])('and %s is left out with a warning, not the price', async (_, wrong, name) => {
      const price = { amount: 2500, currency: 'EUR', interval: 'month' };
      const { slug: flow_slug } = await acme.publishedFlow({
        flow_mode: 'advanced',
        definition: branching({ fact: 'months', is: 'exists' }),
      });
      const { status, body } = await service.client.post(INIT, { flow_slug, ...token({ ...price, ...wrong }) });
      expect(status).toBe(201);
      expect(JSON.stringify(body.warnings)).toMatch(name);
      const record = await acme.client.get(`/api/v1/public/sessions/${body.session_id}`);
      expect(record.body.facts).toMatchObject({ amount: 2500 });
    });

    it('and what only the page says is no fact', async () => {
      const subscription = { amount: 2500, currency: 'EUR', interval: 'month' };
      const asked = branching({ fact: 'amount', is: 'exists' });
      expect(await walk(asked, { customer: { id: 'ada', subscription } })).toEqual({ at: 'no', facts: {} });
    });
  });

  describe('of the customer’s earlier sessions', () => {
    it('with how often they came and stayed, when, and the offer that they accepted last', async () => {
      const customer = { customer: { id: 'ada' } };
      const again = branching({ fact: 'saves', is: '>=', value: 2 }, { fact: 'sessions', is: '>', value: 3 });
      expect(await walk(again, customer)).toEqual({ at: 'no', facts: { sessions: 1, saves: 0 } });
      const { id: offerId } = await acme.offer();
      const { slug: flow_slug } = await acme.publishedFlow({ offer_ids: [offerId] });
      for (const accepted of [true, false]) {
        const { session_id } = (await service.client.post(INIT, { flow_slug, ...customer })).body;
        await step(session_id, { node_key: 'start', action: 'continue' });
        await step(session_id, { node_key: 'reason', action: 'answer', option: 'other' });
        await step(session_id, accepted ? { node_key: 'offer_1', action: 'accept' } : { action: 'keep' });
      }
      const facts = { sessions: 4, saves: 2, days_since_saved: 0, last_offer: offerId };
      expect(await walk(again, customer)).toEqual({ at: 'yes', facts });
      expect(await walk(again, { customer: { id: 'eve' } })).toEqual({ at: 'no', facts: { sessions: 1, saves: 0 } });
      expect(await walk(again, {})).toEqual({ at: 'no', facts: {} });
    });

    it('but what the page says of a customer doesn’t count for one with a token', async () => {
      const key = await secretKey(acme.client);
      const asked = branching({ fact: 'sessions', is: '>', value: 1 });
      await walk(asked, { customer: { id: 'cus_4711' } });
      const customer = { customer_token: tokenOf(key, {}, claimsFor(acme)) };
      expect(await walk(asked, customer)).toMatchObject({ at: 'no', facts: { sessions: 1 } });
      expect(await walk(asked, customer)).toMatchObject({ at: 'yes', facts: { sessions: 2 } });
    });

    it('and sessions without a token are looked at, up to 1,000, and count for nobody with one', async () => {
      const key = await secretKey(acme.client);
      const asked = branching({ fact: 'sessions', is: '>', value: 1 });
      const customer = { customer_token: tokenOf(key, {}, claimsFor(acme)) };
      const { slug: flow_slug } = await acme.publishedFlow({ flow_mode: 'advanced', definition: asked });
      const start = async (who: object) =>
        (await service.client.post(INIT, { flow_slug, ...who })).body.session_id as string;
      await start(customer);
      for (let n = 0; n < 3; n++) await start({ customer: { id: 'cus_4711' } });
      const record = (await acme.client.get(`/api/v1/public/sessions/${await start(customer)}`)).body;
      expect(record.facts).toEqual({ sessions: 2, saves: 0 });
    });

    it('and are erased with the customer', async () => {
      const asked = branching({ fact: 'sessions', is: '>', value: 5 });
      const sessionId = await begin(asked, { customer: { id: 'ada' } });
      expect((await acme.client.delete('/api/v1/public/customers/ada')).status).toBe(200);
      expect((await acme.client.get(`/api/v1/public/sessions/${sessionId}`)).body.facts).toEqual({});
    });
  });

  it('and a flow that asks for none keeps nothing', async () => {
    const asked = branching({ attribute: 'plan', is: '=', value: 'pro' });
    expect(await walk(asked, { customer: { id: 'ada', attributes: { plan: 'pro' } } })).toEqual({
      at: 'yes',
      facts: {},
    });
  });

  it.each<[string, object, string, RegExp]>([
    [
      'a fact that there is not',
      { fact: 'mood', is: 'exists' },
      '/fact',
      /^must be one of plan, price, amount, .*sessions$/,
    ],
    ['text in place of a number', { fact: 'months', is: '=', value: 'six' }, '/value', /must be a number/],
    [
      'a status that there is not',
      { fact: 'status', is: 'in', value: ['active', 'gone'] },
      '/value',
      /trialing, active/,
    ],
    ['the size of a text', { fact: 'plan', is: '>', value: 1 }, '/value', /plan is not a number/],
  ])('and %s is refused where it stands', async (_, condition, field, message) => {
    const definition = branching(condition as Condition);
    const { status, body } = await acme.client.post('/api/v1/public/flows', {
      name: 'Leaving',
      product_name: 'Acme',
      flow_mode: 'advanced',
      definition,
      cancellation_url: 'https://acme.example/cancel',
    });
    expect(status).toBe(400);
    expect(body.errors).toEqual([
      {
        pointer: `/definition/nodes/1/config/ways/0/when/all/0${field}`,
        message: expect.stringMatching(message),
      },
    ]);
  });

  it('and previews walk with the facts that are given', async () => {
    const definition = branching({ fact: 'months', is: '>=', value: 6 }, { fact: 'saves', is: '=', value: 0 });
    const { id } = await acme.publishedFlow({ flow_mode: 'advanced', definition });
    const at = async (facts: object) => {
      const { body } = await acme.client.post(`/api/v1/public/flows/${id}/preview`, { customer: { facts } });
      return (await step(body.session_id, { node_key: 'start', action: 'continue' })).node.key;
    };
    expect(await at({ months: 7, saves: 0 })).toBe('yes');
    expect(await at({ months: 7 })).toBe('no');
    const wrong = await acme.client.post(`/api/v1/public/flows/${id}/preview`, { customer: { facts: { mood: 1 } } });
    expect(wrong.status).toBe(400);
    expect(wrong.body.errors).toEqual([
      { pointer: '/customer/facts', message: expect.stringMatching(/^must be an object of the facts plan, price/) },
    ]);
  });

  it('and a preview as a subscription walks with its facts', async () => {
    await Subscribers.of(service, acme);
    const asked = branching({ fact: 'amount', is: '=', value: 2500 });
    const { id } = await acme.publishedFlow({ flow_mode: 'advanced', definition: asked });
    const at = async (customer: object) => {
      const { body } = await acme.client.post(`/api/v1/public/flows/${id}/preview`, { customer });
      return (await step(body.session_id, { node_key: 'start', action: 'continue' })).node.key;
    };
    const madeUp = { subscription: { amount: 30_000, currency: 'EUR', interval: 'year' } };
    const { id: subscription } = stripe.add(`sub_facts_${++count}`, { price: { unit_amount: 2500 } });
    expect(await at(madeUp)).toBe('yes');
    expect(await at({ subscription: { id: subscription } })).toBe('yes');
    expect(await at({ ...madeUp, facts: { amount: 100 } })).toBe('no');
  });
});
