import { SUBSCRIBABLE_TYPES } from '../../../src/outbox/event-types';
import { contract } from '../../support/contract';
import { record } from '../../support/events';
import { Receiver, TO_LOOPBACK, verify } from '../../support/receiver';
import { Service, serviceForAll, type Tenant } from '../../support/service';
import { until } from '../../support/until';

const WEBHOOKS = '/api/v1/public/webhooks';

describe('What is sent because somebody asked for it', () => {
  const service = serviceForAll(() => Service.start(TO_LOOPBACK));
  let acme: Tenant;
  let receiver: Receiver;
  let webhook: { id: string; secret: string };
  let flow_id: string;

  beforeEach(async () => {
    receiver = await Receiver.start();
    acme = await service.workspace();
    flow_id = (await acme.flow()).id;
    webhook = (await acme.client.post(WEBHOOKS, { url: receiver.url, event_types: ['flow.archived'] })).body;
  });
  afterEach(() => receiver.stop());

  const test = async (): Promise<string> =>
    (await acme.client.send('POST', `${WEBHOOKS}/${webhook.id}/test`)).body.event_id;
  const archival = () => record(service, acme, { type: 'flow.archived', data: { flow_id, version: 1 } });
  const change = (changes: object) => acme.client.put(`${WEBHOOKS}/${webhook.id}`, changes);
  const recover = () => acme.client.post(`${WEBHOOKS}/${webhook.id}/recover`, SPAN);
  const SPAN = { since: '2026-01-01T00:00:00Z', until: '2999-01-01T00:00:00Z' };

  it('a test arrives signed, also at a disabled webhook', async () => {
    const first = await test();
    const [received] = await receiver.untilReceived(1);
    expect(received.id).toBe(first);
    expect(verify(webhook.secret, received)).toMatchObject({ type: 'test', data: { webhook: { id: webhook.id } } });
    await change({ status: 'disabled' });
    const second = await test();
    expect((await receiver.untilReceived(2))[1].id).toBe(second);
  });

  it.each(SUBSCRIBABLE_TYPES)(
    'a sample of %s arrives signed as such an event, with the mark of a test',
    async (type) => {
      const asked = await acme.client.post(`${WEBHOOKS}/${webhook.id}/test`, { type });
      expect([asked.status, asked.body]).toEqual([202, { event_id: expect.any(String) }]);
      const [received] = await receiver.untilReceived(1);
      expect(received.id).toBe(asked.body.event_id);
      expect(verify(webhook.secret, received)).toMatchObject({ type, test: true });
      contract.checkSent(received.headers, received.body);
      const record = (await acme.client.get(`/api/v1/public/events/${received.id}`)).body;
      expect(record).toMatchObject({ type: 'test', flow_session_id: null, body: received.body });
      expect(received.body.timestamp).toBe(record.created_at);
    },
  );

  it('a sample of a session ends when it is sent, and is of no record, no statistics and no recovery', async () => {
    await acme.client.post(`${WEBHOOKS}/${webhook.id}/test`, { type: 'session.saved' });
    const [{ body }] = await receiver.untilReceived(1);
    expect(body.data).toMatchObject({
      session: {
        status: 'saved',
        locale: 'en',
        ended_at: body.timestamp,
        customer: { id: 'cus_4711', verified: true },
      },
      reason: 'offer_accepted',
      answers: [{ node_key: 'reason', option: 'too_expensive', label: 'Too expensive' }],
      accepted_offer: { offer_value: '30%', terms: { percent_off: 30, duration: 'repeating', months: 3 } },
    });
    expect((await acme.client.get(`/api/v1/public/sessions/${body.data.session.id}`)).status).toBe(404);
    expect((await acme.client.get('/api/v1/public/sessions')).body.sessions).toEqual([]);
    await change({ event_types: ['session.saved'] });
    expect((await recover()).body).toEqual({ deliveries: 0 });
  });

  it('is signed with both secrets while one is replaced, and with the new one alone if the old one ends at once', async () => {
    const rotate = async (body: object): Promise<string> =>
      (await acme.client.post(`${WEBHOOKS}/${webhook.id}/rotate-secret`, body)).body.secret;
    const second = await rotate({});
    await test();
    const [first] = await receiver.untilReceived(1);
    for (const secret of [webhook.secret, second]) expect(verify(secret, first)).toMatchObject({ type: 'test' });
    const third = await rotate({ previous_valid_for_seconds: 0 });
    await test();
    const [, last] = await receiver.untilReceived(2);
    expect(verify(third, last)).toMatchObject({ type: 'test' });
    for (const secret of [webhook.secret, second]) expect(() => verify(secret, last)).toThrow();
  });

  it('is what happened while the webhook was disabled', async () => {
    await change({ status: 'disabled' });
    const ids = [await archival(), await archival()];
    await change({ status: 'enabled' });
    expect((await recover()).body).toEqual({ deliveries: 2 });
    const received = await receiver.untilReceived(2);
    expect(received.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    expect(received[0].body).toMatchObject({ type: 'flow.archived', data: { flow: { id: flow_id } } });
  });

  it('is an event again, with the same id', async () => {
    const id = await archival();
    await recover();
    await receiver.untilReceived(1);
    const delivered = `${WEBHOOKS}/${webhook.id}/deliveries?status=delivered`;
    await until(
      () => acme.client.get(delivered),
      ({ body }) => body.deliveries.length > 0,
    );
    await acme.client.send('POST', `/api/v1/public/events/${id}/redeliver`);
    const received = await receiver.untilReceived(2);
    expect(received.map((one) => one.id)).toEqual([id, id]);
    expect(received[1].text).toBe(received[0].text);
  });

  it('is limited to 30 requests a minute of a workspace, whichever webhooks they are about. Others have their own 30', async () => {
    const ask = async ({ client }: Tenant, times: number) => {
      const { id } = (await client.post(WEBHOOKS, { url: 'https://hooks.example/' })).body;
      const { event_id } = (await client.send('POST', `${WEBHOOKS}/${id}/test`)).body;
      const paths = [`${WEBHOOKS}/${id}/test`, `/api/v1/public/events/${event_id}/redeliver`];
      for (let n = 1; n < times; n++) expect((await client.send('POST', paths[n % 2])).status).toBe(202);
      return { client, id };
    };
    const first = await ask(acme, 20);
    const second = await ask(acme, 10);
    for (const { client, id } of [first, second]) {
      const refused = await client.post(`${WEBHOOKS}/${id}/recover`, SPAN);
      expect([refused.status, refused.body.code]).toEqual([429, 'too_many_requests']);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect((await client.get(`${WEBHOOKS}/${id}/deliveries`)).status).toBe(200);
    }
    await ask(await service.workspace(), 30);
  });
});
