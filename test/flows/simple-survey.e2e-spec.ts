import { DEFAULT_SURVEY } from '../../src/flows/graph/simple-definition';
import { serviceForAll, workspaceForEach } from '../support/service';

const FLOWS = '/api/v1/public/flows';
const SESSION = '/api/v1/runtime/session';

const SURVEY = {
  title: 'What is it, {{first_name|friend}}?',
  body: 'About {{product_name}}.',
  comment: 'required',
  options: [
    { value: 'price', label: 'The price' },
    { value: 'other', label: 'Something {{else}}' },
  ],
};

describe('The survey of a simple flow', () => {
  const service = serviceForAll();
  const acme = workspaceForEach(service);

  const read = async (path: string) => (await acme.client.get(`${FLOWS}/${path}`)).body;
  const surveyIn = ({ definition }: { definition: { nodes: { key: string; config: object }[] } }) =>
    definition.nodes.find(({ key }) => key === 'reason')!.config;
  const pointersOf = (faults: { pointer: string }[]) => faults.map(({ pointer }) => pointer);

  it("is in the service's words until somebody writes others, and again when these are cleared", async () => {
    const { id } = await acme.flow();
    const seen = async () => [(await read(id)).survey, surveyIn(await read(id)), (await read(id)).current_version];
    expect(await seen()).toEqual([null, DEFAULT_SURVEY, 1]);
    await acme.client.put(`${FLOWS}/${id}`, { survey: SURVEY });
    expect(await seen()).toEqual([SURVEY, SURVEY, 2]);
    await acme.client.put(`${FLOWS}/${id}`, { survey: SURVEY, name: 'Leaving Acme' });
    expect(await seen()).toEqual([SURVEY, SURVEY, 2]);
    await acme.client.put(`${FLOWS}/${id}`, { survey: null });
    expect(await seen()).toEqual([null, DEFAULT_SURVEY, 3]);
  });

  it('is what customers are asked, in their own words', async () => {
    const { slug } = await acme.publishedFlow({ survey: SURVEY });
    const customer = { id: 'cus_1', attributes: { first_name: 'Ada' } };
    const { session_id: id } = (await service.client.post(`${SESSION}/init`, { flow_slug: slug, customer })).body;
    const asked = await service.client.post(`${SESSION}/${id}/step`, { node_key: 'start', action: 'continue' });
    expect(asked.body.node.config).toEqual({ ...SURVEY, title: 'What is it, Ada?', body: 'About Acme Pro.' });
    const answer = { node_key: 'reason', action: 'answer', option: 'price' };
    expect((await service.client.post(`${SESSION}/${id}/step`, answer)).body.errors[0].pointer).toBe('/comment');
    const taken = await service.client.post(`${SESSION}/${id}/step`, { ...answer, comment: 'It doubled.' });
    expect([taken.status, taken.body.node.key]).toEqual([200, 'confirm']);
  });

  it('is kept in each version, and comes back with one that is restored', async () => {
    const { id } = await acme.flow({ survey: SURVEY });
    await acme.client.put(`${FLOWS}/${id}`, { survey: null, offer_ids: [(await acme.offer()).id] });
    expect((await read(`${id}/versions/1`)).survey).toEqual(SURVEY);
    await acme.client.post(`${FLOWS}/${id}/versions/1/restore`, {});
    expect(await read(id)).toMatchObject({ survey: SURVEY, offer_ids: [], current_version: 3 });
  });

  it('stays when something else of the flow is changed', async () => {
    const { id } = await acme.flow({ survey: SURVEY });
    await acme.client.put(`${FLOWS}/${id}`, { offer_ids: [(await acme.offer()).id] });
    expect(surveyIn(await read(id))).toEqual(SURVEY);
    await acme.client.put(`${FLOWS}/${id}/draft`, { product_name: 'Acme Max' });
    expect((await read(`${id}/draft`)).survey).toEqual(SURVEY);
  });

  it('is in the graph of a flow that becomes advanced, and then no field of its own', async () => {
    const { id } = await acme.flow({ survey: SURVEY });
    await acme.client.put(`${FLOWS}/${id}`, { flow_mode: 'advanced' });
    expect(await read(id)).toMatchObject({ flow_mode: 'advanced', survey: null });
    expect(surveyIn(await read(id))).toEqual(SURVEY);
    await acme.client.put(`${FLOWS}/${id}`, { flow_mode: 'simple' });
    expect(surveyIn(await read(id))).toEqual(DEFAULT_SURVEY);
  });

  it('is created once for an Idempotency-Key', async () => {
    const flow = {
      name: 'Leaving',
      product_name: 'Acme',
      cancellation_url: 'https://acme.example/bye',
      survey: SURVEY,
    };
    const create = (body: object) => acme.client.post(FLOWS, body, { 'idempotency-key': 'one flow, created once' });
    const { body } = await create(flow);
    expect((await create(flow)).body).toEqual(body);
    expect((await create({ ...flow, survey: null })).status).toBe(422);
  });

  it('is refused with faults, which a draft keeps until they are mended', async () => {
    const { id } = await acme.flow();
    const survey = {
      title: ' ',
      body: 'Hi {{first_name}}',
      options: [
        { value: 'a', label: ' ' },
        { value: 'a', label: 'A' },
      ],
    };
    const pointers = ['/survey/title', '/survey/options/0/label', '/survey/body', '/survey/options/1/value'];
    const refused = await acme.client.put(`${FLOWS}/${id}`, { survey });
    expect([refused.status, pointersOf(refused.body.errors)]).toEqual([400, pointers]);
    const { status, body } = await acme.client.put(`${FLOWS}/${id}/draft`, { survey });
    expect([status, body.survey, pointersOf(body.faults)]).toEqual([200, survey, pointers]);
    const published = await acme.client.post(`${FLOWS}/${id}/draft/publish`, {});
    expect([published.status, published.body.code]).toEqual([409, 'draft_has_faults']);
    await acme.client.put(`${FLOWS}/${id}/draft`, { survey: SURVEY });
    expect((await acme.client.post(`${FLOWS}/${id}/draft/publish`, {})).body.version).toBe(2);
    expect((await read(id)).survey).toEqual(SURVEY);
  });

  it.each([
    ['without a title', { options: SURVEY.options }, '/survey/title'],
    ['with a long title', { ...SURVEY, title: 'x'.repeat(201) }, '/survey/title'],
    ['with a long body', { ...SURVEY, body: 'x'.repeat(5001) }, '/survey/body'],
    ['with another comment', { ...SURVEY, comment: 'maybe' }, '/survey/comment'],
    ['without options', { ...SURVEY, options: [] }, '/survey/options'],
    [
      'with 21 options',
      { ...SURVEY, options: Array.from({ length: 21 }, (_, n) => ({ value: `v${n}`, label: 'A' })) },
      '/survey/options',
    ],
    ['with a value that is no key', { ...SURVEY, options: [{ value: 'a b', label: 'A' }] }, '/survey/options/0/value'],
    [
      'whose option leads somewhere',
      { ...SURVEY, options: [{ value: 'a', label: 'A', next: 'confirm' }] },
      '/survey/options/0/next',
    ],
    ['that is a list', [SURVEY], '/survey'],
  ])('is refused %s, in a draft, too', async (_, survey, pointer) => {
    const { id } = await acme.flow();
    for (const path of [id, `${id}/draft`]) {
      const { status, body } = await acme.client.put(`${FLOWS}/${path}`, { survey });
      expect([status, pointersOf(body.errors)]).toEqual([400, [pointer]]);
    }
  });

  it('is refused by an advanced flow, unless it is null', async () => {
    const { id } = await acme.flow({ flow_mode: 'advanced' });
    for (const path of [id, `${id}/draft`]) {
      const { status, body } = await acme.client.put(`${FLOWS}/${path}`, { survey: SURVEY });
      expect([status, pointersOf(body.errors)]).toEqual([400, ['/survey']]);
      expect((await acme.client.put(`${FLOWS}/${path}`, { survey: null })).status).toBe(200);
    }
  });
});
