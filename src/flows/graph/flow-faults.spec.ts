import fc from 'fast-check';
import { anyDefinitions, definitions } from '../../../test/support/definitions';
import type { Condition, ConditionGroup } from '../../conditions/condition.dto';
import type { FlowDefinition, FlowNode, SurveyNode } from './flow-definition';
import { faultsOf } from './flow-faults';

const start: FlowNode = { key: 'start', type: 'start', config: { title: 'Hello' }, next: 'reason' };
const reason: SurveyNode = {
  key: 'reason',
  type: 'survey',
  config: {
    title: 'Why?',
    options: [
      { value: 'price', label: 'Price', next: 'discount' },
      { value: 'other', label: 'Other' },
    ],
  },
  next: 'confirm',
};
const discount: FlowNode = { key: 'discount', type: 'offer', config: { offer_id: 'x' }, next: 'confirm' };
const confirm: FlowNode = { key: 'confirm', type: 'confirm', config: { title: 'Sure?' } };

const condition = (fields: object) => ({ answer: 'reason', is: '=', value: 'price', ...fields }) as Condition;
const branch = (...whens: ConditionGroup[]): FlowNode => ({
  key: 'branch',
  type: 'branch',
  config: { ways: whens.map((when) => ({ when, next: 'discount' })) },
  next: 'confirm',
});
const split = (...arms: [name: string, weight: number, next: string][]): FlowNode => ({
  key: 'split',
  type: 'split',
  config: { ways: arms.map(([name, weight, next]) => ({ name, weight, next })) },
});

/** The split with some of its arms as controls, by index. */
const withControls = (node: FlowNode, ...indexes: number[]): FlowNode => {
  if (node.type !== 'split') throw new Error('only a split has arms');
  return { ...node, config: { ways: node.config.ways.map((arm, n) => ({ ...arm, control: indexes.includes(n) })) } };
};

const faults = (nodes: FlowNode[], entry = 'start') => faultsOf({ entry, nodes });
const pointers = (nodes: FlowNode[], entry?: string) => faults(nodes, entry).map(({ pointer }) => pointer);

describe('faultsOf', () => {
  it('finds none in a graph that leads every customer to its end', () => {
    expect(faults([start, reason, discount, confirm])).toEqual([]);
    expect(faults([confirm], 'confirm')).toEqual([]);
    fc.assert(fc.property(definitions, (definition) => faultsOf(definition).length === 0));
  });

  it.each<[string, FlowNode[], string | undefined, string[]]>([
    ['an entry that does not exist', [confirm], 'nowhere', ['/entry']],
    ['an offer as the entry', [discount, confirm], 'discount', ['/entry']],
    ['a key twice', [start, reason, discount, confirm, confirm], undefined, ['/nodes/4/key']],
    [
      'a start that is not the entry',
      [start, { ...start, key: 'again' }],
      'start',
      ['/nodes/0/next', '/nodes/1/type', '/nodes/1/next'],
    ],
    [
      'a target that does not exist',
      [start, { ...reason, next: 'gone' }, discount, confirm],
      undefined,
      ['/nodes/1/next'],
    ],
    ["an option's target that does not exist", [start, reason, confirm], undefined, ['/nodes/1/config/options/0/next']],
    ['a circle', [start, { ...reason, next: 'start' }, discount, confirm], undefined, ['/nodes/1/next']],
    ['a node that leads to itself', [{ ...start, next: 'start' }, confirm], undefined, ['/nodes/0/next', '/nodes/1']],
    [
      'a node that cannot be reached',
      [{ ...start, next: 'confirm' }, reason, discount, confirm],
      undefined,
      ['/nodes/1', '/nodes/2'],
    ],
  ])('points to %s', (_, nodes, entry, expected) => {
    expect(pointers(nodes, entry)).toEqual(expected);
  });

  it('points to a value that a survey has twice', () => {
    const twice = { ...reason, config: { title: 'Why?', options: [1, 2].map(() => ({ value: 'a', label: 'A' })) } };
    expect(pointers([start, twice, confirm])).toEqual(['/nodes/1/config/options/1/value']);
  });

  describe('about branches and splits', () => {
    const asked = {
      ...reason,
      config: { title: 'Why?', options: reason.config.options.map(({ value, label }) => ({ value, label })) },
    };
    const after = (node: FlowNode) => [start, { ...asked, next: node.key }, node, discount, confirm] as FlowNode[];
    const branchPointers = (...whens: ConditionGroup[]) => pointers(after(branch(...whens)));

    it('finds none in a branch after its survey and a split of two arms', () => {
      const nested = {
        any: [condition({ is: 'in', value: ['price', 'other'] }), condition({ is: 'exists', value: undefined })],
      };
      const all = { all: [nested, { attribute: 'plan', is: '=' as const, value: null }] };
      expect(faults(after(branch(all, { any: [condition({ is: '!=' })] })))).toEqual([]);
      expect(faults(after(split(['a', 0, 'discount'], ['b', 1, 'confirm'])))).toEqual([]);
      expect(faults(after(withControls(split(['a', 1, 'discount'], ['b', 1, 'confirm']), 1)))).toEqual([]);
    });

    it.each<[string, FlowNode, string]>([
      ['a branch', branch({ all: [{ attribute: 'plan', is: 'exists' }] }), 'branch'],
      ['a split', split(['a', 1, 'discount'], ['b', 1, 'confirm']), 'split'],
    ])('points to the entry if it is %s', (_, node, entry) => {
      expect(pointers([node, discount, confirm], entry)).toEqual(['/entry']);
    });

    it.each<[string, FlowNode[], string[]]>([
      [
        'a target of a branch that does not exist',
        [start, { ...branch({ all: [{ attribute: 'plan', is: 'exists' }] }), key: 'reason' }, confirm],
        ['/nodes/1/config/ways/0/next'],
      ],
      [
        'a target of a split that does not exist',
        after(split(['a', 1, 'discount'], ['b', 1, 'gone'])),
        ['/nodes/2/config/ways/1/next'],
      ],
      [
        'a circle through a split',
        after(split(['a', 1, 'discount'], ['b', 1, 'reason'])),
        ['/nodes/2/config/ways/1/next'],
      ],
      [
        'a name that a split has twice',
        after(split(['a', 1, 'discount'], ['a', 1, 'confirm'])),
        ['/nodes/2/config/ways/1/name'],
      ],
      [
        'a split with weights of 0 alone',
        after(split(['a', 0, 'discount'], ['b', 0, 'confirm'])),
        ['/nodes/2/config/ways'],
      ],
      [
        'a control that leads to an offer',
        after(withControls(split(['a', 1, 'discount'], ['b', 1, 'confirm']), 0)),
        ['/nodes/2/config/ways/0/next'],
      ],
      [
        'a second control',
        after(withControls(split(['a', 1, 'confirm'], ['b', 1, 'confirm'], ['c', 1, 'discount']), 0, 1)),
        ['/nodes/2/config/ways/1/control'],
      ],
    ])('points to %s', (_, nodes, expected) => {
      expect(pointers(nodes)).toEqual(expected);
    });

    it('points to an answer to a node that is no survey, or to none', () => {
      expect(
        branchPointers(
          { all: [condition({ answer: 'start' })] },
          { any: [condition({}), { all: [condition({ answer: 'gone' })] }] },
        ),
      ).toEqual(['/nodes/2/config/ways/0/when/all/0/answer', '/nodes/2/config/ways/1/when/any/1/all/0/answer']);
    });

    it('points to a value that is no option of the survey', () => {
      expect(
        branchPointers({
          any: [
            condition({ value: 'none' }),
            condition({ is: 'not_in', value: ['price', 'none'] }),
            condition({ value: null }),
          ],
        }),
      ).toEqual([
        '/nodes/2/config/ways/0/when/any/0/value',
        '/nodes/2/config/ways/0/when/any/1/value/1',
        '/nodes/2/config/ways/0/when/any/2/value',
      ]);
    });

    it('points to an answer that nobody can have given before the branch', () => {
      const early = { ...start, next: 'branch' };
      const node = branch({ all: [condition({})] });
      expect(pointers([early, { ...node, next: 'reason' } as FlowNode, reason, discount, confirm])).toEqual([
        '/nodes/1/config/ways/0/when/all/0/answer',
      ]);
    });

    it('takes an answer that only some customers can have given before the branch', () => {
      const choice = {
        ...asked,
        key: 'choice',
        config: { title: 'What?', options: [{ value: 'a', label: 'A', next: 'reason' }] },
        next: 'branch',
      };
      const nodes = [
        { ...start, next: 'choice' },
        choice,
        { ...asked, next: 'branch' },
        branch({ all: [condition({})] }),
        discount,
        confirm,
      ];
      expect(faults(nodes as FlowNode[])).toEqual([]);
    });

    it('counts the conditions in groups: 10 in a path are taken, 11 are not', () => {
      const tens = (count: number) => ({
        all: [condition({}), { any: Array.from({ length: count - 1 }, () => condition({})) }],
      });
      expect(branchPointers(tens(10), tens(10))).toEqual([]);
      expect(branchPointers(tens(10), tens(11))).toEqual(['/nodes/2/config/ways/1/when']);
    });
  });

  it('lets nothing through that goes round in circles or ends anywhere but at a confirm', () => {
    const longestPath = ({ nodes }: FlowDefinition, key: string, steps = 0): number => {
      if (steps > nodes.length) return Infinity;
      const node = nodes.find((one) => one.key === key)!;
      if (node.type === 'confirm') return steps;
      const targets = [...JSON.stringify(node).matchAll(/"next":"(.*?)"/g)].map(([, target]) => target);
      return Math.max(...targets.map((target) => longestPath({ entry: '', nodes }, target, steps + 1)));
    };
    fc.assert(
      fc.property(anyDefinitions, (definition) => {
        fc.pre(faultsOf(definition).length === 0);
        expect(longestPath(definition, definition.entry)).toBeLessThan(definition.nodes.length);
      }),
    );
  });
});
