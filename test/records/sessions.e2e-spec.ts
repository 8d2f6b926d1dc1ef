import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Pool } from 'pg';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { Service, Tenant } from '../support/service';

const SESSIONS = '/api/v1/public/sessions';
const RUNTIME = '/api/v1/runtime/session';

interface Session {
  session_id: string;
  id: string;
}

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

  async function begin(flow: { slug: string }, body: object = {}): Promise<Session> {
    const started = await service.client.post(`${RUNTIME}/init`, { flow_slug: flow.slug, ...body });
    const { session_id } = started.body;
    return { session_id, id: (await acme.client.get(`${SESSIONS}/${session_id}`)).body.id };
  }
  const step = ({ session_id }: Session, body: object) => service.client.post(`${RUNTIME}/${session_id}/step`, body);
  const ids = (body: { sessions: { id: string }[] }) => body.sessions.map(({ id }) => id);
  const list = async (query = '') => (await acme.client.get(`${SESSIONS}${query}`)).body;

  it('are listed newest first, with exactly what the list promises', async () => {
    const flow = await acme.publishedFlow();
    const first = await begin(flow, { customer: { id: 'cus_1', email: 'ada@example.com' } });
    await service.begunAt('2026-05-01T10:00:00.000Z', first.session_id);
    const second = await begin(flow);
    expect(await list()).toEqual({
      sessions: [
        expect.objectContaining({ id: second.id, customer_id: null }),
        {
          id: expect.stringMatching(/^019de2fb-1900-7/),
          flow_id: flow.id,
          flow_version: 1,
          source: null,
          locale: 'en',
          status: 'abandoned',
          customer_id: 'cus_1',
          customer_verified: false,
          accepted_offer: null,
          fulfilment: { state: 'none', carried_out_by: null, at: null, effect: null, detail: null, url: null },
          reason: null,
          answers: [],
          results: {},
          created_at: '2026-05-01T10:00:00.000Z',
          updated_at: '2026-05-01T10:00:00.000Z',
        },
      ],
      next_cursor: null,
      updated_until: null,
    });
  });

  it('have the answers and the reason in the list as in the record, as the customer read and gave them', async () => {
    const offer = await acme.offer();
    const survey = (key: string, label: string, next: string) => {
      return {
        key,
        type: 'survey',
        config: { title: '?', comment: 'optional', options: [{ value: 'a', label }] },
        next,
      };
    };
    const graph = (label: string) => ({
      entry: 'first',
      nodes: [
        survey('first', label, 'second'),
        survey('second', 'B', 'half'),
        { key: 'half', type: 'offer', config: { offer_id: offer.id }, next: 'confirm' },
        { key: 'confirm', type: 'confirm', config: { title: 'Cancel?' } },
      ],
    });
    const flow = await acme.publishedFlow({ flow_mode: 'advanced', definition: graph('Old') });
    const first = { node_key: 'first', action: 'answer', option: 'a', comment: 'Hm.' };
    const second = { node_key: 'second', action: 'answer', option: 'a' };
    const old = await begin(flow, { customer: { id: 'cus_1' } });
    await acme.client.put(`/api/v1/public/flows/${flow.id}`, { definition: graph('New') });
    const [accepted, kept, canceled, silent] = [
      await begin(flow),
      await begin(flow),
      await begin(flow),
      await begin(flow),
    ];
    for (const session of [old, accepted]) for (const body of [first, second]) await step(session, body);
    await step(accepted, { node_key: 'half', action: 'accept' });
    for (const session of [kept, canceled]) await step(session, first);
    await step(kept, { action: 'keep' });
    await step(canceled, { action: 'cancel' });

    const firstAnswer = { node_key: 'first', option: 'a', label: 'New', own_label: 'New', comment: 'Hm.' };
    const secondAnswer = { node_key: 'second', option: 'a', label: 'B', own_label: 'B', comment: null };
    const expected = [
      { id: silent.id, reason: null, answers: [] },
      { id: canceled.id, reason: null, answers: [firstAnswer] },
      { id: kept.id, reason: 'kept', answers: [firstAnswer] },
      { id: accepted.id, reason: 'offer_accepted', answers: [firstAnswer, secondAnswer] },
      { id: old.id, reason: null, answers: [{ ...firstAnswer, label: 'Old', own_label: 'Old' }, secondAnswer] },
    ];
    const shown = ({ id, reason, answers }: (typeof expected)[number]) => ({ id, reason, answers });
    expect((await list()).sessions.map(shown)).toEqual(expected);
    for (const session of expected) {
      expect(shown((await acme.client.get(`${SESSIONS}/${session.id}`)).body)).toEqual(session);
    }
    await acme.client.delete('/api/v1/public/customers/cus_1');
    const answers = [{ ...firstAnswer, label: 'Old', own_label: 'Old', comment: null }, secondAnswer];
    expect((await list()).sessions.at(-1)).toMatchObject({ id: old.id, answers });
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
    const session = await begin(flow, { customer: { id: 'cus_1', attributes: { plan: 'pro' } } });
    const { id } = session;
    await step(session, { node_key: 'start', action: 'continue' });
    await step(session, { node_key: 'reason', action: 'answer', option: 'other', comment: 'Hm.' });
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
    await step(session, { node_key: 'offer_1', action: 'accept' });
    const { body } = await acme.client.get(`${SESSIONS}/${id}`);
    expect(body).toMatchObject({ status: 'saved', current_node: null, accepted_offer: { id: offer.id } });
    expect(body.steps[2]).toMatchObject({ action: 'accept', offer: { id: offer.id, name: 'Half price' } });
  });

  it('are filtered by flow, customer, status as it is now, and time', async () => {
    const [one, other] = [await acme.publishedFlow(), await acme.publishedFlow()];
    const forgotten = await begin(one);
    await service.begunAt('2026-05-01T00:00:00.000Z', forgotten.session_id);
    forgotten.id = (await acme.client.get(`${SESSIONS}/${forgotten.session_id}`)).body.id;
    const open = await begin(one, { customer: { id: 'cus_1' } });
    const canceled = await begin(other);
    await step(canceled, { action: 'cancel' });
    const saved = await begin(other);
    await step(saved, { action: 'keep' });

    expect(ids(await list(`?flow_id=${one.id}`))).toEqual([open.id, forgotten.id]);
    expect(ids(await list('?customer_id=cus_1'))).toEqual([open.id]);
    expect(ids(await list('?status=abandoned'))).toEqual([forgotten.id]);
    expect(ids(await list('?status=in_progress'))).toEqual([open.id]);
    expect(ids(await list('?status=canceled'))).toEqual([canceled.id]);
    expect(ids(await list('?status=saved'))).toEqual([saved.id]);
    expect(ids(await list('?from=2026-05-01&to=2026-05-02'))).toEqual([forgotten.id]);
    expect(ids(await list('?from=2026-05-02T00:00:00Z')).toSorted()).toEqual(
      [open.id, canceled.id, saved.id].toSorted(),
    );
    expect(ids(await list(`?flow_id=${randomUUID()}`))).toEqual([]);
  });

  it.each([
    'status=gone',
    'flow_id=x',
    'from=yesterday',
    'to=2027-02-30',
    'cursor=x',
    'customer_id=',
    'customer_id=%00',
  ])('refuse ?%s and name the parameter', async (query) => {
    const { status, body } = await acme.client.get(`${SESSIONS}?${query}`);
    expect([status, body.errors[0].parameter]).toEqual([400, query.split('=')[0]]);
  });

  it('are each seen exactly once when 1,000 are paged through while others start', async () => {
    const flow = await acme.publishedFlow();
    const start = () => service.client.post(`${RUNTIME}/init`, { flow_slug: flow.slug });
    for (let hundred = 0; hundred < 10; hundred++) await Promise.all(Array.from({ length: 100 }, start));
    const existing: Session[] = await service.database.query('SELECT id FROM flow_sessions WHERE workspace_id = $1', [
      acme.id,
    ]);
    expect(existing).toHaveLength(1000);
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const [page]: [{ sessions: { id: string }[]; next_cursor: string | null }, ...unknown[]] = await Promise.all([
        list(`?limit=150${cursor && `&cursor=${cursor}`}`),
        begin(flow),
        begin(flow),
      ]);
      seen.push(...ids(page));
      cursor = page.next_cursor;
    }
    const count = new Map<string, number>();
    for (const id of seen) count.set(id, (count.get(id) ?? 0) + 1);
    expect(existing.filter(({ id }) => count.get(id) !== 1)).toEqual([]);
    expect(new Set(seen).size).toBe(seen.length);
  });

  it('are paged on from a session that is gone', async () => {
    const flow = await acme.publishedFlow();
    const [first, second, third] = [await begin(flow), await begin(flow), await begin(flow)];
    const { next_cursor } = await list('?limit=2');
    expect(ids(await list(`?cursor=${next_cursor}`))).toEqual([first.id]);
    await service.database.query('DELETE FROM flow_sessions WHERE session_id = $1', [second.session_id]);
    expect(ids(await list())).toEqual([third.id, first.id]);
    expect(ids(await list(`?cursor=${next_cursor}`))).toEqual([first.id]);
  });

  it('never name the session_id, which would let a reader act for the customer', async () => {
    const flow = await acme.publishedFlow();
    const { id, session_id } = await begin(flow);
    const texts = [await list(), (await acme.client.get(`${SESSIONS}/${id}`)).body].map((body) => JSON.stringify(body));
    for (const text of texts) {
      expect(text).toContain(id);
      expect(text).not.toContain(session_id);
      expect(text).not.toContain('session_id');
    }
    expect((await service.client.get(`${RUNTIME}/${id}`)).status).toBe(404);
    expect((await service.client.post(`${RUNTIME}/${id}/step`, { action: 'cancel' })).status).toBe(404);
  });

  it('are found by the id of the record and by the session_id of the page', async () => {
    const { id, session_id } = await begin(await acme.publishedFlow());
    const byId = await acme.client.get(`${SESSIONS}/${id}`);
    const bySessionId = await acme.client.get(`${SESSIONS}/${session_id.toUpperCase()}`);
    expect(byId.status).toBe(200);
    expect(bySessionId.body).toEqual(byId.body);
  });

  it('have ids that sort by their start and contain its time', async () => {
    const flow = await acme.publishedFlow();
    for (let n = 0; n < 5; n++) await begin(flow);
    for (const { id, created_at } of (await list()).sessions) {
      expect([id[14], Number.parseInt(id.replace('-', '').slice(0, 12), 16)]).toEqual(['7', Date.parse(created_at)]);
    }
  });

  it('belong to their workspace alone', async () => {
    const other = await service.workspace();
    const { id, session_id } = await begin(await acme.publishedFlow(), { customer: { id: 'cus_1' } });
    expect((await other.client.get(`${SESSIONS}/${id}`)).status).toBe(404);
    expect((await other.client.get(`${SESSIONS}/${session_id}`)).status).toBe(404);
    expect((await other.client.get(SESSIONS)).body.sessions).toEqual([]);
    expect((await other.client.delete('/api/v1/public/customers/cus_1')).body).toEqual({ erased: true, sessions: 0 });
    expect((await acme.client.get(`${SESSIONS}/${id}`)).body.customer_id).toBe('cus_1');
  });
});
