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
const MARGIN = 16;

/** Places nodes from top to bottom so that none overlap, and edges between them as curves. */
export function layoutOf<Node extends Pick<OutlineNode, 'id'> & Size, Edge extends Pick<OutlineEdge, 'from' | 'to'>>(
  nodes: Node[],
  edges: Edge[],
  labelOf: (edge: Edge) => Size | undefined,
): GraphLayout<Node, Edge> {
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ rankdir: 'TB', nodesep: GAP, edgesep: 16, ranksep: GAP, marginx: MARGIN, marginy: MARGIN });
  for (const { id, width, height } of nodes) graph.setNode(id, { width, height });
  edges.forEach((edge, index) =>
    graph.setEdge(edge.from, edge.to, { labelpos: 'c', ...(labelOf(edge) ?? { width: 0, height: 0 }) }, String(index)),
  );
  layout(graph);
  const whole = graph.graph() as Partial<Size>;
  return {
    width: size(whole.width),
    height: size(whole.height),
    nodes: nodes.map((node) => ({ ...node, ...cornered(graph.node(node.id) as Box) })),
    edges: edges.map((edge, index) => {
      const placed = graph.edge(edge.from, edge.to, String(index)) as Box & { points: Point[] };
      return { ...edge, route: { path: curve(placed.points), label: labelOf(edge) && cornered(placed) } };
    }),
  };
}

/** Without nodes, there is no size: it is -Infinity. */
const size = (value = 0) => Math.max(0, Math.ceil(value));

function cornered({ x, y, width, height }: Box): Box {
  return { x: x - width / 2, y: y - height / 2, width, height };
}

/** A smooth line: through the middles between the points, drawn towards the points. */
export function curve(points: Point[]): string {
  const [first, ...others] = points;
  const last = others.pop();
  if (!last) return '';
  const at = ({ x, y }: Point) => `${Math.round(x)} ${Math.round(y)}`;
  const parts = others.map((point, index) => {
    const next = others[index + 1];
    const end = next ? { x: (point.x + next.x) / 2, y: (point.y + next.y) / 2 } : last;
    return `Q${at(point)} ${at(end)}`;
  });
  return [`M${at(first)}`, ...(parts.length > 0 ? parts : [`L${at(last)}`])].join('');
}
