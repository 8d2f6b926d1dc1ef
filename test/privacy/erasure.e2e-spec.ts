import { randomUUID } from 'node:crypto';
import { Service, Tenant } from '../support/service';
import { until } from '../support/until';

const SESSIONS = '/api/v1/public/sessions';
const RUNTIME = '/api/v1/runtime/session';

describe('Erasing a customer', () => {
  let service: Service;
  let acme: Tenant;

  beforeAll(async () => {
    service = await Service.start();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    acme = await service.workspace();
  });

  /** Begins a session and returns its session_id. */
  async function begin(flow: { slug: string }, body: object = {}, headers?: Record<string, string>): Promise<string> {
    const started = await service.client.post(`${RUNTIME}/init`, { flow_slug: flow.slug, ...body }, headers);
    return started.body.session_id as string;
  }
  const step = (id: string, body: object) => service.client.post(`${RUNTIME}/${id}/step`, body);
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
    await begin(flow, { customer });
    const bystander = await begin(flow, { customer: { id: 'cus_2' } });
    await step(id, { node_key: 'start', action: 'continue' });
    await step(id, { node_key: 'reason', action: 'answer', option: 'other', comment: 'I am Ada.' });

    const statsBefore = (await acme.client.get('/api/v1/public/stats')).body;
    expect((await erase()).body).toEqual({ erased: true, sessions: 2 });
    const rows = await everything();
    for (const trace of ['Ada', 'ada@', 'Marylebone', 'Lovelace']) expect(rows).not.toContain(trace);
    expect(await service.database.query('SELECT request_hash FROM flow_sessions WHERE session_id = $1', [id])).toEqual([
      { request_hash: null },
    ]);
    expect((await acme.client.get('/api/v1/public/stats')).body).toEqual(statsBefore);
    expect((await acme.usage()).sessions_used).toBe(3);
    expect((await acme.client.get(SESSIONS)).body.sessions).toHaveLength(3);
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

  /** Erases the first 1,000 of the customer's 1,501 sessions, and then the database fails. */
  async function eraseHalf(): Promise<void> {
    await begin(await acme.publishedFlow(), { customer });
    await service.database.query(
      `WITH copies (copy) AS (SELECT gen_random_uuid() FROM generate_series(1, 1500))
        INSERT INTO flow_sessions SELECT copied.* FROM copies, flow_sessions original,
          jsonb_populate_record(original, jsonb_build_object('id', copy, 'session_id', copy)) copied
          WHERE original.workspace_id = $1`,
      [acme.id],
    );
    await service.database.query(
      `CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF (SELECT count(*) FROM flow_sessions WHERE erased_customer IS NOT NULL AND workspace_id = NEW.workspace_id) >= 1000
        THEN RAISE EXCEPTION 'cut short'; END IF; RETURN NEW; END $$`,
    );
    await service.database.query(
      'CREATE TRIGGER fail BEFORE UPDATE ON flow_sessions FOR EACH ROW EXECUTE FUNCTION fail()',
    );
    expect((await erase()).status).toBeGreaterThanOrEqual(500);
    await service.database.query('DROP FUNCTION fail CASCADE');
  }
  const people = (): Promise<object[]> =>
    service.database.query(
      'SELECT count(*), customer_id FROM flow_sessions WHERE workspace_id = $1 GROUP BY erased_customer, customer_id',
      [acme.id],
    );

  it('makes one person of a customer, even if it is cut short and called again', async () => {
    await eraseHalf();
    expect((await erase()).body).toEqual({ erased: true, sessions: 501 });
    expect(await people()).toEqual([{ count: '1501', customer_id: null }]);
    expect(await service.database.query('SELECT FROM erasures')).toEqual([]);
  });

  it('is finished by the service if it is cut short and nobody calls again', async () => {
    await eraseHalf();
    const later = await Service.start({ BACKGROUND_JOBS: 'true', MAX_DELIVERIES_IN_FLIGHT: '0' });
    await until(
      () => service.database.query<object[]>('SELECT FROM erasures'),
      (rows) => rows.length === 0,
    );
    await later.stop();
    expect(await people()).toEqual([{ count: '1501', customer_id: null }]);
  });

  it('leaves the customer the arms of splits that they had before, in a session that goes on', async () => {
    const confirm = (key: string) => ({ key, type: 'confirm', config: { title: key } });
    const arms = ['a', 'b', 'c', 'd', 'e', 'f'];
    const flow = await acme.publishedFlow({
      flow_mode: 'advanced',
      definition: {
        entry: 'reason',
        nodes: [
          {
            key: 'reason',
            type: 'survey',
            config: {
              title: 'Why?',
              options: [
                { value: 'price', label: 'Price' },
                { value: 'other', label: 'Other' },
              ],
            },
            next: 'test',
          },
          { key: 'test', type: 'split', config: { ways: arms.map((name) => ({ name, weight: 1, next: name })) } },
          ...arms.map(confirm),
        ],
      },
    });
    const answer = { node_key: 'reason', action: 'answer', option: 'price' };
    for (const id of ['cus_1', 'cus_2', 'cus_3', 'cus_4', 'cus_5']) {
      const [before, goesOn] = [await begin(flow, { customer: { id } }), await begin(flow, { customer: { id } })];
      const arm = (await step(before, answer)).body.node.key;
      await erase(id);
      expect((await step(goesOn, answer)).body.node.key).toBe(arm);
    }
  });

  it.each(['...', '.a', '../a', '%2e', './', '%', '?', '#', '\\', ' a ', 'a\n', '/'])(
    'is possible for every customer who can start a session: %j',
    async (id) => {
      await begin(await acme.publishedFlow(), { customer: { id } });
      expect((await erase(id)).body).toEqual({ erased: true, sessions: 1 });
    },
  );

  it('needs a key that may write', async () => {
    const { body } = await acme.client.post('/api/v1/public/api-keys', { name: 'Reader', access: 'read' });
    const reader = service.client.with(body.key);
    expect((await reader.get(SESSIONS)).status).toBe(200);
    expect((await reader.delete('/api/v1/public/customers/cus_1')).status).toBe(403);
  });

  it.each(['%00', '%20', encodeURIComponent('x'.repeat(201))])('refuses the id %s', async (id) => {
    const { status, body } = await acme.client.delete(`/api/v1/public/customers/${id}`);
    expect([status, body.errors?.[0].parameter]).toEqual([400, 'customer_id']);
  });
});
