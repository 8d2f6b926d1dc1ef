import { serviceForAll, workspaceForEach } from '../support/service';

const FLOWS = '/api/v1/public/flows';

describe('Advanced flows', () => {
  const service = serviceForAll();
  const acme = workspaceForEach(service);
  let offer: { id: string };

  beforeEach(async () => {
    offer = await acme.offer();
  });

  const graph = (offer_id: string) => ({
    entry: 'start',
    nodes: [
      { key: 'start', type: 'start', config: { title: 'Before you go', body: 'A minute.' }, next: 'reason' },
      {
        key: 'reason',
        type: 'survey',
        config: {
          title: 'Why?',
          comment: 'optional',
          options: [
            { value: 'too_expensive', label: 'Too expensive', next: 'discount' },
            { value: 'other', label: 'Something else' },
          ],
        },
        next: 'confirm',
      },
      { key: 'discount', type: 'offer', config: { offer_id }, next: 'confirm' },
      { key: 'confirm', type: 'confirm', config: { title: 'Sure?' } },
    ],
  });
  const flowOf = async (id: string) => (await acme.client.get(`${FLOWS}/${id}`)).body;

  it('are created with a graph, and show it', async () => {
    const definition = graph(offer.id);
    const flow = await acme.flow({ flow_mode: 'advanced', definition });
    expect(await flowOf(flow.id)).toMatchObject({ flow_mode: 'advanced', definition, offer_ids: [offer.id] });
  });

  it('keep the composed graph until they get their own', async () => {
    const flow = await acme.flow({ offer_ids: [offer.id] });
    const { definition } = await flowOf(flow.id);
    await acme.client.put(`${FLOWS}/${flow.id}`, { flow_mode: 'advanced' });
    expect(await flowOf(flow.id)).toMatchObject({ flow_mode: 'advanced', definition, current_version: 2 });
    await acme.client.put(`${FLOWS}/${flow.id}`, { definition: graph(offer.id) });
    expect(await flowOf(flow.id)).toMatchObject({ definition: graph(offer.id), current_version: 3 });
    await acme.client.put(`${FLOWS}/${flow.id}`, { definition: graph(offer.id.toUpperCase()) });
    expect(await flowOf(flow.id)).toMatchObject({ current_version: 3 });
  });

  it('become simple again with the offers of their graph', async () => {
    const flow = await acme.flow({ flow_mode: 'advanced', definition: graph(offer.id) });
    expect((await acme.client.put(`${FLOWS}/${flow.id}`, { flow_mode: 'simple' })).status).toBe(200);
    const { definition, offer_ids } = await flowOf(flow.id);
    expect(offer_ids).toEqual([offer.id]);
    expect(definition.nodes.map(({ key }: { key: string }) => key)).toEqual(['start', 'reason', 'offer_1', 'confirm']);
  });

  it('become simple only if their graph has at most 47 offers', async () => {
    const offers: string[] = [];
    while (offers.length < 48) offers.push((await acme.offer()).id);
    const nodes = offers.map((offer_id, n) => ({
      key: `offer_${n}`,
      type: 'offer',
      config: { offer_id },
      next: n < 47 ? `offer_${n + 1}` : 'confirm',
    }));
    const definition = {
      entry: 'start',
      nodes: [
        { key: 'start', type: 'start', config: { title: 'Before you go' }, next: 'offer_0' },
        ...nodes,
        { key: 'confirm', type: 'confirm', config: { title: 'Sure?' } },
      ],
    };
    const flow = await acme.flow({ flow_mode: 'advanced', definition });
    const before = await flowOf(flow.id);
    const { status, body } = await acme.client.put(`${FLOWS}/${flow.id}`, { flow_mode: 'simple' });
    expect([status, body.errors[0].pointer]).toEqual([400, '/flow_mode']);
    expect(await flowOf(flow.id)).toEqual(before);

    const kept = offers.slice(0, 47);
    const changes = { flow_mode: 'simple', offer_ids: kept };
    expect((await acme.client.put(`${FLOWS}/${flow.id}`, changes)).status).toBe(200);
    const { offer_ids, definition: composed } = await flowOf(flow.id);
    expect([offer_ids, composed.nodes.length]).toEqual([kept, 50]);
  });

  it('lead each answer to the node of its option', async () => {
    const flow = await acme.publishedFlow({ flow_mode: 'advanced', definition: graph(offer.id) });
    const nodeAfter = async (option: string): Promise<string> => {
      const { body } = await service.client.post('/api/v1/runtime/session/init', { flow_slug: flow.slug });
      const step = (request: object) => service.client.post(`/api/v1/runtime/session/${body.session_id}/step`, request);
      await step({ node_key: 'start', action: 'continue' });
      return (await step({ node_key: 'reason', action: 'answer', option })).body.node.key as string;
    };
    expect(await nodeAfter('too_expensive')).toBe('discount');
    expect(await nodeAfter('other')).toBe('confirm');
  });

  it('accept a definition but no offer_ids, and simple flows the reverse', async () => {
    const simple = await acme.flow();
    const advanced = await acme.flow({ flow_mode: 'advanced', definition: graph(offer.id) });
    const refusal = async (id: string, changes: object) => {
      const { status, body } = await acme.client.put(`${FLOWS}/${id}`, changes);
      return [status, body.errors?.[0].pointer];
    };
    expect(await refusal(simple.id, { definition: graph(offer.id) })).toEqual([400, '/definition']);
    expect(await refusal(advanced.id, { offer_ids: [offer.id] })).toEqual([400, '/offer_ids']);
    expect(await refusal(simple.id, { definition: graph(offer.id), flow_mode: 'advanced' })).toEqual([200, undefined]);
    expect(await refusal(advanced.id, { offer_ids: [offer.id], flow_mode: 'simple' })).toEqual([200, undefined]);
  });

  it.each<[string, (nodes: Record<string, unknown>[]) => void, string]>([
    ['a repeated key', (nodes) => (nodes[2].key = 'reason'), '/definition/nodes/2/key'],
    ['a missing key', (nodes) => delete nodes[2].key, '/definition/nodes/2/key'],
    ['a target that does not exist', (nodes) => (nodes[2].next = 'gone'), '/definition/nodes/2/next'],
    ['a cycle', (nodes) => (nodes[2].next = 'start'), '/definition/nodes/2/next'],
    ['an unreachable node', (nodes) => nodes.push({ ...nodes[3], key: 'island' }), '/definition/nodes/4'],
    [
      'a second start',
      (nodes) => (nodes[2] = { ...nodes[0], key: 'discount', next: 'confirm' }),
      '/definition/nodes/2/type',
    ],
    ['a last node that is not a confirm', (nodes) => delete nodes[2].next, '/definition/nodes/2/next'],
    ['an unknown type', (nodes) => (nodes[2].type = 'redirect'), '/definition/nodes/2/type'],
    ['no options', (nodes) => (nodes[1].config = { title: 'Why?', options: [] }), '/definition/nodes/1/config/options'],
    [
      'an option without a label',
      (nodes) => (nodes[1].config = { title: 'Why?', options: [{ value: 'a' }] }),
      '/definition/nodes/1/config/options/0/label',
    ],
    ['a blank title', (nodes) => (nodes[3].config = { title: ' ' }), '/definition/nodes/3/config/title'],
    ['a confirm that leads on', (nodes) => (nodes[3].next = 'start'), '/definition/nodes/3/next'],
    ['an unknown field in a node', (nodes) => (nodes[0].colour = 'red'), '/definition/nodes/0/colour'],
    [
      'over 50 nodes',
      (nodes) => nodes.push(...Array.from({ length: 47 }, (_, n) => ({ ...nodes[3], key: `k${n}` }))),
      '/definition/nodes',
    ],
    ['a node that is null', (nodes) => (nodes[2] = null as never), '/definition/nodes/2'],
    ['a node that is a list', (nodes) => (nodes[2] = [] as never), '/definition/nodes/2'],
    [
      'an option that is a list',
      (nodes) => (nodes[1].config = { title: 'Why?', options: [[]] }),
      '/definition/nodes/1/config/options/0',
    ],
  ])('are refused with %s and a pointer to the node', async (_, damage, pointer) => {
    const definition = graph(offer.id);
    damage(definition.nodes);
    const flow = await acme.flow();
    const { status, body } = await acme.client.put(`${FLOWS}/${flow.id}`, { flow_mode: 'advanced', definition });
    expect(status).toBe(400);
    expect(body.errors.map((error: { pointer: string }) => error.pointer)).toContain(pointer);
    expect(await flowOf(flow.id)).toMatchObject({ flow_mode: 'simple', current_version: 1 });
  });

  it.each(['foreign', 'archived'])('are refused with a %s offer and a pointer to its node', async (which) => {
    const other = which === 'foreign' ? await (await service.workspace()).offer() : offer;
    if (which === 'archived') await acme.client.delete(`/api/v1/public/offers/${offer.id}`);
    const flow = await acme.flow();
    const changes = { flow_mode: 'advanced', definition: graph(other.id) };
    const { status, body } = await acme.client.put(`${FLOWS}/${flow.id}`, changes);
    expect([status, body.errors[0].pointer]).toEqual([400, '/definition/nodes/2/config/offer_id']);
  });
});
