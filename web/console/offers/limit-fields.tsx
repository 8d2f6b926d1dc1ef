import { TextField } from '../ui/field';
import type { Form } from '../ui/form';
import type { LimitDraft } from './limit';

interface LimitFieldsProps {
  /** The field of the request, such as `limit`. */
  name: string;
  label: string;
  hint: string;
  limit: LimitDraft;
  errorOf: Form['errorOf'];
  onInput: (limit: LimitDraft) => void;
}

export function LimitFields({ name, label, hint, limit, errorOf, onInput }: LimitFieldsProps) {
  const part = (part: keyof LimitDraft) => ({
    name: part,
    type: 'number' as const,
    min: 1,
    value: limit[part],
    error: errorOf(`/${name}/${part}`),
    onInput: (value: string) => onInput({ ...limit, [part]: value }),
  });
  return (
    <div class="offer-labels">
      <TextField {...part('accepted')} label={label} max={100} hint={hint} />
      <TextField {...part('within_days')} label="Within days" max={3650} />
    </div>
  );
}
