import type { Condition } from '../../src/conditions/condition.dto';
import type { FlowDefinition } from '../../src/flows/graph/flow-definition';
import { serviceForAll, workspaceForEach } from '../support/service';

const AUDIENCES = '/api/v1/public/audiences';
const FLOWS = '/api/v1/public/flows';
const INIT = '/api/v1/runtime/session/init';
const PROS = { all: [{ attribute: 'plan', is: '=', value: 'pro' }] };
const TEAMS = { any: [{ attribute: 'plan', is: 'in', value: ['team', 'business'] }] };

/** Customers who fit the conditions after the question come to `yes`, all others to `no`. */
function branching(...conditions: Condition[]): FlowDefinition {
  const confirm = (key: string) => ({ key, type: 'confirm' as const, config: { title: 'Cancel?' } });
  const options = [
    { value: 'price', label: 'The price' },
    { value: 'other', label: 'Something else' },
  ];
  return {
    entry: 'reason',
    nodes: [
      { key: 'reason', type: 'survey', config: { title: 'Why?', options }, next: 'who' },
      { key: 'who', type: 'branch', config: { ways: [{ when: { all: conditions }, next: 'yes' }] }, next: 'no' },
      confirm('yes'),
      confirm('no'),
    ],
  };
}

describe('An audience', () => {
  const service = serviceForAll();
  const acme = workspaceForEach(service);

  const create = async (fields: object = {}) => {
    const { status, body } = await acme.client.post(AUDIENCES, { name: 'Pros', when: PROS, ...fields });
    expect(status).toBe(201);
    return body as { id: string; name: string };
  };
  const publish = (...conditions: Condition[]) =>
    acme.publishedFlow({ flow_mode: 'advanced', definition: branching(...conditions) });
  const read = async (path: string) => (await acme.client.get(path)).body;
  const begin = async (flow_slug: string, plan: string) =>
    (await service.client.post(INIT, { flow_slug, customer: { id: plan, attributes: { plan } } })).body
      .session_id as string;
  const answer = async (sessionId: string, option = 'price') => {
    const step = { node_key: 'reason', action: 'answer', option };
    return (await service.client.post(`/api/v1/runtime/session/${sessionId}/step`, step)).body.node.key as string;
  };

  it('is created, listed, read, changed and deleted', async () => {
    const { id, name } = await create({ key: 'pros' });
    expect(name).toBe('Pros');
    const shown = { id, key: 'pros', name: 'Pros', when: PROS };
    const times = { created_at: expect.any(String), updated_at: expect.any(String) };
    expect(await read(AUDIENCES)).toEqual({ audiences: [{ ...shown, ...times }], next_cursor: null });
    const changed = await acme.client.put(`${AUDIENCES}/${id}`, { name: 'Teams', when: TEAMS });
    expect([changed.status, changed.body]).toEqual([200, { updated: true, id }]);
    expect(await read(`${AUDIENCES}/${id}`)).toEqual({ ...shown, name: 'Teams', when: TEAMS, ...times });
    const deleted = await acme.client.delete(`${AUDIENCES}/${id}`);
    expect([deleted.status, deleted.body]).toEqual([200, { deleted: true, id }]);
    expect((await acme.client.get(`${AUDIENCES}/${id}`)).status).toBe(404);
  });

  it('decides a branch by its conditions as they were when the flow was published', async () => {
    const { id } = await create();
    const flow = await publish({ audience: id });
    const early = await begin(flow.slug, 'team');
    expect(await answer(await begin(flow.slug, 'pro'))).toBe('yes');
    expect(await read(`${FLOWS}/${flow.id}`)).toMatchObject({ audiences_changed: false, current_version: 1 });
    await acme.client.put(`${AUDIENCES}/${id}`, { when: TEAMS });
    expect(await read(`${FLOWS}/${flow.id}`)).toMatchObject({ audiences_changed: true, current_version: 1 });
    expect(await answer(await begin(flow.slug, 'team'))).toBe('no');

    await acme.client.put(`${FLOWS}/${flow.id}`, { status: 'published' });
    expect(await read(`${FLOWS}/${flow.id}`)).toMatchObject({ audiences_changed: false, current_version: 2 });
    expect(await answer(await begin(flow.slug, 'team'))).toBe('yes');
    // Pinned to the version that it began with.
    expect(await answer(early)).toBe('no');
    await acme.client.put(`${FLOWS}/${flow.id}`, { status: 'published' });
    expect(await read(`${FLOWS}/${flow.id}`)).toMatchObject({ current_version: 2 });
  });

  it('is taken anew when a draft that names it is published, and in a preview of the draft', async () => {
    const { id } = await create();
    const flow = await publish({ attribute: 'plan', is: '=', value: 'nobody' });
    const definition = branching({ audience: id }, { answer: 'reason', is: '=', value: 'price' });
    expect((await acme.client.put(`${FLOWS}/${flow.id}/draft`, { definition })).body.faults).toEqual([]);
    const preview = { draft: true, customer: { attributes: { plan: 'pro' } } };
    const { session_id } = (await acme.client.post(`${FLOWS}/${flow.id}/preview`, preview)).body;
    expect(await answer(session_id)).toBe('yes');
    await acme.client.put(`${AUDIENCES}/${id}`, { when: TEAMS });
    expect((await acme.client.post(`${FLOWS}/${flow.id}/draft/publish`, {})).status).toBe(200);
    expect(await answer(await begin(flow.slug, 'team'))).toBe('yes');
    expect(await answer(await begin(flow.slug, 'pro'))).toBe('no');
    expect(await answer(await begin(flow.slug, 'team'), 'other')).toBe('no');
  });

  it('can ask for facts, which a session then has', async () => {
    const { id } = await create({ when: { all: [{ fact: 'sessions', is: '>', value: 1 }] } });
    const flow = await publish({ audience: id });
    expect(await answer(await begin(flow.slug, 'pro'))).toBe('no');
    expect(await answer(await begin(flow.slug, 'pro'))).toBe('yes');
  });

  it('can not be deleted while a flow names it, live or in a draft, which are named', async () => {
    const { id } = await create();
    const flow = await publish({ audience: id });
    const drafted = await publish({ attribute: 'plan', is: 'exists' });
    await acme.client.put(`${FLOWS}/${drafted.id}/draft`, { definition: branching({ audience: id }) });
    const { status, body } = await acme.client.delete(`${AUDIENCES}/${id}`);
    expect([status, body.code]).toEqual([409, 'in_use']);
    expect(body.flows).toEqual([
      { id: drafted.id, name: 'Leaving Acme' },
      { id: flow.id, name: 'Leaving Acme' },
    ]);
    await acme.client.delete(`${FLOWS}/${flow.id}`);
    await acme.client.delete(`${FLOWS}/${drafted.id}/draft`);
    expect((await acme.client.delete(`${AUDIENCES}/${id}`)).status).toBe(200);
  });

  it.each<[string, object, string, string]>([
    ['a fact that there is not', { all: [{ fact: 'mood', is: 'exists' }] }, '/when/all/0/fact', 'must be one of'],
    ['a value of the wrong kind', { all: [{ fact: 'months', is: '=', value: 'x' }] }, '/when/all/0/value', 'number'],
    ['no conditions', { any: [] }, '/when/any', 'list of 1 to'],
    ['neither', {}, '/when/all', 'list of 1 to'],
  ])('is refused with %s', async (_, when, pointer, message) => {
    const { status, body } = await acme.client.post(AUDIENCES, { name: 'Bad', when });
    expect(status).toBe(400);
    expect(body.errors).toEqual([{ pointer, message: expect.stringContaining(message) }]);
  });

  it('names no other audience', async () => {
    const { id } = await create();
    const nested = { all: [{ any: [{ audience: id }] }] };
    const { body } = await acme.client.put(`${AUDIENCES}/${id}`, { when: nested });
    expect(body.errors).toEqual([
      { pointer: '/when/all/0/any/0/audience', message: expect.stringContaining('must not be here') },
    ]);
  });

  it('is refused in a flow where there is no such audience, or not the question that it asks', async () => {
    const elsewhere = await service.workspace();
    const foreign = (await elsewhere.client.post(AUDIENCES, { name: 'Pros', when: PROS })).body.id as string;
    const { id } = await create({ when: { all: [{ answer: 'mood', is: 'exists' }] } });
    const place = '/definition/nodes/1/config/ways/0/when/all/0/audience';
    const refusal = async (audience: string) => {
      const fields = { name: 'A', product_name: 'B', cancellation_url: 'https://acme.example/', flow_mode: 'advanced' };
      return acme.client.post(FLOWS, { ...fields, definition: branching({ audience }) });
    };
    expect((await refusal(foreign)).body.errors).toEqual([
      { pointer: place, message: 'is no audience of the workspace' },
    ]);
    expect((await refusal(id)).body.errors).toEqual([
      { pointer: place, message: 'asks for an answer that is not the key of a survey' },
    ]);
    const flow = await acme.flow();
    const draft = { flow_mode: 'advanced', definition: branching({ audience: id }) };
    const { faults } = (await acme.client.put(`${FLOWS}/${flow.id}/draft`, draft)).body;
    expect(faults).toEqual([{ pointer: place, message: 'asks for an answer that is not the key of a survey' }]);
  });

  it('changes nothing of a flow whose other fields change, nor is in the way of that', async () => {
    const { id } = await create();
    const flow = await publish({ audience: id });
    await acme.client.put(`${AUDIENCES}/${id}`, { when: { all: [{ answer: 'mood', is: 'exists' }] } });
    const renamed = await acme.client.put(`${FLOWS}/${flow.id}`, { cancellation_url: 'https://acme.example/bye' });
    expect(renamed.status).toBe(200);
    expect(await answer(await begin(flow.slug, 'pro'))).toBe('yes');
    expect(await read(`${FLOWS}/${flow.id}`)).toMatchObject({ audiences_changed: true, current_version: 2 });
    expect((await acme.client.put(`${FLOWS}/${flow.id}`, { status: 'published' })).status).toBe(400);
  });

  it('has to be there when a flow is taken from the archive', async () => {
    const { id } = await create();
    const flow = await publish({ audience: id });
    await acme.client.delete(`${FLOWS}/${flow.id}`);
    expect((await acme.client.delete(`${AUDIENCES}/${id}`)).status).toBe(200);
    for (const status of ['draft', 'published']) {
      const { body } = await acme.client.put(`${FLOWS}/${flow.id}`, { status });
      expect(body.errors).toEqual([expect.objectContaining({ message: 'is no audience of the workspace' })]);
    }
  });

  it('is named in a draft whose graph goes in a circle, which is said of it', async () => {
    const { id } = await create();
    const flow = await acme.flow();
    const definition = branching({ audience: id });
    const nodes = definition.nodes.map((node) => (node.key === 'who' ? { ...node, next: 'reason' } : node));
    const draft = { flow_mode: 'advanced', definition: { ...definition, nodes } };
    const { faults } = (await acme.client.put(`${FLOWS}/${flow.id}/draft`, draft)).body;
    expect(faults).toContainEqual(expect.objectContaining({ message: 'leads back in a circle' }));
  });

  it('is there or gone, whole, when it is deleted and published at once', async () => {
    const { id } = await create();
    const flow = await acme.flow();
    const definition = branching({ audience: id });
    const [published, deleted] = await Promise.all([
      acme.client.put(`${FLOWS}/${flow.id}`, { flow_mode: 'advanced', definition }),
      acme.client.delete(`${AUDIENCES}/${id}`),
    ]);
    expect([
      [200, 409],
      [400, 200],
    ]).toContainEqual([published.status, deleted.status]);
  });

  it('is refused with conditions that are too long', async () => {
    const value = Array.from({ length: 50 }, (_, n) => `${n}${'x'.repeat(200)}`);
    const when = { all: [{ attribute: 'plan', is: 'in', value }] };
    const { status, body } = await acme.client.post(AUDIENCES, { name: 'Long', when });
    expect([status, body.errors]).toEqual([
      400,
      [{ pointer: '/when', message: 'must be at most 8000 characters as JSON' }],
    ]);
  });

  it('is one of at most 100', async () => {
    await service.database.query(
      `INSERT INTO audiences (workspace_id, id, name, "when", created_at, updated_at)
      SELECT $1, gen_random_uuid(), 'Pros', $2, now(), now() FROM generate_series(1, 99)`,
      [acme.id, PROS],
    );
    const both = await Promise.all([1, 2].map(() => acme.client.post(AUDIENCES, { name: 'More', when: PROS })));
    expect(both.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([201, 409]);
    expect(both.find(({ status }) => status === 409)!.body.code).toBe('audience_limit_reached');
  });

  it('has a key that no other has', async () => {
    await create({ key: 'pros' });
    const { status, body } = await acme.client.post(AUDIENCES, { key: 'pros', name: 'Others', when: PROS });
    expect([status, body.code]).toEqual([409, 'key_taken']);
  });
});
