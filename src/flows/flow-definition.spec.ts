import { composeDefinition, MAX_NODES, MAX_OFFERS } from './flow-definition';

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
    expect(new Set(nodes.map(({ key }) => key)).size).toBe(MAX_NODES);
  });
});
