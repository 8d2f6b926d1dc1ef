import type { FlowDefinition, SplitArm } from '../../src/flows/graph/flow-definition';
import { serviceForAll, workspaceForEach } from '../support/service';

const PUBLIC = '/api/v1/public';
const SESSION = '/api/v1/runtime/session';
/** A key that objects have by themselves: it must not get lost on the way. */
const SECOND = '__proto__';

const survey = (key: string, next: string): FlowDefinition['nodes'][number] => ({
  key,
  type: 'survey',
  config: { title: 'Why?', options: ['yes', 'no'].map((value) => ({ value, label: value })) },
  next,
});
const split = (key: string, ...ways: SplitArm[]) => ({ key, type: 'split' as const, config: { ways } });
const confirm = (key: string) => ({ key, type: 'confirm' as const, config: { title: 'Sure?' } });
const way = (name: string, next: string, weight = 1): SplitArm => ({ name, weight, next });

/** Two surveys. Behind the second: who answered the first with yes goes through two splits. */
const DEFINITION: FlowDefinition = {
  entry: 'first',
  nodes: [
    survey('first', 'second'),
    survey('second', 'who'),
    {
      key: 'who',
      type: 'branch',
      config: { ways: [{ when: { all: [{ answer: 'first', is: '=', value: 'yes' }] }, next: 'test' }] },
      next: 'others',
    },
    split('test', way('on', SECOND), way('never', 'others', 0)),
    split(SECOND, way('left', 'left'), way('right', 'right')),
    confirm('left'),
    confirm('right'),
    confirm('others'),
  ],
};
const answer = (node_key: string, option = 'yes') => ({ node_key, action: 'answer', option });

describe('A session that branches and splits sent on its way', () => {
  const service = serviceForAll();
  const acme = workspaceForEach(service);
  let flow: { id: string; slug: string };

  beforeEach(async () => {
    flow = await acme.publishedFlow({ flow_mode: 'advanced', definition: DEFINITION });
  });

  const begin = async (id?: string) =>
    (await service.client.post(`${SESSION}/init`, { flow_slug: flow.slug, ...(id && { customer: { id } }) })).body
      .session_id as string;
  const step = (id: string, body: object) => service.client.post(`${SESSION}/${id}/step`, body);
  const walk = async (id: string): Promise<string> => {
    await step(id, answer('first'));
    return (await step(id, answer('second'))).body.node.key;
  };
  const waysOf = async (id: string) =>
    (await acme.client.get(`${PUBLIC}/sessions/${id}`)).body.steps.map(({ ways }: { ways: object | null }) =>
      ways ? Object.entries(ways) : null,
    );

  it('is sent on by an answer that was given some steps before', async () => {
    expect(['left', 'right']).toContain(await walk(await begin()));
    const id = await begin();
    await step(id, answer('first', 'no'));
    expect((await step(id, answer('second'))).body.node.key).toBe('others');
    expect(await waysOf(id)).toEqual([null, [['who', 'next']]]);
  });

  it('records a branch and two splits, one behind the other, with the one step that led through all', async () => {
    const id = await begin('cus_1');
    const key = await walk(id);
    await step(id, { node_key: key, action: 'confirm' });
    const [first, second, last] = await waysOf(id);
    expect([first, last]).toEqual([null, null]);
    expect(new Map(second)).toEqual(
      new Map([
        ['who', '0'],
        ['test', 'on'],
        [SECOND, key],
      ]),
    );
  });

  it('records no way when the customer leaves before the branch', async () => {
    for (const action of ['keep', 'cancel']) {
      const id = await begin();
      await step(id, answer('first'));
      await step(id, { action });
      expect(await waysOf(id)).toEqual([null, null]);
    }
  });

  it('goes the way of its customer once they are erased, and is never refused', async () => {
    const ids = await Promise.all(Array.from({ length: 30 }, () => begin('cus_1')));
    for (const id of ids) await step(id, answer('first'));
    await acme.client.send('DELETE', `${PUBLIC}/customers/cus_1`);
    const keys = new Set<string>();
    for (const id of ids) {
      const { status, body } = await step(id, answer('second'));
      expect(status).toBe(200);
      keys.add(body.node.key);
      expect((await step(id, answer('second'))).body).toEqual(body);
    }
    // By the ids of the sessions, all would go one way in one of 2^29 runs.
    expect(keys.size).toBe(1);
  });

  it('tells its ways in its record only: not to the customer, and not in lists', async () => {
    const id = await begin('cus_1');
    const answers = [await step(id, answer('first')), await step(id, answer('second'))];
    answers.push(await service.client.get(`${SESSION}/${id}`), await step(id, answer('second', 'no')));
    answers.push(await acme.client.get(`${PUBLIC}/sessions`));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 409, 200]);
    for (const { body } of answers)
      expect(JSON.stringify(body)).not.toMatch(/ways|"test"|__proto__|"who"|split|branch/);
  });
});
