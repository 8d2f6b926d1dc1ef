import { connected, untilBlocking, workerDatabaseUrl } from '../../support/database';
import type { Service, Tenant } from '../../support/service';
import { held, startDelivering, Subscriber, untilIdle } from '../deliveries/subscriber';
import { Visitor } from '../deliveries/visitor';

describe('A disabled webhook', () => {
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

  const happen = (count = 1) => Promise.all(Array.from({ length: count }, () => Visitor.cancels(service, flow)));
  const disable = (subscriber: Subscriber) => subscriber.update({ status: 'disabled' });
  const enable = (subscriber: Subscriber) => subscriber.update({ status: 'enabled' });
  const recover = async (subscriber: Subscriber): Promise<number> =>
    (await subscriber.post('recover', { since: '2026-01-01T00:00:00Z' })).body.deliveries;
  /** A webhook that was disabled while so many events were failing. */
  async function disabledWith(pending: number): Promise<Subscriber> {
    const subscriber = await Subscriber.of(acme, ['session.canceled'], () => 500);
    await happen(pending);
    await subscriber.untilDeliveries((all) => all.filter(({ last_status }) => last_status === 500).length === pending);
    await untilIdle(service);
    await disable(subscriber);
    await subscriber.untilDeliveries((all) => all.every(({ status }) => status === 'failed'));
    subscriber.reply = () => 204;
    return subscriber;
  }

  it('has its pending deliveries fail, with the reason', async () => {
    const subscriber = await disabledWith(5);
    for (const delivery of await subscriber.deliveries()) {
      expect(delivery).toMatchObject({ attempts: 1, last_error: 'The webhook is disabled.', next_attempt_at: null });
    }
    await service.letPass('24 hours', acme);
    await happen();
    await subscriber.post('test');
    await subscriber.untilReceived(6);
    expect(subscriber.received.map(({ body }) => body.type)).toEqual([...Array(5).fill('session.canceled'), 'test']);
  });

  it('gets what it missed when it is enabled and recovered, and nothing twice', async () => {
    const subscriber = await disabledWith(3);
    const watching = await Subscriber.of(acme, ['session.canceled']);
    await happen(2);
    await watching.untilReceived(2);
    await enable(subscriber);
    await happen();
    await subscriber.untilReceived(4);
    expect(await recover(subscriber)).toBe(5);
    await subscriber.untilReceived(9);
    await untilIdle(service);
    expect(await recover(subscriber)).toBe(0);
    const deliveries = await subscriber.deliveries();
    expect(deliveries.map(({ status }) => status)).toEqual(Array(6).fill('delivered'));
    expect(new Set(subscriber.received.slice(3).map(({ id }) => id)).size).toBe(6);
  });

  it('gets everything once that is recovered twice at the same time', async () => {
    const subscriber = await disabledWith(1);
    const watching = await Subscriber.of(acme, ['session.canceled']);
    await happen(20);
    await watching.untilReceived(20);
    await enable(subscriber);
    const queued = await Promise.all([recover(subscriber), recover(subscriber)]);
    expect(queued[0] + queued[1]).toBe(21);
    await subscriber.untilReceived(22);
    await untilIdle(service);
    expect(subscriber.received).toHaveLength(22);
  });

  it('starts anew when it is enabled: its failures are forgotten', async () => {
    const subscriber = await Subscriber.of(acme, ['session.canceled'], () => 500);
    await happen(20);
    await subscriber.untilDeliveries((all) => all.filter(({ last_status }) => last_status === 500).length === 20);
    await disable(subscriber);
    await enable(subscriber);
    await happen(5);
    // All five are tried, not one.
    await subscriber.untilReceived(25);
  });

  it('gets a test, in one attempt, whatever becomes of it', async () => {
    const subscriber = await disabledWith(1);
    const { event_id } = (await subscriber.post('test')).body;
    await subscriber.untilReceived(2);
    expect(await subscriber.untilNewest(({ status }) => status !== 'pending')).toMatchObject({
      event_id,
      type: 'test',
      status: 'delivered',
      attempts: 1,
    });
    subscriber.reply = () => 500;
    await subscriber.post('test');
    const failed = await subscriber.untilNewest(({ status, type }) => type === 'test' && status === 'failed');
    expect(failed).toMatchObject({ attempts: 1, last_status: 500 });
    await service.letPass('24 hours', acme);
    await disable(subscriber);
    await untilIdle(service);
    expect(subscriber.received).toHaveLength(3);
  });

  it('gets a test whose answer takes longer than the next look at it', async () => {
    const subscriber = await disabledWith(1);
    const late = held();
    subscriber.reply = late.reply;
    await subscriber.post('test');
    await subscriber.untilReceived(2);
    const other = await Subscriber.of(acme, ['session.canceled'], late.reply);
    await happen();
    for (const look of [1, 2]) {
      await other.untilReceived(look);
      await service.database.query('UPDATE deliveries SET next_attempt_at = now() WHERE recipient_id = $1', [other.id]);
    }
    await other.untilReceived(3);
    late.answer(204);
    expect(await subscriber.untilNewest(({ status }) => status !== 'pending')).toMatchObject({
      type: 'test',
      status: 'delivered',
    });
  });

  it('keeps the success of an attempt that was under way', async () => {
    const late = held();
    const subscriber = await Subscriber.of(acme, ['session.canceled'], late.reply);
    await happen();
    await subscriber.untilReceived(1);
    await disable(subscriber);
    await subscriber.untilNewest(({ status }) => status === 'failed');
    late.answer(204);
    const delivery = await subscriber.untilNewest(({ status }) => status === 'delivered');
    expect(delivery).toMatchObject({ attempts: 1, last_status: 204, last_error: null });
    await enable(subscriber);
    expect(await recover(subscriber)).toBe(0);
  });
});

describe('A webhook that is deleted', () => {
  let service: Service;
  let acme: Tenant;
  let flow: { slug: string };

  beforeAll(async () => {
    service = await startDelivering({ LOG_LEVEL: 'error' });
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    acme = await service.workspace();
    flow = await acme.publishedFlow();
  });
  afterEach(() => Subscriber.stopAll(service));

  it('while deliveries are pending and under way gets nothing more, and disturbs nobody', async () => {
    const late = held();
    const subscriber = await Subscriber.of(acme, ['session.canceled'], () =>
      subscriber.received.length % 2 ? late.reply() : 500,
    );
    const other = await Subscriber.of(acme, ['session.canceled']);
    await Promise.all(Array.from({ length: 10 }, () => Visitor.cancels(service, flow)));
    await subscriber.untilReceived(10);
    expect((await subscriber.delete()).status).toBe(200);
    late.answer(204);
    await untilIdle(service);
    await service.letPass('1 hour', acme);
    await Visitor.cancels(service, flow);
    await other.untilReceived(11);
    expect(subscriber.received).toHaveLength(10);
    expect(service.log).toEqual([]);
  });

  it('while a delivery to it is made disturbs nobody', async () => {
    const subscriber = await Subscriber.of(acme, ['session.canceled']);
    const other = await Subscriber.of(acme, ['session.canceled']);
    await connected(workerDatabaseUrl(), async (client) => {
      await client.query('BEGIN');
      await client.query('DELETE FROM webhooks WHERE id = $1', [subscriber.id]);
      await Visitor.cancels(service, flow);
      await untilBlocking(client);
      await client.query('COMMIT');
    });
    await other.untilReceived(1);
    await untilIdle(service);
    expect([subscriber.received, service.log]).toEqual([[], []]);
  });
});
