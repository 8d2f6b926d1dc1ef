import { randomUUID } from 'node:crypto';
import { EVENT_TYPES, type EventType } from '../../../src/outbox/event-types';
import { deliver, record } from '../../support/events';
import { serviceForAll, workspaceForEach } from '../../support/service';

const EVENTS = '/api/v1/public/events';
const WEBHOOKS = '/api/v1/public/webhooks';
const RUNTIME = '/api/v1/runtime/session';

describe('Events', () => {
  const service = serviceForAll();
  const acme = workspaceForEach(service);

  const webhook = async (fields: object = {}): Promise<string> =>
    (await acme.client.post(WEBHOOKS, { url: 'https://acme.example/', ...fields })).body.id;
  const read = async (id: string) => (await acme.client.get(`${EVENTS}/${id}`)).body;
  const list = async (query = ''): Promise<{ events: { id: string }[]; next_cursor: string | null }> =>
    (await acme.client.get(EVENTS + query)).body;
  const idsOf = ({ events }: { events: { id: string }[] }) => events.map(({ id }) => id);
  const redeliver = (id: string) => acme.client.send('POST', `${EVENTS}/${id}/redeliver`);
  /** The record of a session that was saved with an offer. */
  const savedSession = async () => {
    const offer = await acme.offer();
    const { slug: flow_slug } = await acme.publishedFlow({ offer_ids: [offer.id] });
    const start = { flow_slug, customer: { id: 'cus_1', email: 'ada@example.com', attributes: { plan: 'pro' } } };
    const { session_id } = (await service.client.post(`${RUNTIME}/init`, start)).body;
    for (const step of [
      { node_key: 'start', action: 'continue' },
      { node_key: 'reason', action: 'answer', option: 'too_expensive', comment: 'Hm.' },
      { node_key: 'offer_1', action: 'accept' },
    ]) {
      await service.client.post(`${RUNTIME}/${session_id}/step`, step);
    }
    return (await acme.client.get(`/api/v1/public/sessions/${session_id}`)).body;
  };

  describe('GET /api/v1/public/events', () => {
    it('lists newest first, page by page, by type and by session', async () => {
      const flow_session_id = randomUUID();
      const before = (days: number) => `now() - interval '${days} days'`;
      const ids = [
        await record(service, acme, { type: 'session.started', flow_session_id, at: before(4) }),
        await record(service, acme, { type: 'session.started', at: before(3) }),
        await record(service, acme, { type: 'session.saved', flow_session_id, at: before(2) }),
        await record(service, acme, { type: 'flow.published', at: before(1) }),
      ].toReversed();
      const all = await list();
      expect(idsOf(all)).toEqual(ids);
      expect(all.events.slice(0, 2)).toEqual([
        { id: ids[0], type: 'flow.published', flow_session_id: null, created_at: expect.any(String) },
        { id: ids[1], type: 'session.saved', flow_session_id, created_at: expect.any(String) },
      ]);
      const first = await list('?limit=3');
      const last = await list(`?limit=3&cursor=${first.next_cursor}`);
      expect([...idsOf(first), ...idsOf(last), last.next_cursor]).toEqual([...ids, null]);
      expect(idsOf(await list('?type=session.started'))).toEqual([ids[2], ids[3]]);
      expect(idsOf(await list(`?flow_session_id=${flow_session_id.toUpperCase()}`))).toEqual([ids[1], ids[3]]);
      expect(idsOf(await list(`?flow_session_id=${flow_session_id}&type=session.saved`))).toEqual([ids[1]]);
      expect(idsOf(await list('?type=customer.erased'))).toEqual([]);
    });

    it.each(['type=session.ended', 'type=', 'flow_session_id=x', 'limit=0', 'cursor=x', 'status=pending'])(
      'refuses ?%s',
      async (query) => {
        const { status, body } = await acme.client.get(`${EVENTS}?${query}`);
        expect([status, body.errors[0].parameter]).toEqual([400, query.split('=')[0]]);
      },
    );
  });

  describe('GET /api/v1/public/events/:id', () => {
    it('shows the body as it is sent, and the delivery to each webhook', async () => {
      const session = await savedSession();
      const [one, other] = [await webhook(), await webhook()];
      const id = await record(service, acme, { flow_session_id: session.id });
      await deliver(service, acme, id, one);
      await deliver(service, acme, id, other, { status: 'failed', last_status: null, last_error: 'No response' });
      const event = await read(id);
      const attempted = { attempts: 1, next_attempt_at: null };
      expect(event).toMatchObject({
        id,
        type: 'session.saved',
        flow_session_id: session.id,
        deliveries: [
          { webhook_id: one, status: 'delivered', last_status: 204, last_error: null, ...attempted },
          { webhook_id: other, status: 'failed', last_status: null, last_error: 'No response', ...attempted },
        ],
        body: {
          type: 'session.saved',
          livemode: true,
          timestamp: event.created_at,
          data: {
            session: { id: session.id, status: 'saved', customer: { id: 'cus_1', email: 'ada@example.com' } },
            reason: 'offer_accepted',
            answers: [{ node_key: 'reason', option: 'too_expensive', comment: 'Hm.' }],
            accepted_offer: { name: 'Half price' },
          },
        },
      });
    });

    it('shows a body of every type that the document describes', async () => {
      const session = await savedSession();
      const flow_id: string = session.flow_id;
      const webhook_id = await webhook();
      const { slug } = await acme.publishedFlow({ exit: { enabled: true } });
      const declared = { kind: 'termination', name: 'Ada', email: 'ada@example.com', contract: 'Customer 4711' };
      await service.client.post(`/api/v1/runtime/exit/${slug}`, declared);
      const [{ id: declaration_id }] = (await acme.client.get('/api/v1/public/declarations')).body.declarations;
      const limit = { session_limit: 1000, sessions_used: 800, period_start: '2026-11-01T00:00:00Z' };
      // The others tell of a session.
      const data: Partial<Record<EventType, object>> = {
        'workspace.limit_approaching': limit,
        'workspace.limit_reached': limit,
        'flow.published': { flow_id, version: 1, note: null },
        'flow.archived': { flow_id, version: 1 },
        'cancellation.declared': { declaration_id },
        'customer.erased': { flow_session_ids: [session.id] },
        'webhook.disabled': { webhook_id, description: '', reason: 'It answered 410 Gone.' },
        test: { webhook_id },
      };
      for (const type of EVENT_TYPES) {
        const told = data[type] ? { data: data[type] } : { flow_session_id: session.id as string };
        // The client holds each answer against the document.
        const { body } = await read(await record(service, acme, { type, ...told }));
        expect([type, body?.type]).toEqual([type, type]);
      }
    });

    it('shows no body if the session that it tells of is gone', async () => {
      expect((await read(await record(service, acme))).body).toBeNull();
    });

    it('is 404 for an event that nobody has', async () => {
      for (const id of [randomUUID(), 'x']) {
        expect((await acme.client.get(`${EVENTS}/${id}`)).status).toBe(404);
        expect((await redeliver(id)).status).toBe(404);
      }
    });
  });

  describe('POST /api/v1/public/events/:id/redeliver', () => {
    const deliveriesOf = async (id: string) =>
      Object.fromEntries(
        (await read(id)).deliveries.map(({ webhook_id, status, attempts }: Record<string, unknown>) => [
          webhook_id,
          [status, attempts],
        ]),
      );

    it('sends it to every enabled webhook that asks for it, also where it was delivered', async () => {
      const delivered = await webhook();
      const never = await webhook({ event_types: ['session.saved'] });
      const [other, disabled] = [await webhook({ event_types: ['session.canceled'] }), await webhook()];
      await acme.client.put(`${WEBHOOKS}/${disabled}`, { status: 'disabled' });
      const id = await record(service, acme);
      for (const one of [delivered, disabled]) await deliver(service, acme, id, one);
      expect(await redeliver(id)).toMatchObject({ status: 202, body: { deliveries: 2 } });
      expect(await deliveriesOf(id)).toEqual({
        [delivered]: ['pending', 0],
        [never]: ['pending', 0],
        [disabled]: ['delivered', 1],
      });
      expect(await deliveriesOf(id)).not.toHaveProperty(other);
    });

    it('makes a pending delivery due now, and keeps the number of its attempt', async () => {
      const one = await webhook();
      const id = await record(service, acme);
      await redeliver(id);
      await service.database.query(
        `UPDATE deliveries SET attempts = 4, next_attempt_at = now() + interval '10 hours' WHERE workspace_id = $1`,
        [acme.id],
      );
      expect((await redeliver(id)).body).toEqual({ deliveries: 1 });
      expect(await deliveriesOf(id)).toEqual({ [one]: ['pending', 4] });
      const [{ due }] = await service.database.query(
        'SELECT next_attempt_at <= now() AS due FROM deliveries WHERE workspace_id = $1',
        [acme.id],
      );
      expect(due).toBe(true);
    });

    it('sends a test to its own webhook, though it is disabled, and webhook.disabled to all others', async () => {
      const [own, other] = [await webhook(), await webhook()];
      await acme.client.put(`${WEBHOOKS}/${own}`, { status: 'disabled' });
      const { event_id: test } = (await acme.client.send('POST', `${WEBHOOKS}/${own}/test`)).body;
      await deliver(service, acme, test, own);
      expect((await redeliver(test)).body).toEqual({ deliveries: 1 });
      expect(await deliveriesOf(test)).toEqual({ [own]: ['pending', 0] });

      await acme.client.put(`${WEBHOOKS}/${own}`, { status: 'enabled' });
      const data = { webhook_id: own, description: '', reason: 'It answered 410 Gone.' };
      const disabled = await record(service, acme, { type: 'webhook.disabled', data });
      expect((await redeliver(disabled)).body).toEqual({ deliveries: 1 });
      expect(await deliveriesOf(disabled)).toEqual({ [other]: ['pending', 0] });
    });

    it('takes no body', async () => {
      const id = await record(service, acme);
      expect((await acme.client.post(`${EVENTS}/${id}/redeliver`, { webhook_id: id })).status).toBe(400);
    });
  });
});
