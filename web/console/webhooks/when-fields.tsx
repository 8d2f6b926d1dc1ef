import { useConditionContext } from '../audiences/use-condition-context';
import { Conditions, type When } from '../flows/edit/conditions';
import { firstCondition, NONE_SEEN } from '../flows/edit/model/condition-values';

interface WhenFieldsProps {
  when: When | null;
  error: string | undefined;
  onInput: (when: When | null) => void;
}

/** Whether a webhook gets the events of some customers alone, and of which. */
export function WhenFields({ when, error, onInput }: WhenFieldsProps) {
  return (
    <div>
      <label class="check">
        <input
          type="checkbox"
          checked={when !== null}
          onChange={({ currentTarget: { checked } }) => onInput(checked ? { all: [firstCondition(NONE_SEEN)] } : null)}
        />
        Only for some customers
      </label>
      {when && <Shown when={when} onInput={onInput} />}
      {error !== undefined && <p class="wrong">{error}</p>}
    </div>
  );
}

/** Attributes and offers are read once somebody asks for conditions. */
function Shown({ when, onInput }: { when: When; onInput: (when: When) => void }) {
  return (
    <fieldset>
      <legend>Events of customers for whom</legend>
      <Conditions context={useConditionContext()} when={when} name="the webhook" onChange={onInput} />
      <p class="hint">They hold of no event without a session, such as a flow that is published.</p>
    </fieldset>
  );
}
