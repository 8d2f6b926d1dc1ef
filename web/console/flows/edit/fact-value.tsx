import { choicesFor, kindOf } from '../fact-words';
import { activeOffers } from './chosen-offer';
import { CommittedInput } from './committed-input';
import type { ConditionContext, Row } from './condition-row';
import { readValues, valueFor, writtenValue } from './model/condition-values';

type FactRow = Extract<Row, { fact: string }>;

interface FactValueProps {
  row: FactRow;
  isList: boolean;
  context: ConditionContext;
  onChange: (row: Row) => void;
}

/** The value that a fact is compared with: one of those that it can have, or written. */
export function FactValue({ row, isList, context, onChange }: FactValueProps) {
  const { type } = kindOf(row.fact);
  const choices = choicesOf(row, context);
  if (choices) {
    const chosen = [row.value ?? []].flat().map(String);
    return (
      <select
        aria-label="Value"
        multiple={isList}
        onChange={({ currentTarget: { selectedOptions } }) => {
          const values = [...selectedOptions].map(({ value }) => (type === 'boolean' ? value === 'true' : value));
          if (values.length > 0) onChange({ ...row, value: isList ? values : values[0] });
        }}
      >
        {choices.map(([value, label]) => (
          <option key={value} value={value} selected={chosen.includes(value)}>
            {label}
          </option>
        ))}
      </select>
    );
  }
  return (
    <CommittedInput
      aria-label="Value"
      value={type === 'string' && !isList ? String(row.value) : writtenValue(row.value)}
      suggestions={(context.seen.facts.get(row.fact) ?? []).map(String)}
      title={isList ? 'Values with commas between them' : undefined}
      onCommit={(text) => {
        const value = type === 'string' ? textsFor(text, isList) : valueFor(row.is, text);
        if (value !== undefined) onChange({ ...row, value });
      }}
    />
  );
}

/** Texts are texts, also where they look like numbers. */
function textsFor(text: string, isList: boolean): string | string[] | undefined {
  if (!isList) return text.trim() || undefined;
  const texts = readValues(text).map(String);
  return texts.length > 0 ? texts : undefined;
}

/** The values to choose from, with offers that can't be added any more. */
function choicesOf({ fact, value }: FactRow, { offers }: ConditionContext): ReturnType<typeof choicesFor> {
  const choices = choicesFor(fact, activeOffers(offers));
  const others = [value ?? []]
    .flat()
    .map(String)
    .filter((one) => !choices?.some(([known]) => known === one));
  if (fact !== 'last_offer' || !choices) return choices;
  return [...others.map((id) => [id, offers.get(id)?.name ?? (id || 'Choose an offer')] as const), ...choices];
}
