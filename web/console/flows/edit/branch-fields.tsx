import type { FlowNode } from '@retention-flow/client';
import { MAX_PATHS } from '../../../../src/flows/graph/graph-limits';
import { conditionWords } from '../graph/condition-words';
import { ConditionRow, type Row, rowsOf } from './condition-row';
import { firstCondition } from './model/condition-values';
import { exitsOf, withNode } from './model/exits';
import type { FieldsProps, NodeOf } from './node-fields';
import { ThenField } from './then-field';
import { MAX_CONDITIONS } from '../../../../src/flows/graph/graph-limits';

type Way = NodeOf<'branch'>['config']['ways'][number];

/** Paths by what is known of a customer. The first path that fits is taken. */
export function BranchFields({ editing, node }: FieldsProps<NodeOf<'branch'>>) {
  const { graph, change, seen } = editing;
  const { ways } = node.config;
  const exits = exitsOf(node);
  const replace = (ways: Way[], how: { said?: string; subject?: string }) =>
    change(
      withNode(graph, node.key, (): FlowNode => ({ ...node, config: { ways } })),
      how,
    );
  const add = () =>
    replace([...ways, { when: { all: [firstCondition(seen)] }, next: node.next }], {
      said: `Path ${ways.length + 1} is added.`,
    });
  return (
    <>
      <p class="soft">Customers take the first path whose conditions hold. Nobody sees this step.</p>
      <ol class="rows">
        {ways.map((way, index) => (
          <li key={index} class="row">
            <div class="row-line">
              <strong>Path {index + 1}</strong>
              <button
                type="button"
                class="quiet icon"
                aria-label={`Remove path ${index + 1}`}
                aria-disabled={ways.length === 1}
                onClick={() =>
                  ways.length > 1 && replace(ways.toSpliced(index, 1), { said: `Path ${index + 1} is removed.` })
                }
              >
                ✕
              </button>
            </div>
            <Conditions
              editing={editing}
              node={node}
              index={index}
              onChange={(when, how) => replace(ways.with(index, { ...way, when }), how)}
            />
            <ThenField editing={editing} from={node.key} exit={exits[index]} label={`After path ${index + 1}`} />
          </li>
        ))}
      </ol>
      {ways.length < MAX_PATHS && (
        <button type="button" class="quiet" onClick={add}>
          Add path
        </button>
      )}
      <ThenField editing={editing} from={node.key} exit={exits.at(-1)!} label="Otherwise" />
    </>
  );
}

interface ConditionsProps extends FieldsProps<NodeOf<'branch'>> {
  /** The path. */
  index: number;
  onChange: (when: Way['when'], how: { said?: string; subject?: string }) => void;
}

/** The conditions of a path as rows. Groups within groups are shown in words: they are edited as JSON. */
function Conditions({ editing, node, index, onChange }: ConditionsProps) {
  const { when } = node.config.ways[index];
  const rows = rowsOf(when);
  if (!rows) {
    return (
      <p>
        {conditionWords(when)} <span class="soft">(groups of conditions are edited as JSON)</span>
      </p>
    );
  }
  const name = 'all' in when ? 'all' : 'any';
  const put = (rows: Row[], how: { said?: string; subject?: string } = {}) =>
    onChange(name === 'all' ? { all: rows } : { any: rows }, how);
  return (
    <>
      {rows.length > 1 && (
        <select
          aria-label={`Conditions of path ${index + 1}`}
          value={name}
          onChange={(event) => onChange(event.currentTarget.value === 'all' ? { all: rows } : { any: rows }, {})}
        >
          <option value="all">All of these hold</option>
          <option value="any">One of these holds</option>
        </select>
      )}
      <ul class="rows">
        {rows.map((row, at) => (
          <ConditionRow
            key={at}
            editing={editing}
            branch={node.key}
            name={`Condition ${at + 1} of path ${index + 1}`}
            row={row}
            onChange={(row) => put(rows.with(at, row))}
            onRemove={
              rows.length > 1 ? () => put(rows.toSpliced(at, 1), { said: 'The condition is removed.' }) : undefined
            }
          />
        ))}
      </ul>
      {rows.length < MAX_CONDITIONS && (
        <button
          type="button"
          class="quiet small"
          onClick={() => put([...rows, firstCondition(editing.seen)], { said: 'A condition is added.' })}
        >
          Add condition
        </button>
      )}
    </>
  );
}
