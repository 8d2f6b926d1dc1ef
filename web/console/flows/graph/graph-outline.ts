import type { FlowNodeStats } from '@retention-flow/client';
import { counted } from '../../ui/format';
import { conditionWords } from './condition-words';

type Exit = FlowNodeStats['nodes'][number]['exits'][number];
type Json = Record<string, unknown>;

/** What people call the types of nodes. */
export const TYPE_NAMES: Record<string, string> = {
  start: 'First page',
  survey: 'Survey',
  offer: 'Offer',
  confirm: 'Last page',
  custom: 'Your own page',
  branch: 'Branch',
  split: 'Split',
};

/** A node as it is drawn. */
export interface OutlineNode {
  /** Unique also where keys are not. */
  id: string;
  key: string;
  /** A type of the interface, or `missing`: something leads to this key, and no node has it. */
  type: string;
  title: string;
}

export interface OutlineEdge {
  from: string;
  to: string;
  /** What tells it from the other edges of its node; empty where there is nothing to tell. */
  label: string;
  /** Where the node has the keys that this edge leads to. */
  paths: (string | number)[][];
  /** Whether nobody knows how many sessions went along it. */
  isUncounted?: boolean;
  /** Whether sessions that left the node by this exit went along this edge. */
  takes: (exit: Exit) => boolean;
}

export interface Outline {
  nodes: OutlineNode[];
  edges: OutlineEdge[];
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;
export const objectOf = (value: unknown): Json => (isObject(value) ? value : {});
export const objectsOf = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : []);
export const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** What can be drawn of a definition, also of one that is being written and not complete. */
export function outlineOf(definition: unknown, offers: ReadonlyMap<string, { name: string }>): Outline {
  const raw = objectsOf(objectOf(definition).nodes);
  const nodes = raw.map((node, index): OutlineNode => ({
    id: `n${index}`,
    key: textOf(node.key),
    type: textOf(node.type),
    title: titleOf(node, offers),
  }));
  const ids = new Map<string, string>();
  for (const { key, id } of nodes) if (!ids.has(key)) ids.set(key, id);
  const edges: OutlineEdge[] = [];
  raw.forEach((node, index) => {
    for (const { to, ...edge } of edgesOf(node)) {
      if (to === '') continue;
      if (!ids.has(to)) {
        const id = `n${nodes.length}`;
        ids.set(to, id);
        nodes.push({ id, key: to, type: 'missing', title: 'There is no such node' });
      }
      edges.push({ ...edge, from: nodes[index].id, to: ids.get(to)! });
    }
  });
  return { nodes, edges };
}

/** What a node is called: what customers read first, or the name of its offer. */
export function titleOf(node: Json, offers: ReadonlyMap<string, { name: string }>): string {
  const config = objectOf(node.config);
  if (node.type === 'offer') return offers.get(textOf(config.offer_id))?.name ?? 'An offer';
  const ways = objectsOf(config.ways);
  if (node.type === 'split') return ways.map(({ name }) => textOf(name)).join(' / ') || 'No ways';
  if (node.type === 'branch')
    return ways.length === 1 ? `If ${conditionWords(ways[0].when)}` : counted(ways.length, 'path');
  return textOf(config.title) || textOf(node.key);
}

type Leading = Pick<OutlineEdge, 'label' | 'paths' | 'takes'> & { to: string };

const NEXT = ['next'];

function edgesOf(node: Json): Leading[] {
  const config = objectOf(node.config);
  const next = textOf(node.next);
  const ways = objectsOf(config.ways);
  switch (node.type) {
    case 'start':
      return [{ to: next, label: '', paths: [NEXT], takes: ({ action }) => action === 'continue' }];
    case 'custom':
      return [{ to: next, label: '', paths: [NEXT], takes: ({ action }) => action === 'answer' }];
    case 'survey':
      return surveyEdges(objectsOf(config.options), next, config.multiple === true);
    case 'offer':
      return [{ to: next, label: 'Declined', paths: [NEXT], takes: ({ action }) => action === 'decline' }];
    case 'branch':
      return [
        ...ways.map((way, index) => wayEdge(way, index, conditionWords(way.when), String(index))),
        { to: next, label: 'Otherwise', paths: [NEXT], takes: takesWay('next') },
      ];
    case 'split':
      return ways.map((way, index) => wayEdge(way, index, textOf(way.name), textOf(way.name)));
    default:
      return [{ to: next, label: '', paths: [NEXT], takes: () => false }];
  }
}

const takesWay =
  (name: string) =>
  ({ action, value }: Exit) =>
    action === 'way' && value === name;

function wayEdge(way: Json, index: number, label: string, value: string): Leading {
  return { to: textOf(way.next), label, paths: [['config', 'ways', index, 'next']], takes: takesWay(value) };
}

/**
 * One edge for all options that lead to the same node. With several answers, sessions that went along it are not known.
 */
function surveyEdges(options: Json[], next: string, isSeveral: boolean): Leading[] {
  const byTarget = new Map<string, Set<Json>>();
  for (const option of options) {
    const to = textOf(option.next) || next;
    byTarget.set(to, (byTarget.get(to) ?? new Set()).add(option));
  }
  if (!byTarget.has(next)) byTarget.set(next, new Set());
  return [...byTarget].map(([to, group]) => {
    const values = new Set([...group].map(({ value }) => textOf(value)));
    const labels = [...group].map(({ label, value }) => textOf(label) || textOf(value));
    const own = options.flatMap((option, index) =>
      group.has(option) && textOf(option.next) ? [['config', 'options', index, 'next']] : [],
    );
    return {
      to,
      label: byTarget.size === 1 ? '' : labels.join(', ') || 'Other answers',
      paths: to === next ? [...own, NEXT] : own,
      takes: ({ action, value }) => action === 'answer' && values.has(value ?? ''),
      isUncounted: isSeveral,
    };
  });
}
