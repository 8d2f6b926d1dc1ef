import { setTimeout as pause } from 'node:timers/promises';
import { type Received, TO_LOOPBACK } from '../../support/receiver';
import { Service, type Tenant } from '../../support/service';
import { until } from '../../support/until';
import { happenToAll, insertSessions } from './many';
import { startDelivering, Subscriber, untilIdle } from './subscriber';
import { Visitor } from './visitor';

const SESSIONS = 300;
const A_DAY_LATER = { status: 500, headers: { 'retry-after': '86400' } };

/** What was told of each session, in order. */
function typesBySession(received: Received[]): string[] {
  const types = new Map<string, string[]>();
  for (const { body } of received) {
    const { id } = body.data.session;
    types.set(id, [...(types.get(id) ?? []), body.type]);
  }
  return [...types.values()].map(String);
}

describe('Events of a workspace', () => {
  let service: Service;
  let acme: Tenant;
  let own: Subscriber;

  const start = async (env: NodeJS.ProcessEnv = {}) => {
    service = await startDelivering(env);
    acme = await service.workspace();
    own = await Subscriber.of(acme);
  };
  afterEach(async () => {
    await Subscriber.stopAll(service);
    await service.stop();
  });

  /** Resolves when the workspace was told of a session that is canceled now. */
  const arrive = async () => {
    await Visitor.cancels(service, await acme.publishedFlow());
    await own.untilReceived(own.received.length + 1);
  };
  const retried = async (): Promise<number> => {
    const { body } = await service.client.get('/metrics');
    return Number(/^retention_deliveries_total\{transport="webhook",result="retried"\} (\d+)$/m.exec(body)?.[1] ?? 0);
  };
  const count = async (condition: string): Promise<number> => {
    const [row] = await service.database.query(`SELECT count(*)::integer FROM deliveries WHERE ${condition}`);
    return row.count;
  };

  it('arrive while all receivers of five others hang', async () => {
    await start({ MAX_DELIVERIES_IN_FLIGHT: '40' });
    let hanging = 0;
    for (let n = 0; n < 5; n++) {
      const other = await service.workspace();
      const hang = () => {
        hanging++;
        return 'hang' as const;
      };
      for (let webhook = 0; webhook < 10; webhook++) await Subscriber.of(other, ['flow.archived'], hang);
      const { id } = await other.publishedFlow();
      await service.database.query(
        `INSERT INTO outbox (workspace_id, id, type, data, created_at)
          SELECT $1, gen_random_uuid(), 'flow.archived', jsonb_build_object('flow_id', $2::text, 'version', 1), now()
          FROM generate_series(1, 5)`,
        [other.id, id],
      );
    }
    // So many that the next one of the five would have to leave something.
    await until(
      () => Promise.resolve(hanging),
      (all) => all >= 36,
    );
    await arrive();
    expect(await retried()).toBe(0);
  });

  it('arrive while those of 300 sessions of another workspace wait for an earlier one, which come in order the next day', async () => {
    await start();
    const other = await service.workspace();
    await other.publishedFlow();
    await insertSessions(service.database, other.id, SESSIONS);
    let answers = 0;
    const refusing = await Subscriber.of(other, ['session.started', 'session.canceled'], ({ body }) =>
      // One success in ten: otherwise it would be tried only every 30 s.
      body.type === 'session.started' && answers++ % 10 > 0 ? A_DAY_LATER : 204,
    );
    await happenToAll(service.database, other.id, 'session.started');
    await refusing.untilReceived(SESSIONS);
    await happenToAll(service.database, other.id, 'session.canceled');
    await refusing.untilReceived(SESSIONS + SESSIONS / 10);
    await until(
      () => count(`status = 'pending' AND next_attempt_at <= now()`),
      (due) => due === 0,
    );
    await untilIdle(service);
    expect(await count(`status = 'pending'`)).toBe((SESSIONS * 18) / 10);
    await arrive();

    refusing.reply = () => 204;
    await service.letPass('25 hours', other);
    await until(
      () => count(`status = 'pending'`),
      (pending) => pending === 0,
    );
    const later = refusing.received.slice(SESSIONS + SESSIONS / 10);
    expect(typesBySession(later)).toEqual(Array((SESSIONS * 9) / 10).fill('session.started,session.canceled'));
  });

  it('come at once when the earlier one of their session has, though they were put off', async () => {
    await start();
    await acme.publishedFlow();
    await insertSessions(service.database, acme.id, 1);
    const refusing = await Subscriber.of(acme, ['session.started', 'session.canceled'], () => A_DAY_LATER);
    await happenToAll(service.database, acme.id, 'session.started');
    const [{ id }] = await refusing.untilReceived(1);
    await untilIdle(service);
    await happenToAll(service.database, acme.id, 'session.canceled');
    const isPutOff = `recipient_id = '${refusing.id}' AND attempts = 0 AND next_attempt_at > now() + interval '23 hours'`;
    await until(
      () => count(isPutOff),
      (putOff) => putOff === 1,
    );
    refusing.reply = () => 204;
    await acme.client.send('POST', `/api/v1/public/events/${id}/redeliver`);
    const received = await refusing.untilReceived(3);
    expect(received.map(({ body }) => body.type)).toEqual(['session.started', 'session.started', 'session.canceled']);
  });

  it('come in order and at once, though two processes send them and the answers take their time', async () => {
    await start();
    const second = await Service.start(TO_LOOPBACK);
    try {
      await acme.publishedFlow();
      await insertSessions(service.database, acme.id, SESSIONS);
      const slow = await Subscriber.of(acme, ['session.started', 'session.canceled'], () =>
        pause(Math.random() * 50, 204),
      );
      await happenToAll(service.database, acme.id, 'session.started');
      await happenToAll(service.database, acme.id, 'session.canceled');
      // Sooner than the lease of an attempt ends, when those that were put off come at the latest.
      const received = await slow.untilReceived(2 * SESSIONS);
      for (const delivering of [service, second]) await untilIdle(delivering);
      expect(received).toHaveLength(2 * SESSIONS);
      expect(typesBySession(received)).toEqual(Array(SESSIONS).fill('session.started,session.canceled'));
    } finally {
      await second.stop();
    }
  });
});
