import { Jobs } from '../../src/platform/database/queue/jobs.service';
import { Service, serviceForAll, Tenant } from '../support/service';
import { until } from '../support/until';

const COMMENTS = '/api/v1/public/comments';
const RUNTIME = '/api/v1/runtime/session';

const survey = (key: string, next: string) => ({
  key,
  type: 'survey',
  config: {
    title: '?',
    comment: 'optional',
    options: [
      { value: 'price', label: 'Too expensive' },
      { value: 'other', label: 'Something else' },
    ],
  },
  next,
});
const TWO_SURVEYS = {
  flow_mode: 'advanced',
  definition: {
    entry: 'first',
    nodes: [
      survey('first', 'second'),
      survey('second', 'sure'),
      { key: 'sure', type: 'confirm', config: { title: 'Sure?' } },
    ],
  },
};

describe('The comments of a workspace', () => {
  let service: Service;
  let acme: Tenant;
  let flow: { id: string; slug: string };

  beforeAll(async () => {
    service = await Service.start();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    acme = await service.workspace();
    flow = await acme.publishedFlow(TWO_SURVEYS);
  });

  const list = async (query = '') => (await acme.client.get(`${COMMENTS}${query}`)).body;
  const texts = (body: { comments: { comment: string }[] }) => body.comments.map(({ comment }) => comment);

  /** A session that writes these comments, one at each survey; undefined answers without one. */
  async function write(
    comments: (string | undefined)[],
    on = flow,
    option = 'price',
    customer?: string,
  ): Promise<string> {
    const { body } = await service.client.post(`${RUNTIME}/init`, {
      flow_slug: on.slug,
      ...(customer && { customer: { id: customer } }),
    });
    for (const [index, comment] of comments.entries()) {
      const node_key = ['first', 'second'][index];
      await service.client.post(`${RUNTIME}/${body.session_id}/step`, { node_key, action: 'answer', option, comment });
    }
    return body.session_id as string;
  }

  it('are listed with the answer, the session and the customer', async () => {
    const sessionId = await write(['Twice the price.'], flow, 'price', 'cus_1');
    await service.client.post(`${RUNTIME}/${sessionId}/step`, { action: 'cancel' });
    const { body: session } = await acme.client.get(`/api/v1/public/sessions/${sessionId}`);
    expect(await list()).toEqual({
      comments: [
        {
          flow_session_id: session.id,
          flow_id: flow.id,
          flow_version: 1,
          status: 'canceled',
          customer_id: 'cus_1',
          node_key: 'first',
          option: 'price',
          label: 'Too expensive',
          own_label: 'Too expensive',
          labels: ['Too expensive'],
          own_labels: ['Too expensive'],
          comment: 'Twice the price.',
          created_at: session.steps[0].at,
        },
      ],
      next_cursor: null,
    });
  });

  it('are those of the newest session first, and each is on one page, also when a page ends within a session', async () => {
    await write(['1', '2']);
    await write([undefined, undefined]);
    await write(['3', undefined]);
    await write(['4', '5']);
    expect(texts(await list())).toEqual(['5', '4', '3', '2', '1']);
    for (const limit of [1, 2, 3]) {
      const seen: string[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const page = await list(`?limit=${limit}${cursor && `&cursor=${cursor}`}`);
        expect(page.comments.length).toBeLessThanOrEqual(limit);
        seen.push(...texts(page));
        cursor = page.next_cursor;
      }
      expect(seen).toEqual(['5', '4', '3', '2', '1']);
    }
  });

  it('are filtered by flow, option and the time when the session began', async () => {
    const other = await acme.publishedFlow(TWO_SURVEYS);
    await service.begunAt('2026-05-01T10:00:00.000Z', await write(['old']));
    await write(['price']);
    await write(['other'], flow, 'other');
    await write(['elsewhere'], other);
    expect(texts(await list(`?flow_id=${other.id}`))).toEqual(['elsewhere']);
    expect(texts(await list(`?flow_id=${flow.id}&option=price`))).toEqual(['price', 'old']);
    expect(texts(await list('?option=none'))).toEqual([]);
    expect(texts(await list('?from=2026-05-01&to=2026-05-02'))).toEqual(['old']);
    expect(texts(await list('?from=2026-05-02&option=other'))).toEqual(['other']);
  });

  it('are filtered by reason, outcome and language', async () => {
    const cancels = await write(['leaves'], flow, 'price');
    await service.client.post(`${RUNTIME}/${cancels}/step`, { action: 'cancel' });
    await write(['goes on'], flow, 'other');
    expect(texts(await list('?reason=price'))).toEqual(['leaves']);
    expect(texts(await list('?outcome=canceled'))).toEqual(['leaves']);
    expect(texts(await list('?outcome=in_progress'))).toEqual(['goes on']);
    expect(texts(await list('?outcome=abandoned'))).toEqual([]);
    await service.begunAt(new Date(Date.now() - 25 * 3_600_000).toISOString(), await write(['left']));
    expect(texts(await list('?outcome=abandoned&locale=en'))).toEqual(['left']);
    expect(texts(await list('?locale=de'))).toEqual([]);
  });

  it('are found by their words, a phrase, either of two words, and without a word', async () => {
    await write(['Zu teuer, viel zu TEUER!', 'Too expensive; I would pay half.']);
    await write(['It is expensive, and too slow.', "C'est trop cher à l'année."]);
    const found = async (q: string) =>
      texts(await list(`?q=${encodeURIComponent(q)}`)).map((text) => text.slice(0, 12));
    expect(await found('teuer')).toEqual(['Zu teuer, vi']);
    expect(await found('expensive too')).toEqual(['It is expens', 'Too expensiv']);
    expect(await found('"too expensive"')).toEqual(['Too expensiv']);
    expect(await found('expensive -slow')).toEqual(['Too expensiv']);
    expect(await found('teuer or année')).toEqual(["C'est trop c", 'Zu teuer, vi']);
    expect(await found(`'); DROP TABLE flows; --`)).toEqual([]);
    expect(await found('!!! & | <-> :*')).toEqual([]);
  });

  it.each([
    [
      '日本語のサポートがない',
      ['サポート', '版 or サポ', '日本', '本', '日本語 サポート', 'ｻﾎﾟｰﾄ'],
      ['中国', 'サポーター', '本日'],
    ],
    ['一个版本都不能用，太贵了', ['版', '版本', '太贵', '"不能用"'], ['本版']],
    ['서비스가 너무 비싸요', ['서비스', '비싸', '서비스 너무'], ['스비']],
    ['ราคาแพงเกินไป', ['แพง', 'ราคา'], ['ถูก']],
    [
      'Die Kündigung im Café war schwierig',
      ['Kundigung', 'KÜNDIGUNG', 'cafe', 'cafe\u0301', '"im cafe war"'],
      ['kundig'],
    ],
    ['Cafe\u0301 in Łódź', ['café', 'lodz'], ['Lo\u0301']],
  ])('are found whatever their script and accents: %s', async (comment, found, missed) => {
    await write([comment, 'Something else.']);
    const count = async (q: string) => (await list(`?q=${encodeURIComponent(q)}`)).comments.length;
    for (const q of found) expect([q, await count(q)]).toEqual([q, 1]);
    for (const q of missed) expect([q, await count(q)]).toEqual([q, 0]);
  });

  describe('of thousands', () => {
    /** Of each hundred comments, how many have a word; the oldest ten have one of their own. */
    const fill = async (count: number) => {
      const sessionId = await write(['first']);
      await service.database.query(
        `WITH original AS (SELECT * FROM flow_sessions WHERE workspace_id = $1 AND session_id = $2), added AS (
            INSERT INTO flow_sessions (workspace_id, id, session_id, flow_id, flow_version, status, current_node_key, customer_verified,
                locale, created_at, updated_at)
              SELECT workspace_id, overlay(gen_random_uuid()::text PLACING lpad(to_hex(n), 8, '0') FROM 1)::uuid, gen_random_uuid(),
                flow_id, flow_version, 'in_progress', 'second', false, locale, created_at, updated_at
              FROM original, generate_series(1, $3::int) AS n RETURNING workspace_id, id, created_at
          )
          INSERT INTO session_steps (workspace_id, flow_session_id, position, node_key, node_type, action, option, comment, words, created_at)
            SELECT workspace_id, id, 1, 'first', 'survey', 'answer', 'price', word, ('''' || workspace_id || ''' ' || word)::tsvector, created_at
            FROM (
              SELECT *, CASE WHEN n <= 10 THEN 'rare' WHEN n % 100 < 40 THEN 'common' ELSE 'other' END AS word
              FROM (SELECT *, row_number() OVER (ORDER BY id) AS n FROM added) AS numbered
            ) AS worded`,
        [acme.id, sessionId, count],
      );
    };

    it('are found newest first, common words and rare ones alike, each once, on pages and in the file', async () => {
      await fill(6000);
      const read = async (q: string) => {
        const all: { flow_session_id: string; comment: string }[] = [];
        for (let cursor = ''; ;) {
          const page = await list(`?q=${q}&limit=300${cursor}`);
          all.push(...page.comments);
          if (page.next_cursor === null) return all;
          cursor = `&cursor=${page.next_cursor}`;
        }
      };
      for (const [q, count] of [
        ['common', 2390],
        ['rare', 10],
        ['common+or+rare', 2400],
        ['-other', 2401],
        ['nothing', 0],
      ] as const) {
        const all = await read(q);
        expect([q, all.length, new Set(all.map((one) => JSON.stringify(one))).size]).toEqual([q, count, count]);
        const lines = (await acme.client.get(`/api/v1/public/comments.csv?q=${q}`)).body.split('\r\n').length;
        expect([q, lines]).toEqual([q, count + 2]);
      }
      expect(await read('rare&option=other')).toEqual([]);
    });
  });

  it('are those of customers with the value of an attribute, as text', async () => {
    for (const [attributes, comment] of [
      [{ plan: 'pro' }, 'Pro.'],
      [{ plan: 'basic' }, 'Basic.'],
      [{ plan: 5 }, 'Five.'],
    ] as const) {
      const customer = { id: comment, attributes };
      const { body } = await service.client.post(`${RUNTIME}/init`, { flow_slug: flow.slug, customer });
      const answer = { node_key: 'first', action: 'answer', option: 'price', comment };
      await service.client.post(`${RUNTIME}/${body.session_id}/step`, answer);
    }
    expect(texts(await list('?attribute=plan&value=pro'))).toEqual(['Pro.']);
    expect(texts(await list('?attribute=plan&value=5'))).toEqual(['Five.']);
    expect(texts(await list('?attribute=other&value=pro'))).toEqual([]);
    for (const [query, parameter] of [
      ['attribute=plan', 'value'],
      ['value=pro', 'attribute'],
    ]) {
      const { status, body } = await acme.client.get(`${COMMENTS}?${query}`);
      expect([status, body.errors[0].parameter]).toEqual([400, parameter]);
    }
  });

  it('have one label for a reason, whatever language its customers read', async () => {
    const { definition } = structuredClone(TWO_SURVEYS);
    const config = { ...definition.nodes[0].config, translations: { de: { options: { price: 'Zu teuer' } } } };
    definition.nodes[0] = { ...definition.nodes[0], config } as (typeof definition.nodes)[0];
    const translated = await acme.publishedFlow({ ...TWO_SURVEYS, definition });
    const german = { flow_slug: translated.slug, locale: 'de' };
    const { body } = await service.client.post(`${RUNTIME}/init`, german);
    const answer = { node_key: 'first', action: 'answer', option: 'price', comment: 'Ja.' };
    await service.client.post(`${RUNTIME}/${body.session_id}/step`, answer);
    expect((await list('?locale=de')).comments).toMatchObject([{ label: 'Zu teuer', own_label: 'Too expensive' }]);
  });

  it('are not those that are blank', async () => {
    await write(['', ' \n\t']);
    await write([' ', 'Hm.']);
    expect(texts(await list('?limit=1'))).toEqual(['Hm.']);
    expect((await list('?limit=1')).next_cursor).toBeNull();
  });

  it('are gone when the customer is erased', async () => {
    await write(['Secret.', 'More.'], flow, 'price', 'cus_1');
    await write(['Stays.']);
    await acme.client.delete('/api/v1/public/customers/cus_1');
    expect(texts(await list())).toEqual(['Stays.']);
  });

  it('are not those of previews', async () => {
    const { body } = await acme.client.send('POST', `/api/v1/public/flows/${flow.id}/preview`);
    const answer = { node_key: 'first', action: 'answer', option: 'price', comment: 'Only a test.' };
    await service.client.post(`${RUNTIME}/${body.session_id}/step`, answer);
    expect(texts(await list())).toEqual([]);
  });

  it('belong to their workspace alone', async () => {
    await write(['Ours.']);
    const other = await service.workspace();
    expect((await other.client.get(COMMENTS)).body.comments).toEqual([]);
    expect((await other.client.get(`${COMMENTS}?flow_id=${flow.id}`)).body.comments).toEqual([]);
  });

  it.each([
    'flow_id=x',
    'option=a%20b',
    'from=yesterday',
    'to=2027-02-30',
    'limit=0',
    'cursor=x',
    'status=saved',
    'outcome=left',
    'locale=x',
    'q=',
    'reason=a%20b',
  ])('refuse ?%s and name the parameter', async (query) => {
    const { status, body } = await acme.client.get(`${COMMENTS}?${query}`);
    expect([status, body.errors[0].parameter]).toEqual([400, query.split('=')[0]]);
  });

  it('refuse the cursor of another list, and take any number in one of theirs', async () => {
    await write(['1', '2']);
    await write(['3', '4']);
    const { next_cursor: ofSessions } = (await acme.client.get('/api/v1/public/sessions?limit=1')).body;
    expect((await acme.client.get(`${COMMENTS}?cursor=${ofSessions}`)).status).toBe(400);
    const { next_cursor } = await list('?limit=1');
    expect((await acme.client.get(`/api/v1/public/sessions?cursor=${next_cursor}`)).status).toBe(400);
    const made = Buffer.from(next_cursor, 'base64url').fill(0x7f, 17).toString('base64url');
    expect(texts(await list(`?cursor=${made}`))).toEqual(['4', '3', '2', '1']);
  });
});

describe('The comments that an older version has stored', () => {
  const service = serviceForAll(() => Service.start({ BACKGROUND_JOBS: 'true' }));

  it('are found once their words are worked out, and those that it has erased are found no more', async () => {
    const acme = await service.workspace();
    const { slug } = await acme.publishedFlow(TWO_SURVEYS);
    const write = async (comment: string) => {
      const { body } = await service.client.post(`${RUNTIME}/init`, { flow_slug: slug });
      const answer = { node_key: 'first', action: 'answer', option: 'price', comment };
      await service.client.post(`${RUNTIME}/${body.session_id}/step`, answer);
    };
    await write('Überteuert');
    await write('Geheim');
    const query = (sql: string) => service.database.query(sql, [acme.id]);
    await query(`UPDATE session_steps SET words = NULL WHERE workspace_id = $1 AND comment = 'Überteuert'`);
    await query(`UPDATE session_steps SET comment = NULL WHERE workspace_id = $1 AND comment = 'Geheim'`);
    service.app.get(Jobs).runNow('Words of session_steps');
    const words = async () =>
      (await query('SELECT words FROM session_steps WHERE workspace_id = $1 AND words IS NOT NULL')).map(
        (row: { words: string }) => row.words.split(' ').at(-1),
      );
    await until(words, (left) => left.length === 1 && left[0] === "'uberteuert':1");
    expect((await acme.client.get(`${COMMENTS}?q=uberteuert`)).body.comments).toHaveLength(1);
  });
});
