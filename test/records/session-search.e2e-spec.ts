import { Service, Tenant } from '../support/service';

const SESSIONS = '/api/v1/public/sessions';
const RUNTIME = '/api/v1/runtime/session';

describe('A search of sessions', () => {
  let service: Service;
  let acme: Tenant;
  let flow: { slug: string };

  beforeAll(async () => {
    service = await Service.start();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    acme = await service.workspace();
    flow = await acme.publishedFlow();
  });

  async function begin(customer?: object, { slug } = flow): Promise<{ id: string; session_id: string }> {
    const body = { flow_slug: slug, ...(customer && { customer }) };
    const { session_id } = (await service.client.post(`${RUNTIME}/init`, body)).body;
    return { session_id, id: (await acme.client.get(`${SESSIONS}/${session_id}`)).body.id };
  }
  async function found(search: string, filters = ''): Promise<string[]> {
    const { status, body } = await acme.client.get(`${SESSIONS}?search=${encodeURIComponent(search)}${filters}`);
    expect([status, body.errors]).toEqual([200, undefined]);
    return body.sessions.map(({ id }: { id: string }) => id);
  }

  it('finds a customer by e-mail in upper and lower case, and by id as it is written', async () => {
    const one = await begin({ id: 'cus_Ada', email: 'Ada@Example.com' });
    const other = await begin({ id: 'cus_3', email: 'ada@example.com' });
    await begin({ id: 'cus_2', email: 'ada@example.com.au' });
    await begin();
    for (const email of ['ada@example.com', 'ADA@EXAMPLE.COM']) expect(await found(email)).toEqual([other.id, one.id]);
    expect(await found('cus_Ada')).toEqual([one.id]);
    for (const none of ['cus_ada', 'cus_', 'ada', 'a%@example.com', '%', "'", '@'])
      expect(await found(none)).toEqual([]);
  });

  it('finds a customer whose id is an e-mail or a UUID', async () => {
    const email = await begin({ id: 'ada@example.com' });
    const other = await begin({ id: 'cus_1', email: 'ada@example.com' });
    expect(await found('ada@example.com')).toEqual([other.id, email.id]);
    const uuid = await begin({ id: other.id });
    expect(await found(other.id)).toEqual([uuid.id, other.id]);
  });

  it('lists a session once that it finds by id and by e-mail', async () => {
    const { id } = await begin({ id: 'ada@example.com', email: 'ada@example.com' });
    expect(await found('ada@example.com')).toEqual([id]);
  });

  it('finds sessions by the beginning of the id, from 8 characters on, and by the whole session_id', async () => {
    const old = await begin();
    await service.begunAt('2026-05-01T10:00:00.000Z', old.session_id);
    const { id } = (await acme.client.get(`${SESSIONS}/${old.session_id}`)).body;
    const other = await begin();
    for (const length of [8, 9, 13, 14, 15, 20, 35, 36]) {
      expect(await found(id.slice(0, length))).toEqual([id]);
      expect(await found(id.slice(0, length).toUpperCase())).toEqual([id]);
    }
    expect(await found(id.slice(0, 7))).toEqual([]);
    expect(await found(`${id.slice(0, 13)}x`)).toEqual([]);
    expect(await found(id.replaceAll('-', ''))).toEqual([]);
    expect(await found(other.session_id)).toEqual([other.id]);
    expect(await found(other.session_id.slice(0, 20))).toEqual([]);
  });

  it('finds sessions by subscription, the offer that saved them, a reason, and several statuses', async () => {
    const offer = await acme.offer();
    flow = await acme.publishedFlow({ offer_ids: [offer.id] });
    const step = (id: string, fields: object) => service.client.post(`${RUNTIME}/${id}/step`, fields);
    const answered = async (option: string) => {
      const one = await begin();
      await step(one.session_id, { node_key: 'start', action: 'continue' });
      await step(one.session_id, { node_key: 'reason', action: 'answer', option });
      return one;
    };
    const [saved, kept, canceled, open] = [
      await answered('other'),
      await begin(),
      await begin(),
      await answered('other'),
    ];
    await step(saved.session_id, { node_key: 'offer_1', action: 'accept' });
    await step(kept.session_id, { action: 'keep' });
    await step(canceled.session_id, { action: 'cancel' });
    const abandoned = await begin();
    await service.begunAt('2026-05-01T10:00:00.000Z', abandoned.session_id);
    const old = (await acme.client.get(`${SESSIONS}/${abandoned.session_id}`)).body.id;
    const listed = async (query: string) =>
      (await acme.client.get(`${SESSIONS}?${query}`)).body.sessions.map(({ id }: { id: string }) => id);
    expect(await listed(`offer_id=${offer.id}`)).toEqual([saved.id]);
    expect(await listed('reason=other')).toEqual([open.id, saved.id]);
    expect(await listed('reason=other&status=in_progress')).toEqual([open.id]);
    expect(await listed('status=saved,canceled')).toEqual([canceled.id, kept.id, saved.id]);
    expect(await listed('status=canceled&status=abandoned')).toEqual([canceled.id, old]);
    expect(await listed('status=in_progress,saved')).toEqual([open.id, kept.id, saved.id]);
    expect(await listed('status=in_progress,abandoned,saved,canceled')).toHaveLength(5);
    const headers = { authorization: `Bearer ${acme.key}` };
    const csv = await fetch(`${service.client.baseUrl}${SESSIONS}.csv?status=saved,canceled`, { headers });
    expect((await csv.text()).trim().split('\n')).toHaveLength(4);
    expect(await listed('subscription_id=sub_1')).toEqual([]);
    const subscribed = `UPDATE flow_sessions SET subscription_id = 'sub_1' WHERE id = $1`;
    await service.database.query(subscribed, [kept.id]);
    expect(await listed('subscription_id=sub_1')).toEqual([kept.id]);
    for (const status of ['', 'saved,', 'saved,gone', 'saved,saved']) {
      const { status: refused, body } = await acme.client.get(`${SESSIONS}?status=${status}`);
      expect([status, refused, body.errors?.[0].parameter]).toEqual([status, 400, 'status']);
    }
  });

  it('is one of the filters, of pages and of downloads too', async () => {
    const elsewhere = await acme.publishedFlow();
    const ids: string[] = [];
    for (let n = 0; n < 5; n++)
      ids.unshift((await begin({ id: n % 2 ? 'ada@example.com' : 'cus_1', email: 'ada@example.com' })).id);
    const other = await begin({ id: 'cus_3', email: 'ada@example.com' }, elsewhere);
    const query = `${SESSIONS}?search=ada@example.com&limit=2`;
    const seen: string[] = [];
    for (let cursor = ''; ;) {
      const { sessions, next_cursor } = (await acme.client.get(query + cursor)).body;
      seen.push(...sessions.map(({ id }: { id: string }) => id));
      if (next_cursor === null) break;
      cursor = `&cursor=${next_cursor}`;
    }
    expect(seen).toEqual([other.id, ...ids]);
    expect(await found('ada@example.com', '&customer_id=cus_1')).toEqual([ids[0], ids[2], ids[4]]);
    expect(await found('ada@example.com', '&status=saved')).toEqual([]);
    expect(await found('ada@example.com', '&to=2026-01-01')).toEqual([]);
    const file = (await acme.client.get(`/api/v1/public/sessions.csv?search=ADA@example.com`)).body as string;
    expect(file.match(/ada@example\.com/g)!.length).toBeGreaterThanOrEqual(6);
    expect(file.trim().split('\r\n')).toHaveLength(7);
  });

  it('finds nothing of another workspace, nor of a customer who was erased', async () => {
    const { id, session_id } = await begin({ id: 'cus_1', email: 'ada@example.com' });
    const searches = ['ada@example.com', 'cus_1', id, id.slice(0, 8), session_id];
    const other = await service.workspace();
    for (const search of searches) {
      const { body } = await other.client.get(`${SESSIONS}?search=${search}`);
      expect(body.sessions).toEqual([]);
    }
    await acme.client.delete('/api/v1/public/customers/cus_1');
    expect(await Promise.all(searches.map((search) => found(search)))).toEqual([[], [], [id], [id], [id]]);
  });

  it.each([
    ['blank', 'search=%20'],
    ['empty', 'search='],
    ['too long', `search=${'a'.repeat(255)}`],
    ['twice', 'search=a&search=b'],
    ['with a zero byte', 'search=%00'],
  ])('is refused by name when it is %s', async (_, query) => {
    for (const list of [SESSIONS, `${SESSIONS}.csv`]) {
      const { status, body } = await acme.client.get(`${list}?${query}`);
      expect([status, body.errors?.[0].parameter]).toEqual([400, 'search']);
    }
  });
});
