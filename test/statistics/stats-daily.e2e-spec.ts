import { Service, type Tenant } from '../support/service';
import { cancel, go, keep, walk } from './walk';

interface Day {
  date: string;
  sessions: number;
  saved: number;
  canceled: number;
}

describe('Numbers by day', () => {
  let service: Service;
  let acme: Tenant;

  beforeAll(async () => {
    service = await Service.start();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    acme = await service.workspace();
  });

  const get = (path: string) => acme.client.get(`/api/v1/public${path}`);
  const daysOf = async (path: string): Promise<Day[]> => (await get(path)).body.days;

  it('are of the day (UTC) on which sessions began, without a gap', async () => {
    const [flow, other] = [await acme.publishedFlow(), await acme.publishedFlow()];
    for (const [time, one, step] of [
      ['2026-04-30T23:59:59.999Z', flow, keep],
      ['2026-05-01T00:00:00.000Z', flow, keep],
      ['2026-05-01T23:59:59.999Z', flow, cancel],
      ['2026-05-01T12:00:00.000Z', other, cancel],
      ['2026-05-03T23:30:00.000-03:00', flow, go],
      ['2026-05-05T00:00:00.000Z', flow, keep],
    ] as const) {
      await service.begunAt(time, await walk(service, one, step));
    }
    const span = '/stats/daily?from=2026-05-01&to=2026-05-05';
    const ofFlow = [
      { date: '2026-05-01', sessions: 2, saved: 1, canceled: 1 },
      { date: '2026-05-02', sessions: 0, saved: 0, canceled: 0 },
      { date: '2026-05-03', sessions: 0, saved: 0, canceled: 0 },
      { date: '2026-05-04', sessions: 1, saved: 0, canceled: 0 },
    ];
    expect(await daysOf(`/flows/${flow.id}${span}`)).toEqual(ofFlow);
    expect(await daysOf(span)).toEqual([
      { date: '2026-05-01', sessions: 3, saved: 1, canceled: 2 },
      ...ofFlow.slice(1),
    ]);
  });

  it('hold of the first and the last day what is in the span', async () => {
    const flow = await acme.publishedFlow();
    for (const hour of ['01', '11', '12', '23'])
      await service.begunAt(`2026-05-01T${hour}:00:00Z`, await walk(service, flow, keep));
    const sessions = async (query: string) =>
      (await daysOf(`/stats/daily?${query}`)).map(({ date, sessions: count }) => [date, count]);
    expect(await sessions('from=2026-05-01T11:00:00Z&to=2026-05-01T12:00:00Z')).toEqual([['2026-05-01', 1]]);
    expect(await sessions('from=2026-04-30T12:00:00Z&to=2026-05-01T12:00:00Z')).toEqual([
      ['2026-04-30', 0],
      ['2026-05-01', 2],
    ]);
  });

  it('are of the last 30 days and today, unless a span is given', async () => {
    const flow = await acme.publishedFlow();
    await walk(service, flow, keep);
    const days = await daysOf(`/flows/${flow.id}/stats/daily`);
    expect(days).toHaveLength(31);
    expect(days.at(-1)).toMatchObject({ sessions: 1, saved: 1 });
    const [{ today }] = await service.database.query(`SELECT (now() AT TIME ZONE 'UTC')::date::text AS today`);
    expect(days.at(-1)!.date).toBe(today);
  });

  it('count a session saved later on the day on which it began', async () => {
    const flow = await acme.publishedFlow();
    const session = await walk(service, flow);
    const start = new Date(Date.now() - 23 * 3_600_000).toISOString();
    await service.begunAt(start, session);
    const day = async () => (await daysOf(`/stats/daily?from=${start.slice(0, 10)}`))[0];
    expect(await day()).toMatchObject({ sessions: 1, saved: 0 });
    await service.client.post(`/api/v1/runtime/session/${session}/step`, { node_key: 'start', action: 'keep' });
    expect(await day()).toMatchObject({ sessions: 1, saved: 1 });
  });

  it('add up to the statistics of the same span, whatever it is', async () => {
    const flows = [await acme.publishedFlow(), await acme.publishedFlow()];
    const first = Date.UTC(2026, 4, 1);
    const minutes = Array.from({ length: 40 }, (_, n) => (n * 397) % (5 * 24 * 60));
    for (const [n, minute] of minutes.entries()) {
      const session = await walk(service, flows[n % 2], [keep, cancel, go][n % 3]);
      await service.begunAt(new Date(first + minute * 60_000).toISOString(), session);
    }
    // From anywhere to anywhere, also in the middle of a day, and at the very time of a session.
    const cuts = [-60, 0, minutes[3], minutes[7] + 1, 1440, minutes[20], 4 * 1440, 5 * 1440 + 60].toSorted(
      (a, b) => a - b,
    );
    for (const [index, from] of cuts.entries()) {
      for (const to of cuts.slice(index + 1)) {
        const [begin, end] = [from, to].map((minute) => new Date(first + minute * 60_000).toISOString());
        for (const path of ['', `/flows/${flows[0].id}`]) {
          const days = await daysOf(`${path}/stats/daily?from=${begin}&to=${end}`);
          const { total, saved, canceled } = (await get(`${path}/stats?from=${begin}&to=${end}`)).body.sessions;
          const sum = (name: 'sessions' | 'saved' | 'canceled') => days.reduce((all, day) => all + day[name], 0);
          expect([begin, end, sum('sessions'), sum('saved'), sum('canceled')]).toEqual([
            begin,
            end,
            total,
            saved,
            canceled,
          ]);
        }
      }
    }
    expect((await get('/stats?from=2026-04-30&to=2026-05-07')).body.sessions).toMatchObject({ total: 40, saved: 14 });
  });

  it('cover 366 days at most, and say what is wrong with a span that they can’t', async () => {
    expect(await daysOf('/stats/daily?from=2024-01-01&to=2025-01-01')).toHaveLength(366);
    for (const [query, parameter] of [
      ['from=2024-01-01&to=2025-01-02', 'from'],
      ['from=2024-01-01T12:00:00Z&to=2025-01-01T12:00:00Z', 'from'],
      ['from=0001-01-01&to=9999-12-31', 'from'],
      ['from=2026-05-02&to=2026-05-01', 'from'],
      ['to=yesterday', 'to'],
      ['by=plan', 'by'],
    ]) {
      const { status, body } = await get(`/stats/daily?${query}`);
      expect([query, status, body.errors?.[0].parameter]).toEqual([query, 400, parameter]);
    }
    expect((await get(`/flows/${(await acme.flow()).id}/stats/daily?from=2024-01-01&to=2025-01-02`)).status).toBe(400);
  });
});
