import fc from 'fast-check';
import { anyDefinitions, definitions } from '../../test/support/definitions';
import { composeDefinition, type FlowDefinition, type FlowNode, MAX_NODES, MAX_OFFERS } from './flow-definition';
import { faultsOf } from './flow-faults';

const start: FlowNode = { key: 'start', type: 'start', config: { title: 'Hello' }, next: 'reason' };
const reason: FlowNode = {
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

const faults = (nodes: FlowNode[], entry = 'start') => faultsOf({ entry, nodes });
const pointers = (nodes: FlowNode[], entry?: string) => faults(nodes, entry).map(({ pointer }) => pointer);

describe('The graph of a simple flow', () => {
  it('leads from the start through the survey to confirm when there are no offers', () => {
    const { entry, nodes } = composeDefinition('Acme Pro', []);
    expect(entry).toBe('start');
    expect(nodes.map((node) => [node.key, 'next' in node ? node.next : null])).toEqual([
      ['start', 'reason'],
      ['reason', 'confirm'],
      ['confirm', null],
    ]);
  });

  it('presents as many offers as a graph has room for', () => {
    const { nodes } = composeDefinition(
      'Acme Pro',
      Array.from({ length: MAX_OFFERS }, (_, n) => `offer ${n}`),
    );
    expect(nodes).toHaveLength(MAX_NODES);
  });

  it('has no fault, however many offers it has', () => {
    for (const count of [0, 1, 2, MAX_OFFERS]) {
      expect(
        faultsOf(
          composeDefinition(
            'Acme Pro',
            Array.from({ length: count }, (_, n) => `offer ${n}`),
          ),
        ),
      ).toEqual([]);
    }
  });
});

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

  it('lets nothing through that goes round in circles or ends anywhere but at a confirm', () => {
    const longestWay = ({ nodes }: FlowDefinition, key: string, steps = 0): number => {
      if (steps > nodes.length) return Infinity;
      const node = nodes.find((one) => one.key === key)!;
      if (node.type === 'confirm') return steps;
      const targets = [...JSON.stringify(node).matchAll(/"next":"(.*?)"/g)].map(([, target]) => target);
      return Math.max(...targets.map((target) => longestWay({ entry: '', nodes }, target, steps + 1)));
    };
    fc.assert(
      fc.property(anyDefinitions, (definition) => {
        fc.pre(faultsOf(definition).length === 0);
        expect(longestWay(definition, definition.entry)).toBeLessThan(definition.nodes.length);
      }),
    );
  });
});
