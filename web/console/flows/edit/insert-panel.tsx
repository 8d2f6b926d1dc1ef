import type { FlowNode } from '@retention-flow/client';
import { href } from '../../shell/route';
import { titleOf, TYPE_NAMES } from '../graph/graph-outline';
import { activeOffers } from './chosen-offer';
import type { Editing } from './editing';
import type { Arrow } from './model/exits';
import { insert, targetOf } from './model/graph-edits';
import { copyOf, newNode } from './model/new-nodes';
import { newTypes } from './then-field';
import { MAX_NODES } from '../../../../src/flows/graph/graph-limits';

interface InsertPanelProps {
  editing: Editing;
  arrow: Arrow;
  /** What was copied last. */
  copied: FlowNode | undefined;
}

/** What can be inserted on an arrow. */
export function InsertPanel({ editing, arrow, copied }: InsertPanelProps) {
  const { graph, offers, seen } = editing;
  if (graph.nodes.length >= MAX_NODES) return <p>A flow has at most {MAX_NODES} steps.</p>;
  const add = (node: FlowNode) => inserted(editing, arrow, node);
  const next = targetOf(graph, arrow);
  return (
    <>
      <p class="soft">
        Between “{nameOf(editing, arrow.from)}” and “{nameOf(editing, next)}”
      </p>
      <ul class="choices">
        {newTypes(editing).map(([type, name, about]) => (
          <li key={type}>
            <button
              type="button"
              class="quiet choice-button"
              onClick={() => add(newNode(graph, type, next, activeOffers(offers)[0]?.id, seen))}
            >
              {name}
            </button>
            <span class="soft">{about}</span>
          </li>
        ))}
        {copied && (
          <li>
            <button type="button" class="quiet choice-button" onClick={() => add(copyOf(graph, copied, next))}>
              Paste
            </button>
            <span class="soft">
              {TYPE_NAMES[copied.type]}: {titleOf({ ...copied }, offers)}
            </span>
          </li>
        )}
      </ul>
      {activeOffers(offers).length === 0 && (
        <p class="soft">
          There are no offers to insert. <a href={href('/offers/new')}>Create an offer</a>
        </p>
      )}
    </>
  );
}

/** Inserts a node, says so, and chooses it. */
export function inserted({ graph, change }: Editing, arrow: Arrow, node: FlowNode): void {
  change(insert(graph, arrow, node), { said: `${TYPE_NAMES[node.type]} is added.`, choice: { node: node.key } });
}

function nameOf({ graph, offers }: Editing, key: string): string {
  const node = graph.nodes.find((one) => one.key === key);
  return node ? titleOf({ ...node }, offers) : key;
}
