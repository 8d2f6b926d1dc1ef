import { connected, untilBlocking, workerDatabaseUrl } from '../../support/database';
import type { Service, Tenant } from '../../support/service';
import { held, startDelivering, Subscriber, untilIdle } from './subscriber';
import { Visitor } from './visitor';

const ADA = { id: 'cus_ada', email: 'ada@example.com', attributes: { city: 'Marylebone' } };
/** No id has them in it, as they have ada. */
const TRACES = /cus_ada|ada@|Marylebone|Lovelace/;

describe('After a customer was erased', () => {
  let service: Service;
  let acme: Tenant;
  let flow: { slug: string };

  beforeAll(async () => {
    service = await startDelivering();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    acme = await service.workspace();
    flow = await acme.publishedFlow();
  });
  afterEach(() => Subscriber.stopAll(service));

  async function cancelAsAda(): Promise<void> {
    const visitor = await Visitor.begin(service, flow, ADA);
    await visitor.answer('I am Ada Lovelace.');
    await visitor.cancel();
  }
  const erase = () => acme.client.delete(`/api/v1/public/customers/${ADA.id}`);
  const responses = async (): Promise<string> =>
    JSON.stringify(
      await service.database.query('SELECT last_error FROM deliveries WHERE workspace_id = $1', [acme.id]),
    );

  it('what is still on its way is sent without the customer and the comments', async () => {
    const subscriber = await Subscriber.of(acme, ['session.canceled'], () => 500);
    await cancelAsAda();
    const [before] = await subscriber.untilReceived(1);
    expect(before.body.data).toMatchObject({
      session: { customer: ADA },
      answers: [{ comment: 'I am Ada Lovelace.' }],
    });
    await untilIdle(service);
    await erase();
    await service.letPass('6 seconds', acme);
    const [, after] = await subscriber.untilReceived(2);
    expect(after.id).toBe(before.id);
    expect(after.body.data).toMatchObject({
      session: { status: 'canceled', customer: null },
      answers: [{ option: 'too_expensive', comment: null }],
    });
    expect(after.text).not.toMatch(TRACES);
    const event = (await acme.client.get(`/api/v1/public/events/${after.id}`)).body;
    expect(JSON.stringify(event)).not.toMatch(TRACES);
  });

  it('no response that was kept quotes the customer', async () => {
    const subscriber = await Subscriber.of(acme, ['session.canceled'], ({ text }) => ({ status: 500, body: text }));
    await cancelAsAda();
    await subscriber.untilNewest(({ last_status }) => last_status === 500);
    expect(await responses()).toMatch(TRACES);
    await erase();
    expect(await responses()).not.toMatch(TRACES);
  });

  it('no response is kept of an attempt that was under way', async () => {
    const late = held();
    const subscriber = await Subscriber.of(acme, ['session.canceled'], late.reply);
    await cancelAsAda();
    const [{ text }] = await subscriber.untilReceived(1);
    await erase();
    late.answer({ status: 500, body: text });
    const delivery = await subscriber.untilNewest(({ last_status }) => last_status === 500);
    expect(delivery).toMatchObject({ status: 'pending', attempts: 1, last_error: null });
  });

  it('no response is kept of an attempt that ended in the same moment', async () => {
    const late = held();
    const subscriber = await Subscriber.of(acme, ['session.canceled'], late.reply);
    await cancelAsAda();
    const [{ text }] = await subscriber.untilReceived(1);
    await connected(workerDatabaseUrl(), async (client) => {
      await client.query('BEGIN');
      await client.query('SELECT FROM flow_sessions WHERE workspace_id = $1 FOR UPDATE', [acme.id]);
      await client.query(
        'UPDATE flow_sessions SET customer_id = NULL, customer = NULL, erased_at = now() WHERE workspace_id = $1',
        [acme.id],
      );
      late.answer({ status: 500, body: text });
      await untilBlocking(client);
      await client.query('UPDATE deliveries SET last_error = NULL WHERE workspace_id = $1', [acme.id]);
      await client.query('COMMIT');
    });
    await subscriber.untilNewest(({ last_status }) => last_status === 500);
    expect(await responses()).not.toMatch(TRACES);
  });
});

describe('After sessions were deleted', () => {
  let service: Service;
  let acme: Tenant;

  beforeAll(async () => {
    service = await startDelivering();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    acme = await service.workspace();
  });
  afterEach(() => Subscriber.stopAll(service));

  it('what tells of them fails, which is no mark against the webhook', async () => {
    const flow = await acme.publishedFlow();
    const subscriber = await Subscriber.of(acme, ['session.canceled'], () => 500);
    await Promise.all(Array.from({ length: 5 }, () => Visitor.cancels(service, flow)));
    await subscriber.untilReceived(5);
    await untilIdle(service);
    const [before] = await webhookRows();
    await service.letPass('2 seconds', acme);
    await service.database.query('DELETE FROM session_steps WHERE workspace_id = $1', [acme.id]);
    await service.database.query('DELETE FROM flow_sessions WHERE workspace_id = $1', [acme.id]);
    subscriber.reply = () => 204;
    await service.letPass('6 seconds', acme);
    const deliveries = await subscriber.untilDeliveries((all) => all.every(({ status }) => status === 'failed'));
    for (const delivery of deliveries) {
      expect(delivery).toMatchObject({
        attempts: 2,
        last_status: null,
        last_error: 'The session was deleted before the event was sent.',
      });
    }
    expect(subscriber.received).toHaveLength(5);
    expect((await webhookRows())[0].failures).toBe(before.failures);
    const { body } = await acme.client.get(`/api/v1/public/events/${deliveries[0].event_id}`);
    expect(body.body).toBeNull();
  });

  const webhookRows = (): Promise<{ failures: number }[]> =>
    service.database.query('SELECT failures FROM webhooks WHERE workspace_id = $1', [acme.id]);
});
