import { readTime } from '../../src/platform/database/time';
import { Transactions } from '../../src/platform/database/transaction/transactions';
import { DailySums } from '../../src/statistics/sums/daily-sums.service';
import { Service, type Tenant } from '../support/service';
import { until } from '../support/until';
import { countAll, expectPlainCount, type History, randomFrom, writeHistory, writeOutcomes } from './histories';
import { plainCount, sorted } from './plain-count';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const RUNTIME = '/api/v1/runtime/session';
const PUBLIC = '/api/v1/public';

describe('Statistics that are added up', () => {
  let service: Service;
  let other: Service;
  let summing: DailySums;
  let acme: Tenant;
  let history: History;

  beforeAll(async () => {
    [service, other] = await Promise.all([Service.start(), Service.start()]);
    summing = service.app.get(DailySums);
  });
  afterAll(() => Promise.all([service.stop(), other.stop()]));
  beforeEach(async () => {
    acme = await service.workspace();
    const offerIds = [(await acme.offer()).id, (await acme.offer({ name: 'Pause' })).id];
    const flowIds = [(await flowOfTwoVersions()).id, (await flowOfTwoVersions()).id];
    const to = await readTime(service.database.manager);
    const from = new Date(to.getTime() - 6 * DAY_MS);
    history = {
      workspaceId: acme.id,
      flowIds,
      offerIds,
      customers: 12,
      sessions: 150,
      from,
      to,
      random: randomFrom(1),
    };
  });

  async function flowOfTwoVersions(fields?: object): Promise<{ id: string; slug: string }> {
    const flow = await acme.publishedFlow(fields);
    await acme.client.put(`${PUBLIC}/flows/${flow.id}`, { name: 'Renamed' });
    return flow;
  }

  const compare = () => expectPlainCount(service, history, 7);

  async function erase(customer: string): Promise<void> {
    expect((await acme.client.delete(`${PUBLIC}/customers/${customer}`)).status).toBe(200);
  }

  /** Sums all days that are over. */
  async function sumAll(by = service): Promise<void> {
    while (await by.app.get(DailySums).sumNext());
  }

  /** All numbers of whole days until now. */
  const numbers = () =>
    service.app.get(Transactions).runOnSnapshot(async (manager) => {
      const now = await readTime(manager);
      const span = {
        workspaceId: acme.id,
        from: new Date(now.getTime() - (now.getTime() % DAY_MS) - 30 * DAY_MS),
        to: now,
        now,
      };
      return sorted(await countAll(span, manager));
    });

  const sums = (): Promise<unknown[]> =>
    service.database.query('SELECT to_jsonb(daily_sums) AS row FROM daily_sums WHERE workspace_id = $1 ORDER BY 1', [
      acme.id,
    ]);

  it('equal the plain count after each day that is summed, over any span', async () => {
    const { random } = history;
    await writeHistory(service.database, history);
    await writeOutcomes(service.database, history, 20);
    const compareOften = async () => {
      for (let n = 0; n < 4; n++) await compare();
    };
    await compareOften();
    while (await summing.sumNext()) {
      await compareOften();
      if (random() < 0.5) await erase(`cus_${Math.floor(random() * 12)}`);
    }
    await compareOften();
  });

  it('tell how long saves lasted as the plain count does, over any span of months', async () => {
    const from = new Date(history.to.getTime() - 120 * DAY_MS);
    history = { ...history, from, customers: 60 };
    await writeHistory(service.database, history);
    await writeOutcomes(service.database, history, 40);
    const compareOften = async () => {
      for (let n = 0; n < 4; n++) await expectPlainCount(service, history, 121);
    };
    await compareOften();
    await sumAll();
    await erase('cus_1');
    await compareOften();
  });

  it('equal the plain count while two processes start sessions and take steps', async () => {
    const { random } = history;
    const [offer] = history.offerIds;
    const flow = await flowOfTwoVersions({ offer_ids: history.offerIds });
    history.flowIds = [flow.id];
    await writeHistory(service.database, { ...history, sessions: 40 });
    const over = new AbortController();
    /** Sessions that go on after others have begun. */
    const later: (() => Promise<void>)[] = [];
    const visits = async ({ client }: Service) => {
      for (let n = 0; n < 12; n++) {
        const customer = random() < 0.7 ? { id: `cus_${Math.floor(random() * 12)}` } : undefined;
        const { body } = await client.post(`${RUNTIME}/init`, { flow_slug: flow.slug, customer });
        const steps = [
          { node_key: 'start', action: 'continue' },
          { node_key: 'reason', action: 'answer', option: 'other' },
          { node_key: 'offer_1', action: 'decline' },
          { action: random() < 0.5 ? 'keep' : 'cancel' },
        ];
        const length = Math.floor(random() * 5);
        const take = async (some: object[]) => {
          for (const step of some) await client.post(`${RUNTIME}/${body.session_id}/step`, step);
        };
        await take(steps.slice(0, length));
        if (random() < 0.3) later.push(() => take(steps.slice(length)));
      }
    };
    const until = async (work: () => Promise<unknown>) => {
      while (!over.signal.aborted) await work();
    };
    const working = [compare, () => sumAll(service), () => sumAll(other)].map(until);
    await Promise.all([service, service, other, other].map(visits));
    await acme.client.delete(`${PUBLIC}/offers/${offer}`);
    await erase('cus_1');
    await Promise.all([service, other].map(visits));
    for (const goOn of later) await goOn();
    over.abort();
    await Promise.all(working);
    await sumAll();
    for (let n = 0; n < 10; n++) await compare();
  });

  it('are of the hours whose sessions are all over, and of no other', async () => {
    await writeHistory(service.database, history);
    await sumAll();
    const [{ newest }] = await service.database.query(
      'SELECT max(until) AS newest FROM daily_sums WHERE workspace_id = $1',
      [acme.id],
    );
    const now = (await readTime(service.database.manager)).getTime();
    // The hour may have changed since the history was written.
    const hours = [history.to.getTime(), now].map((time) => {
      const firstAlive = time - DAY_MS - HOUR_MS;
      return new Date(firstAlive - (firstAlive % HOUR_MS));
    });
    const [{ left }] = await service.database.query(
      `SELECT count(*) FILTER (WHERE created_at < $2)::int AS left FROM flow_sessions
        WHERE workspace_id = $1 AND created_at >= coalesce($3, '-infinity'::timestamptz)`,
      [acme.id, hours[0], newest],
    );
    // Nothing began in the hours between, if there are any: it is early in the day then.
    expect([left, newest <= hours[1]]).toEqual([0, true]);
  });

  it('are the same when two processes sum at once', async () => {
    await writeHistory(service.database, history);
    await sumAll();
    const expected = await sums();
    expect(expected.length).toBeGreaterThan(50);
    await service.database.query('DELETE FROM daily_sums WHERE workspace_id = $1', [acme.id]);
    await Promise.all([sumAll(service), sumAll(other)]);
    await sumAll();
    expect(await sums()).toEqual(expected);
  });

  it('are not read of days that are not over, which they are of if the clock was ahead', async () => {
    await writeHistory(service.database, history);
    await sumAll();
    await service.database.query(
      `UPDATE daily_sums SET day = day + 2, until = until + interval '2 days'
        WHERE workspace_id = $1 AND day = (SELECT max(day) FROM daily_sums WHERE workspace_id = $1)`,
      [acme.id],
    );
    const from = new Date(history.to.getTime() - (history.to.getTime() % DAY_MS) - DAY_MS);
    await service.app.get(Transactions).runOnSnapshot(async (manager) => {
      const span = { workspaceId: acme.id, from, to: history.to, now: history.to };
      expect(sorted(await countAll(span, manager))).toEqual(sorted(await plainCount(span, manager)));
    });
  });

  it('are written by a process with background jobs, which says how late it is', async () => {
    const flow = await acme.publishedFlow();
    await service.client.post(`${RUNTIME}/init`, { flow_slug: flow.slug });
    await service.letPass('50 hours', acme);
    await service.database.query('DELETE FROM daily_sums WHERE workspace_id = $1', [acme.id]);
    const worker = await Service.start({ BACKGROUND_JOBS: 'true' });
    await until(sums, (rows) => rows.length > 0);
    const [, lag] = /^retention_sums_lag_seconds (\S+)$/m.exec((await worker.client.get('/metrics')).body as string)!;
    expect(Number(lag)).toBeGreaterThanOrEqual(0);
    await worker.stop();
  });

  it('are canceled when the service stops, and written after the next start', async () => {
    await writeHistory(service.database, history);
    await service.database.query(
      `CREATE FUNCTION sleep() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(60); RETURN NULL; END'`,
    );
    await service.database.query('CREATE TRIGGER sleep AFTER INSERT ON daily_sums EXECUTE FUNCTION sleep()');
    const sleeping = () =>
      service.database.query(
        `SELECT FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()`,
      );
    const first = await Service.start({ BACKGROUND_JOBS: 'true', LOG_LEVEL: 'warn' });
    await until(sleeping, (rows: unknown[]) => rows.length > 0);
    await first.stop();
    expect([await sums(), first.log]).toEqual([[], []]);
    await service.database.query('DROP FUNCTION sleep CASCADE');
    const next = await Service.start({ BACKGROUND_JOBS: 'true' });
    await until(sums, (rows) => rows.length > 0);
    await next.stop();
    await sumAll();
    await compare();
  });

  it('stay what they are when customers are erased', async () => {
    await writeHistory(service.database, history);
    const before = await numbers();
    await erase('cus_1');
    expect(await numbers()).toEqual(before);
    await sumAll();
    expect(await numbers()).toEqual(before);
    await erase('cus_2');
    expect(await numbers()).toEqual(before);
    await compare();
  });
});
