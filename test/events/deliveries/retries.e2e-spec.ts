import { Outbound } from '../../../src/platform/http/outbound';
import { freePort } from '../../support/free-port';
import type { Reply } from '../../support/receiver';
import type { Service, Tenant } from '../../support/service';
import { held, LONGEST_WAITS, startDelivering, Subscriber, untilIdle } from './subscriber';
import { Visitor } from './visitor';

describe('An attempt that fails', () => {
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

  /** A webhook that got its first event and answered. */
  async function failing(reply: () => Reply): Promise<Subscriber> {
    const subscriber = await Subscriber.of(acme, ['session.canceled'], reply);
    await Visitor.cancels(service, flow);
    await subscriber.untilNewest(({ last_error }) => last_error !== null);
    return subscriber;
  }
  /** Seconds until the next attempt. */
  const secondsLeft = ({ next_attempt_at }: { next_attempt_at: string | null }) =>
    (Date.parse(next_attempt_at!) - Date.now()) / 1000;

  it.each<[string, Reply, number | null, string]>([
    ['with an error of the server', { status: 500, body: 'Out of order' }, 500, 'Out of order'],
    ['with an error of the client', { status: 404, body: 'Not here' }, 404, 'Not here'],
    [
      'with a redirect, which is not followed',
      { status: 302, headers: { location: '/elsewhere' } },
      302,
      'The response was 302, and redirects are not followed.',
    ],
    ['without a response', 'close', null, 'Connection closed before the end of the response'],
  ])('%s is followed by another one, with the same id and body', async (_, reply, last_status, last_error) => {
    const subscriber = await failing(() => reply);
    const [first] = subscriber.received;
    const delivery = await subscriber.untilNewest(() => true);
    expect(delivery).toMatchObject({ event_id: first.id, status: 'pending', attempts: 1, last_status, last_error });
    expect(secondsLeft(delivery)).toBeLessThan(6);
    subscriber.reply = () => 204;
    // Time that passes would be in the body.
    await service.database.query('UPDATE deliveries SET next_attempt_at = now() WHERE workspace_id = $1', [acme.id]);
    const [, second, ...more] = await subscriber.untilReceived(2);
    expect([second.id, second.path, second.text, more]).toEqual([first.id, '/', first.text, []]);
    expect(await subscriber.untilNewest(({ status }) => status === 'delivered')).toMatchObject({
      attempts: 2,
      last_status: 204,
      last_error: null,
      next_attempt_at: null,
    });
  });

  it('because nobody listens is followed by another one', async () => {
    const subscriber = await Subscriber.of(acme, ['session.canceled']);
    await subscriber.update({ url: `http://127.0.0.1:${await freePort()}/` });
    await Visitor.cancels(service, flow);
    const { last_error } = await subscriber.untilNewest(({ last_error }) => last_error !== null);
    expect(last_error).toBe('Connection refused');
    await subscriber.update({ url: subscriber.receiver.url });
    await service.letPass('6 seconds', acme);
    await subscriber.untilReceived(1);
  });

  it('because the answer takes too long is followed by another one', async () => {
    const { options } = service.app.get<{ options: { totalMs: number } }>(Outbound);
    const { totalMs } = options;
    try {
      options.totalMs = 300;
      const subscriber = await failing(() => 'hang');
      expect((await subscriber.deliveries())[0]).toMatchObject({
        last_status: null,
        last_error: 'No complete response within 0.3 s',
      });
      subscriber.reply = () => 204;
      await service.letPass('6 seconds', acme);
      await subscriber.untilNewest(({ status }) => status === 'delivered');
    } finally {
      options.totalMs = totalMs;
    }
  });

  it('is followed by nine others, each after its time, and then by none', async () => {
    const subscriber = await failing(() => ({ status: 503, body: 'Not now' }));
    for (const [index, wait] of LONGEST_WAITS.entries()) {
      await subscriber.untilReceived(index + 1);
      await untilIdle(service);
      const [delivery] = await subscriber.deliveries();
      expect(delivery).toMatchObject({ status: 'pending', attempts: index + 1 });
      const longest = Number.parseInt(wait);
      expect(secondsLeft(delivery)).toBeLessThanOrEqual(longest);
      expect(secondsLeft(delivery)).toBeGreaterThan((longest / 1.2) * 0.8 - 10);
      await service.letPass(wait, acme);
    }
    const failed = await subscriber.untilNewest(({ status }) => status === 'failed');
    expect(failed).toMatchObject({ attempts: 10, last_status: 503, last_error: 'Not now', next_attempt_at: null });
    expect(new Set(subscriber.received.map(({ id }) => id)).size).toBe(1);
    expect(subscriber.received).toHaveLength(10);
    expect(await subscriber.webhook()).toMatchObject({ status: 'enabled' });
  });

  it('is followed by another one when the receiver says, if that is later', async () => {
    for (const [seconds, expected] of [
      ['3600', 3600],
      ['999999', 86_400],
      ['1', 5],
    ] as const) {
      const subscriber = await failing(() => ({ status: 500, headers: { 'retry-after': seconds } }));
      const left = secondsLeft((await subscriber.deliveries())[0]);
      expect(left).toBeLessThanOrEqual(expected * 1.2);
      expect(left).toBeGreaterThan(expected * 0.8 - 10);
    }
  });

  it('leaves the beginning of the response, 500 characters', async () => {
    const subscriber = await failing(() => ({ status: 400, body: `\0${'😀'.repeat(600)}` }));
    expect((await subscriber.deliveries())[0].last_error).toBe(`\ufffd${'😀'.repeat(499)}`);
  });
});

describe('An attempt whose process died', () => {
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

  it('is followed by another one with the same id, a minute after it began', async () => {
    const subscriber = await Subscriber.of(acme, ['session.canceled'], () => 500);
    await Visitor.cancels(service, flow);
    await subscriber.untilNewest(({ last_status }) => last_status === 500);
    subscriber.reply = () => 204;
    await service.database.query(
      `UPDATE deliveries SET attempts = 1, next_attempt_at = now() + interval '60 seconds' WHERE workspace_id = $1`,
      [acme.id],
    );
    await service.letPass('60 seconds', acme);
    const [first, second] = await subscriber.untilReceived(2);
    expect(second.id).toBe(first.id);
    expect(await subscriber.untilNewest(({ status }) => status === 'delivered')).toMatchObject({ attempts: 2 });
  });

  it('changes nothing when it ends after the next one began', async () => {
    const late = held();
    const subscriber = await Subscriber.of(acme, ['session.canceled'], late.reply);
    await Visitor.cancels(service, flow);
    await subscriber.untilReceived(1);
    subscriber.reply = () => 204;
    await service.letPass('60 seconds', acme);
    const delivered = await subscriber.untilNewest(({ status }) => status === 'delivered');
    late.answer(500);
    await untilIdle(service);
    expect(await subscriber.deliveries()).toEqual([delivered]);
    expect(delivered).toMatchObject({ attempts: 2, last_status: 204 });
  });
});
