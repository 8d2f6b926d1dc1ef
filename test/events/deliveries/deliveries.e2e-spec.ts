import { randomUUID } from 'node:crypto';
import { SUBSCRIBABLE_TYPES } from '../../../src/outbox/event-types';
import { deliver, record } from '../../support/events';
import { serviceForAll, type Tenant } from '../../support/service';

const WEBHOOKS = '/api/v1/public/webhooks';
const URL = 'https://acme.example/webhooks/retention';

interface Delivery {
  event_id: string;
  type: string;
  status: string;
  attempts: number;
  updated_at: string;
}

describe('Deliveries to a webhook', () => {
  const service = serviceForAll();
  let acme: Tenant;

  beforeEach(async () => {
    acme = await service.workspace();
  });

  const webhook = async (fields: object = {}): Promise<string> =>
    (await acme.client.post(WEBHOOKS, { url: URL, ...fields })).body.id;
  const list = async (id: string, query = ''): Promise<{ deliveries: Delivery[]; next_cursor: string | null }> =>
    (await acme.client.get(`${WEBHOOKS}/${id}/deliveries${query}`)).body;
  const idsOf = ({ deliveries }: { deliveries: Delivery[] }) => deliveries.map(({ event_id }) => event_id);
  const disable = (id: string) => acme.client.put(`${WEBHOOKS}/${id}`, { status: 'disabled' });
  const test = (id: string) => acme.client.send('POST', `${WEBHOOKS}/${id}/test`);

  describe('POST /api/v1/public/webhooks/:id/test', () => {
    it('queues an event of the type test for this webhook alone', async () => {
      const [id, other] = [await webhook({ event_types: ['flow.published'] }), await webhook()];
      const { status, body } = await test(id);
      expect([status, body]).toEqual([202, { event_id: expect.any(String) }]);
      const { deliveries } = await list(id);
      expect(deliveries).toEqual([
        {
          event_id: body.event_id,
          type: 'test',
          flow_session_id: null,
          status: 'pending',
          attempts: 0,
          last_status: null,
          last_error: null,
          next_attempt_at: expect.any(String),
          created_at: expect.any(String),
          updated_at: expect.any(String),
        },
      ]);
      expect(deliveries[0]).toHaveProperty('next_attempt_at', deliveries[0].updated_at);
      expect(await list(other)).toEqual({ deliveries: [], next_cursor: null });
    });

    it('is for a disabled webhook, too', async () => {
      const id = await webhook();
      await disable(id);
      expect((await test(id)).status).toBe(202);
      expect((await list(id, '?status=pending')).deliveries).toHaveLength(1);
    });

    it('takes no type that does not exist', async () => {
      const id = await webhook();
      for (const type of ['session.lost', '', null, ['session.saved']]) {
        const { status, body } = await acme.client.post(`${WEBHOOKS}/${id}/test`, { type });
        expect([status, body.errors[0].pointer]).toEqual([400, '/type']);
      }
      expect((await list(id)).deliveries).toEqual([]);
    });
  });

  describe('GET /api/v1/public/webhooks/:id/deliveries', () => {
    it('lists them by event, newest first, page by page, and by status', async () => {
      const id = await webhook();
      const flow_session_id = randomUUID();
      const events = [
        await record(service, acme, { flow_session_id, at: `now() - interval '2 days'` }),
        await record(service, acme, { type: 'session.canceled', at: `now() - interval '1 day'` }),
        (await test(id)).body.event_id as string,
      ];
      await deliver(service, acme, events[0], id);
      await deliver(service, acme, events[1], id, { status: 'failed', last_status: 500, last_error: 'Gone wrong' });
      const all = await list(id);
      expect(all.deliveries).toMatchObject([
        { event_id: events[2], type: 'test', status: 'pending' },
        {
          event_id: events[1],
          type: 'session.canceled',
          status: 'failed',
          attempts: 1,
          last_status: 500,
          last_error: 'Gone wrong',
          next_attempt_at: null,
        },
        { event_id: events[0], type: 'session.saved', flow_session_id, status: 'delivered', last_status: 204 },
      ]);
      const first = await list(id, '?limit=2');
      const last = await list(id, `?limit=2&cursor=${first.next_cursor}`);
      expect([...first.deliveries, ...last.deliveries]).toEqual(all.deliveries);
      expect(last.next_cursor).toBeNull();
      expect(idsOf(await list(id, '?status=delivered'))).toEqual([events[0]]);
      expect(idsOf(await list(id, '?status=failed'))).toEqual([events[1]]);
      expect(idsOf(await list(id, '?status=pending'))).toEqual([events[2]]);
    });

    it.each(['status=gone', 'limit=0', 'cursor=x', 'type=test'])('refuses ?%s', async (query) => {
      const { status, body } = await acme.client.get(`${WEBHOOKS}/${await webhook()}/deliveries?${query}`);
      expect([status, body.errors[0].parameter]).toEqual([400, query.split('=')[0]]);
    });
  });

  describe('POST /api/v1/public/webhooks/:id/recover', () => {
    const SINCE = '2026-01-01T00:00:00Z';
    const recover = (id: string, body: object = { since: SINCE }) =>
      acme.client.post(`${WEBHOOKS}/${id}/recover`, body);

    it('queues what failed and what was never tried, and nothing else', async () => {
      const id = await webhook();
      const [tried, failed, delivered] = [
        await record(service, acme, { at: `now() - interval '3 hours'` }),
        await record(service, acme, { at: `now() - interval '2 hours'` }),
        await record(service, acme, { at: `now() - interval '1 hour'` }),
      ];
      await deliver(service, acme, failed, id, { status: 'failed', last_status: 500, last_error: 'Gone wrong' });
      await deliver(service, acme, delivered, id);
      await service.letPass('1 minute', acme);
      const before = await list(id, '?status=delivered');

      expect(await recover(id)).toMatchObject({ status: 202, body: { deliveries: 2 } });
      expect((await list(id, '?status=pending')).deliveries).toMatchObject(
        [failed, tried].map((event_id) => {
          return { event_id, attempts: 0, last_status: null, last_error: null, next_attempt_at: expect.any(String) };
        }),
      );
      expect(await list(id, '?status=delivered')).toEqual(before);
      const [{ due }] = await service.database.query(
        `SELECT bool_and(next_attempt_at <= now()) AS due FROM deliveries WHERE workspace_id = $1 AND status = 'pending'`,
        [acme.id],
      );
      expect(due).toBe(true);

      // What is pending stays as it is.
      const pending = `UPDATE deliveries SET attempts = 3, next_attempt_at = now() + interval '1 hour'
        WHERE workspace_id = $1 AND status = 'pending'`;
      await service.database.query(pending, [acme.id]);
      const waiting = await list(id);
      expect((await recover(id)).body).toEqual({ deliveries: 0 });
      expect(await list(id)).toEqual(waiting);
    });

    it('queues only what the webhook asks for, no test, and not that it was disabled itself', async () => {
      const [all, some] = [await webhook(), await webhook({ event_types: ['session.started', 'flow.published'] })];
      for (const type of SUBSCRIBABLE_TYPES.filter((one) => one !== 'webhook.disabled')) {
        await record(service, acme, { type });
      }
      await record(service, acme, { type: 'webhook.disabled', data: { webhook_id: all } });
      await record(service, acme, { type: 'webhook.disabled', data: { webhook_id: some } });
      await record(service, acme, { type: 'test', data: { webhook_id: all } });
      const until = '2999-01-01T00:00:00Z';
      expect((await recover(all, { since: SINCE, until })).body).toEqual({
        deliveries: SUBSCRIBABLE_TYPES.length - 1,
      });
      const typesOf = async (id: string) => (await list(id)).deliveries.map(({ type }) => type).toSorted();
      expect(await typesOf(all)).toEqual(SUBSCRIBABLE_TYPES.filter((type) => type !== 'session.started').toSorted());
      expect((await recover(some, { since: SINCE, until })).body).toEqual({ deliveries: 2 });
      expect(await typesOf(some)).toEqual(['flow.published', 'session.started']);
    });

    it('keeps to the span: since belongs to it, until does not', async () => {
      const id = await webhook();
      const events = [
        await record(service, acme, { at: `timestamptz '2026-05-01T09:59:59.999Z'` }),
        await record(service, acme, { at: `timestamptz '2026-05-01T10:00:00Z'` }),
        await record(service, acme, { at: `timestamptz '2026-05-01T10:59:59.999Z'` }),
        await record(service, acme, { at: `timestamptz '2026-05-01T11:00:00Z'` }),
      ];
      const span = { since: '2026-05-01T12:00:00+02:00', until: '2026-05-01T11:00:00Z' };
      expect((await recover(id, span)).body).toEqual({ deliveries: 2 });
      expect(idsOf(await list(id)).toSorted()).toEqual(events.slice(1, 3).toSorted());
    });

    it('queues more than a batch, though most of it was delivered', async () => {
      const id = await webhook();
      await service.database.query(
        `INSERT INTO events (workspace_id, id, type, flow_session_id, created_at)
          SELECT $1, ('019de2fb-1900-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'session.saved', gen_random_uuid(),
            timestamptz '2026-05-01T10:00:00Z' FROM generate_series(1, 3500) n`,
        [acme.id],
      );
      await service.database.query(
        `INSERT INTO deliveries (workspace_id, event_id, recipient_id, transport, status, attempts, created_at, updated_at)
          SELECT workspace_id, id, $2, 'webhook', 'delivered', 1, created_at, created_at FROM events
          WHERE workspace_id = $1 ORDER BY id LIMIT 2400`,
        [acme.id, id],
      );
      expect((await recover(id)).body).toEqual({ deliveries: 1100 });
      expect((await recover(id)).body).toEqual({ deliveries: 0 });
    });

    it('is 409 for a disabled webhook, which would get nothing', async () => {
      const id = await webhook();
      await record(service, acme, { at: `now() - interval '1 hour'` });
      await disable(id);
      const { status, body } = await recover(id);
      expect([status, body.code]).toEqual([409, 'webhook_disabled']);
      expect((await list(id)).deliveries).toEqual([]);
    });

    it.each([
      [{}, '/since'],
      [{ since: null }, '/since'],
      [{ since: '2026-01-01' }, '/since'],
      [{ since: 1 }, '/since'],
      [{ since: '2026-02-30T00:00:00Z' }, '/since'],
      [{ since: '2999-01-01T00:00:00Z' }, '/since'],
      [{ since: SINCE, until: null }, '/until'],
      [{ since: SINCE, until: 'now' }, '/until'],
      [{ since: SINCE, until: SINCE }, '/until'],
      [{ since: SINCE, until: '2025-12-31T23:59:59Z' }, '/until'],
      [{ since: SINCE, to: '2026-02-01T00:00:00Z' }, '/to'],
    ])('refuses %j, points to %s and queues nothing', async (body, pointer) => {
      const id = await webhook();
      await record(service, acme, { at: `now() - interval '1 hour'` });
      const answer = await recover(id, body);
      expect([answer.status, answer.body.errors[0].pointer]).toEqual([400, pointer]);
      expect((await list(id)).deliveries).toEqual([]);
    });

    it('takes 1970 and 9999', async () => {
      const id = await webhook();
      const span = { since: '1970-01-01T00:00:00Z', until: '9999-12-31T23:59:59Z' };
      expect(await recover(id, span)).toMatchObject({ status: 202, body: { deliveries: 0 } });
    });
  });

  it('are never left over from a webhook that is deleted while it is tested, recovered and sent to again', async () => {
    const body = { since: '2026-01-01T00:00:00Z', until: '2999-01-01T00:00:00Z' };
    for (let round = 0; round < 10; round++) {
      // Each workspace may ask 30 times a minute.
      acme = await service.workspace();
      const event = await record(service, acme);
      const id = await webhook();
      const answers = await Promise.all([
        acme.client.post(`${WEBHOOKS}/${id}/recover`, body),
        acme.client.delete(`${WEBHOOKS}/${id}`),
        test(id),
        acme.client.send('POST', `/api/v1/public/events/${event}/redeliver`),
        acme.client.post(`${WEBHOOKS}/${id}/recover`, body),
      ]);
      expect(answers.map(({ status }) => status).filter((status) => ![200, 202, 404].includes(status))).toEqual([]);
      const left = 'SELECT count(*)::int AS count FROM deliveries WHERE workspace_id = $1';
      expect(await service.database.query(left, [acme.id])).toEqual([{ count: 0 }]);
    }
  });

  it('are 404 without the webhook', async () => {
    for (const id of [randomUUID(), 'x']) {
      expect((await acme.client.get(`${WEBHOOKS}/${id}/deliveries`)).status).toBe(404);
      expect((await test(id)).status).toBe(404);
      expect((await acme.client.post(`${WEBHOOKS}/${id}/recover`, { since: '2026-01-01T00:00:00Z' })).status).toBe(404);
      expect((await acme.client.post(`${WEBHOOKS}/${id}/rotate-secret`, {})).status).toBe(404);
      expect((await acme.client.delete(`${WEBHOOKS}/${id}`)).status).toBe(404);
      expect((await acme.client.put(`${WEBHOOKS}/${id}`, { description: 'x' })).status).toBe(404);
    }
  });
});
