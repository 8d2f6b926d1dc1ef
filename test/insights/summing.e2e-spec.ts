import { readTime } from '../../src/database/time';
import { Transactions } from '../../src/database/transactions';
import { SummingService } from '../../src/insights/sums/summing.service';
import { Service, type Tenant } from '../support/service';
import { countAll, expectPlainCount, type History, randomFrom, writeHistory } from './histories';
import { sorted } from './plain-count';

const DAY_MS = 24 * 60 * 60 * 1000;
const RUNTIME = '/api/v1/runtime/session';
const PUBLIC = '/api/v1/public';

describe('Statistics that are added up', () => {
  let service: Service;
  let other: Service;
  let summing: SummingService;
  let acme: Tenant;
  let history: History;

  beforeAll(async () => {
    [service, other] = await Promise.all([Service.start(), Service.start()]);
    summing = service.app.get(SummingService);
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
    await summing.findDue();
  });

  async function flowOfTwoVersions(fields?: object): Promise<{ id: string; slug: string }> {
    const flow = await acme.publishedFlow(fields);
    await acme.client.put(`${PUBLIC}/flows/${flow.id}`, { name: 'Renamed' });
    return flow;
  }

  const compare = () => expectPlainCount(service, history, 7);

  /** Adds up all that has settled. */
  async function sumAll(): Promise<void> {
    while (await summing.sum(acme.id, { marginMs: 0 }));
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
    service.database.query(
      `SELECT to_jsonb(daily_sums) AS row FROM daily_sums WHERE workspace_id = $1
        UNION ALL SELECT to_jsonb(daily_repeats) FROM daily_repeats WHERE workspace_id = $1 ORDER BY 1`,
      [acme.id],
    );

  it.each([1, 2, 3])('equal the plain count at any point of adding up, over any span: history %i', async (seed) => {
    const random = randomFrom(seed);
    history = { ...history, random };
    await writeHistory(service.database, history);
    await compare();
    for (let marginMs = 6 * DAY_MS; marginMs > 0; marginMs -= Math.floor(random() * DAY_MS)) {
      for (let n = Math.floor(random() * 12); n >= 0; n--) {
        await summing.sum(acme.id, { marginMs, sessions: 1 + Math.floor(random() * 10) });
        await compare();
      }
      if (random() < 0.3) await acme.client.delete(`${PUBLIC}/customers/cus_${Math.floor(random() * 12)}`);
      if (random() < 0.1) while (await summing.sum(acme.id, { marginMs, sessions: 50 }));
    }
    await sumAll();
    for (let n = 0; n < 10; n++) await compare();
  });

  it('equal the plain count while two processes start sessions and take steps', async () => {
    const { random } = history;
    const [offer] = history.offerIds;
    const flow = await flowOfTwoVersions({ offer_ids: history.offerIds });
    history.flowIds = [flow.id];
    await writeHistory(service.database, { ...history, sessions: 40 });
    const over = new AbortController();
    /** Sessions that are added to the sums halfway. */
    const later: (() => Promise<void>)[] = [];
    const visits = async ({ client }: Service) => {
      for (let n = 0; n < 25; n++) {
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
    const add = (by: Service) => () => by.app.get(SummingService).sum(acme.id, { marginMs: 0, sessions: 7 });
    const working = [compare, add(service), add(other)].map(until);
    await Promise.all([service, service, other, other].map(visits));
    await acme.client.delete(`${PUBLIC}/offers/${offer}`);
    await acme.client.delete(`${PUBLIC}/customers/cus_1`);
    await Promise.all([service, other].map(visits));
    for (const goOn of later) await goOn();
    over.abort();
    await Promise.all(working);
    await sumAll();
    for (let n = 0; n < 10; n++) await compare();
  }, 60_000);

  it('are the same sums, in one go and in slices by two processes at once', async () => {
    await writeHistory(service.database, history);
    await sumAll();
    const expected = await sums();
    expect(expected.length).toBeGreaterThan(50);
    for (const table of ['sum_cursors', 'daily_sums', 'daily_repeats'])
      await service.database.query(`DELETE FROM ${table} WHERE workspace_id = $1`, [acme.id]);
    await summing.findDue();
    const add = (by: Service) => by.app.get(SummingService).sum(acme.id, { marginMs: 0, sessions: 20 });
    for (let n = 0; n < 20; n++) await Promise.all([add(service), add(other)]);
    expect(await sums()).toEqual(expected);
    expect(await add(service)).toBe(false);
  });

  it('are brought up to date by a process that sends events', async () => {
    const flow = await acme.publishedFlow();
    await service.client.post(`${RUNTIME}/init`, { flow_slug: flow.slug });
    expect(await summing.findDue()).not.toContain(acme.id);
    await service.letPass('11 minutes', acme);
    expect(await summing.findDue()).toContain(acme.id);
    const worker = await Service.start({ EVENT_WORKERS: '1' });
    while ((await sums()).length === 0);
    await worker.stop();
    expect(await summing.findDue()).not.toContain(acme.id);
  });

  it('stay what they are when customers are erased', async () => {
    await writeHistory(service.database, history);
    const before = await numbers();
    await acme.client.delete(`${PUBLIC}/customers/cus_1`);
    expect(await numbers()).toEqual(before);
    await sumAll();
    expect(await numbers()).toEqual(before);
    await acme.client.delete(`${PUBLIC}/customers/cus_2`);
    expect(await numbers()).toEqual(before);
    await compare();
  });
});
