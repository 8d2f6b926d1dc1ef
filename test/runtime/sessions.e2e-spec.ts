import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Pool } from 'pg';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { Service, Tenant } from '../support/service';

const SESSIONS = '/api/v1/public/sessions';
const RUNTIME = '/api/v1/runtime/session';

describe('Sessions, read by the workspace', () => {
  let service: Service;
  let acme: Tenant;

  beforeAll(async () => {
    service = await Service.start();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    acme = await service.workspace({ session_limit: 5000 });
  });

  async function begin(flow: { slug: string }, body: object = {}, headers?: Record<string, string>): Promise<string> {
    const started = await service.client.post(`${RUNTIME}/init`, { flow_slug: flow.slug, ...body }, headers);
    return started.body.session_id as string;
  }
  const step = (id: string, body: object) => service.client.post(`${RUNTIME}/${id}/step`, body);
  const ids = (body: { sessions: { session_id: string }[] }) => body.sessions.map(({ session_id }) => session_id);
  const list = async (query = '') => (await acme.client.get(`${SESSIONS}${query}`)).body;

  it('are listed newest first, with exactly what the list promises', async () => {
    const flow = await acme.publishedFlow();
    const first = await begin(flow, { customer: { id: 'cus_1', email: 'ada@example.com' } });
    await service.begunAt('2026-05-01T10:00:00.000Z', first);
    const second = await begin(flow);
    expect(await list()).toEqual({
      sessions: [
        expect.objectContaining({ session_id: second, customer_id: null }),
        {
          session_id: first,
          flow_id: flow.id,
          flow_version: 1,
          status: 'abandoned',
          customer_id: 'cus_1',
          accepted_offer: null,
          created_at: '2026-05-01T10:00:00.000Z',
          updated_at: '2026-05-01T10:00:00.000Z',
        },
      ],
      next_cursor: null,
    });
  });

  it('are listed without reading what the list does not show', async () => {
    const flow = await acme.publishedFlow();
    const attributes = Object.fromEntries(Array.from({ length: 14 }, (_, n) => [`field_${n}`, 'x'.repeat(1000)]));
    for (let n = 0; n < 30; n++) await begin(flow, { customer: { id: `cus_${n}`, attributes } });
    const streams = new Set<Socket>();
    const { master } = service.database.driver as PostgresDriver;
    (master as Pool).on('acquire', (client) =>
      streams.add((client as unknown as { connection: { stream: Socket } }).connection.stream),
    );
    await list();
    const read = () => [...streams].reduce((bytes, { bytesRead }) => bytes + bytesRead, 0);
    const before = read();
    expect((await list()).sessions).toHaveLength(30);
    expect(before).toBeGreaterThan(0);
    expect(read() - before).toBeLessThan(30 * 1000);
  });

  it('tell one by one who the customer was, where it stands and each step', async () => {
    const offer = await acme.offer();
    const flow = await acme.publishedFlow({ offer_ids: [offer.id] });
    const id = await begin(flow, { customer: { id: 'cus_1', attributes: { plan: 'pro' } } });
    await step(id, { node_key: 'start', action: 'continue' });
    await step(id, { node_key: 'reason', action: 'answer', option: 'other', comment: 'Hm.' });
    expect((await acme.client.get(`${SESSIONS}/${id}`)).body).toMatchObject({
      status: 'in_progress',
      customer_id: 'cus_1',
      customer: { attributes: { plan: 'pro' } },
      current_node: 'offer_1',
      steps: [
        { node_key: 'start', node_type: 'start', action: 'continue', option: null, comment: null, offer: null },
        { node_key: 'reason', action: 'answer', option: 'other', comment: 'Hm.' },
      ],
    });
    await step(id, { node_key: 'offer_1', action: 'accept' });
    const { body } = await acme.client.get(`${SESSIONS}/${id}`);
    expect(body).toMatchObject({ status: 'saved', current_node: null, accepted_offer: { id: offer.id } });
    expect(body.steps[2]).toMatchObject({ action: 'accept', offer: { id: offer.id, name: 'Half price' } });
  });

  it('are filtered by flow, customer, status as it is now, and time', async () => {
    const [one, other] = [await acme.publishedFlow(), await acme.publishedFlow()];
    const forgotten = await begin(one);
    await service.begunAt('2026-05-01T00:00:00.000Z', forgotten);
    const open = await begin(one, { customer: { id: 'cus_1' } });
    const canceled = await begin(other);
    await step(canceled, { action: 'cancel' });
    const saved = await begin(other);
    await step(saved, { action: 'keep' });

    expect(ids(await list(`?flow_id=${one.id}`))).toEqual([open, forgotten]);
    expect(ids(await list('?customer_id=cus_1'))).toEqual([open]);
    expect(ids(await list('?status=abandoned'))).toEqual([forgotten]);
    expect(ids(await list('?status=in_progress'))).toEqual([open]);
    expect(ids(await list('?status=canceled'))).toEqual([canceled]);
    expect(ids(await list('?status=saved'))).toEqual([saved]);
    expect(ids(await list('?from=2026-05-01&to=2026-05-02'))).toEqual([forgotten]);
    expect(ids(await list('?from=2026-05-02T00:00:00Z')).toSorted()).toEqual([open, canceled, saved].toSorted());
    expect(ids(await list(`?flow_id=${randomUUID()}`))).toEqual([]);
  });

  it.each([
    'status=gone',
    'flow_id=x',
    'from=yesterday',
    'to=2027-02-30',
    'cursor=x',
    `cursor=${'A'.repeat(22)}`,
    'customer_id=',
    'customer_id=%00',
  ])('refuse ?%s and name the parameter', async (query) => {
    const { status, body } = await acme.client.get(`${SESSIONS}?${query}`);
    expect([status, body.errors[0].pointer]).toEqual([400, `/${query.split('=')[0]}`]);
  });

  it('are each seen exactly once by who pages through 1,000 while others start', async () => {
    const flow = await acme.publishedFlow();
    const existing = await Promise.all(Array.from({ length: 1000 }, () => begin(flow)));
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const [page]: [{ sessions: { session_id: string }[]; next_cursor: string | null }, ...unknown[]] =
        await Promise.all([list(`?limit=150${cursor && `&cursor=${cursor}`}`), begin(flow), begin(flow)]);
      seen.push(...ids(page));
      cursor = page.next_cursor;
    }
    const count = new Map<string, number>();
    for (const id of seen) count.set(id, (count.get(id) ?? 0) + 1);
    expect(existing.filter((id) => count.get(id) !== 1)).toEqual([]);
    expect(new Set(seen).size).toBe(seen.length);
  });

  it('belong to their workspace alone', async () => {
    const other = await service.workspace();
    const id = await begin(await acme.publishedFlow(), { customer: { id: 'cus_1' } });
    expect((await other.client.get(`${SESSIONS}/${id}`)).status).toBe(404);
    expect((await other.client.get(SESSIONS)).body.sessions).toEqual([]);
    expect((await other.client.delete('/api/v1/public/customers/cus_1')).body).toEqual({ erased: true, sessions: 0 });
    expect((await acme.client.get(`${SESSIONS}/${id}`)).body.customer_id).toBe('cus_1');
  });

  describe('Erasing a customer', () => {
    const customer = { id: 'cus/Ada Lovelace', email: 'ada@example.com', attributes: { city: 'Marylebone' } };
    const erase = (id = customer.id) => acme.client.delete(`/api/v1/public/customers/${encodeURIComponent(id)}`);
    const everything = async (): Promise<string> =>
      JSON.stringify([
        await service.database.query('SELECT * FROM flow_sessions WHERE workspace_id = $1', [acme.id]),
        await service.database.query('SELECT * FROM session_steps WHERE workspace_id = $1', [acme.id]),
      ]);

    it('leaves nothing of the person in any row or answer, and every count', async () => {
      const flow = await acme.publishedFlow();
      const id = await begin(flow, { customer }, { 'idempotency-key': randomUUID() });
      const second = await begin(flow, { customer });
      const bystander = await begin(flow, { customer: { id: 'cus_2' } });
      await step(id, { node_key: 'start', action: 'continue' });
      await step(id, { node_key: 'reason', action: 'answer', option: 'other', comment: 'I am Ada.' });

      const statsBefore = (await acme.client.get('/api/v1/public/stats')).body;
      expect((await erase()).body).toEqual({ erased: true, sessions: 2 });
      const rows = await everything();
      for (const trace of ['Ada', 'ada@', 'Marylebone', 'Lovelace']) expect(rows).not.toContain(trace);
      expect(await service.database.query('SELECT request_hash FROM flow_sessions WHERE id = $1', [id])).toEqual([
        { request_hash: null },
      ]);
      expect((await acme.client.get('/api/v1/public/stats')).body).toEqual(statsBefore);
      expect((await acme.usage()).sessions_used).toBe(3);
      expect(ids(await list()).toSorted()).toEqual([id, second, bystander].toSorted());
      expect((await acme.client.get(`${SESSIONS}/${bystander}`)).body.customer_id).toBe('cus_2');
      expect((await erase()).body).toEqual({ erased: true, sessions: 0 });
    });

    it('drops the comments of later steps, which can still be repeated', async () => {
      const id = await begin(await acme.publishedFlow(), { customer });
      await erase();
      await step(id, { node_key: 'start', action: 'continue' });
      const answer = { node_key: 'reason', action: 'answer', option: 'other', comment: 'I am Ada.' };
      const first = await step(id, answer);
      expect(first.status).toBe(200);
      expect(await step(id, answer)).toMatchObject({ status: 200, body: first.body });
      expect(await everything()).not.toContain('Ada');
    });

    it('takes a customer with more sessions than a statement takes parameters, if need be at the second request', async () => {
      const id = await begin(await acme.publishedFlow(), { customer });
      await step(id, { node_key: 'start', action: 'continue' });
      await step(id, { node_key: 'reason', action: 'answer', option: 'other', comment: 'I am Ada.' });
      const copies = `SELECT gen_random_uuid() FROM generate_series(1, 70000)`;
      await service.database.query(
        `WITH copies (copy) AS (${copies}), sessions AS (
          INSERT INTO flow_sessions SELECT copied.* FROM copies, flow_sessions original,
            jsonb_populate_record(original, jsonb_build_object('id', copy)) copied WHERE original.id = $1)
        INSERT INTO session_steps SELECT copied.* FROM copies, session_steps original,
          jsonb_populate_record(original, jsonb_build_object('session_id', copy)) copied
        WHERE original.session_id = $1 AND original.comment IS NOT NULL`,
        [id],
      );
      let status = 503;
      for (let attempts = 0; attempts < 5 && status === 503; attempts++) ({ status } = await erase());
      expect(status).toBe(200);
      const [{ traces }] = await service.database.query(
        `SELECT (SELECT count(*) FROM flow_sessions WHERE workspace_id = $1 AND (customer_id IS NOT NULL OR customer IS NOT NULL))
          + (SELECT count(*) FROM session_steps WHERE workspace_id = $1 AND comment IS NOT NULL) AS traces`,
        [acme.id],
      );
      expect(traces).toBe('0');
      expect((await erase()).body).toEqual({ erased: true, sessions: 0 });
    }, 60_000);

    it('needs a key that may write', async () => {
      const { body } = await acme.client.post('/api/v1/public/api-keys', { name: 'Reader', access: 'read' });
      const reader = service.client.with(body.key);
      expect((await reader.get(SESSIONS)).status).toBe(200);
      expect((await reader.delete('/api/v1/public/customers/cus_1')).status).toBe(403);
    });

    it.each(['%00', '%20', encodeURIComponent('x'.repeat(201))])('refuses the id %s', async (id) => {
      const { status, body } = await acme.client.delete(`/api/v1/public/customers/${id}`);
      expect([status, body.errors?.[0].pointer]).toEqual([400, '/customer_id']);
    });
  });
});
