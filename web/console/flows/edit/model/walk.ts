import type { FlowDefinition, FlowNode } from '@retention-flow/client';
import { targetsOf } from './exits';

/** The keys that can be come to from a node, itself included. */
export function reachedFrom({ nodes }: FlowDefinition, key: string): Set<string> {
  const byKey = new Map(nodes.map((node) => [node.key, node]));
  const reached = new Set<string>();
  const visit = (key: string) => {
    const node = byKey.get(key);
    if (!node || reached.has(key)) return;
    reached.add(key);
    targetsOf(node).forEach(visit);
  };
  visit(key);
  return reached;
}

/**
 * The nodes in the order in which a customer can meet them, each after all that lead to it; then those that nobody
 * meets.
 */
export function inOrder({ entry, nodes }: FlowDefinition): FlowNode[] {
  const byKey = new Map(nodes.map((node) => [node.key, node]));
  const seen = new Set<string>();
  const met: FlowNode[] = [];
  const visit = (key: string) => {
    const node = byKey.get(key);
    if (!node || seen.has(key)) return;
    seen.add(key);
    targetsOf(node).toReversed().forEach(visit);
    met.unshift(node);
  };
  visit(entry);
  return [...met, ...nodes.filter(({ key }) => !seen.has(key))];
}

/** The nodes that a node may lead to without a circle. Nothing leads to a first page. */
export function possibleTargets(graph: FlowDefinition, key: string): FlowNode[] {
  return inOrder(graph).filter(
    (node) => node.key !== graph.entry && node.type !== 'start' && !reachedFrom(graph, node.key).has(key),
  );
}

/** The surveys, or the pages of the site's own, that are before a node. */
export function nodesBefore<Type extends FlowNode['type']>(graph: FlowDefinition, key: string, type: Type) {
  const isOne = (node: FlowNode): node is Extract<FlowNode, { type: Type }> => node.type === type;
  return graph.nodes.filter((node) => node.key !== key && reachedFrom(graph, node.key).has(key)).filter(isOne);
}
