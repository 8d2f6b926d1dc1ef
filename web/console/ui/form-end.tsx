import type { Form } from './form';
import { messageOf } from './problem';

interface FormEndProps {
  form: Form;
  /** The fields that say for themselves what is wrong with them. */
  fields: string[];
  verb: string;
  onCancel?: () => void;
}

/** The end of a form: what is wrong with the whole, and the buttons. */
export function FormEnd({ form, fields, verb, onCancel }: FormEndProps) {
  const problems = form.error === undefined ? form.otherErrors(fields) : [messageOf(form.error)];
  return (
    <>
      <div role="alert">
        {problems.map((problem) => (
          <p key={problem} class="notice error">
            {problem}
          </p>
        ))}
      </div>
      <div class="actions">
        {onCancel && (
          <button type="button" class="quiet" disabled={form.isBusy} onClick={onCancel}>
            Cancel
          </button>
        )}
        <button type="submit" class="primary" disabled={form.isBusy}>
          {verb}
        </button>
      </div>
    </>
  );
}
