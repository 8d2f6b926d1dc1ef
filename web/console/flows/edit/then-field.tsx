import { titleOf, TYPE_NAMES } from '../graph/graph-outline';
import { activeOffers } from './chosen-offer';
import type { Editing } from './editing';
import { type Exit, redirect } from './model/exits';
import { insert, targetOf } from './model/graph-edits';
import { newNode, NEW_TYPES, type NewType } from './model/new-nodes';
import { possibleTargets } from './model/walk';
import { MAX_NODES } from '../../../../src/flows/graph/graph-limits';

interface ThenFieldProps {
  editing: Editing;
  /** The key of the node. */
  from: string;
  exit: Exit;
  label: string;
  /** Whether only last pages may follow. */
  onlyLast?: boolean;
}

/** Where a way out of a node leads: to one of the other nodes, or to a new one. */
export function ThenField({ editing, from, exit, label, onlyLast = false }: ThenFieldProps) {
  const { graph, offers, seen, change } = editing;
  const arrow = { from, paths: [exit.path] };
  const id = `then-${from}-${exit.path.join('-')}`;
  const nodes = possibleTargets(graph, from).filter(({ type }) => type === 'confirm' || !onlyLast);
  const isKnown = exit.target === undefined || nodes.some(({ key }) => key === exit.target);
  const mayBeNone = exit.path.includes('options');
  const choose = (value: string) => {
    if (!value.startsWith('new ')) return change(redirect(graph, arrow, value || undefined), { said: 'Changed.' });
    const type = value.slice(4) as NewType;
    const node = newNode(graph, type, targetOf(graph, arrow), activeOffers(offers)[0]?.id, seen);
    return change(insert(graph, arrow, node), { said: `${TYPE_NAMES[type]} is added.`, choice: { node: node.key } });
  };
  return (
    <div class="then">
      <label for={id}>{label}</label>
      <select id={id} value={exit.target ?? ''} onChange={(event) => choose(event.currentTarget.value)}>
        {mayBeNone && <option value="">as all other answers</option>}
        {!isKnown && <option value={exit.target}>{exit.target}</option>}
        {nodes.map((node) => (
          <option key={node.key} value={node.key}>
            {TYPE_NAMES[node.type]}: {titleOf({ ...node }, offers)}
          </option>
        ))}
        {graph.nodes.length < MAX_NODES && (
          <optgroup label="New">
            {newTypes(editing, onlyLast).map(([type, name]) => (
              <option key={type} value={`new ${type}`}>
                A new {name.toLowerCase()}
              </option>
            ))}
          </optgroup>
        )}
      </select>
    </div>
  );
}

/** What can be added: an offer only where there are any. */
export function newTypes({ offers }: Editing, onlyLast = false): typeof NEW_TYPES {
  return NEW_TYPES.filter(([type]) =>
    onlyLast ? type === 'confirm' : type !== 'offer' || activeOffers(offers).length > 0,
  );
}
