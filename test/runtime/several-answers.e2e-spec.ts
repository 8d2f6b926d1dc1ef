import { serviceForAll, workspaceForEach } from '../support/service';

const SESSION = '/api/v1/runtime/session';
const PUBLIC = '/api/v1/public';
const PRICE = { value: 'price', label: 'The price', comment_label: 'What would be fair?' };
const BUGS = { value: 'bugs', label: 'Too many faults' };
const OTHER = { value: 'other', label: 'Something else' };

describe('A survey that takes several answers', () => {
  const service = serviceForAll();
  const acme = workspaceForEach(service);

  const surveyOf = (config: object = {}) => ({
    key: 'why',
    type: 'survey',
    config: { title: 'Why?', comment: 'optional', multiple: true, options: [PRICE, BUGS, OTHER], ...config },
    next: 'sure',
  });
  const confirm = (key: string) => ({ key, type: 'confirm', config: { title: key } });
  const flowOf = (survey: object, ...others: object[]) =>
    acme.publishedFlow({
      flow_mode: 'advanced',
      definition: { entry: 'why', nodes: [survey, ...others, confirm('sure')] },
    });

  /** A customer at the survey. */
  async function begin({ slug }: { slug: string }, start: object = {}) {
    const { body } = await service.client.post(`${SESSION}/init`, { flow_slug: slug, ...start });
    const step = (fields: object) => service.client.post(`${SESSION}/${body.session_id}/step`, fields);
    const answer = (fields: object) => step({ node_key: 'why', action: 'answer', ...fields });
    return { node: body.flow.entry_node, step, answer, session_id: body.session_id as string };
  }
  const newest = async () => {
    const { sessions } = (await acme.client.get(`${PUBLIC}/sessions?limit=1`)).body;
    return (await acme.client.get(`${PUBLIC}/sessions/${sessions[0].id}`)).body;
  };
  const pointersOf = async (fields: object) => {
    const { answer } = await begin(await flowOf(surveyOf()));
    const { status, body } = await answer(fields);
    return [status, ...(body.errors ?? []).map(({ pointer }: { pointer: string }) => pointer)];
  };

  it('says so to the page that shows it, with the label of the comment for each option', async () => {
    const { node } = await begin(await flowOf(surveyOf()));
    expect(node.config).toMatchObject({ multiple: true, options: [PRICE, BUGS, OTHER] });
  });

  it('records all of them, in its own order, with their labels and one comment', async () => {
    const { answer } = await begin(await flowOf(surveyOf()));
    const { status } = await answer({ options: ['other', 'price'], comment: 'Both.' });
    expect(status).toBe(200);
    const { answers, steps } = await newest();
    expect(answers).toEqual([
      { node_key: 'why', option: 'price', label: 'The price', own_label: 'The price', comment: 'Both.' },
      { node_key: 'why', option: 'other', label: 'Something else', own_label: 'Something else', comment: null },
    ]);
    expect(steps[0]).toMatchObject({ option: 'price', options: ['price', 'other'], comment: 'Both.' });
  });

  it('takes the same answers again in any order, and no others', async () => {
    const { answer } = await begin(await flowOf(surveyOf()));
    const first = await answer({ options: ['other', 'price'] });
    expect((await answer({ options: ['price', 'other'] })).body).toEqual(first.body);
    for (const options of [['price'], ['price', 'bugs'], ['price', 'bugs', 'other']]) {
      expect([(await answer({ options })).status, options]).toEqual([409, options]);
    }
    expect((await newest()).steps).toHaveLength(1);
  });

  it.each<[string, object, string]>([
    ['none', {}, '/options'],
    ['an empty list', { options: [] }, '/options'],
    ['one that is not offered', { options: ['price', 'nothing'] }, '/options'],
    ['the same twice', { options: ['price', 'price'] }, '/options'],
    ['a text', { options: 'price' }, '/options'],
    ['numbers', { options: [1] }, '/options'],
    ['an object', { options: { 0: 'price' } }, '/options'],
    ['more than a survey has', { options: Array.from({ length: 21 }, (_, n) => `o${n}`) }, '/options'],
    ['one as option', { option: 'price' }, '/option'],
    ['both', { option: 'price', options: ['price'] }, '/option'],
  ])('refuses %s', async (_, fields, pointer) => {
    expect(await pointersOf(fields)).toEqual([400, pointer]);
    expect((await newest()).steps).toEqual([]);
  });

  it('is another one than a survey that takes one, which refuses several', async () => {
    const { answer } = await begin(await flowOf(surveyOf({ multiple: false })));
    const { status, body } = await answer({ options: ['price'] });
    expect([status, body.errors[0].pointer]).toEqual([400, '/options']);
    expect((await answer({ option: 'price' })).status).toBe(200);
  });

  it.each<[string[], string]>([
    [['other', 'bugs'], 'of_bugs'],
    [['price', 'bugs', 'other'], 'of_bugs'],
    [['other'], 'of_other'],
    [['price'], 'sure'],
  ])('leads on by the first of them in its order that says where: %j to %s', async (options, title) => {
    const survey = surveyOf({ options: [PRICE, { ...BUGS, next: 'of_bugs' }, { ...OTHER, next: 'of_other' }] });
    const { answer } = await begin(await flowOf(survey, confirm('of_bugs'), confirm('of_other')));
    expect((await answer({ options })).body.node.config.title).toBe(title);
  });

  it('leads on by one that leads elsewhere, though billing hears of an earlier one', async () => {
    const options = [
      { ...PRICE, feedback: 'too_expensive' },
      { ...BUGS, next: 'of_bugs' },
    ];
    const { answer } = await begin(await flowOf(surveyOf({ options }), confirm('of_bugs')));
    expect((await answer({ options: ['bugs', 'price'] })).body.node.config.title).toBe('of_bugs');
  });

  it.each<[string[], string]>([
    [['bugs', 'price', 'other'], 'price'],
    [['other', 'bugs'], 'other'],
    [['bugs'], 'bugs'],
  ])('tells the comment as the answer to the question that was shown: %j', async (options, asked) => {
    const survey = surveyOf({ options: [{ ...OTHER, next: 'of_other' }, BUGS, PRICE] });
    const { answer } = await begin(await flowOf(survey, confirm('of_other')));
    await answer({ options, comment: 'Because.' });
    const { answers } = await newest();
    expect(answers.filter(({ comment }: { comment: string | null }) => comment)).toMatchObject([{ option: asked }]);
  });

  it.each<[string, object, string[], boolean]>([
    ['includes', { is: 'includes', value: 'price' }, ['bugs', 'price'], true],
    ['includes another', { is: 'includes', value: 'other' }, ['bugs', 'price'], false],
    ['is only', { is: '=', value: 'price' }, ['bugs', 'price'], false],
    ['is only', { is: '=', value: 'price' }, ['price'], true],
    ['includes none of', { is: 'not_in', value: ['other', 'price'] }, ['bugs'], true],
  ])('is what a branch asks for: %s %j, of %j', async (_, condition, options, holds) => {
    const branch = {
      key: 'which',
      type: 'branch',
      config: { ways: [{ when: { all: [{ answer: 'why', ...condition }] }, next: 'yes' }] },
      next: 'sure',
    };
    const { answer } = await begin(await flowOf({ ...surveyOf(), next: 'which' }, branch, confirm('yes')));
    expect((await answer({ options })).body.node.config.title).toBe(holds ? 'yes' : 'sure');
  });

  it('has each of them counted, and each session once', async () => {
    const flow = await flowOf(surveyOf());
    for (const options of [['price', 'bugs'], ['price'], ['other', 'bugs', 'price']]) {
      await (await begin(flow)).answer({ options });
    }
    await begin(flow);
    const { reasons } = (await acme.client.get(`${PUBLIC}/flows/${flow.id}/stats`)).body;
    expect(reasons).toMatchObject([
      { option: 'price', sessions: 3 },
      { option: 'bugs', sessions: 2 },
      { option: 'other', sessions: 1 },
    ]);
    const { nodes } = (await acme.client.get(`${PUBLIC}/flows/${flow.id}/stats/nodes`)).body;
    expect(nodes[0]).toMatchObject({
      node_key: 'why',
      sessions: 4,
      in_progress: 1,
      exits: [
        { action: 'answer', value: 'price', sessions: 3 },
        { action: 'answer', value: 'bugs', sessions: 2 },
        { action: 'answer', value: 'other', sessions: 1 },
      ],
    });
    expect(nodes[1]).toMatchObject({ node_key: 'sure', sessions: 3 });
  });

  it('has comments that are found by each of them, with the label that they answer, all labels apart, and a CSV with all', async () => {
    const slow = { value: 'bugs', label: 'Slow; buggy' };
    const { answer } = await begin(await flowOf(surveyOf({ options: [PRICE, slow, OTHER] })));
    await answer({ options: ['price', 'bugs'], comment: 'Both.' });
    const found = async (reason: string) =>
      (await acme.client.get(`${PUBLIC}/comments?reason=${reason}`)).body.comments.map(
        ({ label, own_label, labels, own_labels }: Record<string, unknown>) => [label, own_label, labels, own_labels],
      );
    const labels = ['The price', 'Slow; buggy'];
    expect([await found('price'), await found('bugs'), await found('other')]).toEqual([
      [['The price', 'The price', labels, labels]],
      [['The price', 'The price', labels, labels]],
      [],
    ]);
    expect((await acme.client.get(`${PUBLIC}/comments.csv`)).body).toContain('"[""The price"",""Slow; buggy""]"');
    const csv = (await acme.client.get(`${PUBLIC}/sessions.csv`)).body as string;
    expect(csv).toContain('why: price; why: bugs');
  });

  it('is in the words of the customer, the label of the comment, too', async () => {
    const translations = {
      de: { title: 'Warum?', options: { price: 'Der Preis' }, comment_labels: { price: 'Was wäre fair?' } },
    };
    const { node } = await begin(await flowOf(surveyOf({ translations })), { locale: 'de-AT' });
    expect(node.config).toMatchObject({
      title: 'Warum?',
      options: [{ label: 'Der Preis', comment_label: 'Was wäre fair?' }, BUGS, OTHER],
    });
  });

  it('has the label of the comment among what is not translated yet', async () => {
    const translations = { de: { title: 'Warum?', options: { price: 'Der Preis', bugs: 'Fehler', other: 'Anderes' } } };
    const { id } = await flowOf(surveyOf());
    const definition = { entry: 'why', nodes: [surveyOf({ translations }), confirm('sure')] };
    const { warnings } = (await acme.client.put(`${PUBLIC}/flows/${id}`, { definition })).body;
    const pointer = '/definition/nodes/0/config/options/0/comment_label';
    expect(warnings).toContainEqual(expect.objectContaining({ pointer, locale: 'de' }));
  });

  it('refuses words for the comment of an option that has none, or is none', async () => {
    const translations = { de: { comment_labels: { bugs: 'Welche?', nothing: 'Was?' } } };
    const definition = { entry: 'why', nodes: [surveyOf({ translations }), confirm('sure')] };
    const { status, body } = await acme.client.post(`${PUBLIC}/flows`, {
      name: 'A',
      product_name: 'A',
      cancellation_url: 'https://acme.example',
      flow_mode: 'advanced',
      definition,
    });
    expect([status, body.errors.map(({ pointer }: { pointer: string }) => pointer.split('/').slice(-2))]).toEqual([
      400,
      [
        ['comment_labels', 'bugs'],
        ['comment_labels', 'nothing'],
      ],
    ]);
  });

  it('is taken in a preview and in a simple flow, too', async () => {
    const { title, comment, multiple, options } = surveyOf().config;
    const { id } = await acme.publishedFlow({ survey: { title, comment, multiple, options } });
    const { session_id } = (await acme.client.post(`${PUBLIC}/flows/${id}/preview`, {})).body;
    const step = (fields: object) => service.client.post(`${SESSION}/${session_id}/step`, fields);
    await step({ node_key: 'start', action: 'continue' });
    const answer = { node_key: 'reason', action: 'answer', options: ['bugs', 'price'] };
    const { body } = await step(answer);
    expect(body.node.type).toBe('confirm');
    expect((await step(answer)).body).toEqual(body);
  });
});
