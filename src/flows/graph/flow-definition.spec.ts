import { MAX_NODES, MAX_OFFERS } from './graph-limits';
import { composeDefinition } from './simple-definition';
import { faultsOf } from './flow-faults';

describe('The graph of a simple flow', () => {
  it('leads from the start through the survey to confirm when there are no offers', () => {
    const { entry, nodes } = composeDefinition([]);
    expect(entry).toBe('start');
    expect(nodes.map((node) => [node.key, 'next' in node ? node.next : null])).toEqual([
      ['start', 'reason'],
      ['reason', 'confirm'],
      ['confirm', null],
    ]);
  });

  it('presents as many offers as a graph has room for', () => {
    const { nodes } = composeDefinition(Array.from({ length: MAX_OFFERS }, (_, n) => `offer ${n}`));
    expect(nodes).toHaveLength(MAX_NODES);
  });

  it('has no fault, however many offers it has', () => {
    for (const count of [0, 1, 2, MAX_OFFERS]) {
      expect(faultsOf(composeDefinition(Array.from({ length: count }, (_, n) => `offer ${n}`)))).toEqual([]);
    }
  });
});
