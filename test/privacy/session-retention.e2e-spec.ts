import { idFrom, idTime } from '../../src/platform/api/ids';
import { readTime } from '../../src/platform/database/time';
import { Transactions } from '../../src/platform/database/transaction/transactions';
import { Retention } from '../../src/privacy/retention.service';
import { DailySums } from '../../src/statistics/sums/daily-sums.service';
import { migrate } from '../../src/platform/database/schema/migrate';
import { Databases } from '../support/databases';
import { Service, type Tenant } from '../support/service';
import { until } from '../support/until';
import { countAll, type History, randomFrom, writeHistory } from '../statistics/histories';
import { sorted } from '../statistics/plain-count';

const DAY_MS = 24 * 60 * 60 * 1000;
const RUNTIME = '/api/v1/runtime/session';
const PUBLIC = '/api/v1/public';

describe('Sessions older than SESSION_RETENTION_MONTHS', () => {
  const databases = new Databases();
  let env: NodeJS.ProcessEnv;
  let service: Service;
  let acme: Tenant;
  let now: Date;
  let history: Omit<History, 'from' | 'to'>;

  beforeAll(async () => {
    env = { DATABASE_URL: await databases.create(), SESSION_RETENTION_MONTHS: '1' };
    await migrate(env.DATABASE_URL!);
    service = await Service.start(env);
  });
  afterAll(async () => {
    await service.stop();
    await databases.dropAll();
  });
  beforeEach(async () => {
    await service.database.query('DELETE FROM session_steps');
    await service.database.query('DELETE FROM fulfilments');
    await service.database.query('DELETE FROM flow_sessions');
    ({ tenant: acme, history } = await tenantWithFlow());
    now = await readTime(service.database.manager);
  });

  async function tenantWithFlow() {
    const tenant = await service.workspace();
    const offerIds = [(await tenant.offer()).id, (await tenant.offer({ name: 'Pause' })).id];
    const flow = await tenant.publishedFlow();
    await tenant.client.put(`${PUBLIC}/flows/${flow.id}`, { name: 'Renamed' });
    const size = { customers: 12, sessions: 150, random: randomFrom(1) };
    return { tenant, history: { workspaceId: tenant.id, flowIds: [flow.id], offerIds, ...size } };
  }

  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS);
  /** Adds sessions that are deleted whatever day it is: the beginning of the last month was 62 days ago at most. */
  const addOld = (sessions = 150, more: Partial<History> = {}) =>
    writeHistory(service.database, { ...history, sessions, from: daysAgo(120), to: daysAgo(67), ...more });
  /** Adds sessions that are kept whatever day it is: it was 28 days ago at least. */
  const addYoung = (sessions = 50) =>
    writeHistory(service.database, { ...history, sessions, from: daysAgo(27), to: daysAgo(5) });

  async function sumAll(): Promise<void> {
    while (await service.app.get(DailySums).sumNext());
  }
  const deleteOld = (one = service) => one.app.get(Retention).deleteMonths();

  async function count(table: 'flow_sessions' | 'session_steps', { id } = acme): Promise<number> {
    const rows = await service.database.query(`SELECT count(*)::int AS n FROM ${table} WHERE workspace_id = $1`, [id]);
    return rows[0].n;
  }
  const stepsOf = () =>
    service.database.query('SELECT * FROM session_steps WHERE workspace_id = $1 ORDER BY flow_session_id, position', [
      acme.id,
    ]);

  /** What is counted of the sessions of whole days until now. */
  const numbers = () =>
    service.app.get(Transactions).runOnSnapshot(async (manager) => {
      const from = new Date(now.getTime() - (now.getTime() % DAY_MS) - 150 * DAY_MS);
      const counts = await countAll({ workspaceId: acme.id, from, to: now, now }, manager);
      const ofCustomers = {
        customers: [],
        arms: [],
        armValue: [],
        armCut: [],
        value: [],
        offerValue: [],
        reasonValue: [],
      };
      return sorted({ ...counts, ...ofCustomers });
    });

  it('are deleted with their steps, and the others keep theirs', async () => {
    await addYoung();
    const kept = await stepsOf();
    await addOld();
    await sumAll();
    await deleteOld();
    expect(await count('flow_sessions')).toBe(50);
    expect(await stepsOf()).toEqual(kept);
  });

  it('stay until the daily sums contain them, and sessions of whole days stay counted', async () => {
    await addOld();
    await addYoung();
    const before = await numbers();
    await deleteOld();
    expect(await count('flow_sessions')).toBe(200);
    await service.app.get(DailySums).sumNext();
    await deleteOld();
    expect(await count('flow_sessions')).toBe(200);
    await sumAll();
    await deleteOld();
    expect(await count('flow_sessions')).toBe(50);
    expect(await numbers()).toEqual(before);
  });

  it('leave sessions counted, and their customers unknown: nobody can tell whether one came again', async () => {
    await addOld();
    await addYoung();
    await sumAll();
    const stats = async (from: Date) =>
      (await acme.client.get(`${PUBLIC}/stats?from=${from.toISOString().slice(0, 10)}`)).body;
    const [all, young] = [await stats(daysAgo(150)), await stats(daysAgo(30))];
    expect(all.customers.total).toBeGreaterThan(0);
    await deleteOld();
    const rates = { saved: null, saved_by_offer: null, canceled: null };
    expect(await stats(daysAgo(150))).toMatchObject({ sessions: all.sessions, customers: null, rates });
    expect((await stats(daysAgo(150))).flows[0]).toMatchObject({
      customers: null,
      rates,
      lasting: null,
      value: null,
      estimated_monthly_value_retained: null,
    });
    expect(await stats(daysAgo(30))).toEqual(young);
    const recent = await acme.publishedFlow();
    await service.client.post('/api/v1/runtime/session/init', { flow_slug: recent.slug });
    const { customers, flows } = await stats(daysAgo(150));
    expect([customers, flows[0].flow_id, flows[0].customers.total]).toEqual([null, recent.id, 1]);
  });

  it('leave the customers of periods unknown, and those for whom conditions would have held', async () => {
    await addOld();
    await sumAll();
    await deleteOld();
    const where = encodeURIComponent('{"all":[{"attribute":"plan","is":"exists"}]}');
    const from = daysAgo(150).toISOString().slice(0, 10);
    const read = async (query: string) => (await acme.client.get(`${PUBLIC}/stats?from=${from}&${query}`)).body;
    expect(await read(`where=${where}`)).toMatchObject({ customers: null, value: null, lasting: null });
    const { periods } = await read('interval=month');
    const [first] = periods as { sessions: { total: number }; customers: object | null; value: object | null }[];
    expect(first).toMatchObject({ customers: null, value: null });
    expect((periods as (typeof first)[]).some(({ sessions }) => sessions.total > 0)).toBe(true);
  });

  it('are deleted, and so are outcomes of their time, in every workspace that has some; later ones stay', async () => {
    const outcome = { customer_id: 'cus_1', type: 'canceled' };
    const { tenant: other } = await tenantWithFlow();
    const report = (tenant: Tenant, id: string, at: Date) =>
      tenant.client.post(`${PUBLIC}/outcomes`, { ...outcome, id, at: at.toISOString() });
    await addOld(5);
    await sumAll();
    for (const tenant of [acme, other]) {
      await report(tenant, 'old', daysAgo(67));
      await report(tenant, 'young', daysAgo(27));
    }
    await deleteOld();
    const rows = await service.database.query('SELECT id FROM outcomes WHERE workspace_id = ANY ($1)', [
      [acme.id, other.id],
    ]);
    expect(rows).toEqual([{ id: 'young' }, { id: 'young' }]);
  });

  it('keep the outcomes of their time as long as they are kept themselves', async () => {
    await addOld(5);
    const outcome = { customer_id: 'cus_1', type: 'canceled', id: 'old', at: daysAgo(67).toISOString() };
    await acme.client.post(`${PUBLIC}/outcomes`, outcome);
    const outcomes = () => service.database.query('SELECT id FROM outcomes WHERE workspace_id = $1', [acme.id]);
    await deleteOld();
    expect([await count('flow_sessions'), await outcomes()]).toEqual([5, [{ id: 'old' }]]);
    await sumAll();
    await deleteOld();
    expect([await count('flow_sessions'), await outcomes()]).toEqual([0, []]);
  });

  it('are those that began before the month that is SESSION_RETENTION_MONTHS ago (UTC)', async () => {
    await addYoung(2);
    const [young, old] = await service.database.query('SELECT id FROM flow_sessions');
    const firstKept = `date_trunc('month', date_trunc('month', now(), 'UTC') - interval '1 day', 'UTC')`;
    const move = (id: string, time: string) =>
      service.database.query(
        `UPDATE flow_sessions SET id = ${idFrom(idTime(time), 'id::text')}, created_at = ${time}, updated_at = ${time} WHERE id = $1`,
        [id],
      );
    await service.database.query('DELETE FROM session_steps');
    await move(young.id, firstKept);
    await move(old.id, `${firstKept} - interval '1 millisecond'`);
    await sumAll();
    await deleteOld();
    const rows = await service.database.query(`SELECT created_at >= ${firstKept} AS is_young FROM flow_sessions`);
    expect(rows).toEqual([{ is_young: true }]);
  });

  it('are deleted in all workspaces, 1,000 at a time, by two processes at once', async () => {
    const { tenant: other, history: ofOther } = await tenantWithFlow();
    await addOld(2500);
    await addOld(10, ofOther);
    await sumAll();
    const second = await Service.start(env);
    await Promise.all([deleteOld(), deleteOld(second)]);
    // Each leaves out what the other has locked.
    await deleteOld();
    await second.stop();
    expect([await count('flow_sessions'), await count('session_steps')]).toEqual([0, 0]);
    expect(await count('flow_sessions', other)).toBe(0);
    const metrics = String((await service.client.get('/metrics')).body);
    expect(metrics).toMatch(/^retention_sessions_deleted_total [1-9]\d+$/m);
  });

  it('are deleted in all workspaces but one that fails, which the log names', async () => {
    const { tenant: other, history: ofOther } = await tenantWithFlow();
    await addOld(10);
    await addOld(10, ofOther);
    await sumAll();
    await service.database.query(
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'It fails.'; END $$`,
    );
    await service.database.query(
      `CREATE TRIGGER refuse BEFORE DELETE ON flow_sessions FOR EACH ROW WHEN (OLD.workspace_id = '${acme.id}') EXECUTE FUNCTION refuse()`,
    );
    const one = await Service.start({ ...env, LOG_LEVEL: 'error' });
    await deleteOld(one);
    await one.stop();
    await service.database.query('DROP FUNCTION refuse CASCADE');
    expect([await count('flow_sessions'), await count('flow_sessions', other)]).toEqual([10, 0]);
    expect(one.log.map((line) => JSON.parse(line).msg)).toEqual([
      expect.stringMatching(`^Deleting old months of workspace ${acme.id}: .+: It fails.$`),
    ]);
  });

  it('are left out while a step locks them, and go the next time unless the step was one', async () => {
    await addOld(5);
    await sumAll();
    await service.database.transaction(async (manager) => {
      await manager.query('SELECT FROM flow_sessions WHERE workspace_id = $1 ORDER BY id LIMIT 1 FOR NO KEY UPDATE', [
        acme.id,
      ]);
      await deleteOld();
      expect(await count('flow_sessions')).toBe(1);
    });
    await deleteOld();
    expect(await count('flow_sessions')).toBe(0);
  });

  it('are 404 for customers and for backends', async () => {
    await addOld(1);
    const [{ id, session_id }] = await service.database.query('SELECT id, session_id FROM flow_sessions');
    await sumAll();
    await deleteOld();
    const step = { node_key: 'start', action: 'continue' };
    expect((await acme.client.get(`${PUBLIC}/sessions/${id}`)).status).toBe(404);
    expect((await service.client.get(`${RUNTIME}/${session_id}`)).status).toBe(404);
    expect((await service.client.post(`${RUNTIME}/${session_id}/step`, step)).status).toBe(404);
    expect((await acme.client.get(`${PUBLIC}/sessions`)).body.sessions).toEqual([]);
  });

  it('are deleted by a process that works in the background, and by none without the setting', async () => {
    await addOld(20);
    await sumAll();
    const without = await Service.start({
      ...env,
      SESSION_RETENTION_MONTHS: '',
      BACKGROUND_JOBS: 'true',
      MAX_DELIVERIES_IN_FLIGHT: '0',
    });
    const background = await Service.start({ ...env, BACKGROUND_JOBS: 'true', MAX_DELIVERIES_IN_FLIGHT: '0' });
    await until(
      () => count('flow_sessions'),
      (left) => left === 0,
    );
    expect((await without.client.get('/metrics')).body).toContain('\nretention_sessions_deleted_total 0\n');
    await Promise.all([without.stop(), background.stop()]);
  });
});
