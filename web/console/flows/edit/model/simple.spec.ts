import type { FlowDefinition } from '@retention-flow/client';
import { composeDefinition, DEFAULT_SURVEY } from '../../../../../src/flows/graph/simple-definition';
import { simpleOf } from './simple';

it.each([[null], [{ ...DEFAULT_SURVEY, title: 'Why?' }]])(
  'A graph that the service composes is simple, with survey %j',
  (survey) => expect(simpleOf(composeDefinition(['a', 'b'], survey))).toEqual({ offer_ids: ['a', 'b'], survey }),
);

it('A graph with a last page of its own is not simple', () => {
  const { entry, nodes } = composeDefinition(['a'], null);
  const changed = nodes.map((node) => (node.type === 'confirm' ? { ...node, config: { title: 'Sure?' } } : node));
  expect(simpleOf({ entry, nodes: changed })).toBeUndefined();
});

it('A graph in which an answer leads elsewhere is not simple', () => {
  const { entry, nodes } = composeDefinition(['a'], null) as FlowDefinition;
  const changed = nodes.map((node) =>
    node.type === 'survey'
      ? { ...node, config: { ...node.config, options: [{ value: 'x', label: 'X', next: 'confirm' }] } }
      : node,
  );
  expect(simpleOf({ entry, nodes: changed })).toBeUndefined();
});
