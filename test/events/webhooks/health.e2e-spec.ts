import { serviceForAll, workspaceForEach } from '../../support/service';
import { held, LONGEST_WAITS, startDelivering, Subscriber, untilIdle } from '../deliveries/subscriber';
import { Visitor } from '../deliveries/visitor';

describe('A webhook that fails', () => {
  const service = serviceForAll(startDelivering);
  const acme = workspaceForEach(service);
  let flow: { slug: string };

  beforeEach(async () => {
    flow = await acme.publishedFlow();
  });
  afterEach(() => Subscriber.stopAll(service));

  const happen = (count = 1) => Promise.all(Array.from({ length: count }, () => Visitor.cancels(service, flow)));
  /** Lets time pass, and waits until the attempts that it brings have ended. */
  async function attemptsAfter(interval: string, subscriber: Subscriber): Promise<number> {
    const before = subscriber.received.length;
    await service.letPass(interval, acme);
    await subscriber.untilReceived(before + 1);
    await untilIdle(service);
    return subscriber.received.length - before;
  }

  it('with 410 is disabled at once, and the others are told', async () => {
    const watching = await Subscriber.of(acme, ['webhook.disabled']);
    const gone = await Subscriber.of(acme, ['session.canceled', 'webhook.disabled'], () => 410);
    await happen();
    const [{ body }] = await watching.untilReceived(1);
    expect(body.data.webhook).toMatchObject({ id: gone.id, reason: 'It answered 410 Gone.' });
    expect(await gone.webhook()).toMatchObject({ status: 'disabled', disabled_reason: 'It answered 410 Gone.' });
    expect(await gone.untilDeliveries(([{ status }]) => status !== 'pending')).toMatchObject([
      { type: 'session.canceled', status: 'failed', attempts: 1, last_status: 410, next_attempt_at: null },
    ]);
    await happen();
    await untilIdle(service);
    expect(gone.received).toHaveLength(1);
  });

  it('with 410 after its URL was changed stays enabled: the old URL is gone, not the new one', async () => {
    const { reply, answer } = held();
    const moved = await Subscriber.of(acme, ['session.canceled'], reply);
    await happen();
    await moved.untilReceived(1);
    await moved.update({ url: `${moved.receiver.url}new` });
    answer(410);
    await untilIdle(service);
    expect(await moved.webhook()).toMatchObject({ status: 'enabled', disabled_reason: null });
    moved.reply = () => 204;
    await happen();
    await moved.untilNewest(({ status }) => status === 'delivered');
  });

  it('for 120 hours, without a success in between, is disabled, and the others are told', async () => {
    const watching = await Subscriber.of(acme, ['webhook.disabled']);
    const dead = await Subscriber.of(acme, ['session.canceled'], () => 500);
    await happen();
    await dead.untilReceived(1);
    await untilIdle(service);
    for (const hours of [1, 58, 60]) {
      await attemptsAfter(`${hours} hours`, dead);
      expect((await dead.webhook()).status).toBe('enabled');
    }
    await happen(3);
    await dead.untilReceived(7);
    await untilIdle(service);
    await attemptsAfter('61 minutes', dead);
    const reason = 'Every attempt failed for 120 hours.';
    expect(await dead.webhook()).toMatchObject({ status: 'disabled', disabled_reason: reason });
    const [{ body }] = await watching.untilReceived(1);
    expect(body.data.webhook).toEqual({ id: dead.id, description: '', reason });
    const deliveries = await dead.untilDeliveries((all) => all.every(({ status }) => status === 'failed'));
    expect(deliveries).toHaveLength(4);
  });

  it('for more than 120 hours stays enabled if one attempt succeeds in between', async () => {
    const flaky = await Subscriber.of(acme, ['session.canceled'], () => 500);
    await happen();
    await flaky.untilReceived(1);
    await untilIdle(service);
    await attemptsAfter('100 hours', flaky);
    flaky.reply = () => 204;
    await happen();
    await flaky.untilNewest(({ status }) => status === 'delivered');
    flaky.reply = () => 500;
    await attemptsAfter('19 hours', flaky);
    await attemptsAfter('100 hours', flaky);
    expect((await flaky.webhook()).status).toBe('enabled');
  });

  it('20 times in a row gets one attempt every 30 seconds, and everything at once after a success', async () => {
    const subscriber = await Subscriber.of(acme, ['session.canceled'], () => 500);
    await happen(20);
    await subscriber.untilDeliveries((all) => all.length === 20 && all.every(({ last_status }) => last_status === 500));
    await untilIdle(service);
    // These are due at once, and the 20 others in 6 seconds.
    await happen(15);
    await subscriber.untilDeliveries((all) => all.length === 35);
    await subscriber.untilReceived(21);
    await untilIdle(service);
    expect(subscriber.received).toHaveLength(21);
    for (let probe = 1; probe <= 3; probe++) expect(await attemptsAfter('30 seconds', subscriber)).toBe(1);
    subscriber.reply = () => 204;
    await service.letPass('30 minutes', acme);
    const deliveries = await subscriber.untilDeliveries((all) => all.every(({ status }) => status === 'delivered'));
    expect(deliveries).toHaveLength(35);
    expect(subscriber.received).toHaveLength(24 + 35);
  });

  describe('because it limits', () => {
    const limiting = (status: number, seconds: string) => () => ({ status, headers: { 'retry-after': seconds } });

    it('is left alone for as long as it asks, and has no mark against it', async () => {
      const subscriber = await Subscriber.of(acme, ['session.canceled'], limiting(429, '120'));
      await happen(25);
      await subscriber.untilReceived(1);
      await untilIdle(service);
      const refused = subscriber.received.length;
      await happen();
      await subscriber.untilDeliveries((all) => all.length === 26);
      await untilIdle(service);
      expect(subscriber.received).toHaveLength(refused);
      expect(await subscriber.webhook()).toMatchObject({ status: 'enabled', failing_since: null });
      for (const { status, attempts } of await subscriber.deliveries())
        expect([status, attempts]).toEqual(['pending', 0]);
      subscriber.reply = () => 204;
      await service.letPass('120 seconds', acme);
      const delivered = await subscriber.untilDeliveries((all) => all.every(({ status }) => status === 'delivered'));
      expect(new Set(delivered.map(({ attempts }) => attempts))).toEqual(new Set([1]));
    });

    it('with 503 fails after an hour without a success, and not before', async () => {
      const subscriber = await Subscriber.of(acme, ['session.canceled'], limiting(503, '1800'));
      await happen();
      await subscriber.untilReceived(1);
      await untilIdle(service);
      await attemptsAfter('1800 seconds', subscriber);
      expect(await subscriber.webhook()).toMatchObject({ failing_since: null });
      expect((await subscriber.deliveries())[0]).toMatchObject({ attempts: 0, last_status: 503 });
      await attemptsAfter('1801 seconds', subscriber);
      expect(await subscriber.webhook()).toMatchObject({ failing_since: expect.any(String) });
      expect((await subscriber.deliveries())[0]).toMatchObject({ attempts: 1, last_status: 503 });
      subscriber.reply = () => 204;
      await attemptsAfter('1801 seconds', subscriber);
      subscriber.reply = limiting(503, '60');
      await happen();
      await subscriber.untilNewest(({ last_status }) => last_status === 503);
      await untilIdle(service);
      expect(await subscriber.webhook()).toMatchObject({ failing_since: null });
    });

    it('at another URL is tried at once', async () => {
      const subscriber = await Subscriber.of(acme, ['session.canceled'], limiting(429, '3600'));
      await happen();
      await subscriber.untilReceived(1);
      await untilIdle(service);
      subscriber.reply = () => 204;
      await subscriber.update({ url: `${subscriber.receiver.url}new` });
      await happen();
      await subscriber.untilNewest(({ status }) => status === 'delivered');
    });
  });

  it('at a URL that it no longer has, has no mark against it', async () => {
    const { reply, answer } = held();
    const moved = await Subscriber.of(acme, ['session.canceled'], reply);
    await happen();
    await moved.untilReceived(1);
    await moved.update({ url: `${moved.receiver.url}new` });
    answer(500);
    await untilIdle(service);
    expect(await moved.webhook()).toMatchObject({ failing_since: null });
  });

  it('with a test has no mark against it', async () => {
    const subscriber = await Subscriber.of(acme, ['session.canceled'], () => 410);
    for (let n = 0; n < 25; n++) await subscriber.post('test');
    await subscriber.untilReceived(25);
    await untilIdle(service);
    expect((await subscriber.webhook()).status).toBe('enabled');
    const deliveries = await subscriber.deliveries();
    expect(deliveries.map(({ status, attempts }) => [status, attempts])).toEqual(
      Array.from({ length: 25 }, () => ['failed', 1]),
    );
    subscriber.reply = () => 204;
    await happen(30);
    await subscriber.untilReceived(55);
  });

  it('takes its time from no other webhook of the workspace', async () => {
    const failing = await Subscriber.of(acme, ['session.canceled'], () => 'close');
    const working = await Subscriber.of(acme, ['session.canceled']);
    await happen(40);
    await working.untilReceived(40);
    await failing.untilReceived(20);
    expect(working.received).toHaveLength(40);
  });

  it('and is tested while it gets one attempt every 30 seconds is tested at once', async () => {
    const subscriber = await Subscriber.of(acme, ['session.canceled'], () => 500);
    await happen(20);
    await subscriber.untilReceived(20);
    await untilIdle(service);
    await attemptsAfter(LONGEST_WAITS[0], subscriber);
    subscriber.reply = () => 204;
    const { event_id } = (await subscriber.post('test')).body;
    await subscriber.receiver.until(() => subscriber.received.some(({ id }) => id === event_id));
    await untilIdle(service);
    expect((await subscriber.deliveries()).map(({ status }) => status)).toEqual([
      'delivered',
      ...Array(20).fill('pending'),
    ]);
  });
});
