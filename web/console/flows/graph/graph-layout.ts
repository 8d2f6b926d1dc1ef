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
  const inOrder = {
    customOrder: (layers: Graph, order: Order) => order(layers, { constraints: exitsInOrder(layers) }),
  };
  layout(graph, inOrder as Parameters<typeof layout>[1]);
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

type Order = (layers: Graph, options: { constraints: { left: string; right: string }[] }) => void;

/**
 * The arrows of a node leave it in the order of its exits. Each begins with a place of its own, in which Dagre leaves
 * room for its label.
 */
function exitsInOrder(layers: Graph): { left: string; right: string }[] {
  return layers.nodes().flatMap((id: string) => {
    const first = (layers.outEdges(id) ?? []).map(({ w }: { w: string }) => w);
    const exitOf = (place: string) => Number((layers.node(place) as { edgeObj?: { name?: string } }).edgeObj?.name);
    const places = first.filter((place: string) => !Number.isNaN(exitOf(place)));
    places.sort((one: string, other: string) => exitOf(one) - exitOf(other));
    return places.slice(1).map((right: string, index: number) => ({ left: places[index], right }));
  });
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
 * A line from the lower edge of a box to the upper one of another: straight down through each row between them, where
 * Dagre has left room, and to the side only between two rows. So it crosses no node and no label.
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
