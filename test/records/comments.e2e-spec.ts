import { Service, Tenant } from '../support/service';

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
    for (const [query, pointer] of [
      ['attribute=plan', '/value'],
      ['value=pro', '/attribute'],
    ]) {
      const { status, body } = await acme.client.get(`${COMMENTS}?${query}`);
      expect([status, body.errors[0].pointer]).toEqual([400, pointer]);
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
    expect([status, body.errors[0].pointer]).toEqual([400, `/${query.split('=')[0]}`]);
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
