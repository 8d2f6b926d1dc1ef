import { jsonPointer } from '../../platform/api/problems/json-pointer';
import type { FlowDefinition, FlowNode, ShownNode, SilentNode } from '../dto/flow-definition.dto';
import { SILENT_NODE_TYPES } from './graph-limits';

export type * from '../dto/flow-definition.dto';
export type * from '../dto/silent-nodes.dto';

/** The node with a key, which must be in the graph. */
export function nodeOf({ nodes }: FlowDefinition, key: string): FlowNode {
  return nodes.find((node) => node.key === key)!;
}

/** The node with a key, which must be one that customers see. */
export function shownNodeOf(definition: FlowDefinition, key: string): ShownNode {
  const node = nodeOf(definition, key);
  if (isSilent(node)) throw new Error(`no customer stands at a ${node.type}`);
  return node;
}

export function isSilent(node: FlowNode): node is SilentNode {
  return (SILENT_NODE_TYPES as readonly string[]).includes(node.type);
}

/** The offers that a graph names, each with the JSON Pointer to its place in the graph. */
export function offersOf({ nodes }: FlowDefinition): { id: string; pointer: string }[] {
  return nodes.flatMap((node, index) =>
    node.type === 'offer'
      ? [{ id: node.config.offer_id, pointer: jsonPointer('nodes', index, 'config', 'offer_id') }]
      : [],
  );
}

/** The keys that a node leads to, each with its place in the node. */
export function targetsOf(node: FlowNode): { target: string; path: (string | number)[] }[] {
  if (node.type === 'confirm') return [];
  const ofWays =
    node.type === 'branch' || node.type === 'split'
      ? node.config.ways.map(({ next }, index) => ({ target: next, path: ['config', 'ways', index, 'next'] }))
      : [];
  if (node.type === 'split') return ofWays;
  const own = { target: node.next, path: ['next'] };
  if (node.type === 'branch') return [...ofWays, own];
  if (node.type !== 'survey') return [own];
  const ofOptions = node.config.options.flatMap(({ next }, index) =>
    next === undefined ? [] : [{ target: next, path: ['config', 'options', index, 'next'] }],
  );
  return [own, ...ofOptions];
}
