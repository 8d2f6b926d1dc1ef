import { randomUUID } from 'node:crypto';
import { DailySums } from '../../src/statistics/sums/daily-sums.service';
import { startDelivering, Subscriber } from '../events/deliveries/subscriber';
import { claimsFor, secretKey, tokenOf } from '../support/customer-token';
import { serviceForAll, workspaceForEach } from '../support/service';
import { until } from '../support/until';
import { accept, because, cancel, decline, go, walk } from '../statistics/walk';

const PUBLIC = '/api/v1/public';
const CALL = { name: 'A call', offer_type: 'custom', outcome: 'open', kind: 'book_a_call', data: { minutes: 30 } };

describe('An offer that is no save', () => {
  const service = serviceForAll(startDelivering);
  const acme = workspaceForEach(service);
  let offer: { id: string };
  let flow: { id: string; slug: string };

  beforeEach(async () => {
    offer = await acme.offer(CALL);
    flow = await acme.publishedFlow({ offer_ids: [offer.id] });
  });
  afterEach(() => Subscriber.stopAll(service));

  const come = (customer: string, ...steps: Parameters<typeof walk>[2][]) =>
    walk(service, { slug: flow.slug, customer: { id: customer } }, go, because('too_expensive'), ...steps);
  const recordOf = async (session: string) => (await acme.client.get(`${PUBLIC}/sessions/${session}`)).body;
  const stats = async () => (await acme.client.get(`${PUBLIC}/flows/${flow.id}/stats`)).body;
  const kept = (customer_id: string, more: object = {}) =>
    acme.client.post(`${PUBLIC}/outcomes`, {
      id: randomUUID(),
      customer_id,
      type: 'kept',
      at: new Date().toISOString(),
      ...more,
    });

  it('shows the page its kind and its data, and ends the session as contacted, in words that promise nothing', async () => {
    const id = await come('cus_1');
    const shown = (await service.client.get(`/api/v1/runtime/session/${id}`)).body;
    expect(shown.node.config).toMatchObject({ kind: 'book_a_call', data: { minutes: 30 } });
    const step = { node_key: 'offer_1', action: 'accept' };
    const { body } = await service.client.post(`/api/v1/runtime/session/${id}/step`, step);
    expect(body).toMatchObject({
      status: 'contacted',
      node: null,
      accepted_offer: { id: offer.id },
      closing: { title: 'Thank you for getting in touch', body: '' },
    });
    const found = (await acme.client.get(`${PUBLIC}/sessions?status=contacted`)).body.sessions;
    expect(found).toMatchObject([{ status: 'contacted', reason: null, accepted_offer: { outcome: 'open' } }]);
    expect((await acme.client.get(`${PUBLIC}/sessions?status=saved`)).body.sessions).toEqual([]);
  });

  it('is told as session.contacted, and as session.saved once the customer has decided to stay', async () => {
    const subscriber = await Subscriber.of(acme, ['session.contacted', 'session.saved']);
    const id = await come('cus_1', accept);
    await subscriber.untilReceived(1);
    expect((await kept('cus_1')).status).toBe(201);
    const told = await subscriber.untilReceived(2);
    const [first, second] = told.map(({ body }) => body);
    const { id: record } = await recordOf(id);
    expect(first).toMatchObject({
      type: 'session.contacted',
      data: {
        session: { id: record, status: 'contacted', ended_at: null },
        accepted_offer: { id: offer.id, outcome: 'open', kind: 'book_a_call', data: { minutes: 30 } },
      },
    });
    expect(second).toMatchObject({
      type: 'session.saved',
      data: { session: { id: record, status: 'saved' }, reason: 'offer_accepted', accepted_offer: { id: offer.id } },
    });
  });

  it('counts as abandoned until then, also next to an older decision and an open session, and then as saved', async () => {
    await come('cus_1', accept);
    await come('cus_2', cancel);
    await come('cus_2', accept);
    await come('cus_3', accept);
    await come('cus_3', decline);
    expect(await stats()).toMatchObject({
      sessions: { total: 5, contacted: 3, saved: 0, canceled: 1, in_progress: 1, abandoned: 0 },
      customers: { total: 3, saved: 0, canceled: 1, in_progress: 1, abandoned: 1 },
      rates: { saved: 0, canceled: 1 / 3 },
      offers: [{ id: offer.id, presented: 5, accepted: 0, contacted: 3, acceptance_rate: 3 / 5 }],
    });
    await kept('cus_1');
    await kept('cus_2');
    expect(await stats()).toMatchObject({
      sessions: { total: 5, contacted: 1, saved: 2, canceled: 1, in_progress: 1, abandoned: 0 },
      customers: { total: 3, saved: 2, saved_by_offer: 2, canceled: 0, in_progress: 1, abandoned: 0 },
      offers: [{ presented: 5, accepted: 2, contacted: 1 }],
    });
  });

  it('is counted anew in days that are summed already, exactly once', async () => {
    const id = await come('cus_1', accept);
    await walk(service, { slug: flow.slug }, go, because('too_expensive'), accept);
    await service.letPass('3 days', acme);
    const whole = async () => {
      const { sessions, offers, customers } = await stats();
      return { sessions, offers, customers };
    };
    const before = await whole();
    while (await service.app.get(DailySums).sumNext());
    expect(await whole()).toEqual(before);
    const report = { id: 'call_1', at: new Date().toISOString() };
    const reports = await Promise.all(Array.from({ length: 8 }, () => kept('cus_1', report)));
    expect(reports.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(reports.filter(({ status }) => status === 200)).toHaveLength(7);
    expect(await whole()).toMatchObject({
      sessions: { total: 2, saved: 1, contacted: 1, abandoned: 0 },
      customers: { total: 2, saved: 1, saved_by_offer: 1, abandoned: 1 },
      offers: [{ presented: 2, accepted: 1, contacted: 1 }],
    });
    // As if it had been counted like this from the beginning.
    const after = await whole();
    await service.database.query('DELETE FROM daily_sums WHERE workspace_id = $1', [acme.id]);
    expect(await whole()).toEqual(after);
    expect((await recordOf(id)).status).toBe('saved');
  });

  it.each([
    ['of another customer', { customer_id: 'cus_2' }],
    ['of a time before it', { at: '2026-05-01T10:00:00Z' }],
  ])('is not saved by a report %s, which is refused, and not stored', async (_, report) => {
    const id = await come('cus_1', accept);
    const { status, body } = await kept('cus_1', { id: 'call_1', ...report });
    expect([status, body.code]).toEqual([409, 'not_contacted']);
    expect((await recordOf(id)).status).toBe('contacted');
    expect((await kept('cus_1', { id: 'call_1' })).status).toBe(201);
    expect((await recordOf(id)).status).toBe('saved');
    expect((await kept('cus_1')).body.code).toBe('not_contacted');
  });

  it('is not saved by a payment: the next invoice comes by itself', async () => {
    const id = await come('cus_1', accept);
    expect((await kept('cus_1', { type: 'paid' })).status).toBe(201);
    expect((await recordOf(id)).status).toBe('contacted');
  });

  it('is saved by a report of the same second, and dated no earlier than it was', async () => {
    const id = await come('cus_1', accept);
    const at = `${new Date().toISOString().slice(0, 19)}Z`;
    expect((await kept('cus_1', { at })).status).toBe(201);
    const { status, created_at } = await recordOf(id);
    expect(status).toBe('saved');
    const [{ ended_at }] = await service.database.query('SELECT ended_at FROM flow_sessions WHERE workspace_id = $1', [
      acme.id,
    ]);
    expect(ended_at.getTime()).toBeGreaterThanOrEqual(Date.parse(created_at));
  });

  it('is saved in the newest session alone', async () => {
    const first = await come('cus_1', accept);
    const second = await come('cus_1', accept);
    await kept('cus_1');
    expect([(await recordOf(first)).status, (await recordOf(second)).status]).toEqual(['contacted', 'saved']);
  });

  it('lets the customer cancel all the same, within a day, and counts that', async () => {
    const id = await come('cus_1', accept);
    const step = (body: object) => service.client.post(`/api/v1/runtime/session/${id}/step`, body);
    const contacted = (await service.client.get(`/api/v1/runtime/session/${id}`)).body;
    expect(contacted.cancellation_url).toBe('https://acme.example/cancel');
    expect((await step({ action: 'keep' })).status).toBe(409);
    const canceled = { status: 'canceled', accepted_offer: null, redirect_url: 'https://acme.example/cancel' };
    expect((await step({ action: 'cancel' })).body).toMatchObject(canceled);
    expect((await step({ action: 'cancel' })).body).toMatchObject(canceled);
    expect(await stats()).toMatchObject({
      sessions: { total: 1, contacted: 0, canceled: 1 },
      customers: { total: 1, canceled: 1 },
    });
    expect((await kept('cus_1')).body.code).toBe('not_contacted');
    expect((await recordOf(id)).status).toBe('canceled');

    const late = await come('cus_2', accept);
    await service.letPass('25 hours', acme);
    const answer = await service.client.post(`/api/v1/runtime/session/${late}/step`, { action: 'cancel' });
    expect([answer.status, answer.body.code]).toEqual([409, 'session_expired']);
    const again = await service.client.post(`/api/v1/runtime/session/${late}/step`, {
      node_key: 'offer_1',
      action: 'accept',
    });
    expect([again.status, again.body.status]).toEqual([200, 'contacted']);
  });

  it('is among the changes that are polled when it is contacted, and when it is kept, however old the report', async () => {
    const poll = async (since: string) =>
      (await acme.client.get(`${PUBLIC}/sessions?updated_since=${encodeURIComponent(since)}`)).body;
    const id = await come('cus_1', accept);
    await service.letPass('3 days', acme);
    const { updated_until, sessions } = await poll('2026-01-01');
    expect(sessions).toMatchObject([{ status: 'contacted' }]);
    await kept('cus_1', { at: new Date(Date.now() - 2 * 86_400_000).toISOString() });
    const settled = await until(
      () => poll(updated_until),
      ({ sessions: found }) => found.length > 0,
    );
    expect(settled.sessions).toMatchObject([{ id: (await recordOf(id)).id, status: 'saved' }]);
  });

  it('is saved for the customer whose token named them, before anybody who says to be them', async () => {
    const key = await secretKey(acme.client);
    const token = tokenOf(key, {}, claimsFor(acme, { sub: 'cus_1' }));
    const begun = await service.client.post('/api/v1/runtime/session/init', {
      flow_slug: flow.slug,
      customer_token: token,
    });
    const own = begun.body.session_id as string;
    const steps = [
      { node_key: 'start', action: 'continue' },
      { node_key: 'reason', action: 'answer', option: 'too_expensive' },
      { node_key: 'offer_1', action: 'accept' },
    ];
    for (const body of steps) await service.client.post(`/api/v1/runtime/session/${own}/step`, body);
    const forged = await come('cus_1', accept);
    await kept('cus_1');
    expect([(await recordOf(own)).status, (await recordOf(forged)).status]).toEqual(['saved', 'contacted']);
  });

  it('counts against its limit', async () => {
    const limit = { accepted: 1, within_days: 30 };
    await acme.client.put(`${PUBLIC}/offers/${offer.id}`, { limit });
    await come('cus_1', accept);
    const again = await come('cus_1');
    const { node } = (await service.client.get(`/api/v1/runtime/session/${again}`)).body;
    expect(node.type).toBe('confirm');
  });

  it.each([
    ['outcome', { outcome: 'open' }],
    ['kind', { kind: 'call' }],
    ['data', { data: {} }],
  ])('is of type custom: no other has %s', async (field, fields) => {
    const body = { name: 'Half', offer_type: 'discount_percentage', ...fields };
    const created = await acme.client.post(`${PUBLIC}/offers`, body);
    const message = 'is only for an offer of type custom';
    expect([created.status, created.body.errors]).toMatchObject([400, [{ pointer: `/${field}`, message }]]);
    const changed = await acme.client.put(`${PUBLIC}/offers/${offer.id}`, { offer_type: 'pause_subscription' });
    expect([changed.status, changed.body.errors.length]).toEqual([400, 3]);
  });
});
