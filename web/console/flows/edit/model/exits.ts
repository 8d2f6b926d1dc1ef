import type { FlowDefinition, FlowNode } from '@retention-flow/client';
import { withAt } from '../../../../../src/platform/common/with-at';
import { conditionWords } from '../../graph/condition-words';

/** Where a node has the key of the next one, such as `['config', 'options', 0, 'next']`. */
export type Path = (string | number)[];

/** One way out of a node. */
export interface Exit {
  path: Path;
  /** The key of the next node. Undefined for an answer that leads where the other answers lead. */
  target: string | undefined;
  label: string;
}

/** The ways out of a node that an edge of the graph stands for; what is inserted there comes behind them. */
export interface Arrow {
  from: string;
  paths: Path[];
}

export function exitsOf(node: FlowNode): Exit[] {
  if (node.type === 'confirm') return [];
  if (node.type === 'split') return node.config.ways.map(({ name, next }, index) => wayOut(index, next, name));
  const own = (label: string): Exit => ({ path: ['next'], target: node.next, label });
  switch (node.type) {
    case 'survey':
      return [
        ...node.config.options.map(({ label, next }, index) => ({
          path: ['config', 'options', index, 'next'],
          target: next,
          label,
        })),
        own('All other answers'),
      ];
    case 'branch':
      return [
        ...node.config.ways.map(({ when, next }, index) => wayOut(index, next, `If ${conditionWords(when)}`)),
        own('Otherwise'),
      ];
    case 'offer':
      return [own('If it is declined')];
    default:
      return [own('Then')];
  }
}

const wayOut = (index: number, target: string, label: string): Exit => ({
  path: ['config', 'ways', index, 'next'],
  target,
  label,
});

/** The key of the last page that stands last. */
export function lastPageOf({ nodes }: FlowDefinition): string {
  return nodes.findLast(({ type }) => type === 'confirm')!.key;
}

/** The keys that a node leads to. */
export function targetsOf(node: FlowNode): string[] {
  return exitsOf(node).flatMap(({ target }) => target ?? []);
}

/** A graph in which some ways out of a node lead to another one; undefined lets answers follow the others. */
export function redirect(graph: FlowDefinition, { from, paths }: Arrow, target: string | undefined): FlowDefinition {
  return withNode(graph, from, (node) => paths.reduce((changed, path) => withAt(changed, path, target), node));
}

export function withNode(graph: FlowDefinition, key: string, change: (node: FlowNode) => FlowNode): FlowDefinition {
  return { ...graph, nodes: graph.nodes.map((node) => (node.key === key ? change(node) : node)) };
}

/** A node that leads to one node alone, by all its exits, or to each by another rule. */
export function withTargets(node: FlowNode, targetOf: (target: string | undefined) => string | undefined): FlowNode {
  return exitsOf(node).reduce((changed, { path, target }) => withAt(changed, path, targetOf(target)), node);
}
