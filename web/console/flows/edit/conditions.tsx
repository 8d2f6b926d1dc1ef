import type { FlowNode } from '@retention-flow/client';
import { MAX_CONDITIONS } from '../../../../src/conditions/condition-limits';
import { conditionWords } from '../graph/condition-words';
import { type ConditionContext, ConditionRow, type Row, rowsOf } from './condition-row';
import { firstCondition } from './model/condition-values';

export type When = Extract<FlowNode, { type: 'branch' }>['config']['ways'][number]['when'];

interface ConditionsProps {
  context: ConditionContext;
  when: When;
  /** Whose they are, for a screen reader. */
  name: string;
  /** @param how what is said of it */
  onChange: (when: When, how: { said?: string }) => void;
}

/** Conditions as rows. Groups within groups are shown in words: they are edited as JSON. */
export function Conditions({ context, when, name, onChange }: ConditionsProps) {
  const rows = rowsOf(when);
  if (!rows) {
    return (
      <p>
        {conditionWords(when)} <span class="soft">(groups of conditions are edited as JSON)</span>
      </p>
    );
  }
  const group = 'all' in when ? 'all' : 'any';
  const put = (rows: Row[], how: { said?: string } = {}) =>
    onChange(group === 'all' ? { all: rows } : { any: rows }, how);
  return (
    <>
      {rows.length > 1 && (
        <select
          aria-label={`Conditions of ${name}`}
          value={group}
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
            context={context}
            name={`Condition ${at + 1} of ${name}`}
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
          onClick={() => put([...rows, firstCondition(context.seen)], { said: 'A condition is added.' })}
        >
          Add condition
        </button>
      )}
    </>
  );
}
