import { serviceForAll, workspaceForEach } from '../support/service';

const SESSION = '/api/v1/runtime/session';
const PUBLIC = '/api/v1/public';
const OFFER = {
  heading: '{{first_name|There}}, stay for {{value}}',
  body: 'For {{duration}}, {{first_name|friend}}.',
  cta_accept: 'Take {{value}}',
  cta_decline: 'No, {{first_name|thanks}}',
  offer_value: '30%',
  offer_duration: '3 months',
};
const ADA = { id: 'cus_4711', attributes: { first_name: 'Ada <b>', plan: 'Pro' } };

describe('Placeholders', () => {
  const service = serviceForAll();
  const acme = workspaceForEach(service);

  const definition = (offer: string) => ({
    entry: 'start',
    nodes: [
      {
        key: 'start',
        type: 'start',
        config: { title: 'Hello {{first_name|there}}', body: 'On {{plan|this}}?' },
        next: 'why',
      },
      {
        key: 'why',
        type: 'survey',
        config: { title: 'Why, {{first_name|dear customer}}?', options: [{ value: 'a', label: '{{as it is}}' }] },
        next: 'offer',
      },
      { key: 'offer', type: 'offer', config: { offer_id: offer }, next: 'confirm' },
      { key: 'confirm', type: 'confirm', config: { title: 'Bye {{first_name|you}}' } },
    ],
  });
  const step = (id: string, body: object) => service.client.post(`${SESSION}/${id}/step`, body);

  async function begin(customer?: object) {
    const offer = await acme.offer(OFFER);
    const flow = await acme.publishedFlow({ flow_mode: 'advanced', definition: definition(offer.id) });
    const start = { flow_slug: flow.slug, ...(customer && { customer }) };
    const { body } = await service.client.post(`${SESSION}/init`, start, { 'idempotency-key': `key of ${flow.id}` });
    const again = await service.client.post(`${SESSION}/init`, start, { 'idempotency-key': `key of ${flow.id}` });
    expect(again.body).toEqual(body);
    return { id: body.session_id as string, entry: body.flow.entry_node, offer, flow };
  }

  it('are what the site said about the customer, as plain text, on each page', async () => {
    const { id, entry, offer } = await begin(ADA);
    expect(entry.config).toEqual({ title: 'Hello Ada <b>', body: 'On Pro?' });
    expect((await service.client.get(`${SESSION}/${id}`)).body.node.config.title).toBe('Hello Ada <b>');
    const survey = await step(id, { node_key: 'start', action: 'continue' });
    expect(survey.body.node.config).toEqual({
      title: 'Why, Ada <b>?',
      options: [{ value: 'a', label: '{{as it is}}' }],
    });
    const shown = (await step(id, { node_key: 'why', action: 'answer', option: 'a' })).body.node.config;
    const resolved = { heading: 'Ada <b>, stay for 30%', body: 'For 3 months, Ada <b>.' };
    expect(shown).toMatchObject({ ...resolved, cta_accept: 'Take 30%', cta_decline: 'No, Ada <b>' });
    await acme.client.put(`${PUBLIC}/offers/${offer.id}`, { offer_value: '40%' });
    expect((await service.client.get(`${SESSION}/${id}`)).body.node.config).toEqual(shown);
    expect((await step(id, { node_key: 'offer', action: 'decline' })).body.node.config.title).toBe('Bye Ada <b>');
    const { steps } = (await acme.client.get(`${PUBLIC}/sessions/${id}`)).body;
    expect(steps.at(-1).offer).toMatchObject(resolved);
    expect((await acme.client.get(`${PUBLIC}/offers/${offer.id}`)).body.heading).toBe(OFFER.heading);
  });

  it.each([undefined, { id: 'cus_1', attributes: { first_name: null } }])(
    'are the words after the bar for the customer %j',
    async (customer) => {
      const { id, entry } = await begin(customer);
      expect(entry.config).toEqual({ title: 'Hello there', body: 'On this?' });
      await step(id, { node_key: 'start', action: 'continue' });
      const { node } = (await step(id, { node_key: 'why', action: 'answer', option: 'a' })).body;
      expect(node.config).toMatchObject({ heading: 'There, stay for 30%', cta_decline: 'No, thanks' });
    },
  );

  it('are the product in {{product_name}}, in which braces are plain text', async () => {
    const product_name = 'A {{plan|b}} {{first_name}} {{ c';
    const flow = await acme.publishedFlow({ product_name });
    const { body } = await service.client.post(`${SESSION}/init`, { flow_slug: flow.slug, customer: ADA });
    expect(body.flow.entry_node.config.body).toBe(`Tell us why you are leaving ${product_name}. It takes a minute.`);
    const renamed = await acme.client.put(`${PUBLIC}/flows/${flow.id}/draft`, { product_name: 'B {{' });
    expect(renamed.body.faults).toEqual([]);
    expect((await acme.client.post(`${PUBLIC}/flows/${flow.id}/draft/publish`, {})).status).toBe(200);
  });

  it('show at most 200 characters of a value', async () => {
    const { entry } = await begin({ id: 'cus_1', attributes: { first_name: '😀'.repeat(500) } });
    expect(entry.config.title).toBe(`Hello ${'😀'.repeat(200)}`);
  });

  it('are the words after the bar in a preview of nobody, and when the customer was erased', async () => {
    const { id, flow } = await begin(ADA);
    const { body } = await acme.client.post(`${PUBLIC}/flows/${flow.id}/preview`, {});
    expect(body.flow.entry_node.config.title).toBe('Hello there');
    const ofAda = { customer: { attributes: ADA.attributes } };
    const preview = (await acme.client.post(`${PUBLIC}/flows/${flow.id}/preview`, ofAda)).body;
    expect(preview.flow.entry_node.config.title).toBe('Hello Ada <b>');
    await acme.client.delete(`${PUBLIC}/customers/cus_4711`);
    expect((await service.client.get(`${SESSION}/${id}`)).body.node.config.title).toBe('Hello there');
  });

  it('are the words after the bar in the record of an offer whose customer was erased', async () => {
    const { id } = await begin(ADA);
    await step(id, { node_key: 'start', action: 'continue' });
    await step(id, { node_key: 'why', action: 'answer', option: 'a' });
    await step(id, { node_key: 'offer', action: 'accept' });
    const recorded = async () => (await acme.client.get(`${PUBLIC}/sessions/${id}`)).body;
    expect((await recorded()).accepted_offer.heading).toBe('Ada <b>, stay for 30%');
    await acme.client.delete(`${PUBLIC}/customers/cus_4711`);
    const texts = { heading: 'There, stay for 30%', body: 'For 3 months, friend.' };
    const record = await recorded();
    expect([record.accepted_offer, record.steps.at(-1).offer]).toMatchObject([texts, texts]);
    const tables = ['flow_sessions', 'session_steps'].map((table) =>
      service.database.query(`SELECT FROM ${table} AS one WHERE workspace_id = $1 AND one::text LIKE '%Ada%'`, [
        acme.id,
      ]),
    );
    expect(await Promise.all(tables)).toEqual([[], []]);
  });

  it('are 400 in the name of an offer whose heading it becomes', async () => {
    const { status, body } = await acme.client.post(`${PUBLIC}/offers`, {
      name: 'Hi {{first_name}}',
      offer_type: 'custom',
    });
    expect([status, body.errors[0].pointer]).toEqual([400, '/name']);
  });

  it.each(['heading', 'body', 'cta_accept', 'cta_decline'])(
    'are 400 in the %s of an offer if they are bad',
    async (field) => {
      const { id } = await acme.offer(OFFER);
      const { status, body } = await acme.client.put(`${PUBLIC}/offers/${id}`, {
        [field]: 'Hi {{first_name}}',
        name: 'New',
      });
      expect([status, body.errors.map(({ pointer }: { pointer: string }) => pointer)]).toEqual([400, [`/${field}`]]);
      expect((await acme.client.get(`${PUBLIC}/offers/${id}`)).body).toMatchObject({ ...OFFER, name: 'Half price' });
    },
  );

  it('are faults of a graph if they are bad', async () => {
    const graph = definition((await acme.offer()).id);
    Object.assign(graph.nodes[0].config, { title: 'Hi {{first_name}}', body: '{{value}}' });
    Object.assign(graph.nodes[3].config, { title: 'Bye {{' });
    const flow = { name: 'F', product_name: 'P', cancellation_url: 'https://acme.example', flow_mode: 'advanced' };
    const { status, body } = await acme.client.post(`${PUBLIC}/flows`, { ...flow, definition: graph });
    expect([status, body.errors.map(({ pointer }: { pointer: string }) => pointer)]).toEqual([
      400,
      ['/definition/nodes/0/config/title', '/definition/nodes/0/config/body', '/definition/nodes/3/config/title'],
    ]);
  });
});
