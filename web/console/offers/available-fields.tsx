import { TextField } from '../ui/field';
import type { Form } from '../ui/form';
import type { AvailableDraft } from './offer-draft';

interface AvailableFieldsProps {
  available: AvailableDraft;
  errorOf: Form['errorOf'];
  onInput: (available: AvailableDraft) => void;
}

/** When an offer is shown. */
export function AvailableFields({ available, errorOf, onInput }: AvailableFieldsProps) {
  const part = (part: keyof AvailableDraft) => ({
    name: part,
    type: 'datetime-local' as const,
    value: available[part],
    error: errorOf(`/available/${part}`),
    onInput: (value: string) => onInput({ ...available, [part]: value }),
  });
  return (
    <div class="offer-labels">
      <TextField {...part('from')} label="Shown from" hint="In your time zone. Empty: it has no start." />
      <TextField {...part('until')} label="Shown until" hint="Empty: it has no end." />
    </div>
  );
}
