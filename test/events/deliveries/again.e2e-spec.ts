import { verify } from '../../support/receiver';
import type { Service, Tenant } from '../../support/service';
import { startDelivering, Subscriber, untilIdle } from './subscriber';
import { Visitor } from './visitor';

describe('An event that is sent again', () => {
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

  const redeliver = async (id: string) =>
    (await acme.client.send('POST', `/api/v1/public/events/${id}/redeliver`)).body.deliveries;

  it('has the same id and body', async () => {
    const subscribers = [
      await Subscriber.of(acme, ['session.canceled']),
      await Subscriber.of(acme, ['session.canceled'], () => 400),
    ];
    await Visitor.cancels(service, flow);
    for (const subscriber of subscribers) await subscriber.untilReceived(1);
    await untilIdle(service);
    const [{ id, text }] = subscribers[0].received;
    expect(await redeliver(id)).toBe(2);
    for (const subscriber of subscribers) {
      const [, second] = await subscriber.untilReceived(2);
      expect([second.id, second.text]).toEqual([id, text]);
    }
    await untilIdle(service);
    const [[delivered], [failing]] = [await subscribers[0].deliveries(), await subscribers[1].deliveries()];
    expect([delivered.status, delivered.attempts, failing.status, failing.attempts]).toEqual([
      'delivered',
      1,
      'pending',
      2,
    ]);
  });

  it('goes to a webhook that did not exist when it happened', async () => {
    const first = await Subscriber.of(acme, ['session.canceled']);
    await Visitor.cancels(service, flow);
    const [{ id }] = await first.untilReceived(1);
    const later = await Subscriber.of(acme, ['session.canceled']);
    expect(await redeliver(id)).toBe(2);
    expect((await later.untilReceived(1))[0].id).toBe(id);
  });

  it('is a test for the webhook that was tested, also a disabled one', async () => {
    const subscriber = await Subscriber.of(acme);
    const other = await Subscriber.of(acme);
    await subscriber.update({ status: 'disabled' });
    const { event_id } = (await subscriber.post('test')).body;
    await subscriber.untilReceived(1);
    await untilIdle(service);
    expect(await redeliver(event_id)).toBe(1);
    const [, second] = await subscriber.untilReceived(2);
    expect([second.id, other.received.filter(({ body }) => body.type === 'test')]).toEqual([event_id, []]);
  });
});

describe('A secret that is replaced', () => {
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

  const rotate = async (subscriber: Subscriber, body: object = {}): Promise<string> =>
    (await subscriber.post('rotate-secret', body)).body.secret;
  /** Which of the secrets a test is signed with. */
  async function signing(subscriber: Subscriber, secrets: string[]): Promise<boolean[]> {
    const count = subscriber.received.length;
    await subscriber.post('test');
    const request = (await subscriber.untilReceived(count + 1))[count];
    return secrets.map((secret) => {
      try {
        return verify(secret, request) !== undefined;
      } catch {
        return false;
      }
    });
  }

  it('signs beside the new one for a day', async () => {
    const subscriber = await Subscriber.of(acme);
    const secrets = [subscriber.secret];
    expect(await signing(subscriber, secrets)).toEqual([true]);
    secrets.push(await rotate(subscriber));
    expect(await signing(subscriber, secrets)).toEqual([true, true]);
    await service.letPass('23 hours 59 minutes', acme);
    expect(await signing(subscriber, secrets)).toEqual([true, true]);
    await service.letPass('1 minute', acme);
    expect(await signing(subscriber, secrets)).toEqual([false, true]);
  });

  it('signs beside the new one as long as asked, and only the last one does', async () => {
    const subscriber = await Subscriber.of(acme);
    const secrets = [subscriber.secret, await rotate(subscriber, { previous_valid_for_seconds: 3600 })];
    secrets.push(await rotate(subscriber, { previous_valid_for_seconds: 3600 }));
    expect(await signing(subscriber, secrets)).toEqual([false, true, true]);
    await service.letPass('1 hour', acme);
    expect(await signing(subscriber, secrets)).toEqual([false, false, true]);
  });

  it('ends at once if asked', async () => {
    const subscriber = await Subscriber.of(acme);
    const secrets = [subscriber.secret, await rotate(subscriber, { previous_valid_for_seconds: 0 })];
    expect(await signing(subscriber, secrets)).toEqual([false, true]);
  });
});
