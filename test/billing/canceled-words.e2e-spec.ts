import { Service, type Tenant } from '../support/service';
import { until } from '../support/until';
import { StripeDouble } from './stripe-double';
import { billingAt, CONNECTION, Subscribers } from './subscriber';

const DAY = 24 * 60 * 60;
const ENDS = Math.floor(Date.parse('2027-12-24T12:00:00Z') / 1000);
const OVER = { current_period_start: 1_700_000_000, current_period_end: 1_702_000_000 };
const STAYS = { cancel_in_billing: true, after_cancel: 'stay' };

describe('A customer who cancels', () => {
  let stripe: StripeDouble;
  let service: Service;
  let acme: Tenant;
  let subscribers: Subscribers;
  let count = 0;

  beforeAll(async () => {
    stripe = await StripeDouble.start();
    service = await Service.start({ ...billingAt(stripe), BACKGROUND_JOBS: 'false' });
  });
  afterAll(async () => {
    await service.stop();
    await stripe.stop();
  });
  beforeEach(async () => {
    stripe.heard = () => undefined;
    acme = await service.workspace();
    subscribers = await Subscribers.of(service, acme);
  });

  const subscribed = (fields: Parameters<StripeDouble['add']>[1] = {}, claims: object = {}) => {
    const item = { current_period_start: ENDS - 30 * DAY, current_period_end: ENDS };
    const { id } = stripe.add(`sub_words_${++count}`, { item, ...fields });
    return { customer_token: subscribers.token(id, claims) };
  };
  const known = (sessionId: string) =>
    until(
      () => service.database.query('SELECT eligibility FROM flow_sessions WHERE session_id = $1', [sessionId]),
      ([{ eligibility }]: { eligibility: object | null }[]) => eligibility !== null,
    );
  const cancel = async (flow: object, customer: object, isKnown = true) => {
    const sessionId = await subscribers.begins(flow, customer);
    if (isKnown) await known(sessionId);
    return { sessionId, ended: await subscribers.steps(sessionId, { action: 'cancel' }) };
  };

  it('reads when the subscription ends, in a flow where they stay, each time that the end is asked for', async () => {
    const { sessionId, ended } = await cancel(STAYS, subscribed());
    const closing = {
      title: 'We have received your cancellation',
      body: 'Your subscription ends on December 24, 2027. You can use it until then.',
    };
    const state = { status: 'canceled', redirect_url: 'https://acme.example/cancel', fulfilment: 'pending', closing };
    expect(ended).toMatchObject(state);
    expect(await subscribers.steps(sessionId, { action: 'cancel' })).toEqual(ended);
    const read = await service.client.get(`/api/v1/runtime/session/${sessionId}`);
    expect(read.body).toMatchObject(state);
  });

  it('reads the words of the flow, in their language, with the day and their name', async () => {
    const flow = {
      ...STAYS,
      canceled_title: 'Goodbye, {{first_name|friend}}',
      canceled_body: '{{product_name}} is yours until {{until}}.',
      translations: { de: { canceled_body: '{{product_name}} gehört Ihnen bis zum {{until}}.' } },
    };
    const customer = subscribed({}, { attributes: { first_name: 'Ada' } });
    expect((await cancel(flow, customer)).ended.closing).toEqual({
      title: 'Goodbye, Ada',
      body: 'Acme Pro is yours until December 24, 2027.',
    });
    expect((await cancel(flow, { ...subscribed(), locale: 'de' })).ended.closing).toEqual({
      title: 'Goodbye, friend',
      body: 'Acme Pro gehört Ihnen bis zum 24. Dezember 2027.',
    });
  });

  it.each<[string, object, () => object, boolean]>([
    ['the flow says go', { cancel_in_billing: true }, () => subscribed(), true],
    ['billing does not cancel', { after_cancel: 'stay' }, () => subscribed(), false],
    ['a person has to do it', STAYS, () => subscribed({ schedule: 'sub_sched_1' }), true],
    ['the subscription is another customer’s', STAYS, () => subscribed({ customer: 'cus_other' }), true],
    ['it is not paid', STAYS, () => subscribed({ status: 'past_due' }), true],
    ['its payments pause', STAYS, () => subscribed({ pause_collection: { behavior: 'void', resumes_at: ENDS } }), true],
    ['its period is over by then', STAYS, () => subscribed({ item: OVER }), true],
    ['it ends at once', STAYS, () => subscribed({ status: 'incomplete' }), true],
    ['nobody signed who they are', STAYS, () => ({ customer: { id: 'ada' } }), false],
  ])('goes to the cancellation page where %s', async (_, flow, customer, isKnown) => {
    const { ended } = await cancel(flow, customer(), isKnown);
    expect(ended).toMatchObject({ status: 'canceled', redirect_url: 'https://acme.example/cancel' });
    expect(ended).not.toHaveProperty('closing');
  });

  it('goes there in a dry run, and while billing does not answer', async () => {
    stripe.heard = () => new Promise(() => undefined);
    expect((await cancel(STAYS, subscribed(), false)).ended).not.toHaveProperty('closing');
    stripe.heard = () => undefined;
    await acme.client.put(CONNECTION, { mode: 'dry_run' });
    expect((await cancel(STAYS, subscribed(), false)).ended).not.toHaveProperty('closing');
  });

  it('is told no more once the end has come, or the service could not carry it out', async () => {
    const { sessionId } = await cancel(STAYS, subscribed());
    const read = async () => (await service.client.get(`/api/v1/runtime/session/${sessionId}`)).body;
    const change = (sql: string) => service.database.query(`${sql} WHERE workspace_id = $1`, [acme.id]);
    await change(`UPDATE fulfilments SET state = 'manual', next_attempt_at = NULL`);
    expect(await read()).not.toHaveProperty('closing');
    await change(`UPDATE fulfilments SET state = 'applied', next_attempt_at = NULL`);
    expect(await read()).toHaveProperty('closing');
    await change(
      `UPDATE flow_sessions SET eligibility = jsonb_set(eligibility, '{cancel,effects,0,until}', '"2026-01-01T00:00:00.000Z"')`,
    );
    expect(await read()).not.toHaveProperty('closing');
    expect(await subscribers.steps(sessionId, { action: 'cancel' })).not.toHaveProperty('closing');
  });

  it('is told no more once they are erased', async () => {
    const { sessionId } = await cancel(STAYS, subscribed());
    await acme.client.delete('/api/v1/public/customers/ada');
    expect((await service.client.get(`/api/v1/runtime/session/${sessionId}`)).body).not.toHaveProperty('closing');
  });

  it('reads the same in a preview as a subscription', async () => {
    const { id } = await acme.publishedFlow(STAYS);
    const subscription = { amount: 2900, currency: 'EUR', interval: 'month' };
    const { body } = await acme.client.post(`/api/v1/public/flows/${id}/preview`, { customer: { subscription } });
    const ended = await subscribers.steps(body.session_id, { action: 'cancel' });
    expect(ended.closing.body).toMatch(/^Your subscription ends on \w+ \d+, \d{4}\./);
  });

  it.each([
    ['a placeholder without words', { canceled_title: 'Bye, {{first_name}}' }, '/canceled_title'],
    [
      'a translation with other placeholders',
      { canceled_body: 'Until {{until}}', translations: { de: { canceled_body: 'Bis bald' } } },
      '/translations/de/canceled_body',
    ],
    ['a place to go that there is not', { after_cancel: 'home' }, '/after_cancel'],
  ])('is not led by %s', async (_, fields, pointer) => {
    const { id } = await acme.flow();
    const { status, body } = await acme.client.put(`/api/v1/public/flows/${id}`, fields);
    expect(status).toBe(400);
    expect(body.errors).toEqual([{ pointer, message: expect.any(String) }]);
  });
});
