import { useEffect, useState } from 'preact/hooks';
import { TextField } from './field';

interface SearchFieldProps {
  name: string;
  placeholder: string;
  maxLength: number;
  value: string;
  onChange: (value: string) => void;
}

/** A text counts once it is typed as a whole: on Enter, or when the field is left. */
export function SearchField({ value, onChange, ...field }: SearchFieldProps) {
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  return (
    <div class="search-field" onChange={() => onChange(typed.trim())}>
      <TextField {...field} label="Search" value={typed} onInput={setTyped} />
    </div>
  );
}
