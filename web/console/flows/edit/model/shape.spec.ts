import { graphOf, shapeFaultsOf } from './shape';

const start = (config: object) => ({ key: 'start', type: 'start', config, next: 'sure' });
const sure = { key: 'sure', type: 'confirm', config: { title: 'Sure?' } };
const graph = (...nodes: unknown[]) => ({ entry: 'start', nodes: [...nodes, sure] });
const branch = (when: unknown) =>
  graph({ key: 'who', type: 'branch', config: { ways: [{ when, next: 'sure' }] }, next: 'sure' });

describe('A definition', () => {
  it.each([
    ['whole', graph(start({ title: 'Wait', points: ['One'], image: null }))],
    ['with what is too long, which can be edited', graph(start({ title: 'x'.repeat(500) }))],
    ['with conditions in groups', branch({ all: [{ any: [{ attribute: 'plan', is: '=', value: 'pro' }] }] })],
  ])('is a graph: %s', (_, definition) => {
    expect(graphOf(definition)).toBe(definition);
    expect(shapeFaultsOf(definition)).toEqual([]);
  });

  it.each<[string, unknown, string, string]>([
    ['a text', 'x', '', 'must be an object in braces { }'],
    ['no nodes', { entry: 'start', nodes: [] }, '/nodes', 'must have a node'],
    [
      'points that are a text',
      graph(start({ title: 'Wait', points: '' })),
      '/nodes/0/config/points',
      'must be a list in brackets [ ]',
    ],
    [
      'a picture that is a text',
      graph(start({ title: 'Wait', image: 'x' })),
      '/nodes/0/config/image',
      'must be an object in braces { }',
    ],
    ['no title', graph(start({})), '/nodes/0/config/title', 'is missing'],
    ['an unknown type', graph({ key: 'a', type: 'page', config: {} }), '/nodes/0/type', 'is no type of a node'],
    [
      'a condition without a comparison',
      branch({ all: [{ attribute: 'plan' }] }),
      '/nodes/0/config/ways/0/when/all/0',
      'has none of the shapes that it may have',
    ],
    [
      'a way to nowhere',
      graph({ ...start({ title: 'Wait' }), next: 7 }),
      '/nodes/0/next',
      'must be a text in double quotes',
    ],
    [
      'translations that are a list',
      graph(start({ title: 'Wait', translations: ['de'] })),
      '/nodes/0/config/translations',
      'must be an object in braces { }',
    ],
  ])('is none with %s, and says where', (_, definition, pointer, message) => {
    expect(graphOf(definition)).toBeUndefined();
    expect(shapeFaultsOf(definition)).toEqual([{ pointer, message }]);
  });
});
