import type { FlowDefinition, FlowNode } from '@retention-flow/client';
import { withAt } from '../../../../../src/platform/common/with-at';
import { type Arrow, exitsOf, lastPageOf, redirect, targetsOf, withNode, withTargets } from './exits';
import { freeKey } from './new-nodes';
import { reachedFrom } from './walk';

/** The key of the node that an arrow leads to. Ways out that follow the others lead where these lead. */
export function targetOf({ nodes }: FlowDefinition, { from, paths: [path] }: Arrow): string {
  const exits = exitsOf(nodes.find(({ key }) => key === from)!);
  return exits.find((exit) => String(exit.path) === String(path))?.target ?? exits.at(-1)!.target!;
}

/**
 * A graph with a node on an arrow, which must lead on to where the arrow led. What a last page cuts off stays, and is a
 * fault until something leads to it or it is removed. An offer that is declined in one arm of a split never leads to
 * the offer of another arm: they could not be compared.
 */
export function insert(graph: FlowDefinition, arrow: Arrow, node: FlowNode): FlowDefinition {
  const place = graph.nodes.findIndex(({ key }) => key === arrow.from) + 1;
  const inserted = isOfAnotherArm(graph, arrow, node) ? withTargets(node, () => lastPageOf(graph)) : node;
  return redirect({ ...graph, nodes: graph.nodes.toSpliced(place, 0, inserted) }, arrow, node.key);
}

/** Whether an offer would lead to the offer that another arm leads to. */
function isOfAnotherArm(graph: FlowDefinition, arrow: Arrow, node: FlowNode): boolean {
  const from = graph.nodes.find(({ key }) => key === arrow.from)!;
  if (node.type !== 'offer' || from.type !== 'split') return false;
  const target = targetOf(graph, arrow);
  const moved = new Set(arrow.paths.map(String));
  return (
    graph.nodes.some(({ key, type }) => key === target && type === 'offer') &&
    exitsOf(from).some((exit) => exit.target === target && !moved.has(String(exit.path)))
  );
}

/** A graph that begins with a page before what it began with. */
export function withFirstPage(graph: FlowDefinition): FlowDefinition {
  const key = freeKey(graph, 'start');
  const config = { title: 'Before you go', body: 'Tell us why you are leaving. It takes a minute.' };
  return { entry: key, nodes: [{ key, type: 'start', config, next: graph.entry }, ...graph.nodes] };
}

/**
 * A graph without a node. What led to it leads on to where it led; what only it led to goes with it. The only last page
 * stays: without one, no graph ends.
 */
export function remove(graph: FlowDefinition, key: string): FlowDefinition {
  const heir = heirOf(graph, key);
  if (heir === undefined) return graph;
  const joined = {
    entry: graph.entry === key ? heir : graph.entry,
    nodes: graph.nodes
      .filter((node) => node.key !== key)
      .map((node) => withTargets(node, (target) => (target === key ? heir : target))),
  };
  const behind = reachedFrom(graph, key);
  const others = joined.nodes.filter((node) => !behind.has(node.key)).map((node) => node.key);
  const kept = new Set([joined.entry, ...others].flatMap((root) => [...reachedFrom(joined, root)]));
  return { ...joined, nodes: joined.nodes.filter((node) => kept.has(node.key)) };
}

/** What takes the place of a node: where it leads if nothing special is the case. Undefined for the only last page. */
export function heirOf({ nodes }: FlowDefinition, key: string): string | undefined {
  const node = nodes.find((one) => one.key === key)!;
  const usual =
    node.type === 'split'
      ? node.config.ways.toSorted((one, other) => Number(one.control ?? false) - Number(other.control ?? false))
      : [];
  const targets = [...usual.map(({ next }) => next), ...targetsOf(node).toReversed()];
  const lastPages = nodes.filter(({ type }) => type === 'confirm').map((one) => one.key);
  return [...targets, ...lastPages].find((target) => target !== key && nodes.some((one) => one.key === target));
}

/** A graph in which a node has another key. What names it follows; a split goes on to draw the same arms. */
export function rename(graph: FlowDefinition, key: string, to: string): FlowDefinition {
  const nodes = graph.nodes.map((node) => {
    const renamed = withTargets(node, (target) => (target === key ? to : target));
    const own = renamed.key === key ? withSalt({ ...renamed, key: to }, key) : renamed;
    if (own.type !== 'branch') return own;
    return { ...own, config: { ways: own.config.ways.map((way) => ({ ...way, when: renamedIn(way.when, key, to) })) } };
  });
  return { entry: graph.entry === key ? to : graph.entry, nodes };
}

function withSalt(node: FlowNode, salt: string): FlowNode {
  return node.type === 'split' ? { ...node, config: { salt, ...node.config } } : node;
}

/** Conditions, in whatever groups, in which the survey that they ask about has another key. */
function renamedIn<T>(condition: T, key: string, to: string): T {
  if (Array.isArray(condition)) return condition.map((one: unknown) => renamedIn(one, key, to)) as T;
  if (typeof condition !== 'object' || condition === null) return condition;
  return Object.fromEntries(
    Object.entries(condition).map(([name, value]: [string, unknown]) => {
      if (name === 'answer') return [name, value === key ? to : value];
      return [name, name === 'value' ? value : renamedIn(value, key, to)];
    }),
  ) as T;
}

/** A graph in which a node has another value at a path in it. */
export function write(graph: FlowDefinition, key: string, path: (string | number)[], value: unknown): FlowDefinition {
  return withNode(graph, key, (node) => withAt(node, path, value));
}
