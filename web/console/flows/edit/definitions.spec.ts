import { composeDefinition, type FlowDefinition } from '../../../../src/flows/flow-definition';
import { faultsOf } from '../../../../src/flows/flow-faults';
import { composed, example } from './definitions';

it.each([0, 1, 3])('The graph that is drawn for %d offers is the one that the service composes', (offers) => {
  const ids = Array.from({ length: offers }, (_, index) => `id-${index}`);
  expect(composed('Acme Pro', ids)).toEqual(composeDefinition('Acme Pro', ids));
});

it.each([0, 1, 2, 3])('The graph that a new advanced flow begins with is sound, with %d offers', (offers) => {
  const ids = Array.from({ length: offers }, (_, index) => `id-${index}`);
  const graph = example('Acme Pro', ids);
  expect(faultsOf(graph as FlowDefinition)).toEqual([]);
  expect(graph.nodes.filter(({ type }) => type === 'offer')).toHaveLength(Math.min(offers, 2));
});
