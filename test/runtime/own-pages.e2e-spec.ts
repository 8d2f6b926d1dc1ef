import { readCsv } from '../records/read-csv';
import { serviceForAll, workspaceForEach } from '../support/service';

const RUNTIME = '/api/v1/runtime/session';
const PUBLIC = '/api/v1/public';

const page = (key: string, next: string, config: object = {}) => ({
  key,
  type: 'custom',
  config: { title: 'Would you recommend us, {{first_name|friend}}?', kind: 'nps', ...config },
  next,
});
const confirm = (key: string) => ({ key, type: 'confirm', config: { title: 'Cancel?' } });
const branch = (result: string, is: string, value?: unknown) => ({
  key: 'who',
  type: 'branch',
  config: { ways: [{ when: { all: [{ result, is, ...(value !== undefined && { value }) }] }, next: 'fans' }] },
  next: 'others',
});
const graph = (...nodes: { key: string }[]) => ({
  flow_mode: 'advanced',
  definition: { entry: nodes[0].key, nodes },
});

describe("A page of the site's own", () => {
  const service = serviceForAll();
  const acme = workspaceForEach(service);

  async function begin(nodes: { key: string }[], start: object = {}) {
    const flow = await acme.publishedFlow(graph(...nodes));
    const { body } = await service.client.post(`${RUNTIME}/init`, { flow_slug: flow.slug, ...start });
    const id = body.session_id as string;
    const step = (fields: object) => service.client.post(`${RUNTIME}/${id}/step`, { node_key: 'nps', ...fields });
    const answer = (result?: unknown) => step({ action: 'answer', result });
    const record = async () => (await acme.client.get(`${PUBLIC}/sessions/${id}`)).body;
    return { flow, entry: body.flow.entry_node, step, answer, record };
  }
  const plain = [page('nps', 'end'), confirm('end')];

  it("gives the component its kind, its data and its title, in the customer's words and language", async () => {
    const data = { scale: [0, 10], labels: { low: 'never' } };
    const translations = { de: { title: 'Würden Sie uns empfehlen, {{first_name|liebe Kundin}}?' } };
    const nodes = [page('nps', 'end', { data, translations }), confirm('end')];
    const customer = { id: 'cus_1', attributes: { first_name: 'Ada' } };
    const { entry } = await begin(nodes, { locale: 'de', customer });
    expect(entry).toEqual({
      key: 'nps',
      type: 'custom',
      config: { title: 'Würden Sie uns empfehlen, Ada?', kind: 'nps', data },
    });
  });

  it.each([{ score: 9, why: ['price'] }, 7, 0, false, '', 'often', ['a', null]])(
    'takes %j as its result, and the record, the list and the file have it',
    async (result) => {
      const { answer, record } = await begin(plain);
      expect((await answer(result)).body).toMatchObject({ status: 'in_progress', node: { key: 'end' } });
      const { steps, results } = await record();
      expect(steps).toMatchObject([{ node_key: 'nps', node_type: 'custom', action: 'answer', option: null, result }]);
      expect(results).toEqual({ nps: result });
      expect((await acme.client.get(`${PUBLIC}/sessions`)).body.sessions[0].results).toEqual({ nps: result });
      const [head, row] = readCsv((await acme.client.get(`${PUBLIC}/sessions.csv`)).body);
      expect(JSON.parse(row[head.indexOf('result')])).toEqual({ nps: result });
    },
  );

  it.each([undefined, null])('goes on with the result %p, which is none', async (nothing) => {
    const { answer, record } = await begin(plain);
    expect((await answer(nothing)).body.node.key).toBe('end');
    expect(await record()).toMatchObject({ results: {}, steps: [{ action: 'answer', result: null }] });
    expect((await answer(nothing)).status).toBe(200);
  });

  it('takes the same result again, in another order of its fields, and refuses another', async () => {
    const { answer } = await begin(plain);
    await answer({ score: 9, why: 'price' });
    expect((await answer({ why: 'price', score: 9 })).body).toMatchObject({ node: { key: 'end' } });
    const { status, body } = await answer({ score: 8, why: 'price' });
    expect([status, body.code]).toEqual([409, 'step_conflict']);
  });

  it.each([
    ['a result of more than 2,048 bytes', { action: 'answer', result: 'ä'.repeat(1024) }, '/result'],
    ['an option', { action: 'answer', option: 'a' }, '/option'],
    ['a comment', { action: 'answer', comment: 'a' }, '/comment'],
    ['another action', { action: 'continue' }, '/action'],
    ['a result with cancel', { action: 'cancel', result: 1 }, '/result'],
  ])('refuses %s, and stays', async (_, fields, pointer) => {
    const { step, record } = await begin(plain);
    const { status, body } = await step(fields);
    expect([status, body.errors]).toMatchObject([400, [{ pointer }]]);
    expect(await record()).toMatchObject({ current_node: 'nps', steps: [] });
  });

  it('is the only one whose step takes a result', async () => {
    const start = { key: 'nps', type: 'start', config: { title: 'Wait' }, next: 'end' };
    const { step } = await begin([start, confirm('end')]);
    const { status, body } = await step({ action: 'continue', result: 1 });
    expect([status, body.errors]).toMatchObject([400, [{ pointer: '/result' }]]);
  });

  it.each<[string, string, unknown, unknown, string]>([
    ['nps.score', '>=', 9, { score: 10 }, 'fans'],
    ['nps.score', '>=', 9, { score: 8 }, 'others'],
    ['nps.score', '>=', 9, { score: '10' }, 'others'],
    ['nps.why.0', 'in', ['price', 'bugs'], { why: ['bugs'] }, 'fans'],
    ['nps', '=', true, true, 'fans'],
    ['nps.why', 'in', ['price', 'bugs'], { why: ['price'] }, 'others'],
    ['nps.why', 'not_in', ['price'], { why: [] }, 'fans'],
    ['nps.score', 'exists', undefined, undefined, 'others'],
    ['nps', '!=', 5, null, 'others'],
  ])('lets a branch ask whether %s %s %j: with %j, it leads to %s', async (result, is, value, given, key) => {
    const nodes = [page('nps', 'who'), branch(result, is, value), confirm('fans'), confirm('others')];
    const { answer, record, flow } = await begin(nodes);
    expect((await answer(given)).body.node.key).toBe(key);
    expect((await record()).steps[0].ways).toEqual({ who: key === 'fans' ? '0' : 'next' });
    const where = JSON.stringify({ all: [{ result, is, ...(value !== undefined && { value }) }] });
    const stats = await acme.client.get(`${PUBLIC}/flows/${flow.id}/stats?where=${encodeURIComponent(where)}`);
    expect(stats.body.sessions.total).toBe(key === 'fans' ? 1 : 0);
  });

  it.each([
    ['a survey', 'is not the key of a node of type custom', [{ ...confirm('nps') }]],
    ['one that comes later', 'is not a node before this branch', undefined],
  ])('must be before a branch that asks for it, and not %s', async (_, message, others) => {
    const ways = [{ when: { all: [{ result: 'nps.score', is: 'exists' }] }, next: 'nps' }];
    const who = { key: 'who', type: 'branch', config: { ways }, next: 'nps' };
    const start = { key: 'start', type: 'start', config: { title: 'Wait' }, next: 'who' };
    const nodes = [start, who, ...(others ?? [page('nps', 'end'), confirm('end')])];
    const { status, body } = await acme.client.post(`${PUBLIC}/flows`, {
      name: 'Leaving',
      product_name: 'Acme',
      cancellation_url: 'https://acme.example/cancel',
      ...graph(...nodes),
    });
    const pointer = '/definition/nodes/1/config/ways/0/when/all/0/result';
    expect([status, body.errors]).toMatchObject([400, [{ pointer, message }]]);
  });

  it.each(['nps.-1', 'nps.01'])('has no place that is called %s', async (result) => {
    const where = JSON.stringify({ all: [{ result, is: 'exists' }] });
    const { status, body } = await acme.client.get(`${PUBLIC}/stats?where=${encodeURIComponent(where)}`);
    expect([status, body.errors]).toMatchObject([400, [{ pointer: '/where/all/0/result' }]]);
  });

  it('leads a preview as it leads a session, also when its step is sent again', async () => {
    const nodes = [
      page('nps', 'more'),
      page('more', 'who'),
      branch('nps.score', '>=', 9),
      confirm('fans'),
      confirm('others'),
    ];
    const { flow } = await begin(nodes);
    const { session_id } = (await acme.client.post(`${PUBLIC}/flows/${flow.id}/preview`, {})).body;
    const step = (node_key: string, result?: object) =>
      service.client.post(`${RUNTIME}/${session_id}/step`, { node_key, action: 'answer', result });
    await step('nps', { score: 9 });
    expect((await step('nps', { score: 9 })).body).toMatchObject({ node: { key: 'more' } });
    expect((await step('more')).body).toMatchObject({ node: { key: 'fans' } });
  });

  it.each([
    ['kind', { kind: 'a kind' }],
    ['kind', { kind: undefined }],
    ['data', { data: 'x'.repeat(4095) }],
    ['title', { title: 'x'.repeat(201) }],
    ['body', { body: 'Not taken' }],
  ])('refuses a config with a wrong %s', async (field, config) => {
    const { status, body } = await acme.client.post(`${PUBLIC}/flows`, {
      name: 'Leaving',
      product_name: 'Acme',
      cancellation_url: 'https://acme.example/cancel',
      ...graph(page('nps', 'end', config), confirm('end')),
    });
    expect([status, body.errors]).toMatchObject([400, [{ pointer: `/definition/nodes/0/config/${field}` }]]);
  });

  it('forgets what an erased customer gave, also what comes later', async () => {
    const nodes = [page('nps', 'more'), page('more', 'end'), confirm('end')];
    const { answer, step, record } = await begin(nodes, { customer: { id: 'cus_1' } });
    await answer({ name: 'Ada Lovelace' });
    await acme.client.delete(`${PUBLIC}/customers/cus_1`);
    await step({ node_key: 'more', action: 'answer', result: { name: 'Ada Lovelace' } });
    expect(await record()).toMatchObject({ results: {}, steps: [{ result: null }, { result: null }] });
  });

  it('is in the numbers of the steps as one way on', async () => {
    const { answer, flow } = await begin(plain);
    await answer({ score: 9 });
    const { nodes } = (await acme.client.get(`${PUBLIC}/flows/${flow.id}/stats/nodes`)).body;
    const exits = [{ action: 'answer', value: null, sessions: 1 }];
    expect(nodes[0]).toMatchObject({ node_key: 'nps', type: 'custom', sessions: 1, exits });
    const stats = (await acme.client.get(`${PUBLIC}/flows/${flow.id}/stats`)).body;
    expect(stats).toMatchObject({ sessions: { total: 1 }, reasons: [] });
  });
});
