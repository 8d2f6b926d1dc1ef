import type { Answer } from '../support/client';
import { serviceForAll, workspaceForEach } from '../support/service';

const PUBLIC = '/api/v1/public';
const SESSION = '/api/v1/runtime/session';

const options = [
  { value: 'too_expensive', label: 'Too expensive', next: 'inner_discount' },
  { value: 'other', label: 'Something else' },
];
const survey = { title: 'Why?', comment: 'optional', options };
const confirm = { key: 'inner_confirm', type: 'confirm', config: { title: 'Sure?' } };

/** Whether a survey is the first node or the second. */
const definition = (first: 'start' | 'survey', offer_id: string) => ({
  entry: first === 'start' ? 'start' : 'reason',
  nodes: [
    ...(first === 'start' ? [{ key: 'start', type: 'start', config: { title: 'Before you go' }, next: 'reason' }] : []),
    { key: 'reason', type: 'survey', config: survey, next: 'inner_confirm' },
    { key: 'inner_discount', type: 'offer', config: { offer_id }, next: 'inner_confirm' },
    confirm,
  ],
});

describe("A customer's page", () => {
  const service = serviceForAll();
  const acme = workspaceForEach(service);
  let offer: { id: string };

  beforeEach(async () => {
    offer = await acme.offer({ metadata: { secret_coupon: 'half' } });
  });

  const flowOf = (first: 'start' | 'survey') =>
    acme.publishedFlow({
      flow_mode: 'advanced',
      definition: definition(first, offer.id),
      metadata: { secret_product: 'pro' },
    });
  const start = (flow: { id: string; slug: string }, how: string): Promise<Answer> =>
    how === 'a preview'
      ? acme.client.send('POST', `${PUBLIC}/flows/${flow.id}/preview`)
      : service.client.post(`${SESSION}/init`, { flow_slug: flow.slug });
  const step = (id: string, body: object) => service.client.post(`${SESSION}/${id}/step`, body);
  const where = (id: string) => service.client.get(`${SESSION}/${id}`);

  const shown = { title: 'Why?', comment: 'optional', options: options.map(({ value, label }) => ({ value, label })) };
  const ways = ['a session', 'a preview'];

  it.each(ways)('is not told where the options of a survey lead: %s that begins with it', async (how) => {
    const { body } = await start(await flowOf('survey'), how);
    expect(body.flow.entry_node).toEqual({ key: 'reason', type: 'survey', config: shown });
  });

  it.each(ways)('is not told where the options of a survey lead: %s that comes to it', async (how) => {
    const { session_id: id } = (await start(await flowOf('start'), how)).body;
    const { body } = await step(id, { node_key: 'start', action: 'continue' });
    expect(body.node).toEqual({ key: 'reason', type: 'survey', config: shown });
    expect((await where(id)).body).toMatchObject(body);
    const repeated = await step(id, { node_key: 'start', action: 'continue' });
    expect(repeated.body).toEqual(body);
    const conflict = await step(id, { node_key: 'inner_confirm', action: 'confirm' });
    expect([conflict.status, conflict.body.session]).toEqual([409, body]);
  });

  it.each(ways)('is told the colour and the logo, as they are now, when it comes back: %s', async (how) => {
    const { session_id: id } = (await start(await flowOf('start'), how)).body;
    const branding = { primary_color: '#0f766e', logo_url: 'https://acme.example/new.svg' };
    await acme.client.put(`${PUBLIC}/workspace`, branding);
    expect((await where(id)).body).toMatchObject({ session_id: id, node: { key: 'start' }, branding });
    await step(id, { action: 'keep' });
    expect((await where(id)).body).toMatchObject({ status: 'saved', branding });
  });

  it.each(ways)('is told of the font, the corners and the scheme what is set, and nothing else: %s', async (how) => {
    const started = async () => (await start(await flowOf('start'), how)).body.flow.branding;
    expect(Object.keys(await started())).toEqual(['primary_color', 'logo_url']);
    await acme.client.put(`${PUBLIC}/workspace`, { brand: { font: 'Inter, serif', scheme: 'auto' } });
    expect(await started()).toMatchObject({ font: 'Inter, serif', scheme: 'auto' });
    expect(await started()).not.toHaveProperty('radius');
  });

  it.each(ways)('gets no metadata, of the flow or the offer: %s', async (how) => {
    const answers = [await start(await flowOf('survey'), how)];
    const { session_id: id } = answers[0].body;
    const answer = { node_key: 'reason', action: 'answer', option: 'too_expensive' };
    const accept = { node_key: 'inner_discount', action: 'accept' };
    for (const body of [answer, answer, accept, accept, { action: 'cancel' }]) {
      answers.push(await step(id, body), await where(id));
    }
    expect(answers.map(({ status }) => status)).toEqual([201, 200, 200, 200, 200, 200, 200, 200, 200, 409, 200]);
    expect(answers[1].body.node.config.id).toBe(offer.id);
    expect(answers.at(-1)!.body.accepted_offer.id).toBe(offer.id);
    for (const { body } of answers) expect(JSON.stringify(body)).not.toMatch(/metadata|secret/);
  });
});
