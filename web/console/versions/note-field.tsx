import { TextField } from '../ui/field';

/** What the team will read beside a version. */
export function NoteField({ value, onInput }: { value: string; onInput: (value: string) => void }) {
  return (
    <TextField
      name="note"
      label="What is new, and why"
      hint="For your team. It is kept with the version."
      maxLength={1000}
      value={value}
      onInput={onInput}
    />
  );
}
