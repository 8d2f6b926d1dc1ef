import { DailySums } from '../../src/statistics/sums/daily-sums.service';
import { Service, serviceForAll, workspaceForEach } from '../support/service';

const RUNTIME = '/api/v1/runtime/session';
const SESSIONS = '/api/v1/public/sessions';
const FLOWS = '/api/v1/public/flows';
const STATS = '/api/v1/public/stats';

describe('Sessions that begin on the demo page', () => {
  const service = serviceForAll();
  const acme = workspaceForEach(service);

  /** What a browser sends with a request of a page. */
  const from = (page: string, site = 'same-origin') => ({ referer: page, 'sec-fetch-site': site });
  const begin = async (slug: string, headers: Record<string, string> = {}) => {
    const { body } = await service.client.post(`${RUNTIME}/init`, { flow_slug: slug }, headers);
    await service.client.post(`${RUNTIME}/${body.session_id}/step`, { action: 'keep' });
  };
  const demo = () => from(`${service.client.baseUrl}/demo`);
  const sourcesOf = async () =>
    (await acme.client.get(SESSIONS)).body.sessions.map(({ source }: { source: string | null }) => source);

  it.each([
    ['http://flows.acme.example/demo', 'same-origin', 'demo'],
    ['http://acme.example/retention/demo', 'same-origin', null],
    ['http://acme.example/demo/', 'same-origin', null],
    ['http://flows.acme.example/leave/leaving', 'same-origin', null],
    ['http://flows.acme.example/demo/canceled', 'same-origin', null],
    ['http://flows.acme.example/?page=/demo', 'same-origin', null],
    ['https://shop.example/demo', 'cross-site', null],
    ['demo', 'same-origin', null],
    ['//', 'same-origin', null],
  ])('are told apart by the page: %s, %s', async (page, site, source) => {
    const { slug } = await acme.publishedFlow();
    await begin(slug, from(page, site));
    expect(await sourcesOf()).toEqual([source]);
  });

  it('are told apart below the address that the service is known by', async () => {
    const behind = await Service.start({ PUBLIC_URL: 'https://acme.example/retention' });
    try {
      const { slug } = await acme.publishedFlow();
      for (const page of ['https://acme.example/retention/demo', 'https://acme.example/demo']) {
        await behind.client.post(`${RUNTIME}/init`, { flow_slug: slug }, from(page));
      }
      expect(await sourcesOf()).toEqual([null, 'demo']);
    } finally {
      await behind.stop();
    }
  });

  it('are no field of a request', async () => {
    const { slug } = await acme.publishedFlow();
    const { status } = await service.client.post(`${RUNTIME}/init`, { flow_slug: slug, source: 'demo' });
    expect(status).toBe(400);
  });

  it('are in lists, records and files, and count against the limit', async () => {
    const { slug } = await acme.publishedFlow();
    await begin(slug, demo());
    const [{ id }] = (await acme.client.get(SESSIONS)).body.sessions;
    expect((await acme.client.get(`${SESSIONS}/${id}`)).body.source).toBe('demo');
    const file = await fetch(`${service.client.baseUrl}/api/v1/public/sessions.csv`, {
      headers: { authorization: `Bearer ${acme.key}` },
    });
    const [names, values] = (await file.text()).trim().split('\r\n');
    const cells = values.split(',');
    expect(cells[names.split(',').indexOf('source')]).toBe('demo');
    expect((await acme.usage()).sessions_used).toBe(1);
  });

  describe('are in no number, unless all sessions are asked for,', () => {
    const total = async (path: string, query = '') => {
      const { status, body } = await acme.client.get(`${path}${query}`);
      expect(status).toBe(200);
      return body;
    };

    it.each(['before', 'after'])('%s their hours are summed', async (when) => {
      const { id, slug } = await acme.publishedFlow();
      await begin(slug);
      await begin(slug, demo());
      await begin(slug, demo());
      const { slug: tried } = await acme.publishedFlow({ name: 'Only tried' });
      await begin(tried, demo());
      await service.letPass('3 days', acme);
      if (when === 'after') while (await service.app.get(DailySums).sumNext());
      for (const [query, sessions, flows] of [
        ['', 1, 1],
        ['?source=all', 4, 2],
      ] as const) {
        const stats = await total(STATS, query);
        expect([stats.sessions.total, stats.customers.total, stats.flows.length]).toEqual([sessions, sessions, flows]);
        const ofFlow = sessions === 1 ? 1 : 3;
        expect((await total(`${FLOWS}/${id}/stats`, query)).sessions).toMatchObject({ total: ofFlow, saved: ofFlow });
        const { nodes } = await total(`${FLOWS}/${id}/stats/nodes`, query);
        expect(nodes[0].sessions).toBe(ofFlow);
        const { days } = await total(`${STATS}/daily`, query);
        expect(days.reduce((sum: number, day: { sessions: number }) => sum + day.sessions, 0)).toBe(sessions);
      }
      const where = `where=${encodeURIComponent('{"any":[{"fact":"months","is":"=","value":1},{"attribute":"a","is":"=","value":"b"}]}')}`;
      expect((await total(STATS, `?${where}&source=all`)).sessions.total).toBe(0);
    });

    it('nor do days hold up the sums on which nobody else came', async () => {
      const { id, slug } = await acme.publishedFlow();
      await begin(slug, demo());
      await service.letPass('2 days', acme);
      await begin(slug);
      await service.letPass('3 days', acme);
      await begin(slug, demo());
      await service.letPass('3 days', acme);
      const sums = service.app.get(DailySums);
      for (let turns = 0; await sums.sumNext(); turns++) expect(turns).toBeLessThan(50);
      const rows = await service.database.query(
        `SELECT sessions FROM daily_sums WHERE workspace_id = $1 AND kind = 'session'`,
        [acme.id],
      );
      expect(rows).toEqual([{ sessions: 1 }]);
      expect((await total(`${FLOWS}/${id}/stats`)).sessions.total).toBe(1);
    });

    it('nor are their sums taken for sessions that were deleted', async () => {
      const { id, slug } = await acme.publishedFlow();
      await begin(slug);
      await begin(slug, demo());
      await service.letPass('3 days', acme);
      while (await service.app.get(DailySums).sumNext());
      expect((await total(`${FLOWS}/${id}/stats`)).customers).toMatchObject({ total: 1 });
    });

    it.each(['demo', '', 'ALL'])('source=%s is none', async (source) => {
      const { status, body } = await acme.client.get(`${STATS}?source=${source}`);
      expect([status, body.errors]).toEqual([400, [expect.objectContaining({ parameter: 'source' })]]);
    });
  });
});
