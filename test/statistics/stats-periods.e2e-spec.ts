import { serviceForAll, workspaceForEach } from '../support/service';
import { cancel, keep, type Step, walk } from './walk';

const PUBLIC = '/api/v1/public';
const DAY = 24 * 3_600_000;
const dateOf = (time: number) => new Date(time).toISOString().slice(0, 10);
const daysAgo = (days: number) => dateOf(Date.now() - days * DAY);

interface Period {
  from: string;
  sessions: { total: number };
  customers: { total: number; saved: number } | null;
  value: object[] | null;
}

describe('Statistics by period', () => {
  const service = serviceForAll();
  const acme = workspaceForEach(service);
  let flow: { id: string; slug: string };

  beforeEach(async () => {
    flow = await acme.publishedFlow();
  });

  const worth = { amount: 1000, currency: 'EUR', interval: 'month' };
  const visit = (id: string | undefined, ...steps: Step[]) =>
    walk(service, { slug: flow.slug, customer: id ? { id, subscription: worth } : undefined }, ...steps);
  const read = async (query: string, path = '/stats') => (await acme.client.get(`${PUBLIC}${path}?${query}`)).body;
  const came = (periods: Period[]) =>
    periods.filter(({ sessions }) => sessions.total > 0).map(({ from, customers }) => [from, customers?.total]);

  it('count a customer in each day that they came on, by what they decided last on it, with the days before', async () => {
    await visit('ada', keep);
    await visit(undefined, cancel);
    await service.letPass('4 days', acme);
    await visit('ada', cancel);
    await visit('ada', keep);
    await visit('bob', cancel);
    const query = `from=${daysAgo(2)}&interval=day`;
    const { periods, previous, customers } = await read(query);
    expect(periods.map(({ from }: Period) => from)).toEqual([daysAgo(2), daysAgo(1), daysAgo(0)]);
    expect(previous.map(({ from }: Period) => from)).toEqual([daysAgo(5), daysAgo(4), daysAgo(3)]);
    expect(periods.at(-1)).toMatchObject({
      sessions: { total: 3, saved: 1, canceled: 2 },
      customers: { total: 2, saved: 1, canceled: 1 },
      rates: { saved: 0.5 },
      value: [{ currency: 'EUR', customers: 2, at_risk: 2000, saved: 1000, canceled: 1000, net: 1000 }],
    });
    expect(came(previous)).toEqual([[daysAgo(4), 2]]);
    expect(previous[1].value).toMatchObject([{ customers: 1, saved: 1000 }]);
    expect(customers.total).toBe(2);
    expect(await read(query, `/flows/${flow.id}/stats`)).toMatchObject({ periods, previous });
  });

  it('are of whole months (UTC), the first and the last as far as they are in the span', async () => {
    await visit('ada', keep);
    const { periods, previous } = await read('from=2026-08-15&to=2026-11-03&interval=month');
    expect(periods.map(({ from }: Period) => from)).toEqual(['2026-08-15', '2026-09-01', '2026-10-01', '2026-11-01']);
    expect(previous.map(({ from }: Period) => from)).toEqual(['2026-05-15', '2026-06-01', '2026-07-01', '2026-08-01']);
    const whole = await read('from=2026-06-01&to=2026-09-01&interval=month');
    expect(whole.periods.map(({ from }: Period) => from)).toEqual(['2026-06-01', '2026-07-01', '2026-08-01']);
    expect(whole.previous.map(({ from }: Period) => from)).toEqual(['2026-03-01', '2026-04-01', '2026-05-01']);
  });

  it('have the customers of all flows once, and of one flow its own', async () => {
    const other = await acme.publishedFlow();
    await visit('ada', cancel);
    await walk(service, { slug: other.slug, customer: { id: 'ada' } }, keep);
    const today = `from=${daysAgo(0)}&interval=month`;
    expect((await read(today)).periods[0].customers).toMatchObject({ total: 1, saved: 1 });
    expect((await read(today, `/flows/${flow.id}/stats`)).periods[0].customers).toMatchObject({
      total: 1,
      canceled: 1,
    });
  });

  it('are as many customers as statistics of the period by itself', async () => {
    for (const id of ['ada', 'bob', 'cleo']) {
      await visit(id, keep);
      await visit(id, cancel);
      await visit('ada', keep);
      await service.letPass('11 days', acme);
    }
    const { periods } = await read(`from=${daysAgo(60)}&to=${dateOf(Date.now() + DAY)}&interval=month`);
    const ends = [...periods.slice(1).map(({ from }: Period) => from), dateOf(Date.now() + DAY)];
    for (const [index, period] of (periods as Period[]).entries()) {
      const alone = await read(`from=${period.from}&to=${ends[index]}`);
      const { sessions, customers, rates, value } = alone;
      expect(period).toEqual({ from: period.from, sessions, customers, rates, value });
    }
  });

  it('are absent unless they are asked for', async () => {
    expect(Object.keys(await read(''))).not.toEqual(expect.arrayContaining(['periods']));
    expect(Object.keys(await read(''))).not.toEqual(expect.arrayContaining(['previous']));
  });

  it('refuse an interval that there is not, and more than 366 of them', async () => {
    const refused = await acme.client.get(`${PUBLIC}/stats?interval=week`);
    expect([refused.status, refused.body.errors]).toEqual([
      400,
      [{ parameter: 'interval', message: 'must be one of day, month' }],
    ]);
    const year = await acme.client.get(`${PUBLIC}/stats?interval=day&from=2025-01-01&to=2026-01-03`);
    expect([year.status, year.body.errors[0].parameter]).toEqual([400, 'from']);
  });
});
