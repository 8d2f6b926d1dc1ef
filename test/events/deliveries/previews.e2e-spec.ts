import { verify } from '../../support/receiver';
import { serviceForAll, workspaceForEach } from '../../support/service';
import { startDelivering, Subscriber } from './subscriber';

const FLOWS = '/api/v1/public/flows';
const START = { node_key: 'start', action: 'continue' };
const ANSWER = { node_key: 'reason', action: 'answer', option: 'too_expensive', comment: 'Twice the price.' };
const ACCEPT = { node_key: 'offer_1', action: 'accept' };

describe('The events of a preview', () => {
  const service = serviceForAll(() =>
    startDelivering({ SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'flows@acme.example' }),
  );
  const acme = workspaceForEach(service);
  let flow: { id: string };
  let subscriber: Subscriber;

  beforeEach(async () => {
    const metadata = { stripe_coupon: 'half' };
    flow = await acme.flow({
      offer_ids: [(await acme.offer({ metadata })).id],
      notification_email: 'team@acme.example',
    });
    subscriber = await Subscriber.of(acme, ['session.started', 'session.saved', 'session.canceled']);
    await subscriber.update({ test_events: true });
  });
  afterEach(() => Subscriber.stopAll(service));

  const preview = async (body: object): Promise<string> =>
    (await acme.client.post(`${FLOWS}/${flow.id}/preview`, body)).body.session_id;
  const walk = async (id: string, ...steps: object[]) => {
    for (const step of steps) {
      const { status } = await service.client.post(`/api/v1/runtime/session/${id}/step`, step);
      expect(status).toBe(200);
    }
  };
  const restart = (id: string) => service.client.send('POST', `/api/v1/runtime/preview/${id}/restart`);

  it('tell of its start and its end as of those of a session, with the offer of the walk and the mark of a test', async () => {
    const id = await preview({ events: true, customer: { attributes: { plan: 'pro' } } });
    await walk(id, START, ANSWER, ACCEPT, ACCEPT);
    const received = await subscriber.untilReceived(2);
    for (const one of received) expect(verify(subscriber.secret, one)).toMatchObject({ test: true });
    const [started, saved] = received.map(({ body }) => body);
    const { session } = started.data;
    expect(started).toMatchObject({
      type: 'session.started',
      data: { session: { status: 'in_progress', ended_at: null, customer: null }, answers: [], accepted_offer: null },
    });
    expect(saved).toMatchObject({
      type: 'session.saved',
      data: {
        session: { ...session, status: 'saved', flow_id: flow.id, flow_version: 1, ended_at: saved.timestamp },
        reason: 'offer_accepted',
        answers: [{ node_key: 'reason', option: 'too_expensive', label: 'Too expensive', comment: null }],
        accepted_offer: { name: 'Half price', metadata: { stripe_coupon: 'half' } },
      },
    });
  });

  it('are of another session each time that it begins again', async () => {
    const id = await preview({ events: true });
    await walk(id, { action: 'cancel' });
    await restart(id);
    await walk(id, { action: 'keep' });
    const received = await subscriber.untilReceived(4);
    const sessions = [...new Set(received.map(({ body }) => body.data.session.id as string))];
    const typesOf = (id: string) =>
      received.filter(({ body }) => body.data.session.id === id).map(({ body }) => body.type as string);
    expect(sessions.map((id) => typesOf(id).join()).toSorted()).toEqual([
      'session.started,session.canceled',
      'session.started,session.saved',
    ]);
  });

  it('tell of a draft in the words of the draft', async () => {
    const offer = await acme.offer({ name: 'A pause' });
    await acme.client.put(`${FLOWS}/${flow.id}/draft`, { offer_ids: [offer.id] });
    await walk(await preview({ events: true, draft: true }), START, ANSWER, ACCEPT);
    expect((await subscriber.untilReceived(2))[1].body.data.accepted_offer).toMatchObject({
      id: offer.id,
      name: 'A pause',
    });
  });

  it('are sent only of a preview that asks for them, and to webhooks that ask for them and for their type', async () => {
    const others = [
      await Subscriber.of(acme, ['session.saved']),
      await Subscriber.of(acme),
      await Subscriber.of(acme, ['session.canceled']),
    ];
    await others[1].update({ test_events: true });
    await others[2].update({ test_events: true });
    await walk(await preview({}), { action: 'cancel' });
    await walk(await preview({ events: true }), { action: 'keep' });
    await subscriber.untilReceived(2);
    await others[1].untilReceived(1);
    const typesOf = ({ received }: Subscriber) => received.map(({ body }) => body.type as string);
    expect([subscriber, ...others].map(typesOf)).toEqual([
      ['session.started', 'session.saved'],
      [],
      ['session.saved'],
      [],
    ]);
    const counts = await Promise.all(others.map(async (one) => (await one.deliveries()).length));
    expect(counts).toEqual([0, 1, 0]);
  });

  it('are sent again to enabled webhooks only', async () => {
    const disabled = await Subscriber.of(acme, ['session.canceled']);
    await disabled.update({ test_events: true, status: 'disabled' });
    await walk(await preview({ events: true }), { action: 'cancel' });
    const [, { id }] = await subscriber.untilReceived(2);
    // Until its result is stored, an attempt is under way: that one would be the delivery.
    await subscriber.untilDeliveries((all) => all.every(({ status }) => status === 'delivered'));
    expect((await acme.client.send('POST', `/api/v1/public/events/${id}/redeliver`)).body.deliveries).toBe(1);
    await subscriber.untilReceived(3);
    expect(disabled.received).toEqual([]);
  });

  it('are tests among events, and count nowhere: in no list of sessions, no statistics, no usage, no mail, no recovery', async () => {
    await walk(await preview({ events: true }), START, ANSWER, ACCEPT);
    const [, saved] = await subscriber.untilReceived(2);
    const read = async (path: string) => (await acme.client.get(`/api/v1/public/${path}`)).body;
    const { session } = saved.body.data;
    const { events } = await read(`events?flow_session_id=${session.id}`);
    expect(events.map(({ type }: { type: string }) => type)).toEqual(['test', 'test']);
    expect(await read(`events/${saved.id}`)).toMatchObject({ body: saved.body });
    expect((await acme.client.get(`/api/v1/public/sessions/${session.id}`)).status).toBe(404);
    expect((await read('sessions')).sessions).toEqual([]);
    expect((await read(`flows/${flow.id}/stats`)).sessions.total).toBe(0);
    expect((await read('workspace')).usage.sessions_used).toBe(0);
    const mails = "SELECT FROM deliveries WHERE workspace_id = $1 AND transport = 'mail'";
    expect(await service.database.query(mails, [acme.id])).toEqual([]);
    const span = { since: '2026-01-01T00:00:00Z' };
    await subscriber.untilDeliveries((all) => all.every(({ status }) => status === 'delivered'));
    expect((await subscriber.post('recover', span)).body).toEqual({ deliveries: 0 });
  });

  it('are asked for by who may edit: a viewer gets a preview without', async () => {
    const viewer = await service.person(acme, 'viewer');
    const key = { name: 'Reader', access: 'read' };
    const reader = service.client.with((await acme.client.post('/api/v1/public/api-keys', key)).body.key);
    const codeOf = async (client: typeof reader, body: object) => {
      const answer = await client.post(`${FLOWS}/${flow.id}/preview`, body);
      return [answer.status, answer.body.code];
    };
    expect(await codeOf(viewer, { events: true })).toEqual([403, 'insufficient_role']);
    expect(await codeOf(reader, { events: true })).toEqual([403, 'insufficient_scope']);
    expect(await codeOf(viewer, { events: false })).toEqual([201, undefined]);
    expect(await codeOf(await service.person(acme, 'editor'), { events: true })).toEqual([201, undefined]);
  });

  it('are 30 a minute at most, and the walk goes on', async () => {
    const id = await preview({ events: true });
    for (let n = 0; n < 40; n++) expect((await restart(id)).status).toBe(200);
    await walk(id, { action: 'keep' });
    await subscriber.untilReceived(15);
    const events = `SELECT (SELECT count(*) FROM outbox WHERE workspace_id = $1 AND type = 'test')::int
      + (SELECT count(*) FROM events WHERE workspace_id = $1 AND type = 'test')::int AS count`;
    expect(await service.database.query(events, [acme.id])).toEqual([{ count: 30 }]);
  });

  it('are asked for by true or false: anything else is 400', async () => {
    const { status, body } = await acme.client.post(`${FLOWS}/${flow.id}/preview`, { events: 1 });
    expect([status, body.errors]).toEqual([400, [expect.objectContaining({ pointer: '/events' })]]);
  });
});
