import { Service, type Tenant } from '../support/service';
import { cancel, go, keep, walk } from './walk';

describe('The customers of statistics', () => {
  let service: Service;
  let acme: Tenant;

  beforeAll(async () => {
    service = await Service.start();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    acme = await service.workspace();
  });

  const of = ({ slug }: { slug: string }, id: string) => ({ slug, customer: { id } });
  const stats = async (flow?: { id: string }, query = '') =>
    (await acme.client.get(`/api/v1/public${flow ? `/flows/${flow.id}` : ''}/stats${query}`)).body;

  it('count once each, by what they decided last, however often they came', async () => {
    const flow = await acme.publishedFlow({ estimated_monthly_value: 10 });
    // Three sessions, one person.
    await walk(service, of(flow, 'ada'), go);
    await walk(service, of(flow, 'ada'), keep);
    await walk(service, of(flow, 'ada'), keep);
    // First one, then the other.
    await walk(service, of(flow, 'bob'), keep);
    await walk(service, of(flow, 'bob'), cancel);
    await walk(service, of(flow, 'cleo'), cancel);
    await walk(service, of(flow, 'cleo'), keep);
    // Opening the dialog once more changes nothing about what was decided.
    await walk(service, of(flow, 'dan'), cancel);
    await walk(service, of(flow, 'dan'), go);
    await walk(service, of(flow, 'eve'));
    await walk(service, of(flow, 'eve'), go);
    // Nobody knows whether these two are one.
    await walk(service, flow, cancel);
    await walk(service, flow, cancel);

    expect(await stats(flow)).toMatchObject({
      sessions: { total: 13, saved: 4, canceled: 5, in_progress: 4, abandoned: 0 },
      customers: { total: 7, saved: 2, canceled: 4, in_progress: 1, abandoned: 0 },
      // Two persons pay on, not four.
      estimated_monthly_value_retained: 20,
    });

    await service.letPass('24 hours', acme);
    expect((await stats(flow)).customers).toEqual({
      total: 7,
      saved: 2,
      saved_by_offer: 0,
      canceled: 4,
      in_progress: 0,
      abandoned: 1,
    });
    await walk(service, of(flow, 'eve'));
    expect((await stats(flow)).customers).toMatchObject({ total: 7, in_progress: 1, abandoned: 0 });
  });

  it('count by the decision that came last, whichever session began first', async () => {
    const flow = await acme.publishedFlow({
      flow_mode: 'advanced',
      definition: {
        entry: 'sure',
        nodes: [{ key: 'sure', type: 'confirm', config: { title: 'Sure?' } }],
      },
    });
    const runtime = '/api/v1/runtime/session';
    const start = async (id: string) => {
      const customer = { id, attributes: { plan: 'pro' } };
      return (await service.client.post(`${runtime}/init`, { flow_slug: flow.slug, customer })).body.session_id;
    };
    const end = (session: string, action: string) =>
      service.client.post(`${runtime}/${session}/step`, { node_key: 'sure', action });
    for (const [id, last] of [
      ['ada', 'keep'],
      ['bob', 'cancel'],
    ]) {
      const [first, second] = [await start(id), await start(id)];
      await end(second, last === 'keep' ? 'cancel' : 'keep');
      await end(first, last);
    }
    const customers = { total: 2, saved: 1, canceled: 1 };
    const shown = await stats(flow, '?by=plan');
    expect(shown.customers).toMatchObject(customers);
    expect(shown.by.values[0].customers).toMatchObject(customers);
    expect((await stats()).customers).toMatchObject(customers);
    await service.letPass('40 days', acme);
    const from = new Date(Date.now() - 50 * 86_400_000).toISOString();
    const [{ days, customers: saved, still_there }] = (await stats(flow, `?from=${from}`)).lasting;
    expect([days, saved, still_there]).toEqual([30, 2, 1]);
  });

  it('count once in the workspace and once in each flow that they had', async () => {
    const [pro, team] = [
      await acme.publishedFlow({ estimated_monthly_value: 10 }),
      await acme.publishedFlow({ estimated_monthly_value: 100 }),
    ];
    await walk(service, of(pro, 'ada'), keep);
    await walk(service, of(team, 'ada'), cancel);
    await walk(service, of(team, 'bob'), keep);
    await walk(service, of(pro, 'bob'), keep);
    const all = await stats();
    expect(all.customers).toEqual({ total: 2, saved: 1, saved_by_offer: 0, canceled: 1, in_progress: 0, abandoned: 0 });
    expect(all.sessions.total).toBe(4);
    expect(all.flows.map(({ customers }: { customers: object }) => customers)).toEqual([
      { total: 2, saved: 1, saved_by_offer: 0, canceled: 1, in_progress: 0, abandoned: 0 },
      { total: 2, saved: 2, saved_by_offer: 0, canceled: 0, in_progress: 0, abandoned: 0 },
    ]);
    // Bob decided last on the cheaper one, and counts once.
    expect(all.estimated_monthly_value_retained).toBe(10);
    expect((await stats(pro)).customers).toEqual(all.flows[1].customers);
  });

  it('are judged by the sessions of the span alone', async () => {
    const flow = await acme.publishedFlow();
    await service.begunAt('2026-05-01T12:00:00Z', await walk(service, of(flow, 'ada'), keep));
    await service.begunAt('2026-05-02T12:00:00Z', await walk(service, of(flow, 'ada'), cancel));
    await service.begunAt('2026-05-03T12:00:00Z', await walk(service, of(flow, 'ada')));
    const customers = async (from: string, to: string) => (await stats(flow, `?from=${from}&to=${to}`)).customers;
    expect(await customers('2026-05-01', '2026-05-02')).toMatchObject({ total: 1, saved: 1 });
    expect(await customers('2026-05-01', '2026-05-04')).toMatchObject({ total: 1, canceled: 1 });
    expect(await customers('2026-05-03', '2026-05-04')).toMatchObject({ total: 1, abandoned: 1 });
  });

  it("are the workspace's own: the same id elsewhere is somebody else", async () => {
    const other = await service.workspace();
    await walk(service, of(await other.publishedFlow(), 'ada'), cancel);
    const flow = await acme.publishedFlow();
    await walk(service, of(flow, 'ada'), keep);
    for (const numbers of [await stats(), await stats(flow)])
      expect(numbers.customers).toEqual({
        total: 1,
        saved: 1,
        saved_by_offer: 0,
        canceled: 0,
        in_progress: 0,
        abandoned: 0,
      });
  });
});
