import { conditionsOf, factsAsked, type HeldAudiences } from '../../conditions/conditions';
import type { Fact, FactKind } from '../../conditions/facts';
import type { FlowDefinition } from './flow-definition';

/** The conditions of the branches of a graph, each with its place in the graph. */
export function conditionsIn({ nodes }: FlowDefinition): ReturnType<typeof conditionsOf> {
  return nodes.flatMap((node, index) =>
    node.type === 'branch'
      ? node.config.ways.flatMap(({ when }, way) =>
          conditionsOf(when).map(({ condition, path }) => ({
            condition,
            path: ['nodes', index, 'config', 'ways', way, 'when', ...path],
          })),
        )
      : [],
  );
}

/** The facts of a kind that a version asks for, in the order of `FACTS`. */
export function factsIn(
  { definition, audiences }: { definition: FlowDefinition; audiences: HeldAudiences },
  of: FactKind['of'],
): Fact[] {
  const own = conditionsIn(definition);
  const conditions = [...own, ...(own.length > 0 ? Object.values(audiences).flatMap(conditionsOf) : [])];
  return factsAsked(conditions, of);
}
