import { Service, Tenant } from '../support/service';

const PUBLIC = '/api/v1/public';
const RUNTIME = '/api/v1/runtime/session';
const COPIES = 200;
/** The longest comment, in the letters that take the most bytes: 16 KB. */
const COMMENT = '😀'.repeat(4000);
/** A page of 1 MB, and what is around its items. */
const MAX_BYTES = 1_000_100;

describe('A list of large items', () => {
  let service: Service;
  let acme: Tenant;

  beforeAll(async () => {
    service = await Service.start();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    acme = await service.workspace();
  });

  interface Pages {
    /** The items of each page. */
    items: Record<string, unknown>[][];
    bytes: number[];
  }

  async function pagesOf(path: string, name: string): Promise<Pages> {
    const pages: Pages = { items: [], bytes: [] };
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body } = await acme.client.get(`${PUBLIC}/${path}limit=500${cursor && `&cursor=${cursor}`}`);
      pages.items.push(body[name]);
      pages.bytes.push(Buffer.byteLength(JSON.stringify(body)));
      cursor = body.next_cursor;
    }
    return pages;
  }

  /** A session with the longest comment, and older copies of it. */
  async function comment(): Promise<void> {
    const { slug } = await acme.publishedFlow();
    const { session_id } = (await service.client.post(`${RUNTIME}/init`, { flow_slug: slug })).body;
    await service.client.post(`${RUNTIME}/${session_id}/step`, { node_key: 'start', action: 'continue' });
    const answer = { node_key: 'reason', action: 'answer', option: 'other', comment: COMMENT };
    await service.client.post(`${RUNTIME}/${session_id}/step`, answer);
    for (const [table, id] of [
      ['flow_sessions', 'id'],
      ['session_steps', 'flow_session_id'],
    ]) {
      const more = table === 'flow_sessions' ? `, 'session_id', gen_random_uuid()` : '';
      await service.database.query(
        `INSERT INTO ${table} SELECT (jsonb_populate_record(row, jsonb_build_object('${id}',
            lpad(to_hex(n), 8, '0') || right(${id}::text, 28)${more}))).*
          FROM ${table} AS row, generate_series(1, $2) AS n WHERE workspace_id = $1`,
        [acme.id, COPIES],
      );
    }
  }

  it.each([
    ['sessions?', 'sessions', 'id'],
    ['comments?', 'comments', 'flow_session_id'],
  ])('has pages that end at 1 MB, and each item once, newest first: %s', async (path, name, id) => {
    await comment();
    const { items, bytes } = await pagesOf(path, name);
    expect(Math.max(...bytes)).toBeLessThan(MAX_BYTES);
    expect(items.length).toBeLessThan(5);
    const ids = items.flat().map((item) => item[id] as string);
    expect(ids).toHaveLength(COPIES + 1);
    expect(ids).toEqual([...new Set(ids)].toSorted().toReversed());
    const texts = JSON.stringify(items).match(/😀{4000}/gu);
    expect(texts).toHaveLength(COPIES + 1);
  });

  it('has pages that end at 1 MB: offers with metadata', async () => {
    const metadata = Object.fromEntries([1, 2, 3, 4, 5, 6, 7].map((n) => [`m${n}`, 'x'.repeat(500)]));
    const { id } = await acme.offer({ metadata });
    const copied = Array.from({ length: 400 }, (_, n) => `01900000-0000-7000-8000-${String(n).padStart(12, '0')}`);
    await service.database.query(
      `INSERT INTO offers SELECT (jsonb_populate_record(row, jsonb_build_object('id', copy))).*
        FROM offers AS row, unnest($2::text[]) AS copy WHERE id = $1`,
      [id, copied],
    );
    const { items, bytes } = await pagesOf('offers?', 'offers');
    expect(Math.max(...bytes)).toBeLessThan(MAX_BYTES);
    expect(items.flat().map((item) => item.id)).toEqual([id, ...copied.toReversed()]);
  });
});
