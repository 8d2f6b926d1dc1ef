import { layoutOf, type Box } from './graph-layout';
import { outlineOf } from './graph-outline';

const OFFERS = new Map([['o1', { name: 'Half price' }]]);
const SIZE = { width: 208, height: 98 };

const drawn = (definition: unknown) => {
  const { nodes, edges } = outlineOf(definition, OFFERS);
  return layoutOf(
    nodes.map((node) => ({ ...node, ...SIZE })),
    edges,
    ({ label }) => (label ? { width: 100, height: 22 } : undefined),
  );
};
const edges = (definition: unknown) => {
  const outline = outlineOf(definition, OFFERS);
  const keys = new Map(outline.nodes.map(({ id, key }) => [id, key]));
  return outline.edges.map(({ from, to, label }) => [keys.get(from), keys.get(to), label]);
};
const overlaps = (a: Box, b: Box) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
/** Questions of which each leads to several of the next ones. */
function tangled(size: number) {
  const keyOf = (index: number) => (index < size ? `n${index}` : 'sure');
  const questions = Array.from({ length: size }, (_, index) => ({
    key: keyOf(index),
    type: 'survey',
    config: {
      title: `Question ${index}`,
      options: [1, 5, 3].map((by) => ({ value: `v${by}`, label: `Answer ${by}`, next: keyOf(index + by) })),
    },
    next: keyOf(index + 2),
  }));
  return { entry: 'n0', nodes: [...questions, confirm] };
}

/** Points of a path of lines and curves, close together. */
function pointsOf(path: string): { x: number; y: number }[] {
  const ends = [...path.matchAll(/([MLC])([^MLC]+)/g)].map(([, , numbers]) => {
    const all = numbers.trim().split(/\s+/).map(Number);
    return Array.from({ length: all.length / 2 }, (_, index) => ({ x: all[2 * index], y: all[2 * index + 1] }));
  });
  return ends.slice(1).flatMap((controls, index) => {
    const start = ends[index].at(-1)!;
    const end = controls.at(-1)!;
    const [first, second] = controls.length === 3 ? controls : [start, end];
    const mix = (axis: 'x' | 'y', t: number) =>
      (1 - t) ** 3 * start[axis] +
      3 * t * (1 - t) ** 2 * first[axis] +
      3 * t * t * (1 - t) * second[axis] +
      t ** 3 * end[axis];
    return Array.from({ length: 33 }, (_, step) => ({ x: mix('x', step / 32), y: mix('y', step / 32) }));
  });
}

const isIn = (box: Box, { x, y }: { x: number; y: number }) =>
  x > box.x && x < box.x + box.width && y > box.y && y < box.y + box.height;
const confirm = { key: 'sure', type: 'confirm', config: { title: 'Sure?' } };

describe('The graph of a flow', () => {
  it('of 50 nodes has no node upon another, and none outside', () => {
    const nodes = Array.from({ length: 49 }, (_, index) => ({
      key: `n${index}`,
      type: 'survey',
      config: {
        title: `Question ${index}`,
        options: [1, 2, 3].map((by) => ({
          value: `v${by}`,
          label: `Answer ${by}`,
          next: index * 3 + by < 49 ? `n${index * 3 + by}` : 'sure',
        })),
      },
      next: 'sure',
    }));
    const { nodes: placed, width, height } = drawn({ entry: 'n0', nodes: [...nodes, confirm] });
    expect(placed).toHaveLength(50);
    for (const [index, one] of placed.entries()) {
      expect(one.x >= 0 && one.y >= 0 && one.x + one.width <= width && one.y + one.height <= height).toBe(true);
      for (const other of placed.slice(index + 1)) expect(overlaps(one, other)).toBe(false);
    }
  });

  it('has no arrow over a label of another, and none over a node', () => {
    const { nodes: placed, edges: arrows } = drawn(tangled(14));
    for (const { from, to, route } of arrows) {
      const line = pointsOf(route.path);
      for (const node of placed.filter(({ id }) => id !== from && id !== to))
        expect(line.some((point) => isIn(node, point))).toBe(false);
      for (const other of arrows.filter((one) => one.route !== route))
        expect(line.some((point) => other.route.label && isIn(other.route.label, point))).toBe(false);
    }
  });

  it('has what the answers lead to in their order, from left to right', () => {
    const ends = ['c', 'a', 'd', 'b'].map((key) => ({ key, type: 'offer', config: { offer_id: 'o1' }, next: 'sure' }));
    const options = ['a', 'b', 'c', 'd'].map((next) => ({ value: next, label: `Answer ${next}`, next }));
    const survey = { key: 'why', type: 'survey', config: { title: 'Why?', options }, next: 'sure' };
    const { nodes: placed } = drawn({ entry: 'why', nodes: [survey, ...ends, confirm] });
    const inRow = placed.filter(({ key }) => key.length === 1).toSorted((one, other) => one.x - other.x);
    expect(inRow.map(({ key }) => key)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('has the answers in their order also where they lead to different rows', () => {
    const long = { key: 'b', type: 'offer', config: { offer_id: 'o1' }, next: 'a' };
    const end = { key: 'a', type: 'offer', config: { offer_id: 'o1' }, next: 'sure' };
    const options = ['a', 'b', 'sure'].map((next) => ({ value: next, label: `Answer ${next}`, next }));
    const survey = { key: 'why', type: 'survey', config: { title: 'Why?', options }, next: 'sure' };
    const { edges: arrows } = drawn({ entry: 'why', nodes: [survey, long, end, confirm] });
    const answers = arrows.filter(({ label }) => label.startsWith('Answer'));
    const inOrder = answers.toSorted((one, other) => one.route.label!.x - other.route.label!.x);
    expect(inOrder.map(({ label }) => label)).toEqual(['Answer a', 'Answer b', 'Answer sure']);
  });

  it('names the ways of a branch and of a split, also where two lead to the same node', () => {
    const definition = {
      nodes: [
        {
          key: 'who',
          type: 'branch',
          config: { ways: [{ when: { all: [{ attribute: 'plan', is: '=', value: 'pro' }] }, next: 'test' }] },
          next: 'sure',
        },
        {
          key: 'test',
          type: 'split',
          config: {
            ways: [
              { name: 'a', weight: 1, next: 'sure' },
              { name: 'b', weight: 1, next: 'sure' },
            ],
          },
        },
        confirm,
      ],
    };
    expect(edges(definition)).toEqual([
      ['who', 'test', 'plan is pro'],
      ['who', 'sure', 'Otherwise'],
      ['test', 'sure', 'a'],
      ['test', 'sure', 'b'],
    ]);
    const [, , a, b] = drawn(definition).edges;
    expect(a.route.path).not.toBe(b.route.path);
    expect(overlaps(a.route.label!, b.route.label!)).toBe(false);
  });

  it('names answers only where they lead to different nodes', () => {
    const options = [
      { value: 'x', label: 'Too expensive', next: 'offer' },
      { value: 'y', label: 'Not used' },
      { value: 'z', label: 'Other' },
    ];
    const survey = (config: object) => ({ key: 'why', type: 'survey', config, next: 'sure' });
    const offer = { key: 'offer', type: 'offer', config: { offer_id: 'o1' }, next: 'sure' };
    expect(edges({ nodes: [survey({ options }), offer, confirm] })).toEqual([
      ['why', 'offer', 'Too expensive'],
      ['why', 'sure', 'Not used, Other'],
      ['offer', 'sure', 'Declined'],
    ]);
    expect(edges({ nodes: [survey({ options: options.slice(1) }), confirm] })).toEqual([['why', 'sure', '']]);
  });

  it('shows where a node leads to that does not exist', () => {
    const { nodes } = outlineOf({ nodes: [{ key: 'start', type: 'start', config: {}, next: 'gone' }] }, OFFERS);
    expect(nodes.map(({ key, type }) => [key, type])).toEqual([
      ['start', 'start'],
      ['gone', 'missing'],
    ]);
  });

  it.each<[string, unknown, number]>([
    ['nothing', undefined, 0],
    ['null', null, 0],
    ['no nodes', { nodes: 'x' }, 0],
    ['an empty list', { nodes: [] }, 0],
    ['what is no node', { nodes: [null, 1, 'x', [], {}] }, 2],
    ['the same key twice', { nodes: [confirm, confirm] }, 2],
    ['a key of objects', { nodes: [{ key: '__proto__', type: 'start', next: 'constructor' }] }, 2],
    [
      'a circle',
      {
        nodes: [
          { key: 'a', type: 'start', next: 'b' },
          { key: 'b', type: 'start', next: 'a' },
        ],
      },
      2,
    ],
    ['a node that leads to itself', { nodes: [{ key: 'a', type: 'start', next: 'a' }] }, 1],
    ['wrong shapes', { nodes: [{ key: 1, type: 'split', config: { ways: [null, 3, { name: {}, next: [] }] } }] }, 1],
    [
      'wrong conditions',
      { nodes: [{ key: 'a', type: 'branch', config: { ways: [{ when: { all: [null, { is: {} }] }, next: 'a' }] } }] },
      1,
    ],
    ['wrong options', { nodes: [{ key: 'a', type: 'survey', config: { options: { x: 1 } }, next: 'a' }] }, 1],
  ])('is drawn as far as it can be: %s', (_, definition, count) => {
    expect(drawn(definition).nodes).toHaveLength(count);
  });
});
