import { randomUUID } from 'node:crypto';
import type { Answer } from '../support/client';
import { Service, serviceForAll, Tenant, workspaceForEach } from '../support/service';

const FLOWS = '/api/v1/public/flows';
const OFFERS = '/api/v1/public/offers';

/** A graph whose pages lead to each other in this order. */
const graph = (...keys: string[]) => ({
  entry: keys[0],
  nodes: [
    ...keys.map((key, index) => ({
      key,
      type: 'start',
      config: { title: `Page ${key}` },
      next: keys[index + 1] ?? 'confirm',
    })),
    { key: 'confirm', type: 'confirm', config: { title: 'Sure?' } },
  ],
});

describe('The draft of a flow', () => {
  const service = serviceForAll();
  const acme = workspaceForEach(service);

  const draftOf = ({ id }: { id: string }) => acme.client.get(`${FLOWS}/${id}/draft`);
  const save = ({ id }: { id: string }, changes: object, headers?: Record<string, string>) =>
    acme.client.put(`${FLOWS}/${id}/draft`, changes, headers);
  const publish = ({ id }: { id: string }, body: object = {}, headers?: Record<string, string>) =>
    acme.client.post(`${FLOWS}/${id}/draft/publish`, body, headers);
  const live = async ({ id }: { id: string }) => (await acme.client.get(`${FLOWS}/${id}`)).body;
  const codeOf = ({ status, body }: Answer) => [status, body.code];

  it('does not exist until somebody changes it', async () => {
    const flow = await acme.flow();
    expect(codeOf(await draftOf(flow))).toEqual([404, 'not_found']);
    const published = await publish(flow);
    expect(codeOf(published)).toEqual([404, 'not_found']);
    expect(published.body.detail).toBe('There is no draft of a flow with this id.');
    expect(codeOf(await acme.client.delete(`${FLOWS}/${flow.id}/draft`))).toEqual([404, 'not_found']);
  });

  it('begins as what is live, and customers see nothing of it until it is published', async () => {
    const flow = await acme.publishedFlow();
    const before = await live(flow);
    const saved = await save(flow, { name: 'Leaving soon' });
    const { name: _, ...rest } = before;
    expect([saved.status, saved.body]).toEqual([
      200,
      {
        name: 'Leaving soon',
        product_name: rest.product_name,
        cancellation_url: rest.cancellation_url,
        flow_mode: 'simple',
        offer_ids: [],
        survey: null,
        locale: 'en',
        definition: rest.definition,
        cancel_in_billing: false,
        after_cancel: 'go',
        canceled_title: '',
        canceled_body: '',
        translations: {},
        based_on_version: 1,
        current_version: 1,
        updated_at: expect.any(String),
        updated_by: { type: 'api_key', id: expect.any(String), name: 'First key' },
        faults: [],
      },
    ]);
    expect((await draftOf(flow)).body).toEqual(saved.body);
    expect(await live(flow)).toEqual(before);
    const start = async () =>
      (await service.client.post('/api/v1/runtime/session/init', { flow_slug: flow.slug })).body.flow.name;
    expect(await start()).toBe('Leaving Acme');

    const published = await publish(flow, { note: 'More urgent.' });
    expect([published.status, published.body]).toEqual([200, { updated: true, id: flow.id, version: 2 }]);
    expect(await start()).toBe('Leaving soon');
    expect((await draftOf(flow)).status).toBe(404);
  });

  it('takes one change after another, and keeps the fields that are not sent', async () => {
    const flow = await acme.flow();
    await save(flow, { name: 'Leaving soon' });
    await save(flow, { product_name: 'Acme Max' });
    expect((await draftOf(flow)).body).toMatchObject({ name: 'Leaving soon', product_name: 'Acme Max' });
    await Promise.all([
      save(flow, { name: 'Leaving now' }),
      save(flow, { cancellation_url: 'https://acme.example/bye' }),
    ]);
    expect((await draftOf(flow)).body).toMatchObject({
      name: 'Leaving now',
      product_name: 'Acme Max',
      cancellation_url: 'https://acme.example/bye',
    });
  });

  it('leaves the status of the flow as it is', async () => {
    for (const status of ['draft', 'published', 'archived']) {
      const flow = await acme.flow();
      await acme.client.put(`${FLOWS}/${flow.id}`, { status });
      await save(flow, { name: 'Renamed' });
      expect((await publish(flow)).body.version).toBe(2);
      expect(await live(flow)).toMatchObject({ status, name: 'Renamed', current_version: 2 });
    }
  });

  it('makes no version if customers would see no difference', async () => {
    const flow = await acme.flow();
    await save(flow, { name: 'Leaving Acme' });
    expect((await publish(flow)).body).toEqual({ updated: true, id: flow.id, version: 1 });
    expect((await draftOf(flow)).status).toBe(404);
  });

  it('can be deleted', async () => {
    const flow = await acme.flow();
    await save(flow, { name: 'Renamed' });
    const { status, body } = await acme.client.delete(`${FLOWS}/${flow.id}/draft`);
    expect([status, body]).toEqual([200, { deleted: true, id: flow.id }]);
    expect((await draftOf(flow)).status).toBe(404);
    expect(await live(flow)).toMatchObject({ name: 'Leaving Acme', current_version: 1 });
  });

  it('is kept with the faults of its graph, which have to be mended before it is published', async () => {
    const flow = await acme.publishedFlow();
    const definition = graph('a');
    const faulty = {
      ...definition,
      nodes: [{ ...definition.nodes[0], config: { title: ' ' }, next: 'gone' }, definition.nodes[1]],
    };
    const faults = [
      { pointer: '/definition/nodes/0/config/title', message: 'must not be blank' },
      { pointer: '/definition/nodes/0/next', message: 'is not the key of a node' },
    ];
    const saved = await save(flow, { flow_mode: 'advanced', definition: faulty });
    expect([saved.status, saved.body.faults]).toEqual([200, faults]);
    expect((await draftOf(flow)).body).toMatchObject({ definition: faulty, faults });

    const refused = await publish(flow);
    expect([...codeOf(refused), refused.body.faults]).toEqual([409, 'draft_has_faults', faults]);
    expect((await live(flow)).current_version).toBe(1);
    const direct = await acme.client.put(`${FLOWS}/${flow.id}`, { flow_mode: 'advanced', definition: faulty });
    expect([direct.status, direct.body.errors]).toEqual([400, faults]);

    expect((await save(flow, { definition })).body.faults).toEqual([]);
    expect((await publish(flow)).body.version).toBe(2);
  });

  it('has a fault for an offer that is unknown, archived or of another workspace, unless it is live', async () => {
    const other = await service.workspace();
    const [kept, archived] = [await acme.offer(), await acme.offer()];
    const flow = await acme.flow({ offer_ids: [kept.id] });
    for (const { id } of [kept, archived]) await acme.client.delete(`${OFFERS}/${id}`);
    const offer_ids = [kept.id, archived.id, (await other.offer()).id, randomUUID()];
    const message = 'is not an active offer of this workspace';
    const faults = [1, 2, 3].map((index) => ({ pointer: `/offer_ids/${index}`, message }));
    expect((await save(flow, { offer_ids })).body.faults).toEqual(faults);
    expect((await publish(flow)).body.faults).toEqual(faults);
    expect((await save(flow, { offer_ids: [kept.id], name: 'Renamed' })).body.faults).toEqual([]);
    expect((await publish(flow)).status).toBe(200);
  });

  it.each([
    ['nothing', {}, ''],
    ['a field that it has not', { status: 'published' }, '/status'],
    ['a name that is blank', { name: ' ' }, '/name'],
    ['a node without a type', { definition: { entry: 'a', nodes: [{ key: 'a' }] } }, '/definition/nodes/0/type'],
    ['a graph without nodes', { definition: { entry: 'a', nodes: [] } }, '/definition/nodes'],
    [
      'a graph with 51 nodes',
      { flow_mode: 'advanced', definition: graph(...Array.from({ length: 50 }, (_, n) => `n${n}`)) },
      '/definition/nodes',
    ],
    ['a graph for a simple flow', { definition: graph('a') }, '/definition'],
    ['offers for an advanced flow', { flow_mode: 'advanced', offer_ids: [] }, '/offer_ids'],
  ])('refuses %s, and stays as it is', async (_, changes, pointer) => {
    const flow = await acme.flow();
    const answer = await save(flow, changes);
    expect([answer.status, answer.body.errors[0].pointer]).toEqual([400, pointer]);
    expect((await draftOf(flow)).status).toBe(404);
    const { body } = await save(flow, { name: 'Renamed' });
    expect((await save(flow, changes)).status).toBe(400);
    expect((await draftOf(flow)).body).toEqual(body);
  });

  it('is not published over a version that went live since, unless its author has seen that', async () => {
    const flow = await acme.publishedFlow();
    const { headers } = await save(flow, { name: 'Mine' });
    await acme.client.put(`${FLOWS}/${flow.id}`, { name: 'Theirs' });
    expect(codeOf(await publish(flow))).toEqual([409, 'version_changed']);
    expect(codeOf(await publish(flow, {}, { 'if-match': '*' }))).toEqual([409, 'version_changed']);
    const before = { 'if-match': headers.get('etag')! };
    expect(codeOf(await publish(flow, {}, before))).toEqual([412, 'changed_meanwhile']);
    expect((await live(flow)).name).toBe('Theirs');

    const seen = await draftOf(flow);
    expect(seen.body).toMatchObject({ name: 'Mine', based_on_version: 1, current_version: 2 });
    expect((await publish(flow, {}, { 'if-match': seen.headers.get('etag')! })).body.version).toBe(3);
    expect((await live(flow)).name).toBe('Mine');
  });

  it('is published once by many at the same time', async () => {
    const flow = await acme.publishedFlow();
    await save(flow, { name: 'Renamed' });
    const answers = await Promise.all(Array.from({ length: 8 }, () => publish(flow)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(7);
    expect((await live(flow)).current_version).toBe(2);
  });

  it('counts against the limit of versions only when it is published', async () => {
    const limited = await Service.start({ MAX_VERSIONS_PER_FLOW: '1' });
    try {
      const { client } = await limited.workspace();
      const flow = await new Tenant('', '', client).flow();
      const path = `${FLOWS}/${flow.id}/draft`;
      expect((await client.put(path, { name: 'Renamed' })).status).toBe(200);
      expect(codeOf(await client.post(`${path}/publish`, {}))).toEqual([409, 'version_limit_reached']);
      expect((await client.get(path)).body.name).toBe('Renamed');
    } finally {
      await limited.stop();
    }
  });
});
