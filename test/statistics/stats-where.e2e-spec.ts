import type { Known } from '../../src/runtime/step/silent-nodes';
import { holds } from '../../src/conditions/holds';
import type { Condition, ConditionGroup } from '../../src/conditions/condition.dto';
import { serviceForAll, type Tenant, workspaceForEach } from '../support/service';
import { because, cancel, go, keep, type Step, walk } from './walk';

const PUBLIC = '/api/v1/public';

type Attributes = Record<string, string | number | boolean | null>;

describe('Statistics with conditions', () => {
  const service = serviceForAll();
  const acme = workspaceForEach(service);
  let flow: { id: string; slug: string };
  /** What is known of each session. */
  let known: (Known & { id: string })[];

  beforeEach(async () => {
    flow = await acme.publishedFlow({ offer_ids: [(await acme.offer()).id] });
    known = [];
  });

  async function come(attributes: Attributes | undefined, facts: Known['facts'] | null, ...steps: Step[]) {
    const number = known.length;
    await walk(service, { slug: flow.slug, customer: { id: `cus_${number}`, attributes } }, ...steps);
    const [{ id }] = await service.database
      .query(`UPDATE flow_sessions SET facts = $2 WHERE workspace_id = $1 AND customer_id = $3 RETURNING id`, [
        acme.id,
        facts,
        `cus_${number}`,
      ])
      .then(([rows]) => rows as { id: string }[]);
    const answers = steps.flatMap(({ action, option }) =>
      action === 'answer' ? [['reason', [option!]] as [string, string[]]] : [],
    );
    known.push({
      id,
      attributes: attributes ?? {},
      facts: facts ?? {},
      audiences: {},
      draws: {},
      answers: new Map(answers),
      results: new Map(),
    });
  }
  const read = (where: unknown, path = `/flows/${flow.id}/stats`, more = '') =>
    acme.client.get(`${PUBLIC}${path}?where=${encodeURIComponent(JSON.stringify(where))}${more}`);
  const countOf = async (where: ConditionGroup) => (await read(where)).body.sessions.total as number;

  it('count the sessions for which a branch would find that they hold', async () => {
    await come(
      { plan: 'pro', seats: 10, trial: false, coupon: null, text: '10' },
      { months: 7, discounted: false },
      go,
      because('other'),
    );
    await come(
      { plan: 'team', seats: 2.5, text: 10 },
      { months: 12, plan: 'Team' },
      go,
      because('too_expensive'),
      keep,
    );
    await come({ seats: '10', trial: true }, null, cancel);
    await come(undefined, { months: 0 }, keep);
    const values = ['pro', 'team', '10', 10, 2.5, true, false, null, ''];
    const subjects = [
      { attribute: 'plan' },
      { attribute: 'seats' },
      { attribute: 'trial' },
      { attribute: 'coupon' },
      { attribute: 'text' },
    ];
    const ofAttributes = subjects.flatMap((subject): Condition[] => [
      { ...subject, is: 'exists' },
      ...values.flatMap((value): Condition[] => [
        { ...subject, is: '=', value },
        { ...subject, is: '!=', value },
        { ...subject, is: 'in', value: [value, 'other'] },
        { ...subject, is: 'not_in', value: [value, 'other'] },
      ]),
      ...(['<', '<=', '>', '>='] as const).map((is): Condition => ({ ...subject, is, value: 10 })),
    ]);
    const ofFacts: Condition[] = [
      { fact: 'months', is: '>=', value: 7 },
      { fact: 'months', is: '<', value: 7 },
      { fact: 'months', is: '!=', value: 7 },
      { fact: 'plan', is: 'not_in', value: ['Pro'] },
      { fact: 'discounted', is: '=', value: false },
      { fact: 'discounted', is: 'exists' },
    ];
    const ofAnswers: Condition[] = (['=', '!=', 'includes'] as const).map((is) => ({
      answer: 'reason',
      is,
      value: 'other',
    }));
    const lists: Condition[] = (['in', 'not_in'] as const).map((is) => ({
      answer: 'reason',
      is,
      value: ['other', 'x'],
    }));
    const all = [...ofAttributes, ...ofFacts, ...ofAnswers, ...lists, { answer: 'reason', is: 'exists' } as const];
    const nested: ConditionGroup[] = [
      {
        all: [
          { attribute: 'plan', is: 'exists' },
          { fact: 'months', is: '>', value: 7 },
        ],
      },
      { any: [{ attribute: 'trial', is: '=', value: true }, { all: [{ fact: 'months', is: '=', value: 0 }] }] },
    ];
    for (const group of [...all.map((one) => ({ all: [one] })), ...nested]) {
      expect([group, await countOf(group)]).toEqual([group, known.filter((one) => holds(group, one)).length]);
    }
  });

  it('see each of several answers', async () => {
    const survey = {
      title: 'Why?',
      options: ['a', 'b', 'c'].map((value) => ({ value, label: value })),
      multiple: true,
    };
    const definition = {
      entry: 'why',
      nodes: [
        { key: 'why', type: 'survey', config: survey, next: 'end' },
        { key: 'end', type: 'confirm', config: { title: 'Leave?' } },
      ],
    };
    flow = await acme.publishedFlow({ flow_mode: 'advanced', definition });
    await walk(service, flow, { action: 'answer', options: ['a', 'b'] } as unknown as Step, keep);
    const answer = (is: string, value: unknown) => countOf({ all: [{ answer: 'why', is, value } as Condition] });
    expect(await answer('=', 'a')).toBe(0);
    expect(await answer('!=', 'a')).toBe(1);
    expect(await answer('includes', 'b')).toBe(1);
    expect(await answer('in', ['b', 'c'])).toBe(1);
    expect(await answer('not_in', ['c'])).toBe(1);
  });

  it('go by an audience as it is now', async () => {
    await come({ plan: 'pro' }, null, keep);
    await come({ plan: 'team' }, null, cancel);
    const when = (value: string) => ({ all: [{ attribute: 'plan', is: '=', value }] });
    const { body: audience } = await acme.client.post(`${PUBLIC}/audiences`, { name: 'Pros', when: when('pro') });
    const where: ConditionGroup = { all: [{ audience: audience.id }] };
    expect((await read(where)).body.sessions).toMatchObject({ total: 1, saved: 1 });
    await acme.client.put(`${PUBLIC}/audiences/${audience.id}`, { when: when('team') });
    expect((await read(where)).body.sessions).toMatchObject({ total: 1, canceled: 1 });
    // An audience of another workspace is none.
    const other: Tenant = await service.workspace();
    const { body: foreign } = await other.client.post(`${PUBLIC}/audiences`, { name: 'Pros', when: when('pro') });
    const errors = [
      { pointer: '/where/any/0/audience', message: 'is no audience of the workspace', parameter: 'where' },
    ];
    expect((await read({ any: [{ audience: foreign.id }] })).body.errors).toEqual(errors);
  });

  it('have all numbers of these sessions alone: customers, reasons, days, nodes, attributes and money', async () => {
    const worth = { amount: 1000, currency: 'EUR', interval: 'month' };
    const visit = (id: string, plan: string, ...steps: Step[]) =>
      walk(service, { slug: flow.slug, customer: { id, attributes: { plan }, subscription: worth } }, ...steps);
    await visit('ada', 'pro', go, because('other'), keep);
    await visit('bob', 'team', go, because('too_expensive'), cancel);
    const where = { all: [{ attribute: 'plan', is: '=', value: 'pro' }] };
    const { body } = await read(where, `/flows/${flow.id}/stats`, '&by=plan&interval=day');
    expect(body).toMatchObject({
      customers: { total: 1, saved: 1 },
      reasons: [{ option: 'other', sessions: 1, value: [{ at_risk: 1000, saved: 1000 }] }],
      value: [{ customers: 1, at_risk: 1000 }],
      by: { values: [{ value: 'pro' }] },
    });
    expect(body.periods.at(-1)).toMatchObject({ sessions: { total: 1 }, customers: { total: 1 } });
    expect((await read(where, '/stats')).body).toMatchObject({
      sessions: { total: 1 },
      flows: [{ customers: { total: 1 } }],
    });
    expect((await read(where, '/stats/daily')).body.days.at(-1)).toMatchObject({ sessions: 1, saved: 1 });
    expect((await read(where, `/flows/${flow.id}/stats/nodes`)).body.sessions).toBe(1);
  });

  it.each<[string, string, string]>([
    ['no JSON', 'plan=pro', '/where'],
    ['no group', '[]', '/where'],
    ['a field that there is not', '{"all":[{"attribute":"plan","is":"exists"}],"none":1}', '/where/none'],
    ['an unknown fact', '{"all":[{"fact":"height","is":"=","value":1}]}', '/where/all/0/fact'],
    ['a value that the fact never has', '{"all":[{"fact":"months","is":"=","value":"six"}]}', '/where/all/0/value'],
    ['a key twice', '{"all":[],"all":[]}', '/where/all'],
    ['no condition', '{"any":[]}', '/where/any'],
  ])('refuse %s, and point into it', async (_, where, pointer) => {
    const { status, body } = await acme.client.get(`${PUBLIC}/stats?where=${encodeURIComponent(where)}`);
    expect([status, body.errors[0]]).toEqual([400, { pointer, message: expect.any(String), parameter: 'where' }]);
  });

  it('say no verdict of an experiment: a part of the customers that was chosen is no test', async () => {
    const ways = ['a', 'b'].map((name) => ({ name, weight: 1, next: 'end' }));
    const definition = {
      entry: 'test',
      nodes: [
        { key: 'test', type: 'split', config: { ways } },
        { key: 'end', type: 'confirm', config: { title: 'Leave?' } },
      ],
    };
    const start = { key: 'hello', type: 'start', config: { title: 'Hello' }, next: 'test' };
    flow = await acme.publishedFlow({
      flow_mode: 'advanced',
      definition: { entry: 'hello', nodes: [start, ...definition.nodes] },
    });
    await come({ plan: 'pro' }, null, go, keep);
    await come({ plan: 'team' }, null, go, keep);
    const [split] = (await read({ all: [{ attribute: 'plan', is: '=', value: 'pro' }] })).body.splits;
    expect(split).toMatchObject({ plan: null, verdict: null, short: null });
    expect(split.arms.reduce((sum: number, arm: { customers: number }) => sum + arm.customers, 0)).toBe(1);
  });
});
