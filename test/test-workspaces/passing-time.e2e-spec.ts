import { setTimeout as pause } from 'node:timers/promises';
import { FanOut } from '../../src/events/deliveries/fan-out';
import { StripeDouble } from '../billing/stripe-double';
import { billingAt } from '../billing/subscriber';
import { OwnResources } from '../support/own-resources';
import { Receiver, TO_LOOPBACK } from '../support/receiver';
import { Service, serviceForAll, type Tenant, workspaceForEach } from '../support/service';

const TIME = '/api/v1/public/workspace/time';
const SESSIONS = '/api/v1/public/sessions';
const STATS = '/api/v1/public/stats';
const RUNTIME = '/api/v1/runtime/session';
const DAY_MS = 24 * 3_600_000;

describe('The time of a test workspace', () => {
  let stripe: StripeDouble;
  beforeAll(async () => {
    stripe = await StripeDouble.start();
  });
  afterAll(() => stripe.stop());
  // Nothing happens in its background.
  const service = serviceForAll(() => Service.start({ ...billingAt(stripe), BACKGROUND_JOBS: 'false' }));

  it('passes for all that it has, to the millisecond, and nothing of others', async () => {
    const { tenant } = await OwnResources.of(service, undefined, { test: true });
    const { tenant: other } = await OwnResources.of(service, undefined, { test: true });
    const before = await timesOf(service, tenant);
    const others = await timesOf(service, other);
    expect(Object.keys(before).length).toBeGreaterThan(20);
    const { status, body } = await tenant.client.post(TIME, { pass: 'P30D' });
    expect([status, body]).toEqual([200, { passed: 'P30D' }]);
    const after = await timesOf(service, tenant);
    for (const [column, times] of Object.entries(before)) {
      expect([column, after[column]]).toEqual([column, times.map((time) => time - 30 * DAY_MS)]);
    }
    expect(await timesOf(service, other)).toMatchObject(others);
  });

  it('leaves no id behind that a session had before', async () => {
    const { tenant, ids } = await OwnResources.of(service, undefined, { test: true });
    expect(
      (await tenant.client.post(`/api/v1/public/sessions/${ids.sessions}/fulfilment`, { action: 'done' })).status,
    ).toBe(200);
    const of = 'WHERE workspace_id = $1';
    await service.database.query(
      `UPDATE billing_connections SET swept_until = (SELECT max(id::text)::uuid FROM flow_sessions ${of}) ${of}`,
      [tenant.id],
    );
    const before: { id: string }[] = await service.database.query(`SELECT id FROM flow_sessions ${of}`, [tenant.id]);
    const naming = async (ids: string[]) => {
      const tables: { table: string }[] = await service.database.query(
        `SELECT table_name AS "table" FROM information_schema.columns
          WHERE table_schema = 'public' AND column_name = 'workspace_id' AND table_name <> 'idempotency_keys'`,
      );
      const found: string[] = [];
      for (const { table } of tables) {
        const rows: unknown[] = await service.database.query(
          `SELECT FROM ${table} AS one ${of} AND one::text LIKE ANY ($2) LIMIT 1`,
          [tenant.id, ids.map((id) => `%${id}%`)],
        );
        if (rows.length > 0) found.push(table);
      }
      return found.toSorted();
    };
    // Some are events by then, some are not yet.
    await service.app.get(FanOut).empty(tenant.id);
    await tenant.client.delete('/api/v1/public/customers/cus_4711');
    const old = before.map(({ id }) => id);
    const named = await naming(old);
    expect(named).toEqual(
      expect.arrayContaining([
        'billing_connections',
        'changes',
        'deliveries',
        'events',
        'fulfilments',
        'outbox',
        'session_steps',
      ]),
    );
    await tenant.client.post(TIME, { pass: 'P30D' });
    expect(await naming(old)).toEqual([]);
    const after: { id: string }[] = await service.database.query(`SELECT id FROM flow_sessions ${of}`, [tenant.id]);
    expect(await naming(after.map(({ id }) => id))).toEqual(named);
  });
});

describe('POST /api/v1/public/workspace/time', () => {
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await Receiver.start();
  });
  afterAll(() => receiver.stop());
  const service = serviceForAll(() => Service.start(TO_LOOPBACK));
  const test = workspaceForEach(service, { test: true });

  const passes = (duration: unknown, { client }: Tenant = test) => client.post(TIME, { pass: duration });
  const begin = async (slug: string, customer = 'cus_1') =>
    (await service.client.post(`${RUNTIME}/init`, { flow_slug: slug, customer: { id: customer } })).body;
  const step = (id: string, body: object) => service.client.post(`${RUNTIME}/${id}/step`, body);
  const listed = async () =>
    (await test.client.get(SESSIONS)).body.sessions as { customer_id: string; status: string }[];

  it('abandons sessions, which webhooks hear of at once', async () => {
    const { body } = await test.client.post('/api/v1/public/webhooks', { url: `${receiver.url}${test.id}` });
    expect(body.secret).toBeDefined();
    const { slug } = await test.publishedFlow();
    const { session_id } = await begin(slug);
    await passes('PT25H');
    const [abandoned] = await receiver
      .until((received) =>
        received.some(({ path, body: { type } }) => path === `/${test.id}` && type === 'session.abandoned'),
      )
      .then((received) => received.filter(({ body: { type } }) => type === 'session.abandoned'));
    expect(abandoned.body).toMatchObject({ livemode: false, data: { session: { status: 'abandoned' } } });
    expect(await listed()).toEqual([expect.objectContaining({ status: 'abandoned' })]);
    expect((await step(session_id, { node_key: 'start', action: 'continue' })).status).toBe(409);
  });

  it('ends months: what started counts in the month that it is in then', async () => {
    const { slug } = await test.publishedFlow();
    await service.operator.put(`/api/v1/admin/workspaces/${test.id}`, { session_limit: 2 });
    await begin(slug);
    await begin(slug);
    const refused = await service.client.post(`${RUNTIME}/init`, { flow_slug: slug });
    expect(refused.body.code).toBe('session_limit_reached');
    await passes('P31D');
    expect((await test.usage()).sessions_used).toBe(0);
    expect((await begin(slug)).session_id).toBeDefined();
  });

  it('lets a customer accept an offer again when its limit allows', async () => {
    const offer = await test.offer({ limit: { accepted: 1, within_days: 90 } });
    const { slug } = await test.publishedFlow({ offer_ids: [offer.id] });
    const isOffered = async () => {
      const { session_id } = await begin(slug);
      await step(session_id, { node_key: 'start', action: 'continue' });
      const { body } = await step(session_id, { node_key: 'reason', action: 'answer', option: 'other' });
      if (body.node.type !== 'offer') return false;
      await step(session_id, { node_key: body.node.key, action: 'accept' });
      return true;
    };
    expect([await isOffered(), await isOffered()]).toEqual([true, false]);
    await passes('P89D');
    expect(await isOffered()).toBe(false);
    await passes('P2D');
    expect(await isOffered()).toBe(true);
  });

  it('moves numbers to the days that they are of then', async () => {
    const { slug } = await test.publishedFlow();
    await begin(slug);
    const today = async () => (await test.client.get(`${STATS}?from=${daysAgo(1)}`)).body.sessions;
    const before = async () => (await test.client.get(`${STATS}?from=${daysAgo(12)}&to=${daysAgo(8)}`)).body.sessions;
    expect([(await today()).total, (await before()).total]).toEqual([1, 0]);
    await passes('P10D');
    expect([(await today()).total, (await before()).total]).toEqual([0, 1]);
  });

  it('keeps the order of lists, and leads through them', async () => {
    const { slug } = await test.publishedFlow();
    for (const customer of ['cus_1', 'cus_2', 'cus_3', 'cus_4', 'cus_5']) await begin(slug, customer);
    const before = await listed();
    await passes('P2M');
    await begin(slug, 'cus_6');
    const [newest, ...others] = await listed();
    expect(others.map(({ customer_id }) => customer_id)).toEqual(before.map(({ customer_id }) => customer_id));
    const first = (await test.client.get(`${SESSIONS}?limit=2`)).body;
    const second = (await test.client.get(`${SESSIONS}?limit=10&cursor=${first.next_cursor}`)).body;
    expect([...first.sessions, ...second.sessions]).toEqual([newest, ...others]);
  });

  it('loses nothing that happens at the same time', async () => {
    const { body: webhook } = await test.client.post('/api/v1/public/webhooks', { url: `${receiver.url}${test.id}` });
    expect(webhook.id).toBeDefined();
    const { slug } = await test.publishedFlow();
    const walk = async (customer: string) => {
      const { session_id } = await begin(slug, customer);
      const kept = await step(session_id, { action: 'keep' });
      expect(kept.status).toBe(200);
    };
    const customers = Array.from({ length: 40 }, (_, index) => `cus_${index}`);
    const walks = customers.map(async (customer, index) => {
      await pause(index * 5);
      await walk(customer);
    });
    for (let times = 0; times < 6; times++) expect((await passes('PT1H')).status).toBe(200);
    await Promise.all(walks);
    const saved = () =>
      receiver.received.filter(({ path, body: { type } }) => path === `/${test.id}` && type === 'session.saved');
    // One that is under way when the time passes may be sent again, as after a crash.
    const told = () => [...new Set(saved().map(({ body }) => body.data.session.customer.id as string))];
    await receiver.until(() => told().length === customers.length);
    for (const { body } of saved()) expect(body.data.reason).toBe('kept');
    const all = (await test.client.get(`${SESSIONS}?limit=100`)).body.sessions as { created_at: string }[];
    expect(all).toHaveLength(customers.length);
    // On the first of a month, some of them may have begun in the one before by now.
    const { sessions_used, period_start } = await test.usage();
    expect(sessions_used).toBe(all.filter(({ created_at }) => created_at >= period_start).length);
  });

  it.each([
    undefined,
    null,
    30,
    '',
    'P',
    'PT',
    'P1',
    '30 days',
    '-P30D',
    'P-30D',
    'P0.5D',
    'P30D ',
    'p30d',
    'P1D1M',
    'P0D',
    'P5Y1D',
    'P99Y',
    'P9999M',
    "P1D'; SELECT 1",
  ])('refuses %j, and passes nothing', async (pass) => {
    const before = await timesOf(service, test);
    const { status, body } = await passes(pass);
    expect([status, body.errors?.[0].pointer]).toEqual([400, '/pass']);
    expect(await timesOf(service, test)).toEqual(before);
  });

  it.each(['P5Y', 'P1Y2M3W4DT5H6M7S', 'PT1S', 'P52W'])('takes %s', async (pass) => {
    expect((await passes(pass)).body).toEqual({ passed: pass });
  });

  it('ends when the workspace is 30 years old', async () => {
    for (let years = 0; years < 25; years += 5) await passes('P5Y');
    await passes('P4Y');
    const { status, body } = await passes('P5Y');
    expect([status, body.errors[0].message]).toEqual([400, expect.stringContaining('30 years')]);
  });

  it('is for owners of test workspaces only', async () => {
    const live = await service.workspace();
    const { status, body } = await passes('P1D', live);
    expect([status, body.code]).toEqual([409, 'not_a_test_workspace']);
    const editor = await service.person(test, 'editor');
    expect((await editor.post(TIME, { pass: 'P1D' })).status).toBe(403);
  });

  const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();
});

/** All times in the rows of a workspace, in milliseconds, by column. The month of its counter is none. */
async function timesOf(service: Service, { id }: { id: string }): Promise<Record<string, number[]>> {
  const columns: { table: string; column: string }[] = await service.database.query(
    `SELECT table_name AS "table", column_name AS "column" FROM information_schema.columns AS one
      WHERE table_schema = 'public' AND data_type = 'timestamp with time zone' AND column_name NOT IN ('usage_period', 'next_attempt_at')
        AND (table_name = 'workspaces' OR EXISTS (
          SELECT FROM information_schema.columns WHERE table_schema = 'public' AND table_name = one.table_name
            AND column_name = 'workspace_id'))`,
  );
  const times: Record<string, number[]> = {};
  for (const { table, column } of columns) {
    // A key is used by the requests of the test.
    if (column === 'last_used_at' || table === 'daily_sums' || table === 'idempotency_keys') continue;
    const owner = table === 'workspaces' ? 'id' : 'workspace_id';
    const rows: { ms: string }[] = await service.database.query(
      `SELECT (extract(epoch FROM ${column}) * 1000)::bigint AS ms FROM ${table}
        WHERE ${owner} = $1 AND ${column} IS NOT NULL ORDER BY 1`,
      [id],
    );
    if (rows.length > 0) times[`${table}.${column}`] = rows.map(({ ms }) => Number(ms));
  }
  return times;
}
