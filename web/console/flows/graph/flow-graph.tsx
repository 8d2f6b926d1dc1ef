import type { FlowNodeStats } from '@retention-flow/client';
import { Fragment } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { compact, count, counted } from '../../ui/format';
import { type Box, layoutOf, type Placed, type Size } from './graph-layout';
import { endingsAt, type NodeNumbers, sessionsBy } from './graph-numbers';
import { type OutlineEdge, type OutlineNode, outlineOf, TYPE_NAMES } from './graph-outline';

interface FlowGraphProps {
  /** A `FlowDefinition`, or as much of one as there is. */
  definition: unknown;
  offers: ReadonlyMap<string, { name: string }>;
  numbers?: FlowNodeStats | undefined;
  /** The key of the node that is selected. */
  selected?: string | undefined;
  onSelect?: (key: string) => void;
  /** The keys of nodes that something is wrong with. */
  faults?: ReadonlySet<string>;
  /** If given, each edge has a button to insert a node there. */
  onInsert?: (edge: { from: string; paths: OutlineEdge['paths'] }) => void;
}

const WIDTH = 208;
const ZOOMS = [0.4, 0.55, 0.75, 1, 1.25, 1.5];
/**
 * Text smaller than this can hardly be read: the graph scrolls instead, until one asks to fit it. Nobody sees all of
 * one on a phone.
 */
const leastAtFirst = () => (innerWidth < 640 ? 0.85 : 0.55);
/** A graph that is hardly higher than its frame is seen to its end. */
const LEAST_BY_HEIGHT = 0.85;

/** The graph of a flow, from top to bottom, with numbers if there are any. It scrolls and zooms. */
export function FlowGraph({ definition, offers, numbers, selected, onSelect, faults, onInsert }: FlowGraphProps) {
  const byKey = useMemo(() => new Map(numbers?.nodes.map((node) => [node.node_key, node])), [numbers]);
  const drawn = useMemo(
    () => draw(definition, offers, numbers && byKey, onInsert !== undefined),
    [definition, offers, numbers, byKey],
  );
  const frame = useRef<HTMLDivElement>(null);
  const [zoom, setZoom] = useState(1);

  /** Whether the zoom is one that somebody chose: then it stays. */
  const isChosen = useRef(false);

  const choose = (zoom: number) => {
    isChosen.current = true;
    setZoom(zoom);
  };
  const fit = () => choose(Math.min(1, Math.max(ZOOMS[0], frame.current!.clientWidth / drawn.width)));
  useEffect(() => {
    const room = frame.current!;
    const fitAtFirst = () => {
      const byWidth = Math.max(leastAtFirst(), room.clientWidth / drawn.width);
      const byHeight = Math.max(LEAST_BY_HEIGHT, parseFloat(getComputedStyle(room).maxHeight) / drawn.height);
      setZoom(Math.min(1, byWidth, byHeight));
    };
    let width = 0;
    let painting: number | undefined;
    const observer = new ResizeObserver(() => {
      reveal(room);
      if (isChosen.current || room.clientWidth === width) return;
      width = room.clientWidth;
      // The zoom changes the height, which the observer must not see before it has returned.
      painting = requestAnimationFrame(fitAtFirst);
    });
    if (!isChosen.current) fitAtFirst();
    observer.observe(room);
    return () => {
      observer.disconnect();
      if (painting !== undefined) cancelAnimationFrame(painting);
    };
  }, [drawn.width, drawn.height]);
  useEffect(() => reveal(frame.current!), [zoom, drawn.width]);

  const step = (by: 1 | -1) => {
    const next = by > 0 ? ZOOMS.find((one) => one > zoom + 0.01) : ZOOMS.findLast((one) => one < zoom - 0.01);
    if (next !== undefined) choose(next);
  };
  const press = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === '+') step(1);
    else if (event.key === '-') step(-1);
    else if (event.key === '0') fit();
  };
  const most = Math.max(1, numbers?.sessions ?? 1);

  return (
    <div class="graph" onKeyDown={press}>
      <div class="graph-zoom">
        <button type="button" class="quiet small" aria-label="Zoom out" onClick={() => step(-1)}>
          −
        </button>
        <button type="button" class="quiet small" aria-label="Zoom in" onClick={() => step(1)}>
          +
        </button>
        <button type="button" class="quiet small" onClick={fit}>
          Fit
        </button>
      </div>
      <div class="graph-frame" ref={frame} role="group" aria-label="Graph of the flow" tabIndex={0}>
        <div class="graph-room" style={{ width: `${drawn.width * zoom}px`, height: `${drawn.height * zoom}px` }}>
          <div class="graph-sheet" style={{ width: `${drawn.width}px`, transform: `scale(${zoom})` }}>
            <svg width={drawn.width} height={drawn.height} aria-hidden="true">
              <defs>
                <marker
                  id="tip"
                  viewBox="0 0 8 8"
                  refX="7"
                  refY="4"
                  markerWidth="8"
                  markerHeight="8"
                  orient="auto"
                  markerUnits="userSpaceOnUse"
                >
                  <path d="M0 0 8 4 0 8z" />
                </marker>
              </defs>
              {drawn.edges.map(({ route, sessions }, index) => (
                <path
                  key={index}
                  d={route.path}
                  class={sessions === 0 ? 'graph-edge unused' : 'graph-edge'}
                  stroke-width={1.5 + 4 * ((sessions ?? 0) / most)}
                  marker-end="url(#tip)"
                />
              ))}
            </svg>
            {drawn.nodes.map((node) => (
              <Fragment key={node.id}>
                <NodeBox
                  node={node}
                  isSelected={node.key === selected}
                  isFaulty={node.type === 'missing' || !!faults?.has(node.key)}
                  onSelect={onSelect && (() => onSelect(node.key))}
                />
                {drawn.edges.map(
                  (edge, index) =>
                    edge.from === node.id && (
                      <EdgeLabel key={index} edge={edge} label={edge.route.label} onInsert={onInsert} />
                    ),
                )}
              </Fragment>
            ))}
          </div>
        </div>
      </div>
    </div>
  );
}

/** What an arrow says, behind the node that it leads from in the order of Tab. */
function EdgeLabel({
  edge: { key, short, number, title, after, paths },
  label,
  onInsert,
}: {
  edge: ReturnType<typeof withNumbers>;
  label: Box | undefined;
  onInsert: FlowGraphProps['onInsert'];
}) {
  if (!label) return null;
  return (
    <span class="graph-label" title={title} style={placeOf(label)}>
      <span aria-hidden="true">
        {short}
        {short && number && ' · '}
        {number}
      </span>
      {onInsert && (
        <button
          type="button"
          class="graph-plus"
          aria-label={`Insert after ${after}`}
          onClick={() => onInsert({ from: key, paths })}
        >
          +
        </button>
      )}
    </span>
  );
}

/** Moves the node that is selected, or else the first, to the middle. */
function reveal(frame: HTMLElement): void {
  const node = frame.querySelector('[aria-pressed=true]') ?? frame.querySelector('.graph-node');
  if (node) frame.scrollLeft += middleOf(node) - middleOf(frame);
}

function middleOf(element: Element): number {
  const { left, width } = element.getBoundingClientRect();
  return left + width / 2;
}

type DrawnNode = OutlineNode & Size & { numbers: NodeNumbers | undefined; hasNumbers: boolean };

function draw(
  definition: unknown,
  offers: ReadonlyMap<string, { name: string }>,
  numbers: Map<string, NodeNumbers> | undefined,
  hasButtons: boolean,
) {
  const outline = outlineOf(definition, offers);
  const nodes = outline.nodes.map((node): DrawnNode => {
    const own = numbers?.get(node.key);
    const ends = endingsAt(node.type, own).length;
    const height = 74 + (numbers ? 24 : 0) + (ends > 0 ? 30 : 0);
    return { ...node, numbers: own, hasNumbers: !!numbers, width: WIDTH, height };
  });
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const edges = outline.edges.map((edge) => withNumbers(edge, numbers, byId.get(edge.from)!));
  const placed = layoutOf(nodes, edges, ({ short, number }) => labelSize(short + number, hasButtons ? PLUS : 0));
  // Tab goes through the nodes as one reads them.
  placed.nodes.sort((a, b) => a.y - b.y || a.x - b.x);
  return placed;
}

function withNumbers(
  edge: OutlineEdge,
  numbers: Map<string, NodeNumbers> | undefined,
  { key, title: from }: DrawnNode,
) {
  const sessions = numbers && !edge.isUncounted ? sessionsBy(numbers.get(key), edge.takes) : undefined;
  const short = edge.label.length > 22 ? `${edge.label.slice(0, 21)}…` : edge.label;
  const number = sessions === undefined ? '' : compact(sessions);
  const title = [edge.label, sessions === undefined ? '' : counted(sessions, 'session')].filter(Boolean).join(': ');
  return { ...edge, key, sessions, short, number, title, after: [from, edge.label].filter(Boolean).join(', ') };
}

/** The room for a button on an edge. */
const PLUS = 26;

function labelSize(text: string, button: number): Size | undefined {
  if (text === '') return button === 0 ? undefined : { width: button, height: PLUS };
  return { width: Math.min(200, 32 + text.length * 6.6) + button, height: Math.max(22, button) };
}

const placeOf = ({ x, y, width, height }: Placed<object>) => ({
  left: `${x}px`,
  top: `${y}px`,
  width: `${width}px`,
  height: `${height}px`,
});

interface NodeBoxProps {
  node: Placed<DrawnNode>;
  isSelected: boolean;
  isFaulty: boolean;
  onSelect: (() => void) | undefined;
}

function NodeBox({ node, isSelected, isFaulty, onSelect }: NodeBoxProps) {
  const { type, title, key, numbers, hasNumbers } = node;
  const content = (
    <>
      <span class="graph-type">
        {TYPE_NAMES[type] ?? type} <span class="graph-key">{key}</span>
      </span>
      <span class="graph-title">{title}</span>
      {hasNumbers && (
        <span class="graph-came">
          <b>{count(numbers?.sessions ?? 0)}</b> came
          {!!numbers?.abandoned && <span class="soft"> · {count(numbers.abandoned)} left</span>}
        </span>
      )}
      <Endings node={node} />
    </>
  );
  const shape = `graph-node is-${type}${isFaulty ? ' faulty' : ''}`;
  if (!onSelect || type === 'missing') {
    return (
      <div class={shape} style={placeOf(node)}>
        {content}
      </div>
    );
  }
  return (
    <button type="button" class={shape} style={placeOf(node)} aria-pressed={isSelected} onClick={onSelect}>
      {content}
    </button>
  );
}

function Endings({ node: { type, numbers, hasNumbers } }: { node: DrawnNode }) {
  const endings = endingsAt(type, numbers);
  if (endings.length === 0) return null;
  return (
    <span class="graph-ends">
      {endings.map(({ ending, sessions }) => (
        <span key={ending} class={ending === 'canceled' ? 'graph-end bad' : 'graph-end good'}>
          {hasNumbers && `${compact(sessions)} `}
          {ending}
        </span>
      ))}
    </span>
  );
}
