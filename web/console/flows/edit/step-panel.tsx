import type { FlowNode } from '@retention-flow/client';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { TYPE_NAMES } from '../graph/graph-outline';
import { CommittedInput } from './committed-input';
import type { Editing } from './editing';
import { InsertPanel } from './insert-panel';
import { heirOf, remove, rename } from './model/graph-edits';
import { NodeFields } from './node-fields';
import { bringIntoView } from '../../ui/in-view';

interface StepPanelProps {
  editing: Editing;
  /** What was copied last. */
  copied: FlowNode | undefined;
  onCopy: (node: FlowNode) => void;
}

/** Beside the graph: the fields of the step that is chosen, or what can be inserted on the arrow that is chosen. */
export function StepPanel({ editing, copied, onCopy }: StepPanelProps) {
  const { graph, choice, choose } = editing;
  const heading = useRef<HTMLHeadingElement>(null);
  const node = choice && 'node' in choice ? graph.nodes.find(({ key }) => key === choice.node) : undefined;
  const arrow = choice && 'arrow' in choice ? choice.arrow : undefined;
  // Not after the next frame: a quick hand is in a field by then.
  useLayoutEffect(() => {
    heading.current?.focus({ preventScroll: true });
    if (heading.current) bringIntoView(heading.current);
  }, [node?.key, arrow]);
  /** Leads back to the graph. */
  const escape = ({ key }: KeyboardEvent) => {
    if (key !== 'Escape') return;
    document.querySelector<HTMLElement>('.steps [aria-pressed=true]')?.focus();
    if (arrow) choose({ node: arrow.from });
  };
  if (!node && !arrow) {
    return (
      <section class="node-panel">
        <p class="soft">Choose a step to change it, or a + to insert one.</p>
      </section>
    );
  }
  return (
    <section class="node-panel" aria-labelledby="step-title" onKeyDown={escape}>
      <div class="card-head">
        <h3 id="step-title" ref={heading} tabIndex={-1}>
          {node ? TYPE_NAMES[node.type] : 'Insert a step'}
        </h3>
        {node && <StepActions editing={editing} node={node} onCopy={onCopy} />}
      </div>
      {arrow && <InsertPanel editing={editing} arrow={arrow} copied={copied} />}
      {node && (
        <div key={node.key} class="step-fields">
          <StepFaults editing={editing} node={node} />
          <NodeFields editing={editing} node={node} />
          <KeyField editing={editing} node={node} />
        </div>
      )}
    </section>
  );
}

interface StepProps {
  editing: Editing;
  node: FlowNode;
}

function StepActions({ editing, node, onCopy }: StepProps & Pick<StepPanelProps, 'onCopy'>) {
  const isNeeded = heirOf(editing.graph, node.key) === undefined;
  return (
    <div class="actions">
      <button type="button" class="quiet small" onClick={() => onCopy(node)}>
        Copy
      </button>
      <button
        type="button"
        class="quiet small"
        aria-disabled={isNeeded}
        title={isNeeded ? 'A flow needs a last page.' : undefined}
        onClick={() => removed(editing, node.key)}
      >
        Remove
      </button>
    </div>
  );
}

/** Removes a step, says so, and chooses what comes in its place. The only last page stays. */
export function removed({ graph, change }: Editing, key: string): void {
  const heir = heirOf(graph, key);
  if (heir === undefined) return;
  const after = remove(graph, key);
  const others = graph.nodes.length - after.nodes.length - 1;
  const said = others > 0 ? `The step and ${others} that only it led to are removed.` : 'The step is removed.';
  change(after, { said, choice: { node: heir } });
}

function StepFaults({ editing: { faults }, node }: StepProps) {
  const own = faults.filter(({ key }) => key === node.key);
  if (own.length === 0) return null;
  return (
    <ul class="notice error">
      {own.map(({ words }) => (
        <li key={words}>{words}</li>
      ))}
    </ul>
  );
}

const KEY = /^[A-Za-z0-9_-]{1,64}$/;

/** What the numbers are kept by. */
function KeyField({ editing: { graph, change }, node }: StepProps) {
  const put = (key: string) => {
    if (!KEY.test(key) || graph.nodes.some((one) => one.key === key)) return;
    change(rename(graph, node.key, key), { said: `It is called ${key} now.`, choice: { node: key } });
  };
  return (
    <div class="field">
      <label for="node-key">Name in the numbers</label>
      <CommittedInput id="node-key" value={node.key} maxLength={64} onCommit={put} />
      <div class="about">
        <span class="hint">Letters, digits, _ and -. With another name, its numbers begin anew.</span>
      </div>
    </div>
  );
}
