import { serviceForAll, type Tenant } from '../support/service';

const FLOWS = '/api/v1/public/flows';

const condition = { attribute: 'plan', is: 'in', value: ['pro', 'team'] };
const answered = { answer: 'reason', is: '=', value: 'too_expensive' };
const split = {
  key: 'test',
  type: 'split',
  config: {
    ways: [
      { name: 'discount', weight: 70, next: 'discount' },
      { name: 'nothing', weight: 30, next: 'confirm' },
      { name: 'later', weight: 0, next: 'confirm', control: true },
    ],
    salt: 'test_2027',
  },
};

/** Every kind of condition. */
const ways = [
  {
    when: { all: [condition, answered, { any: [{ attribute: 'seats', is: '>=', value: 10 }, condition] }] },
    next: 'test',
  },
  { when: { any: [{ attribute: 'trial', is: '=', value: true }, { all: [answered] }] }, next: 'discount' },
  {
    when: {
      all: [
        { attribute: 'plan', is: '!=', value: null },
        { attribute: 'ö ', is: 'exists' },
      ],
    },
    next: 'discount',
  },
  {
    when: {
      any: [
        { answer: 'reason', is: 'exists' },
        { answer: 'reason', is: 'not_in', value: ['other'] },
      ],
    },
    next: 'test',
  },
];
const branch = { key: 'plan', type: 'branch', config: { ways }, next: 'confirm' };

describe('Branches and splits', () => {
  const service = serviceForAll();
  let acme: Tenant;
  let offer_id: string;

  beforeAll(async () => {
    acme = await service.workspace();
    offer_id = (await acme.offer()).id;
  });

  const definitionWith = (nodes: object[], entry = 'start') => ({
    entry,
    nodes: [
      { key: 'start', type: 'start', config: { title: 'Before you go' }, next: 'reason' },
      {
        key: 'reason',
        type: 'survey',
        config: {
          title: 'Why?',
          options: [
            { value: 'too_expensive', label: 'Too expensive' },
            { value: 'other', label: 'Something else' },
          ],
        },
        next: (nodes[0] as { key: string }).key,
      },
      ...nodes,
      { key: 'discount', type: 'offer', config: { offer_id }, next: 'confirm' },
      { key: 'confirm', type: 'confirm', config: { title: 'Sure?' } },
    ],
  });
  const refusalOf = async (definition: unknown): Promise<string[]> => {
    const flow = await acme.flow();
    const { status, body } = await acme.client.put(`${FLOWS}/${flow.id}`, { flow_mode: 'advanced', definition });
    expect([status, body.code]).toEqual([400, 'invalid_request']);
    const { body: kept } = await acme.client.get(`${FLOWS}/${flow.id}`);
    expect(kept).toMatchObject({ flow_mode: 'simple', current_version: 1 });
    return body.errors.map(({ pointer }: { pointer: string }) => pointer);
  };

  it('are kept in a graph as they were sent', async () => {
    const definition = definitionWith([branch, split]);
    const flow = await acme.flow({ flow_mode: 'advanced', definition });
    const { body } = await acme.client.get(`${FLOWS}/${flow.id}`);
    expect([body.definition, body.offer_ids]).toEqual([definition, [offer_id]]);
    const { body: version } = await acme.client.get(`${FLOWS}/${flow.id}/versions/1`);
    expect(version.definition).toEqual(definition);
  });

  it('make a new version when a weight changes, and none when nothing does', async () => {
    const flow = await acme.flow({ flow_mode: 'advanced', definition: definitionWith([split]) });
    const versionAfter = async (definition: object) => {
      await acme.client.put(`${FLOWS}/${flow.id}`, { definition });
      return (await acme.client.get(`${FLOWS}/${flow.id}`)).body.current_version as number;
    };
    expect(await versionAfter(definitionWith([split]))).toBe(1);
    const [first, ...others] = split.config.ways;
    const changed = { ...split, config: { ways: [{ ...first, weight: 71 }, ...others] } };
    expect(await versionAfter(definitionWith([changed]))).toBe(2);
  });

  it.each(['branch', 'split'])('are refused as the entry: %s', async (type) => {
    const [one, key] = type === 'branch' ? [branch, 'plan'] : [split, 'test'];
    expect(await refusalOf(definitionWith([one, split].slice(type === 'branch' ? 0 : 1), key))).toContain(
      '/definition/entry',
    );
  });

  const WAYS = '/definition/nodes/2/config/ways';

  it.each<[string, unknown, string]>([
    ['no ways', [], WAYS],
    ['21 ways', Array.from({ length: 21 }, () => ways[1]), WAYS],
    ['an object in place of the ways', { 0: ways[1] }, WAYS],
    ['a way that is null', [null], `${WAYS}/0`],
    ['a way that is a list', [[]], `${WAYS}/0`],
    ['a way without conditions', [{ next: 'discount' }], `${WAYS}/0/when`],
    ['a way without a target', [{ when: { all: [condition] } }], `${WAYS}/0/next`],
    ['a target that does not exist', [{ when: { all: [condition] }, next: 'gone' }], `${WAYS}/0/next`],
    ['a circle', [{ when: { all: [condition] }, next: 'reason' }], `${WAYS}/0/next`],
    ['an unknown field in a way', [{ ...ways[1], weight: 1 }], `${WAYS}/0/weight`],
  ])('are refused with %s in a branch', async (_, sent, pointer) => {
    expect(await refusalOf(definitionWith([{ ...branch, config: { ways: sent } }, split]))).toContain(pointer);
  });

  it.each<[string, unknown, string]>([
    ['that is null', null, ''],
    ['that is a list', [condition], ''],
    ['without conditions', {}, '/all'],
    ['with an empty list', { all: [] }, '/all'],
    ['with both all and any', { all: [condition], any: [condition] }, '/all'],
    ['with an object in place of a list', { any: { 0: condition } }, '/any'],
    ['with 11 conditions', { all: Array.from({ length: 11 }, () => condition) }, '/all'],
    ['with 11 conditions in groups', { all: [{ any: Array.from({ length: 10 }, () => condition) }, condition] }, ''],
    ['with an unknown field', { all: [condition], not: true }, '/not'],
    ['with a condition that is null', { all: [null] }, '/all/0'],
    ['with a condition that is text', { all: ['plan'] }, '/all/0'],
    ['with a condition that is a list', { all: [[]] }, '/all/0'],
    ['with an empty group', { any: [condition, { all: [] }] }, '/any/1/all'],
    ['with groups in a group in a group', { all: [{ any: [{ all: [condition] }] }] }, '/all/0/any/0/all'],
  ])('are refused with a group %s', async (_, when, pointer) => {
    const definition = definitionWith([{ ...branch, config: { ways: [{ when, next: 'test' }] } }, split]);
    expect(await refusalOf(definition)).toContain(`${WAYS}/0/when${pointer}`);
  });

  it.each<[string, object, string]>([
    ['nothing to compare', { is: '=', value: 1 }, 'attribute'],
    ['an attribute and an answer', { ...answered, attribute: 'plan' }, 'attribute'],
    ['a blank attribute', { ...condition, attribute: ' ' }, 'attribute'],
    ['an attribute of 201 characters', { ...condition, attribute: 'x'.repeat(201) }, 'attribute'],
    ['an attribute that is a list', { ...condition, attribute: ['plan'] }, 'attribute'],
    ['no comparison', { attribute: 'plan', value: 'pro' }, 'is'],
    ['an unknown comparison', { ...condition, is: '==' }, 'is'],
    ['an inherited name as the comparison', { ...condition, is: 'toString' }, 'is'],
    ['no value for =', { attribute: 'plan', is: '=' }, 'value'],
    ['a list for =', { ...condition, is: '=' }, 'value'],
    ['an object for !=', { ...condition, is: '!=', value: {} }, 'value'],
    ['a value of 1,001 characters', { attribute: 'plan', is: '=', value: 'x'.repeat(1001) }, 'value'],
    ['no value for in', { attribute: 'plan', is: 'in' }, 'value'],
    ['one value for in', { ...condition, value: 'pro' }, 'value'],
    ['an empty list for not_in', { ...condition, is: 'not_in', value: [] }, 'value'],
    ['51 values for in', { ...condition, value: Array.from({ length: 51 }, (_, n) => n) }, 'value'],
    ['a list in the list', { ...condition, value: [['pro']] }, 'value'],
    ['a text for <', { attribute: 'seats', is: '<', value: '10' }, 'value'],
    ['no value for >=', { attribute: 'seats', is: '>=' }, 'value'],
    ['a value for exists', { attribute: 'plan', is: 'exists', value: true }, 'value'],
    ['null for exists', { attribute: 'plan', is: 'exists', value: null }, 'value'],
    ['an unknown field', { ...condition, or: 1 }, 'or'],
    ['an answer to no survey', { ...answered, answer: 'start' }, 'answer'],
    ['an answer to no node', { ...answered, answer: 'gone' }, 'answer'],
    ['an answer to a survey behind it', { ...answered, answer: 'late' }, 'answer'],
    ['no option of the survey', { ...answered, value: 'none' }, 'value'],
    ['no option of the survey in a list', { ...answered, is: 'in', value: ['other', 'none'] }, 'value/1'],
    ['an option that is null', { ...answered, value: null }, 'value'],
    ['an order of answers', { ...answered, is: '<', value: 1 }, 'is'],
  ])('are refused with a condition with %s', async (_, one, field) => {
    const late = {
      key: 'late',
      type: 'survey',
      config: { title: 'Late', options: [{ value: 'too_expensive', label: 'Late' }] },
      next: 'confirm',
    };
    const way = { when: { any: [answered, { all: [one] }] }, next: 'test' };
    const definition = definitionWith([{ ...branch, config: { ways: [way] }, next: 'late' }, split, late]);
    expect(await refusalOf(definition)).toContain(`${WAYS}/0/when/any/1/all/0/${field}`);
  });

  it('are refused for the order of answers alone when that is all that is wrong', async () => {
    const when = { all: [{ ...answered, is: '<' }] };
    const definition = definitionWith([{ ...branch, config: { ways: [{ when, next: 'test' }] } }, split]);
    expect(await refusalOf(definition)).toEqual([`${WAYS}/0/when/all/0/is`]);
  });

  const [first, second] = split.config.ways;

  it.each<[string, unknown, string]>([
    ['one way', [first], ''],
    ['21 ways', Array.from({ length: 21 }, (_, n) => ({ ...first, name: `way_${n}` })), ''],
    [
      'weights of 0 alone',
      [
        { ...first, weight: 0 },
        { ...second, weight: 0 },
      ],
      '',
    ],
    ['a weight below 0', [first, { ...second, weight: -1 }], '/1/weight'],
    ['a weight above 1000', [first, { ...second, weight: 1001 }], '/1/weight'],
    ['half a weight', [first, { ...second, weight: 0.5 }], '/1/weight'],
    ['a weight in text', [first, { ...second, weight: '1' }], '/1/weight'],
    ['a way without a name', [first, { weight: 1, next: 'confirm' }], '/1/name'],
    ['a name of 65 characters', [first, { ...second, name: 'x'.repeat(65) }], '/1/name'],
    ['a name twice', [first, { ...second, name: first.name }], '/1/name'],
    ['a way that is null', [first, null], '/1'],
    ['a way that is a list', [first, []], '/1'],
    ['a target that does not exist', [first, { ...second, next: 'gone' }], '/1/next'],
    ['a circle', [first, { ...second, next: 'reason' }], '/1/next'],
    ['conditions', [first, { ...second, when: { all: [condition] } }], '/1/when'],
  ])('are refused with %s in a split', async (_, sent, pointer) => {
    expect(await refusalOf(definitionWith([{ ...split, config: { ways: sent } }]))).toContain(`${WAYS}${pointer}`);
  });

  it('are refused with a `next` beside the ways of a split, and without the one of a branch', async () => {
    expect(await refusalOf(definitionWith([{ ...split, next: 'confirm' }]))).toEqual(['/definition/nodes/2/next']);
    const { next: _, ...endless } = branch;
    expect(await refusalOf(definitionWith([endless, split]))).toEqual(['/definition/nodes/2/next']);
  });

  it('are refused with a way that leads nowhere, though its weight is 0', async () => {
    const [, , third] = split.config.ways;
    const damaged = { ...split, config: { ways: [first, second, { ...third, next: 'gone' }] } };
    expect(await refusalOf(definitionWith([damaged]))).toEqual([`${WAYS}/2/next`]);
  });
});
