import { Abandonment } from '../../../src/events/abandonment/abandonment';
import type { SubscribableType } from '../../../src/outbox/event-types';
import { claimsFor, secretKey, tokenOf } from '../../support/customer-token';
import { type Received, verify } from '../../support/receiver';
import { serviceForAll, workspaceForEach } from '../../support/service';
import { startDelivering, Subscriber } from './subscriber';
import { Visitor } from './visitor';

const CUSTOMER = { id: 'cus_1', email: 'ada@example.com', attributes: { plan: 'pro', seats: 12 } };
const OFFER = {
  name: 'Half price',
  offer_type: 'discount_percentage',
  offer_value: '50%',
  offer_duration: '3 months',
  heading: 'Stay for half',
  body: 'Really.',
  metadata: { stripe_coupon: 'half' },
};
const ANSWERS = [
  {
    node_key: 'reason',
    option: 'too_expensive',
    label: 'Too expensive',
    own_label: 'Too expensive',
    comment: 'Too dear.',
  },
];
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

const NOT_OPEN = { outcome: 'saved', kind: null, data: null };

describe('A webhook is told, signed,', () => {
  const service = serviceForAll(startDelivering);
  const acme = workspaceForEach(service);
  let flow: { id: string; slug: string };
  let offer: { id: string };

  beforeEach(async () => {
    offer = await acme.offer(OFFER);
    flow = await acme.publishedFlow({ offer_ids: [offer.id] });
  });
  afterEach(() => Subscriber.stopAll(service));

  /** What a webhook of one type receives of something that happens. `GET /events/:id` shows the same. */
  async function sentOf(type: SubscribableType, happen: () => Promise<unknown>): Promise<Received['body']> {
    const subscriber = await Subscriber.of(acme, [type]);
    await happen();
    const [request] = await subscriber.untilReceived(1);
    expect(verify(subscriber.secret, request)).toEqual(request.body);
    expect(request.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': expect.stringMatching(/^retention-flow-service\/\d/),
    });
    const event = (await acme.client.get(`/api/v1/public/events/${request.id}`)).body;
    expect(event).toMatchObject({ type, created_at: request.body.timestamp, body: request.body });
    return request.body;
  }
  const sessionOf = async (visitor: Visitor, status: string, isOver: boolean) => ({
    id: await visitor.recordId(),
    status,
    flow_id: flow.id,
    flow_version: 1,
    flow_name: 'Leaving Acme',
    source: null,
    locale: 'en',
    started_at: TIME,
    ended_at: isOver ? TIME : null,
    customer: { ...CUSTOMER, verified: false, subscription: null },
    facts: {},
  });

  it('that a customer accepted an offer', async () => {
    const visitor = await Visitor.begin(service, flow, CUSTOMER);
    await visitor.answer('Too dear.');
    expect(await sentOf('session.saved', visitor.accept)).toEqual({
      type: 'session.saved',
      livemode: true,
      timestamp: TIME,
      data: {
        session: await sessionOf(visitor, 'saved', true),
        reason: 'offer_accepted',
        answers: ANSWERS,
        results: {},
        accepted_offer: { id: offer.id, accept_url: null, terms: null, ...OFFER, ...NOT_OPEN },
      },
    });
  });

  it('that a customer stays without an offer', async () => {
    const visitor = await Visitor.begin(service, flow, CUSTOMER);
    await visitor.answer('Too dear.');
    await visitor.decline();
    const session = await sessionOf(visitor, 'saved', true);
    expect((await sentOf('session.saved', visitor.keep)).data).toEqual({
      session,
      reason: 'kept',
      answers: ANSWERS,
      results: {},
      accepted_offer: null,
    });
  });

  it('whether the site signed who the customer is', async () => {
    const { id: sub, ...details } = CUSTOMER;
    const token = tokenOf(await secretKey(acme.client), {}, claimsFor(acme, { sub, ...details }));
    const visitor = await Visitor.begin(service, flow, token);
    const { data } = await sentOf('session.canceled', visitor.cancel);
    expect(data).toMatchObject({ session: { customer: { ...CUSTOMER, verified: true, subscription: null } } });
  });

  it('that a customer cancels', async () => {
    const visitor = await Visitor.begin(service, flow);
    await visitor.answer();
    const session = { ...(await sessionOf(visitor, 'canceled', true)), customer: null };
    expect((await sentOf('session.canceled', visitor.cancel)).data).toEqual({
      session,
      answers: [{ ...ANSWERS[0], comment: null }],
      results: {},
      accepted_offer: null,
    });
  });

  it('that a session started, as it was then', async () => {
    let visitor: Visitor;
    const { data } = await sentOf('session.started', async () => {
      visitor = await Visitor.begin(service, flow, CUSTOMER);
      await visitor.answer('Too dear.');
      await visitor.accept();
    });
    const session = await sessionOf(visitor!, 'in_progress', false);
    expect(data).toEqual({ session, answers: [], results: {}, accepted_offer: null });
  });

  it('that a session is abandoned, as it was then', async () => {
    const visitor = await Visitor.begin(service, flow, { id: 'cus_1' });
    await visitor.answer('Too dear.');
    const search = () => service.app.get(Abandonment).search();
    const { data } = await sentOf('session.abandoned', async () => {
      await search();
      await service.letPass('24 hours 6 minutes', acme);
      await search();
    });
    const session = {
      ...(await sessionOf(visitor, 'abandoned', false)),
      customer: { id: 'cus_1', email: null, attributes: {}, verified: false, subscription: null },
    };
    expect(data).toEqual({ session, answers: ANSWERS, results: {}, accepted_offer: null });
  });

  it.each(['published', 'archived'] as const)('that a flow is %s', async (status) => {
    const metadata = { stripe_product: 'prod_1' };
    const { id, slug } = status === 'archived' ? flow : await acme.flow();
    await acme.client.put(`/api/v1/public/flows/${id}`, { metadata });
    const change = () => acme.client.put(`/api/v1/public/flows/${id}`, { status });
    expect((await sentOf(`flow.${status}`, change)).data).toEqual({
      flow: {
        id,
        slug,
        version: 1,
        name: 'Leaving Acme',
        product_name: 'Acme Pro',
        metadata,
        ...(status === 'published' && { note: null }),
      },
    });
  });

  it('that a draft was published, with its version and its note', async () => {
    const { id } = await acme.publishedFlow();
    await acme.client.put(`/api/v1/public/flows/${id}/draft`, { product_name: 'Acme Max' });
    const publish = () => acme.client.post(`/api/v1/public/flows/${id}/draft/publish`, { note: 'Max, not Pro.' });
    expect((await sentOf('flow.published', publish)).data).toMatchObject({
      flow: { id, version: 2, product_name: 'Acme Max', note: 'Max, not Pro.' },
    });
  });

  it.each([
    ['approaching', 4],
    ['reached', 5],
  ] as const)('that the session limit is %s', async (which, starts) => {
    await service.operator.put(`/api/v1/admin/workspaces/${acme.id}`, { session_limit: 5 });
    const { data } = await sentOf(`workspace.limit_${which}`, async () => {
      for (let n = 0; n < starts; n++) await Visitor.begin(service, flow);
    });
    const { period_start, period_end } = await acme.usage();
    const workspace = { id: acme.id, session_limit: 5, sessions_used: starts, period_start, period_end };
    expect(data).toEqual({ workspace });
  });

  it('that a customer was erased, without a word on who it was', async () => {
    const visitors = [await Visitor.begin(service, flow, CUSTOMER), await Visitor.begin(service, flow, CUSTOMER)];
    const body = await sentOf('customer.erased', () => acme.client.delete('/api/v1/public/customers/cus_1'));
    const ids = await Promise.all(visitors.map((visitor) => visitor.recordId()));
    expect(body.data.sessions.map(({ id }: { id: string }) => id).toSorted()).toEqual(ids.toSorted());
    expect(JSON.stringify(body)).not.toMatch(/cus_1|ada@/);
  });

  it('that another webhook was disabled', async () => {
    const gone = await Subscriber.of(acme, ['session.canceled'], () => 410);
    const { data } = await sentOf('webhook.disabled', () => Visitor.cancels(service, flow));
    expect(data).toEqual({ webhook: { id: gone.id, description: '', reason: 'It answered 410 Gone.' } });
  });

  it('that it was tested', async () => {
    const subscriber = await Subscriber.of(acme, ['session.canceled']);
    const { event_id } = (await subscriber.post('test')).body;
    const [request] = await subscriber.untilReceived(1);
    expect(verify(subscriber.secret, request)).toEqual({
      type: 'test',
      livemode: true,
      timestamp: TIME,
      data: { webhook: { id: subscriber.id } },
    });
    expect(request.id).toBe(event_id);
  });

  it('no more than 20 kB', async () => {
    const long = 'ä'.repeat(1000);
    const attributes = Object.fromEntries(Array.from({ length: 8 }, (_, n) => [`attribute_${n}`, long]));
    const visitor = await Visitor.begin(service, flow, { ...CUSTOMER, attributes });
    await visitor.answer('😀'.repeat(3000));
    const body = await sentOf('session.canceled', visitor.cancel);
    expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThanOrEqual(20_000);
    expect(body.data.truncated).toBe(true);
  });
});
