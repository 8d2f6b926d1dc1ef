import { monthsAfter } from '../../src/platform/common/days';
import { readCsv } from '../records/read-csv';
import { serviceForAll, workspaceForEach } from '../support/service';
import { accept, because, cancel, decline, go, keep, type Step, walk } from './walk';

const PUBLIC = '/api/v1/public';
const DAY_MS = 24 * 3_600_000;

/** The first day of the month that is this many months behind, at the time of the test. */
const NOW = new Date();
const firstOf = (months: number) =>
  monthsAfter(new Date(Date.UTC(NOW.getUTCFullYear(), NOW.getUTCMonth(), 1)), -months);
const day = (months: number) => firstOf(months).toISOString().slice(0, 10);
const month = (months: number) => day(months).slice(0, 7);

describe('The report', () => {
  const service = serviceForAll();
  const acme = workspaceForEach(service);
  let flow: { id: string; slug: string };
  let offer: string;

  beforeEach(async () => {
    offer = (await acme.offer({ name: 'Half price' })).id;
    flow = await acme.publishedFlow({ offer_ids: [offer] });
  });

  const eur = { amount: 1000, currency: 'EUR', interval: 'month' };
  const usd = { amount: 500, currency: 'USD', interval: 'month' };
  /** The time of a session that began some months ago: in the middle of that month, or now. */
  const timeOf = (months: number) => (months === 0 ? NOW.getTime() : firstOf(months).getTime() + 14 * DAY_MS);
  type Visit = [months: number, id: string, plan: string | undefined, subscription: object, ...steps: Step[]];
  /** Sessions that began some months ago, the oldest first. */
  async function came(...visits: Visit[]) {
    for (const [index, [months, id, plan, subscription, ...steps]] of visits.entries()) {
      await walk(
        service,
        { slug: flow.slug, customer: { id, attributes: plan ? { plan } : {}, subscription } },
        ...steps,
      );
      const next = timeOf(visits[index + 1]?.[0] ?? 0);
      if (next > timeOf(months)) await service.letPass(`${next - timeOf(months)} milliseconds`, acme);
    }
  }
  const read = async (query = '') => (await acme.client.get(`${PUBLIC}/report${query}`)).body;

  it('is of the last whole month, beside the one before and the same of last year', async () => {
    await came(
      [13, 'dan', undefined, eur, cancel],
      [2, 'cleo', 'pro', eur, keep],
      [1, 'ada', 'pro', eur, keep],
      [1, 'bob', 'team', usd, cancel],
      [1, 'ada', 'pro', eur, keep],
      [0, 'eve', 'pro', eur, keep],
    );
    const report = await read();
    expect(report).toMatchObject({
      from: day(1),
      to: day(0),
      interval: 'month',
      customers: 2,
      saved: 1,
      kept: [
        { currency: 'EUR', amount: 1000 },
        { currency: 'USD', amount: 0 },
      ],
      before: { from: day(2), to: day(1), customers: 1, saved: 1, kept: [{ currency: 'EUR', amount: 1000 }] },
      last_year: { from: day(13), to: day(12), customers: 1, saved: 0, kept: [{ currency: 'EUR', amount: 0 }] },
      by_plan: [
        { plan: 'pro', customers: 1, saved: 1, kept: [{ currency: 'EUR', amount: 1000 }] },
        { plan: 'team', customers: 1, saved: 0, kept: [{ currency: 'USD', amount: 0 }] },
      ],
    });
    expect(report.months).toEqual([
      { month: month(1), customers: report.customers, saved: report.saved, kept: report.kept },
    ]);
  });

  it('is of the months that are asked for, and compares with as many before', async () => {
    await came([4, 'bob', 'pro', eur, keep], [2, 'ada', 'pro', eur, cancel], [1, 'ada', 'pro', eur, keep]);
    const report = await read(`?from=${day(2)}&to=${day(0)}&interval=month`);
    expect(report).toMatchObject({
      from: day(2),
      to: day(0),
      customers: 1,
      saved: 1,
      before: { from: day(4), customers: 1 },
    });
    expect(report.months).toMatchObject([
      { month: month(2), customers: 1, saved: 0 },
      { month: month(1), customers: 1, saved: 1 },
    ]);
    expect(await read(`?from=${day(1)}`)).toMatchObject({ from: day(1), to: day(0) });
    expect(await read(`?to=${day(3)}`)).toMatchObject({ from: day(4), to: day(3), customers: 1 });
    expect(await read(`?from=${day(0)}`)).toMatchObject({ from: day(0), to: day(-1), customers: 0, kept: [] });
  });

  it('has the reasons and offers of all flows together', async () => {
    const come = (id: string, subscription: object, ...steps: Step[]) =>
      walk(service, { slug: flow.slug, customer: { id, subscription } }, ...steps);
    await come('ada', eur, go, because('too_expensive'), accept);
    await come('bob', eur, go, because('too_expensive'), decline, cancel);
    flow = await acme.publishedFlow({ offer_ids: [offer] });
    await come('cleo', usd, go, because('too_expensive'), accept);
    await come('dan', usd, go, because('other'), decline, cancel);
    const { by_reason, by_offer } = await read(`?from=${day(0)}`);
    // Nobody knows what the offer takes off: billing does not carry it out.
    const kept = [
      { currency: 'EUR', amount: null },
      { currency: 'USD', amount: null },
    ];
    expect(by_reason).toEqual([
      { option: 'too_expensive', label: 'Too expensive', sessions: 3, saved: 2, kept },
      { option: 'other', label: 'Something else', sessions: 1, saved: 0, kept: [{ currency: 'USD', amount: 0 }] },
    ]);
    expect(by_offer).toEqual([{ id: offer, name: 'Half price', presented: 4, accepted: 2, kept }]);
  });

  it('says the same as the statistics of these days', async () => {
    await came([1, 'ada', 'pro', eur, go, because('too_expensive'), accept], [1, 'bob', 'pro', usd, keep]);
    await walk(service, { slug: flow.slug }, cancel);
    for (const months of [0, 1]) {
      const span = `?from=${day(months)}&to=${day(months - 1)}`;
      const report = await read(span);
      const { body } = await acme.client.get(`${PUBLIC}/stats${span}`);
      expect([report.customers, report.saved]).toEqual([body.customers.total, body.customers.saved]);
      expect(report.kept).toEqual(
        body.value.map(({ currency, net }: { currency: string; net: number }) => ({ currency, amount: net })),
      );
    }
    expect((await read(`?from=${day(0)}`)).by_plan).toEqual([{ plan: null, customers: 1, saved: 0, kept: [] }]);
  });

  it('is of a segment of customers alone', async () => {
    await came([1, 'ada', 'pro', eur, keep], [1, 'bob', 'team', eur, keep]);
    const where = JSON.stringify({ all: [{ attribute: 'plan', is: '=', value: 'pro' }] });
    const { body } = await acme.client.post(`${PUBLIC}/audiences`, { name: 'Pros', when: JSON.parse(where) });
    for (const query of [new URLSearchParams({ where }), new URLSearchParams({ audience: body.id })])
      expect(await read(`?${query}`)).toMatchObject({ customers: 1, by_plan: [{ plan: 'pro' }] });
    const other = await service.workspace();
    expect((await other.client.get(`${PUBLIC}/report?audience=${body.id}`)).status).toBe(404);
  });

  it('is a file, too, with a line for each currency, and nothing where what is kept is not known', async () => {
    await came([1, 'ada', 'pro', eur, go, because('too_expensive'), accept], [1, 'bob', 'team', usd, keep]);
    const { body, headers } = await acme.client.get(`${PUBLIC}/report.csv`);
    expect(headers.get('content-disposition')).toBe('attachment; filename="report.csv"');
    const [head, ...rows] = readCsv(body as string);
    expect(head.join()).toBe('of,key,name,from,to,sessions,customers,saved,currency,kept');
    expect(rows.map((row) => row.join())).toEqual([
      `report,,,${day(1)},${day(0)},,2,2,EUR,`,
      `report,,,${day(1)},${day(0)},,,,USD,500`,
      `before,,,${day(2)},${day(1)},,0,0,,`,
      `last_year,,,${day(13)},${day(12)},,0,0,,`,
      `month,${month(1)},,,,,2,2,EUR,`,
      `month,${month(1)},,,,,,,USD,500`,
      'reason,too_expensive,Too expensive,,,1,,1,EUR,',
      `offer,${offer},Half price,,,1,,1,EUR,`,
      'plan,pro,,,,,1,1,EUR,',
      'plan,team,,,,,1,1,USD,500',
    ]);
  });

  it.each<[string, string]>([
    ['interval=day', 'interval'],
    ['from=2026-11-02', 'from'],
    ['to=2026-11-01T12:00:00Z', 'to'],
    ['from=2026-11-01&to=2026-11-01', 'from'],
    ['from=yesterday', 'from'],
    ['where=plan', 'where'],
  ])('is refused with %s', async (query, parameter) => {
    for (const path of ['report', 'report.csv']) {
      const { status, body } = await acme.client.get(`${PUBLIC}/${path}?${query}`);
      expect([status, body.errors[0].parameter]).toEqual([400, parameter]);
    }
  });
});
