import { NOW } from '../../../src/platform/database/time';
import { EVENT_ID } from '../../../src/outbox/outbox.service';
import { TO_LOOPBACK } from '../../support/receiver';
import { Service, serviceForAll, workspaceForEach } from '../../support/service';
import { until } from '../../support/until';
import { held, startDelivering, Subscriber, untilIdle } from './subscriber';
import { Visitor } from './visitor';

describe('The metrics of deliveries', () => {
  const service = serviceForAll(startDelivering);
  const acme = workspaceForEach(service);
  let flow: { slug: string };

  beforeEach(async () => {
    flow = await acme.publishedFlow();
  });
  afterEach(() => Subscriber.stopAll(service));

  const metricsOf = async ({ client }: Service) => (await client.get('/metrics')).body as string;
  /** The value of a sample, or 0 if there is none yet. */
  const sampleIn = (metrics: string, name: string) => {
    const line = metrics.split('\n').find((one) => one.startsWith(`retention_${name} `));
    return Number(line?.split(' ')[1] ?? 0);
  };
  const attempts = async () => {
    await untilIdle(service);
    const metrics = await metricsOf(service);
    const results = ['delivered', 'retried', 'failed', 'dropped'];
    return results.map((result) => sampleIn(metrics, `deliveries_total{transport="webhook",result="${result}"}`));
  };

  it('count attempts by result, and webhooks that were disabled by reason', async () => {
    const subscriber = await Subscriber.of(acme, ['session.canceled']);
    await Visitor.cancels(service, flow);
    const [{ id }] = await subscriber.untilReceived(1);
    expect(await attempts()).toEqual([1, 0, 0, 0]);

    subscriber.reply = () => 500;
    await subscriber.post('test');
    await subscriber.untilReceived(2);
    expect(await attempts()).toEqual([1, 0, 1, 0]);

    const redeliver = () => acme.client.send('POST', `/api/v1/public/events/${id}/redeliver`);
    await redeliver();
    await subscriber.untilReceived(3);
    expect(await attempts()).toEqual([1, 1, 1, 0]);

    subscriber.reply = () => 410;
    await redeliver();
    await subscriber.untilReceived(4);
    expect(await attempts()).toEqual([1, 1, 2, 0]);
    expect(sampleIn(await metricsOf(service), 'webhooks_disabled_total{reason="gone"}')).toBe(1);

    await subscriber.update({ status: 'enabled' });
    await service.database.query(
      'WITH steps AS (DELETE FROM session_steps WHERE workspace_id = $1) DELETE FROM flow_sessions WHERE workspace_id = $1',
      [acme.id],
    );
    await redeliver();
    await subscriber.untilNewest(({ last_error }) => last_error !== null);
    expect(await until(attempts, ([, , , dropped]) => dropped > 0)).toEqual([1, 1, 2, 1]);
  });

  it('measure the time from an event to the end of its first attempt, and no later one', async () => {
    const visitor = await Visitor.cancels(service, flow);
    const session = await visitor.recordId();
    const subscriber = await Subscriber.of(acme, ['session.canceled'], () => 500);
    const lag = async (part: string) => sampleIn(await metricsOf(service), `deliveries_lag_seconds_${part}`);
    const [minutes, sum, all] = [await lag('bucket{le="60"}'), await lag('sum'), await lag('count')];

    await service.database.query(`UPDATE webhooks SET created_at = created_at - interval '1 hour'`);
    await service.database.query(
      `INSERT INTO outbox (workspace_id, id, type, flow_session_ids, created_at)
        VALUES ($1, ${EVENT_ID}, 'session.canceled', ARRAY[$2::uuid], ${NOW} - interval '2 minutes')`,
      [acme.id, session],
    );
    const [{ id }] = await subscriber.untilReceived(1);
    await untilIdle(service);
    expect([await lag('bucket{le="60"}'), await lag('count')]).toEqual([minutes, all + 1]);
    expect((await lag('sum')) - sum).toBeGreaterThanOrEqual(120);
    expect((await lag('sum')) - sum).toBeLessThan(180);

    // The second attempt, and one of a delivery that was made.
    subscriber.reply = () => 204;
    for (const received of [2, 3]) {
      await acme.client.send('POST', `/api/v1/public/events/${id}/redeliver`);
      await subscriber.untilReceived(received);
      await untilIdle(service);
    }
    expect(await lag('count')).toBe(all + 1);
  });

  it('hold no address', async () => {
    const subscriber = await Subscriber.of(acme, ['session.canceled'], () => 410);
    await Visitor.cancels(service, flow);
    await subscriber.untilReceived(1);
    await untilIdle(service);
    const metrics = await metricsOf(service);
    expect(metrics).not.toContain('127.0.0.1');
    expect(metrics).not.toContain(subscriber.id);
  });

  it('say how many attempts are under way in the process', async () => {
    const late = held();
    const subscriber = await Subscriber.of(acme, ['session.canceled'], late.reply);
    await Promise.all([Visitor.cancels(service, flow), Visitor.cancels(service, flow)]);
    await subscriber.untilReceived(2);
    expect(sampleIn(await metricsOf(service), 'deliveries_under_way')).toBe(2);
    late.answer(204);
    await untilIdle(service);
  });

  it('say what waits, and how long something waits that could be sent', async () => {
    await (await Subscriber.of(acme)).update({ status: 'disabled' });
    const { id } = await Subscriber.of(acme, ['session.started', 'session.canceled']);
    const due = (type: string, time: string) =>
      service.database.query(
        `UPDATE deliveries SET next_attempt_at = now() + $1::interval FROM events
          WHERE recipient_id = $2 AND events.id = event_id AND type = $3`,
        [time, id, type],
      );
    // Nothing can be claimed.
    await service.database.query(
      `ALTER TABLE deliveries ADD CONSTRAINT poison CHECK (workspace_id <> '${acme.id}' OR attempts = 0) NOT VALID`,
    );
    try {
      await Visitor.cancels(service, flow);
      const listed = () => acme.client.get(`/api/v1/public/webhooks/${id}/deliveries`);
      await until(listed, ({ body }) => body.deliveries.length === 2);
      await due('session.started', '-1 hour');
      expect(await gauges()).toEqual({ outbox: expect.any(Number), pending: 2, minutes: 60, disabled: 1 });
      // The end waits for the start.
      await due('session.canceled', '-2 hours');
      expect(await gauges()).toMatchObject({ pending: 2, minutes: 60 });
      await due('session.started', '1 hour');
      expect(await gauges()).toMatchObject({ pending: 2, minutes: 0 });
      // The webhook fails all the time.
      await due('session.started', '-1 hour');
      await service.database.query(
        `UPDATE webhooks SET failures = 20, next_probe_at = now() + interval '30 seconds' WHERE id = $1`,
        [id],
      );
      expect(await gauges()).toMatchObject({ pending: 2, minutes: 0 });
    } finally {
      await service.database.query('ALTER TABLE deliveries DROP CONSTRAINT poison');
    }
  });

  it('say how long a mail has waited, also if no process has a mail server', async () => {
    await service.database.query(
      `WITH event AS (
        INSERT INTO events (workspace_id, id, type, created_at) VALUES ($1, ${EVENT_ID}, 'session.canceled', ${NOW}) RETURNING *
      )
      INSERT INTO deliveries (workspace_id, event_id, recipient_id, transport, status, attempts, next_attempt_at, created_at, updated_at)
      SELECT workspace_id, id, gen_random_uuid(), 'mail', 'pending', 0, ${NOW} - interval '1 hour', ${NOW}, ${NOW} FROM event`,
      [acme.id],
    );
    expect(await gauges('mail')).toMatchObject({ minutes: 60 });
    expect(await gauges()).toMatchObject({ minutes: 0 });
  });

  /** What a process measures at its start. */
  async function gauges(transport = 'webhook') {
    const started = await Service.start(TO_LOOPBACK);
    try {
      const metrics = await until(
        () => metricsOf(started),
        (text) => sampleIn(text, 'deliveries_pending') > 0,
      );
      return {
        outbox: sampleIn(metrics, 'outbox_entries'),
        pending: sampleIn(metrics, 'deliveries_pending'),
        minutes: Math.floor(sampleIn(metrics, `deliveries_oldest_due_seconds{transport="${transport}"}`) / 60),
        disabled: sampleIn(metrics, 'webhooks_disabled'),
      };
    } finally {
      await started.stop();
    }
  }
});
