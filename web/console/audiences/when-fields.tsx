import type { ConditionContext } from '../flows/edit/condition-row';
import { Conditions, type When } from '../flows/edit/conditions';
import { firstCondition, NONE_SEEN } from '../flows/edit/model/condition-values';
import { useConditionContext } from './use-condition-context';

interface WhenFieldsProps {
  when: When | null;
  /** Above the conditions. */
  legend: string;
  hint: string;
  /** Whose conditions they are, for a screen reader. */
  name: string;
  /** What they can't be about. */
  without?: ConditionContext['without'];
  error: string | undefined;
  onInput: (when: When | null) => void;
}

/** Whether something is for some customers alone, and for which. */
export function WhenFields({ when, error, onInput, ...about }: WhenFieldsProps) {
  return (
    <div class="when">
      <label class="check">
        <input
          type="checkbox"
          checked={when !== null}
          onChange={({ currentTarget: { checked } }) => onInput(checked ? { all: [firstCondition(NONE_SEEN)] } : null)}
        />
        Only for some customers
      </label>
      {when && <Shown when={when} onInput={onInput} {...about} />}
      {error !== undefined && <p class="wrong">{error}</p>}
    </div>
  );
}

/** Attributes and offers are read once somebody asks for conditions. */
function Shown({
  when,
  legend,
  hint,
  name,
  without,
  onInput,
}: Omit<WhenFieldsProps, 'when' | 'error'> & { when: When }) {
  const context = { ...useConditionContext(), without };
  return (
    <fieldset class="when">
      <legend>{legend}</legend>
      <Conditions context={context} when={when} name={name} onChange={onInput} />
      <p class="hint">{hint}</p>
    </fieldset>
  );
}
