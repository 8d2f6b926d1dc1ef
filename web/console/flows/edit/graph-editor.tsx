import type { FlowDefinition, FlowNode } from '@retention-flow/client';
import { useEffect, useState } from 'preact/hooks';
import { useAudiences } from '../use-audiences';
import { FlowGraph } from '../graph/flow-graph';
import type { ChosenOffer } from './chosen-offer';
import type { Choice, Editing } from './editing';
import { inserted } from './insert-panel';
import { type Arrow, exitsOf } from './model/exits';
import type { Fault } from './model/fault-words';
import { targetOf, withFirstPage } from './model/graph-edits';
import { copyOf } from './model/new-nodes';
import { useSeen } from './use-seen';
import { StepList } from './step-list';
import { removed, StepPanel } from './step-panel';

/** How long the graph has to stay as it is before it is drawn anew. */
const PAUSE_MS = 150;

interface GraphEditorProps {
  graph: FlowDefinition;
  offers: Map<string, ChosenOffer>;
  faults: Fault[];
  isHeard: boolean;
  view: 'graph' | 'list';
  /** What is chosen, here so that it stays while the view changes. */
  choice: Choice;
  onChoose: (choice: Choice) => void;
  onChange: (graph: FlowDefinition, subject?: string) => void;
}

/** The graph that is edited: as a picture or a list, with the fields of the step that is chosen beside it. */
export function GraphEditor({ graph, offers, faults, isHeard, view, choice, onChoose, onChange }: GraphEditorProps) {
  const [copied, setCopied] = useState<FlowNode>();
  const [said, setSaid] = useState('');
  const seen = useSeen();
  const audiences = useAudiences();
  const drawn = useSettled(graph);
  const editing: Editing = {
    graph,
    offers,
    faults,
    seen,
    audiences,
    isHeard,
    choice: isIn(graph, choice) ? choice : undefined,
    choose: onChoose,
    change: (next, { said, choice, subject }) => {
      onChange(next, subject);
      if (said !== undefined) setSaid(said);
      if (choice) onChoose(choice);
    },
  };
  const chosen = editing.choice && 'node' in editing.choice ? editing.choice.node : undefined;
  const copy = (node: FlowNode) => {
    setCopied(node);
    setSaid('Copied. Paste it with a +.');
  };
  const press = (event: KeyboardEvent) => {
    if ((event.target as Element).matches('input, textarea, select')) return;
    const node = graph.nodes.find(({ key }) => key === chosen);
    const isCommand = event.ctrlKey || event.metaKey;
    if (isCommand && event.key === 'c' && node && String(getSelection()) === '') copy(node);
    else if (isCommand && event.key === 'v' && copied) {
      const arrow = arrowOf(editing.choice, node);
      if (arrow) inserted(editing, arrow, copyOf(graph, copied, targetOf(graph, arrow)));
    } else if (event.key === 'Delete' && node) removed(editing, node.key);
  };
  return (
    <div class={editing.choice ? 'graph-beside' : 'graph-alone'} onKeyDown={press}>
      <div class="steps">
        {graph.nodes.every(({ type }) => type !== 'start') && (
          <button
            type="button"
            class="quiet small"
            onClick={() => editing.change(withFirstPage(graph), { said: 'A first page is added.' })}
          >
            Add a first page
          </button>
        )}
        {view === 'list' ? (
          <StepList editing={editing} />
        ) : (
          <FlowGraph
            definition={drawn}
            offers={offers}
            faults={new Set(faults.flatMap(({ key }) => key ?? []))}
            selected={chosen}
            onSelect={(node) => onChoose({ node })}
            onInsert={(arrow) => onChoose({ arrow })}
          />
        )}
        <FaultList editing={editing} />
      </div>
      <StepPanel editing={editing} copied={copied} onCopy={copy} />
      <p class="unseen" role="status">
        {said}
      </p>
    </div>
  );
}

function FaultList({ editing: { faults, choose } }: { editing: Editing }) {
  if (faults.length === 0) return null;
  return (
    <ul class="notice error fault-list" aria-label="Faults">
      {faults.map(({ key, words }, index) => (
        <li key={index}>
          {words}{' '}
          {key !== undefined && (
            <button type="button" class="link" onClick={() => choose({ node: key })}>
              Show {key}
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Where a copy is pasted: on the arrow that is chosen, or behind the node. */
function arrowOf(choice: Choice, node: FlowNode | undefined): Arrow | undefined {
  if (choice && 'arrow' in choice) return choice.arrow;
  const exit = node && exitsOf(node).at(-1);
  return exit && { from: node.key, paths: [exit.path] };
}

/** What was chosen may be gone: it was undone, or the picture was not yet drawn anew. */
function isIn({ nodes }: FlowDefinition, choice: Choice): boolean {
  if (!choice) return false;
  if ('node' in choice) return nodes.some(({ key }) => key === choice.node);
  const node = nodes.find(({ key }) => key === choice.arrow.from);
  const paths = node ? exitsOf(node).map(({ path }) => path.join()) : [];
  return choice.arrow.paths.every((path) => paths.includes(path.join()));
}

/** A value once it has not changed for a moment, for what takes too long to be done with each key that is pressed. */
function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(() => value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(() => value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
