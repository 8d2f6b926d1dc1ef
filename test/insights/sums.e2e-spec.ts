import { readTime } from '../../src/database/time';
import { Transactions } from '../../src/database/transactions';
import { countCustomers, countDays, countFacts } from '../../src/insights/sums/counts';
import { SummingService } from '../../src/insights/sums/summing.service';
import { Service, type Tenant } from '../support/service';
import { writeHistory } from './histories';
import { plainCount, sorted } from './plain-count';

const DAY_MS = 24 * 60 * 60 * 1000;

/** The same numbers for the same seed. */
function randomFrom(seed: number): () => number {
  return () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return seed / 2 ** 31;
  };
}

describe('Statistics that are added up', () => {
  let service: Service;
  let summing: SummingService;
  let acme: Tenant;
  let flowIds: string[];
  let offerIds: string[];

  beforeAll(async () => {
    service = await Service.start();
    summing = service.app.get(SummingService);
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    acme = await service.workspace();
    offerIds = [(await acme.offer()).id, (await acme.offer({ name: 'Pause' })).id];
    flowIds = [(await acme.publishedFlow()).id, (await acme.publishedFlow()).id];
    await summing.findDue();
  });

  /** Counts a span in both ways, in one snapshot. */
  async function expectPlainCount(random: () => number, days: number): Promise<void> {
    await service.app.get(Transactions).runOnSnapshot(async (manager) => {
      const now = await readTime(manager);
      const back = () => Math.floor(random() * days * DAY_MS);
      const midnight = (time: number) => (random() < 0.5 ? time - (time % DAY_MS) : time);
      const ends = [now.getTime() - back(), now.getTime() - back()].map(midnight).toSorted((a, b) => a - b);
      const to = random() < 0.5 ? now : new Date(ends[1] + 1);
      const flowId = random() < 0.4 ? flowIds[0] : undefined;
      const span = { workspaceId: acme.id, flowId, from: new Date(ends[0]), to, now };
      const facts = await countFacts(span, manager);
      const dayCounts = await countDays(span, manager);
      const customers = await countCustomers(span, manager);
      const expected = await plainCount(span, manager);
      expect([span, ...sorted({ facts, days: dayCounts, customers })]).toEqual([span, ...sorted(expected)]);
    });
  }

  it.each([1, 2, 3, 4])('equal the plain count at any point of adding up, over any span: history %i', async (seed) => {
    const random = randomFrom(seed);
    const now = await readTime(service.database.manager);
    const from = new Date(now.getTime() - 6 * DAY_MS);
    const history = { workspaceId: acme.id, flowIds, offerIds, customers: 12, sessions: 150, from, to: now, random };
    await writeHistory(service.database, history);
    await expectPlainCount(random, 7);
    for (let marginMs = 6 * DAY_MS; marginMs > 0; marginMs -= Math.floor(random() * DAY_MS)) {
      for (let n = Math.floor(random() * 12); n >= 0; n--) {
        await summing.sum(acme.id, { marginMs, sessions: 1 + Math.floor(random() * 10) });
        await expectPlainCount(random, 7);
      }
      if (random() < 0.3) await acme.client.delete(`/api/v1/public/customers/cus_${Math.floor(random() * 12)}`);
      if (random() < 0.1) while (await summing.sum(acme.id, { marginMs, sessions: 50 }));
    }
    while (await summing.sum(acme.id, { marginMs: 0 }));
    const [{ cursors }] = await service.database.query(
      'SELECT count(*)::int AS cursors FROM sum_cursors WHERE workspace_id = $1 AND summing_until IS NULL',
      [acme.id],
    );
    expect(cursors).toBe(1);
    for (let n = 0; n < 10; n++) await expectPlainCount(random, 7);
  });
});
