import { Jobs } from '../../../src/platform/database/queue/jobs.service';
import { connected, untilBlocking, workerDatabaseUrl } from '../../support/database';
import { Service, serviceForAll, type Tenant, workspaceForEach } from '../../support/service';
import { TO_LOOPBACK } from '../../support/receiver';
import { until } from '../../support/until';
import { held, startDelivering, Subscriber, untilIdle } from './subscriber';
import { Visitor } from './visitor';

/** Lets so much happen in a workspace, in entries about so many sessions each. */
async function happen({ database }: Service, { id }: Tenant, entries: number, sessions?: number): Promise<void> {
  await database.query(
    `INSERT INTO outbox (workspace_id, id, type, flow_session_ids, data, created_at)
      SELECT $1, gen_random_uuid(), CASE WHEN $3::integer IS NULL THEN 'customer.erased' ELSE 'session.canceled' END,
        (SELECT array_agg(gen_random_uuid()) FROM generate_series(1, $3) WHERE entry IS NOT NULL),
        CASE WHEN $3 IS NULL THEN '{"flow_session_ids": []}'::jsonb END, date_trunc('milliseconds', now())
      FROM generate_series(1, $2) AS entry`,
    [id, entries, sessions ?? null],
  );
}

describe('Deliveries by several processes', () => {
  it('are made once each', async () => {
    const services = [await startDelivering(), await Service.start(TO_LOOPBACK)];
    try {
      const acme = await services[0].workspace();
      const subscribers = await Promise.all(Array.from({ length: 5 }, () => Subscriber.of(acme)));
      for (let round = 0; round < 10; round++) await happen(services[0], acme, 10);
      for (const subscriber of subscribers) await subscriber.untilReceived(100);
      for (const service of services) await untilIdle(service);
      for (const { received } of subscribers) expect(new Set(received.map(({ id }) => id)).size).toBe(100);
      expect(subscribers.flatMap(({ received }) => received)).toHaveLength(500);
    } finally {
      await Subscriber.stopAll(services[0]);
      for (const service of services) await service.stop();
    }
  });

  it('are left by one that stops, and made by the next one', async () => {
    const stopping = await startDelivering();
    const acme = await stopping.workspace();
    const late = held();
    const subscriber = await Subscriber.of(acme, [], () => (subscriber.received.length === 1 ? late.reply() : 'hang'));
    await happen(stopping, acme, 30);
    // As many as go to one webhook at a time.
    await subscriber.untilReceived(20);
    const stopped = stopping.stop();
    late.answer(204);
    await stopped;
    const first = subscriber.received.map(({ id }) => id);
    expect(first).toHaveLength(20);

    subscriber.reply = () => 204;
    const next = await Service.start(TO_LOOPBACK);
    try {
      await subscriber.untilReceived(20 + 29);
      await untilIdle(next);
      const second = subscriber.received.slice(20).map(({ id }) => id);
      expect(new Set(second).size).toBe(29);
      expect(second).not.toContain(first[0]);
      expect(second).toEqual(expect.arrayContaining(first.slice(1)));
      const [{ delivered }] = await next.database.query(
        `SELECT count(*)::integer AS delivered FROM deliveries WHERE workspace_id = $1 AND status = 'delivered'`,
        [acme.id],
      );
      expect(delivered).toBe(30);
    } finally {
      await Subscriber.stopAll(next);
      await next.stop();
    }
  });

  it('are not begun once it stops, however many are due', async () => {
    const stopping = await startDelivering();
    try {
      const acme = await stopping.workspace();
      const subscribers = await Promise.all(Array.from({ length: 10 }, () => Subscriber.of(acme)));
      await connected(workerDatabaseUrl(), async (client) => {
        await client.query('BEGIN');
        await client.query('LOCK TABLE deliveries');
        await happen(stopping, acme, 1);
        await untilBlocking(client);
        const stopped = stopping.app.get(Jobs).stop();
        await client.query('COMMIT');
        await stopped;
      });
      expect(subscribers.flatMap(({ received }) => received)).toEqual([]);
    } finally {
      await Subscriber.stopAll(stopping);
      await stopping.stop();
    }
  });
});

describe('Deliveries of other workspaces and webhooks', () => {
  const service = serviceForAll(startDelivering);
  const acme = workspaceForEach(service);
  let other: Tenant;

  beforeEach(async () => {
    other = await service.workspace();
  });
  afterEach(() => Subscriber.stopAll(service));

  /** Makes Postgres refuse some deliveries while the work is under way. */
  async function refusing(condition: string, work: () => Promise<unknown>): Promise<void> {
    await service.database.query(`ALTER TABLE deliveries ADD CONSTRAINT poison CHECK (NOT (${condition})) NOT VALID`);
    try {
      await work();
    } finally {
      await service.database.query('ALTER TABLE deliveries DROP CONSTRAINT poison');
    }
  }

  it("go on while the events of one can't be made into deliveries", async () => {
    const [poisoned, healthy] = [await Subscriber.of(acme), await Subscriber.of(other)];
    await refusing(`workspace_id = '${acme.id}'`, async () => {
      for (let round = 1; round <= 3; round++) {
        await happen(service, acme, 10);
        await happen(service, other, 10);
        await healthy.untilReceived(10 * round);
      }
    });
    expect(healthy.received).toHaveLength(30);
    await poisoned.untilReceived(30);
  });

  it("go on while the results of one can't be stored, which are stored later", async () => {
    const [poisoned, healthy] = [await Subscriber.of(acme), await Subscriber.of(other)];
    await refusing(`workspace_id = '${acme.id}' AND status = 'delivered'`, async () => {
      await happen(service, acme, 5);
      await poisoned.untilReceived(5);
      await happen(service, other, 50);
      await healthy.untilDeliveries((all) => all.filter(({ status }) => status === 'delivered').length === 50);
    });
    await poisoned.untilDeliveries((all) => all.every(({ status }) => status === 'delivered'));
    expect(poisoned.received).toHaveLength(5);
  });

  it("go on while one event can't be read, which fails after its attempts", async () => {
    const subscriber = await Subscriber.of(acme);
    await service.database.query(
      `INSERT INTO outbox (workspace_id, id, type, data, created_at)
        VALUES ($1, gen_random_uuid(), 'flow.archived', '{"flow_id": "${other.id}", "version": 1}', now())`,
      [acme.id],
    );
    await happen(service, acme, 15);
    await subscriber.untilReceived(15);
    const unread = async () => (await subscriber.deliveries()).find(({ type }) => type === 'flow.archived');
    const delivery = await until(unread, (one) => one?.last_error !== null);
    expect(delivery).toMatchObject({ status: 'pending', attempts: 1, last_error: 'The event could not be read.' });
    await service.database.query(
      `UPDATE deliveries SET attempts = 9, next_attempt_at = now() WHERE workspace_id = $1 AND status = 'pending'`,
      [acme.id],
    );
    expect(await until(unread, (one) => one?.status === 'failed')).toMatchObject({ attempts: 10 });
    expect(await subscriber.webhook()).toMatchObject({ status: 'enabled' });
  });

  it("arrive while nine webhooks of the workspace don't answer, and most of what they are told waits", async () => {
    for (let n = 0; n < 9; n++) await Subscriber.of(acme, [], () => 'hang');
    await happen(service, acme, 50);
    const tenth = await Subscriber.of(acme);
    const flow = await acme.publishedFlow();
    for (let n = 0; n < 3; n++) {
      const before = tenth.received.length;
      await Visitor.cancels(service, flow);
      await tenth.untilReceived(before + 1);
    }
    const [{ waiting }] = await service.database.query(
      'SELECT count(*)::integer AS waiting FROM deliveries WHERE workspace_id = $1 AND attempts = 0',
      [acme.id],
    );
    expect(waiting).toBeGreaterThan(225);
  });

  it('are made of everything that happened, however much at once', async () => {
    const subscriber = await Subscriber.of(acme);
    await happen(service, acme, 4, 300);
    await happen(service, acme, 120);
    await subscriber.untilReceived(120);
    const counts = (): Promise<{ status: string; count: number }[]> =>
      service.database.query(
        `SELECT status, count(*)::integer FROM deliveries WHERE workspace_id = $1 GROUP BY status ORDER BY status`,
        [acme.id],
      );
    // The sessions are gone.
    await until(counts, (rows) => rows.length === 2 && rows.every(({ count }) => count === 1200 || count === 120));
    expect(await counts()).toEqual([
      { status: 'delivered', count: 120 },
      { status: 'failed', count: 1200 },
    ]);
  });
});
