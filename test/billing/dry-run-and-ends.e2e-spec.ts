import { Jobs } from '../../src/platform/database/queue/jobs.service';
import { Service, serviceForAll, workspaceForEach } from '../support/service';
import { until } from '../support/until';
import { StripeDouble } from './stripe-double';
import { billingAt, CONNECTION, Subscribers } from './subscriber';

const FULFILMENTS = '/api/v1/public/fulfilments';
const DAY = 24 * 60 * 60;
const EXTENSION = { name: '14 days free', offer_type: 'trial_extension', terms: { days: 14 } };

describe('What customers decided for billing', () => {
  let stripe: StripeDouble;
  let subscribers: Subscribers;
  const service = serviceForAll(async () => Service.start(billingAt((stripe = await StripeDouble.start()))));
  const acme = workspaceForEach(service);
  afterAll(() => stripe.stop());
  beforeEach(async () => {
    subscribers = await Subscribers.of(service, acme);
  });

  const recordOf = async (session: string) => (await acme.client.get(`/api/v1/public/sessions/${session}`)).body.id;
  const list = async (query = '') => (await acme.client.get(`${FULFILMENTS}${query}`)).body;
  const idsIn = ({ fulfilments }: { fulfilments: { session_id: string }[] }) =>
    fulfilments.map(({ session_id }) => session_id);

  it('is listed with what it does, newest first, page by page, and by its state', async () => {
    stripe.add('sub_listed');
    const done = await subscribers.accepts('sub_listed', EXTENSION);
    await subscribers.ended(done);
    const left = await subscribers.accepts(undefined, EXTENSION);
    await subscribers.ended(left);
    const [first, second] = [await recordOf(left), await recordOf(done)];
    expect(idsIn(await list())).toEqual([first, second]);
    expect((await list('?state=applied')).fulfilments).toMatchObject([
      {
        session_id: second,
        customer_id: 'ada',
        action: 'apply',
        state: 'applied',
        carried_out_by: 'service',
        effect: { kind: 'extension', currency: 'EUR', price_now: 1000, price_then: 0 },
        url: 'https://dashboard.stripe.com/test/subscriptions/sub_listed',
      },
    ]);
    const page = await list('?limit=1');
    expect(idsIn(page)).toEqual([first]);
    expect(idsIn(await list(`?limit=1&cursor=${page.next_cursor}`))).toEqual([second]);
    expect((await acme.client.get(`${FULFILMENTS}?state=done`)).status).toBe(400);
    expect(idsIn((await (await service.workspace()).client.get(FULFILMENTS)).body)).toEqual([]);
  });

  it('is carried out after the dry run: all together, once the connection is live', async () => {
    await acme.client.put(CONNECTION, { mode: 'dry_run' });
    const sessions = [];
    for (const id of ['sub_dry_1', 'sub_dry_2']) {
      stripe.add(id);
      sessions.push(await subscribers.accepts(id, EXTENSION));
    }
    for (const session of sessions) expect(await subscribers.ended(session)).toMatchObject({ state: 'dry_run' });
    const carryOut = (query = '') => acme.client.post(`${FULFILMENTS}/carry-out${query}`, { state: 'dry_run' });
    expect(await carryOut()).toMatchObject({ status: 409, body: { code: 'billing_not_live' } });
    await acme.client.put(CONNECTION, { mode: 'live' });
    const { status, body } = await carryOut('?dry_run=true');
    const [first, second] = [await recordOf(sessions[0]), await recordOf(sessions[1])];
    const would = { effect: { kind: 'extension' }, state: 'dry_run' };
    expect([status, body]).toMatchObject([
      200,
      {
        carried_out: 2,
        left: 0,
        items: [
          { session_id: first, ...would },
          { session_id: second, ...would },
        ],
      },
    ]);
    expect(await subscribers.fulfilment(sessions[0])).toMatchObject({ state: 'dry_run' });
    expect((await carryOut()).body).toMatchObject({ carried_out: 2, left: 0 });
    for (const session of sessions)
      expect(await subscribers.ended(session)).toMatchObject({ state: 'applied', carried_out_by: 'nobody' });
    expect((await carryOut()).body).toEqual({ carried_out: 0, left: 0, items: [] });
    const [change] = (await acme.client.get('/api/v1/public/changes')).body.changes;
    expect(change).toMatchObject({ action: 'fulfilments.carried_out', details: { count: 2 } });
    const editor = await service.person(acme, 'editor');
    expect((await editor.post(`${FULFILMENTS}/carry-out`, { state: 'dry_run' })).status).toBe(403);
  });

  describe('that ends', () => {
    /** A customer whose next payment was put off, so that it comes in some days. */
    const endsIn = async (id: string, days: number) => {
      const now = Math.floor(Date.now() / 1000);
      stripe.add(id, { item: { current_period_end: now + (days - 14) * DAY + 60 } });
      const session = await subscribers.accepts(id, EXTENSION);
      expect(await subscribers.ended(session)).toMatchObject({ state: 'applied' });
      return recordOf(session);
    };
    const inDays = (days: number) => new Date(Date.now() + days * DAY * 1000).toISOString();
    const tell = () => service.app.get(Jobs).runNow('Notices of ends');
    const told = async () => {
      const { events } = (await acme.client.get('/api/v1/public/events?type=offer.ending')).body;
      return events.map(({ flow_session_id }: { flow_session_id: string }) => flow_session_id);
    };

    it('soon is listed, the first to end first, page by page', async () => {
      const [late, soon] = [await endsIn('sub_ends_late', 20), await endsIn('sub_ends_soon', 16)];
      await endsIn('sub_ends_later', 40);
      const before = `?ending_before=${inDays(21)}`;
      expect(idsIn(await list(before))).toEqual([soon, late]);
      const page = await list(`${before}&limit=1`);
      expect(idsIn(page)).toEqual([soon]);
      const next = await list(`${before}&limit=1&cursor=${page.next_cursor}`);
      expect([idsIn(next), next.next_cursor]).toEqual([[late], null]);
      expect((await acme.client.get(`${FULFILMENTS}?ending_before=soon`)).body.errors[0].parameter).toBe(
        'ending_before',
      );
    });

    it('is told once, some days before, unless the subscription was canceled since', async () => {
      await acme.client.put('/api/v1/public/workspace', { ending_notice_days: 17 });
      const soon = await endsIn('sub_told', 16);
      await endsIn('sub_told_later', 20);
      await endsIn('sub_told_canceled', 16);
      const customer_token = subscribers.token('sub_told_canceled');
      await subscribers.ended(await subscribers.ends('cancel', { customer_token }));
      expect(idsIn(await list(`?ending_before=${inDays(17)}`))).toEqual([soon]);
      tell();
      expect(await until(told, (ids) => ids.length > 0)).toEqual([soon]);
      tell();
      await acme.client.put('/api/v1/public/workspace', { ending_notice_days: 21 });
      tell();
      expect(await until(told, (ids) => ids.length > 1)).toHaveLength(2);
    });

    it('is told with the customer, the offer and the effect, and to nobody who wants no notice', async () => {
      const endInTwoDays = () =>
        service.database.query(
          `UPDATE fulfilments SET effect = jsonb_set(effect, '{until}', to_jsonb($1::text)) WHERE subscription_id LIKE 'sub_told_body%'`,
          [inDays(2)],
        );
      await acme.client.put('/api/v1/public/workspace', { ending_notice_days: null });
      const session = await endsIn('sub_told_body', 15);
      const other = await service.workspace();
      const others = await Subscribers.of(service, other);
      stripe.add('sub_told_body_other');
      await others.ended(await others.accepts('sub_told_body_other', EXTENSION));
      await endInTwoDays();
      tell();
      await until(
        async () => (await other.client.get('/api/v1/public/events?type=offer.ending')).body.events,
        (events: object[]) => events.length > 0,
      );
      expect(await told()).toEqual([]);
      await acme.client.put('/api/v1/public/workspace', { ending_notice_days: 3 });
      tell();
      await until(told, (ids) => ids.length > 0);
      const [{ id }] = (await acme.client.get('/api/v1/public/events?type=offer.ending')).body.events;
      const { data } = (await acme.client.get(`/api/v1/public/events/${id}`)).body.body;
      expect(data).toEqual({
        session: expect.objectContaining({
          id: session,
          customer: expect.objectContaining({
            id: 'ada',
            subscription: { id: 'sub_told_body', billing_id: 'cus_ada' },
          }),
        }),
        accepted_offer: expect.objectContaining({ name: '14 days free' }),
        effect: expect.objectContaining({ kind: 'extension', price_now: 1000, price_then: 0 }),
      });
    });
  });
});
