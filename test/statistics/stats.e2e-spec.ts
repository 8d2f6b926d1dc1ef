import { Service, Tenant } from '../support/service';
import { accept, because, cancel, confirm, decline, go, keep, type Step, walk as take } from './walk';

const RUNTIME = '/api/v1/runtime/session';

/** Of sessions without a customer. */
const lasting = [30, 60, 90, 180].map((days) => {
  return { days, customers: 0, still_there: 0, rate: null, stay: null, interval: null, at_risk: 0 };
});
const NO_MONEY = {
  lasting,
  value: [],
  estimated_monthly_value_retained: null,
};

describe('Numbers', () => {
  let service: Service;
  let acme: Tenant;

  beforeAll(async () => {
    service = await Service.start();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    acme = await service.workspace();
  });

  const walk = (flow: { slug: string }, ...steps: Step[]) => take(service, flow, ...steps);

  async function times(count: number, work: () => Promise<unknown>): Promise<void> {
    for (let n = 0; n < count; n++) await work();
  }

  const stats = async (id: string, query = '') =>
    (await acme.client.get(`/api/v1/public/flows/${id}/stats${query}`)).body;

  it('equal the count by hand after 40 sessions with known ends, and again when the open ones are abandoned', async () => {
    const [half, pause] = [await acme.offer({ name: 'Half price' }), await acme.offer({ name: 'Pause' })];
    const flow = await acme.publishedFlow({ offer_ids: [half.id, pause.id], estimated_monthly_value: 19.99 });
    await times(8, () => walk(flow, go, because('too_expensive'), accept));
    await times(4, () => walk(flow, go, because('not_using'), decline, accept));
    await times(3, () => walk(flow, go, because('other'), keep));
    await times(9, () => walk(flow, go, because('too_expensive'), decline, decline, confirm));
    await times(5, () => walk(flow, cancel));
    await acme.client.put(`/api/v1/public/flows/${flow.id}`, { name: 'Renamed' });
    await times(6, () => walk(flow, go));
    await times(4, () => walk(flow, go, because('switching')));
    const late = await walk(flow);

    const expected = {
      sessions: { total: 40, in_progress: 11, saved: 15, canceled: 14, contacted: 0, abandoned: 0 },
      customers: { total: 40, in_progress: 11, saved: 15, saved_by_offer: 12, canceled: 14, abandoned: 0 },
      rates: { saved: 15 / 40, saved_by_offer: 12 / 40, canceled: 14 / 40 },
      reasons: [
        { node_key: 'reason', option: 'too_expensive', label: 'Too expensive', sessions: 17, saved: 8, value: [] },
        { node_key: 'reason', option: 'not_using', label: 'I do not use it enough', sessions: 4, saved: 4, value: [] },
        {
          node_key: 'reason',
          option: 'switching',
          label: 'I am switching to something else',
          sessions: 4,
          saved: 0,
          value: [],
        },
        { node_key: 'reason', option: 'other', label: 'Something else', sessions: 3, saved: 3, value: [] },
      ],
      offers: [
        {
          id: half.id,
          name: 'Half price',
          presented: 28,
          accepted: 8,
          contacted: 0,
          withheld: [],
          acceptance_rate: 8 / 28,
          lasting,
          value: [],
        },
        {
          id: pause.id,
          name: 'Pause',
          presented: 13,
          accepted: 4,
          contacted: 0,
          withheld: [],
          acceptance_rate: 4 / 13,
          lasting,
          value: [],
        },
      ],
      versions: [
        { version: 1, sessions: 29, saved: 15 },
        { version: 2, sessions: 11, saved: 0 },
      ],
      splits: [],
      ...NO_MONEY,
      by: null,
    };
    expect(await stats(flow.id)).toEqual(expected);

    await service.letPass('24 hours', acme);
    const later = await stats(flow.id);
    expect(later.sessions).toEqual({ total: 40, in_progress: 0, saved: 15, canceled: 14, contacted: 0, abandoned: 11 });
    expect(later.rates).toEqual({ saved: 15 / 40, saved_by_offer: 12 / 40, canceled: 14 / 40 });
    const abandoned = (await acme.client.get('/api/v1/public/sessions?status=abandoned')).body;
    expect(abandoned.sessions).toHaveLength(11);

    await service.client.post(`${RUNTIME}/${late}/step`, { node_key: 'start', action: 'continue' });
    expect(await stats(flow.id)).toEqual(later);
  });

  it('have no rate when nothing ended and no value when the flow has none', async () => {
    const flow = await acme.publishedFlow();
    expect(await stats(flow.id)).toEqual({
      sessions: { total: 0, in_progress: 0, saved: 0, canceled: 0, contacted: 0, abandoned: 0 },
      customers: { total: 0, in_progress: 0, saved: 0, saved_by_offer: 0, canceled: 0, abandoned: 0 },
      rates: { saved: null, saved_by_offer: null, canceled: null },
      reasons: [],
      offers: [],
      versions: [],
      splits: [],
      ...NO_MONEY,
      by: null,
    });
  });

  it('count sessions that began from `from` on and before `to`, by default from midnight 30 days ago', async () => {
    const flow = await acme.publishedFlow();
    for (const time of ['2026-04-30T23:59:59.999Z', '2026-05-01T00:00:00.000Z', '2026-05-31T23:59:59.999Z']) {
      await service.begunAt(time, await walk(flow));
    }
    const total = async (query = '') => (await stats(flow.id, query)).sessions.total as number;
    expect(await total('?from=2026-05-01&to=2026-06-01')).toBe(2);
    expect(await total('?from=2026-05-01&to=2026-05-31T23:59:59.999Z')).toBe(1);
    expect(await total('?from=2026-05-01T02:00:00%2B02:00&to=2026-05-02')).toBe(1);
    expect(await total()).toBe(0);
    const [{ midnight }] = await service.database.query(`SELECT date_trunc('day', now(), 'UTC') AS midnight`);
    const daysAgo = (days: number, ms = 0) => new Date(midnight.getTime() - days * 86_400_000 + ms).toISOString();
    for (const time of [daysAgo(30, -1), daysAgo(30), daysAgo(0)]) await service.begunAt(time, await walk(flow));
    await walk(flow);
    expect(await total()).toBe(3);
    expect(await total(`?to=${daysAgo(0, 1)}`)).toBe(2);
    expect(await total(`?to=${daysAgo(0)}`)).toBe(1);
    expect(await total(`?to=${daysAgo(1)}`)).toBe(2);
    expect(await total('?from=9999-12-31T01:00:00Z&to=9999-12-31T02:00:00Z')).toBe(0);
    for (const query of ['from=2026-05-02&to=2026-05-01', 'from=2999-01-01']) {
      expect((await acme.client.get(`/api/v1/public/flows/${flow.id}/stats?${query}`)).status).toBe(400);
    }
  });

  it('tell the answers of two surveys apart, even where their options have the same value', async () => {
    const survey = (key: string, label: string, next: string) => ({
      key,
      type: 'survey',
      config: { title: 'Why?', options: [{ value: 'other', label }] },
      next,
    });
    const definition = {
      entry: 'reason',
      nodes: [
        survey('reason', 'Another reason', 'rival'),
        survey('rival', 'Another service', 'confirm'),
        { key: 'confirm', type: 'confirm', config: { title: 'Sure?' } },
      ],
    };
    const flow = await acme.publishedFlow({ flow_mode: 'advanced', definition });
    await walk(flow, because('other'), because('other'), keep);
    await walk(flow, because('other'), cancel);
    expect((await stats(flow.id)).reasons).toEqual([
      { node_key: 'reason', option: 'other', label: 'Another reason', sessions: 2, saved: 1, value: [] },
      { node_key: 'rival', option: 'other', label: 'Another service', sessions: 1, saved: 1, value: [] },
    ]);
  });

  it('of a workspace with 10,000 flows are whole, newest first', async () => {
    const flow = await acme.publishedFlow({ estimated_monthly_value: 1 });
    await walk(flow, keep);
    await copyFlow(flow, 9_999);
    const { status, body } = await acme.client.get('/api/v1/public/stats');
    expect({ status, error: body.detail }).toEqual({ status: 200, error: undefined });
    expect([body.sessions.saved, body.flows.length]).toEqual([10_000, 10_000]);
    const ids = body.flows.map(({ flow_id }: { flow_id: string }) => flow_id);
    expect(ids).toEqual(ids.toSorted().toReversed());
  });

  /** Copies of a flow, each with a copy of its session: a thousand at a time, because a query may take 5 seconds. */
  async function copyFlow({ id }: { id: string }, copies: number): Promise<void> {
    const copy = (table: string, key: string, ids: string) =>
      `INSERT INTO ${table} SELECT copied.* FROM copies, ${table} original,
        jsonb_populate_record(original, jsonb_build_object(${ids})) copied
        WHERE original.workspace_id = '${acme.id}' AND original.${key} = '${id}'`;
    for (let rest = copies; rest > 0; rest -= 1000) {
      await service.database.transaction(async (manager) => {
        // The service's connections look everything up in an index. The table of copies has none.
        await manager.query('SET LOCAL enable_seqscan = on');
        await manager.query(`CREATE TEMPORARY TABLE copies ON COMMIT DROP AS
          SELECT gen_random_uuid() AS flow, gen_random_uuid() AS session FROM generate_series(1, ${Math.min(rest, 1000)})`);
        await manager.query(copy('flows', 'id', `'id', flow, 'slug', flow`));
        await manager.query(copy('flow_versions', 'flow_id', `'flow_id', flow`));
        const session = `'id', left(original.id::text, 15) || right(session::text, 21), 'session_id', session`;
        await manager.query(copy('flow_sessions', 'flow_id', `'flow_id', flow, ${session}, 'idempotency_key', null`));
      });
    }
    // As autovacuum does it before long: Postgres plans by what it knows of the tables.
    await service.database.query('ANALYZE flows, flow_versions, flow_sessions');
  }

  it('of the workspace are those of its flows, and nobody else’s', async () => {
    const [one, other] = [await acme.publishedFlow({ estimated_monthly_value: 10 }), await acme.publishedFlow()];
    await acme.publishedFlow({ name: 'Without sessions' });
    await walk(await (await service.workspace()).publishedFlow(), cancel);
    await times(2, () => walk(one, keep));
    await walk(other, cancel);
    const numbers = async ({ id }: { id: string }) => ({ ...(await stats(id)), by: undefined });
    expect((await acme.client.get('/api/v1/public/stats')).body).toEqual({
      sessions: { total: 3, in_progress: 0, saved: 2, canceled: 1, contacted: 0, abandoned: 0 },
      customers: { total: 3, in_progress: 0, saved: 2, saved_by_offer: 0, canceled: 1, abandoned: 0 },
      rates: { saved: 2 / 3, saved_by_offer: 0, canceled: 1 / 3 },
      ...NO_MONEY,
      flows: [
        { flow_id: other.id, name: 'Leaving Acme', ...(await numbers(other)) },
        { flow_id: one.id, name: 'Leaving Acme', ...(await numbers(one)) },
      ],
    });
  });
});
