import { useId, useState } from 'preact/hooks';

interface CommittedInputProps {
  id?: string;
  'aria-label'?: string;
  title?: string;
  placeholder?: string;
  type?: 'text' | 'number';
  maxLength?: number;
  min?: number;
  max?: number;
  step?: number;
  value: string | number;
  /** What to choose from. Anything else may be typed, too. */
  suggestions?: readonly string[];
  /** Gets what was typed. What it does not take becomes again what it was. */
  onCommit: (text: string) => void;
}

/** An input for what is not meant before it is complete, such as a key: it is taken when the field is left. */
export function CommittedInput({ value, suggestions, onCommit, type = 'text', ...input }: CommittedInputProps) {
  /** What is being typed. */
  const [typed, setTyped] = useState<string>();
  const id = useId();
  const control = (
    <input
      // The types of JSX know one type at a time.
      {...{ type: type as 'text' }}
      {...input}
      {...(suggestions && { list: `${id}-list` })}
      value={typed ?? value}
      onInput={(event) => setTyped(event.currentTarget.value)}
      onChange={(event) => {
        setTyped(undefined);
        onCommit(event.currentTarget.value.trim());
      }}
    />
  );
  if (!suggestions) return control;
  return (
    <>
      {control}
      <datalist id={`${id}-list`}>
        {suggestions.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
    </>
  );
}
