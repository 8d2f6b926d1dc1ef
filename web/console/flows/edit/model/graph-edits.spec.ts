import type { FlowDefinition, FlowNode } from '@retention-flow/client';
import { exitsOf, redirect } from './exits';
import { insert, remove, rename, targetOf } from './graph-edits';
import { copyOf, freeName, newNode } from './new-nodes';
import { possibleTargets } from './walk';

const GRAPH: FlowDefinition = {
  entry: 'start',
  nodes: [
    { key: 'start', type: 'start', config: { title: 'Before you go' }, next: 'reason' },
    {
      key: 'reason',
      type: 'survey',
      config: {
        title: 'Why?',
        options: [
          { value: 'price', label: 'Too expensive', next: 'who' },
          { value: 'other', label: 'Other' },
        ],
      },
      next: 'confirm',
    },
    {
      key: 'who',
      type: 'branch',
      config: { ways: [{ when: { any: [{ all: [{ answer: 'reason', is: '=', value: 'price' }] }] }, next: 'half' }] },
      next: 'confirm',
    },
    { key: 'half', type: 'offer', config: { offer_id: 'a' }, next: 'confirm' },
    { key: 'confirm', type: 'confirm', config: { title: 'Sure?' } },
  ],
};
const keysOf = ({ nodes }: FlowDefinition) => nodes.map(({ key }) => key);
const targetsOf = ({ nodes }: FlowDefinition, key: string) =>
  exitsOf(nodes.find((node) => node.key === key)!).map(({ target }) => target);

describe('A node on an arrow', () => {
  it('comes behind one answer alone, and the other answers stay', () => {
    const arrow = { from: 'reason', paths: [['config', 'options', 1, 'next']] };
    const added = newNode(GRAPH, 'offer', targetOf(GRAPH, arrow), 'b');
    const after = insert(GRAPH, arrow, added);
    expect(targetsOf(after, 'reason')).toEqual(['who', 'offer', 'confirm']);
    expect(targetsOf(after, 'offer')).toEqual(['confirm']);
  });

  it('is an offer of an arm that, declined, leads to the last page, not to the offer of the other arm', () => {
    const ways = ['a', 'b'].map((name) => ({ name, weight: 1, next: 'half' }));
    const split: FlowNode = { key: 'test', type: 'split', config: { ways } };
    const graph = insert(GRAPH, { from: 'who', paths: [['config', 'ways', 0, 'next']] }, split);
    const inserted = (paths: (string | number)[][]) =>
      targetsOf(insert(graph, { from: 'test', paths }, newNode(graph, 'offer', 'half', 'b')), 'offer');
    const [first, second] = [0, 1].map((index) => ['config', 'ways', index, 'next']);
    expect([inserted([first]), inserted([first, second])]).toEqual([['confirm'], ['half']]);
  });

  it('is a copy of another one under a key of its own, which leads on only there', () => {
    const copy = copyOf(GRAPH, GRAPH.nodes[1], 'half');
    expect([copy.key, exitsOf(copy).map(({ target }) => target)]).toEqual(['reason_2', [undefined, undefined, 'half']]);
  });
});

it('A copy of a split draws arms of its own', () => {
  const ways = [{ name: 'a', weight: 1, next: 'confirm' }];
  const copy = copyOf(GRAPH, { key: 'test', type: 'split', config: { salt: 'old', ways } }, 'confirm');
  expect(copy.config).toEqual({ ways });
});

describe('A node that is removed', () => {
  it('takes with it what only it led to', () =>
    expect(keysOf(remove(GRAPH, 'who'))).toEqual(['start', 'reason', 'confirm']));
  it('hands the beginning to the next', () => expect(remove(GRAPH, 'start').entry).toBe('reason'));
  it('stays if it is the only last page', () => expect(remove(GRAPH, 'confirm')).toBe(GRAPH));
});

it('A node leads to none from which customers would come back', () =>
  expect(possibleTargets(GRAPH, 'who').map(({ key }) => key)).toEqual(['half', 'confirm']));

it('An answer follows the others again', () => {
  const arrow = { from: 'reason', paths: [['config', 'options', 0, 'next']] };
  expect(targetsOf(redirect(GRAPH, arrow, undefined), 'reason')).toEqual([undefined, undefined, 'confirm']);
});

it('Another key is known to all that name the node', () => {
  const renamed = rename(GRAPH, 'reason', 'why');
  expect(targetsOf(renamed, 'start')).toEqual(['why']);
  expect(JSON.stringify(renamed.nodes[2])).toContain('"answer":"why"');
});

it('A split that has another key draws the same arms as before', () => {
  const arrow = { from: 'half', paths: [['next']] };
  const graph = insert(GRAPH, arrow, newNode(GRAPH, 'split', 'confirm', 'a'));
  const split = rename(graph, 'experiment', 'price_test').nodes.find(({ key }) => key === 'price_test');
  expect(split?.config).toMatchObject({ salt: 'experiment' });
});

it.each([
  ['Too expensive!', 'too_expensive'],
  ['Été à Paris', 'e_te_a_paris'],
  ['高い', 'other'],
  ['Price', 'price_2'],
])('What is called %s is recorded as %s', (label, name) => expect(freeName(label, ['price'])).toBe(name));
