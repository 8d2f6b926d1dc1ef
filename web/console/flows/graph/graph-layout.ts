import { Graph, layout } from '@dagrejs/dagre';
import type { OutlineEdge, OutlineNode } from './graph-outline';

export interface Size {
  width: number;
  height: number;
}

/** A place, by its left upper corner. */
export interface Box extends Size {
  x: number;
  y: number;
}

export type Placed<T> = T & Box;

export interface Route {
  /** The path of SVG. */
  path: string;
  /** The place of its label; undefined without one. */
  label: Box | undefined;
}

export interface GraphLayout<Node, Edge> extends Size {
  nodes: Placed<Node>[];
  edges: (Edge & { route: Route })[];
}

interface Point {
  x: number;
  y: number;
}

const GAP = 32;
/** Between a row of nodes or labels and the next, where arrows turn. Dagre halves it, to make room for labels. */
const ROW_GAP = 48;
const MARGIN = 16;

/** Places nodes from top to bottom so that none overlap, and edges between them as curves. */
export function layoutOf<Node extends Pick<OutlineNode, 'id'> & Size, Edge extends Pick<OutlineEdge, 'from' | 'to'>>(
  nodes: Node[],
  edges: Edge[],
  labelOf: (edge: Edge) => Size | undefined,
): GraphLayout<Node, Edge> {
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ rankdir: 'TB', nodesep: GAP, edgesep: 16, ranksep: ROW_GAP, marginx: MARGIN, marginy: MARGIN });
  for (const { id, width, height } of nodes) graph.setNode(id, { width, height });
  edges.forEach((edge, index) =>
    graph.setEdge(edge.from, edge.to, { labelpos: 'c', ...(labelOf(edge) ?? { width: 0, height: 0 }) }, String(index)),
  );
  layout(graph);
  const constraints = inOrder(edges, (a, b) => (graph.node(a) as Box).y === (graph.node(b) as Box).y);
  // In which row a node stands is known only once they are placed.
  if (constraints.length > 0) layout(graph, { constraints });
  const rows = rowsOf(graph);
  const whole = graph.graph() as Partial<Size>;
  return {
    width: size(whole.width),
    height: size(whole.height),
    nodes: nodes.map((node) => ({ ...node, ...cornered(graph.node(node.id) as Box) })),
    edges: edges.map((edge, index) => {
      const placed = graph.edge(edge.from, edge.to, String(index)) as Box & { points: Point[] };
      const [from, to] = [edge.from, edge.to].map((id) => graph.node(id) as Box);
      return {
        ...edge,
        route: { path: route(from, to, placed.points, rows), label: labelOf(edge) && cornered(placed) },
      };
    }),
  };
}

/** Without nodes, there is no size: it is -Infinity. */
const size = (value = 0) => Math.max(0, Math.ceil(value));

function cornered({ x, y, width, height }: Box): Box {
  return { x: x - width / 2, y: y - height / 2, width, height };
}

/** Side by side, the nodes that a node leads to come in the order of its exits, unless another node has them the other way around. */
function inOrder(
  edges: Pick<OutlineEdge, 'from' | 'to'>[],
  areSideBySide: (one: string, other: string) => boolean,
): { left: string; right: string }[] {
  const targets = new Map<string, Set<string>>();
  for (const { from, to } of edges) targets.set(from, (targets.get(from) ?? new Set()).add(to));
  const rightOf = new Map<string, string[]>();
  const isLeftOf = (one: string, other: string): boolean => {
    const reached = new Set([one]);
    for (const id of reached) for (const next of rightOf.get(id) ?? []) reached.add(next);
    return reached.has(other);
  };
  for (const ids of targets.values()) {
    const row = [...ids];
    for (const [index, left] of row.entries()) {
      const right = row.slice(index + 1).find((one) => areSideBySide(left, one));
      if (right !== undefined && !isLeftOf(right, left)) rightOf.set(left, [...(rightOf.get(left) ?? []), right]);
    }
  }
  return [...rightOf].flatMap(([left, ids]) => ids.map((right) => ({ left, right })));
}

/** The height of each row, by its middle. */
function rowsOf(graph: Graph): Map<number, number> {
  const rows = new Map<number, number>();
  const all = [
    ...graph.nodes().map((id: string) => graph.node(id) as Box),
    ...graph.edges().map((edge: Parameters<typeof graph.edge>[0]) => graph.edge(edge) as Box),
  ];
  for (const { y, height } of all) rows.set(y, Math.max(rows.get(y) ?? 0, height));
  return rows;
}

/**
 * A line from the lower edge of a box to the upper one of another: straight down through each row between them, where Dagre has left
 * room, and to the side only between two rows. So it crosses no node and no label.
 */
function route(from: Box, to: Box, points: Point[], rows: Map<number, number>): string {
  const isDown = to.y > from.y;
  const side = isDown ? 1 : -1;
  const through = points.slice(1, -1).filter(({ y }) => rows.has(y));
  const edgeOf = (box: Box, by: number, { x }: Point): Point => {
    const reach = Math.max(0, box.width / 2 - 16);
    return { x: Math.min(box.x + reach, Math.max(box.x - reach, x)), y: box.y + (by * box.height) / 2 };
  };
  const start = edgeOf(from, side, through[0] ?? to);
  const end = edgeOf(to, -side, through.at(-1) ?? from);
  const at = ({ x, y }: Point) => `${Math.round(x)} ${Math.round(y)}`;
  const parts = [`M${at(start)}`];
  let before = start;
  const turnTo = (next: Point) => {
    const middle = (before.y + next.y) / 2;
    parts.push(
      before.x === next.x
        ? `L${at(next)}`
        : `C${at({ x: before.x, y: middle })} ${at({ x: next.x, y: middle })} ${at(next)}`,
    );
    before = next;
  };
  for (const { x, y } of through) {
    const half = (side * rows.get(y)!) / 2;
    turnTo({ x, y: y - half });
    before = { x, y: y + half };
    parts.push(`L${at(before)}`);
  }
  turnTo(end);
  return parts.join('');
}
