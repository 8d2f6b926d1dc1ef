import { useLayoutEffect, useState } from 'preact/hooks';
import { TextArea } from './field';
import { jsonIn, jsonText } from './json';

const NO_JSON = 'This is no JSON, such as {"seats": 3}.';

interface JsonAreaProps {
  name: string;
  label: string;
  hint: string;
  error?: string | undefined;
  value: unknown;
  /** Called with what is typed, null for nothing. What is no JSON makes the field invalid, so that nothing is saved. */
  onInput: (value: unknown) => void;
}

/** A field for JSON of any kind. What somebody types stays as it is typed, unless the value becomes another. */
export function JsonArea({ value = null, error, onInput, ...field }: JsonAreaProps) {
  const [typed, setTyped] = useState<string>();
  const read = typed === undefined ? value : readIn(typed);
  // It may be undone meanwhile.
  const isTyped = typed !== undefined && (read === undefined || JSON.stringify(read) === JSON.stringify(value));
  const isBroken = isTyped && read === undefined;
  useLayoutEffect(() => {
    const area = document.getElementById(field.name) as HTMLTextAreaElement;
    area.setCustomValidity(isBroken ? NO_JSON : '');
  }, [isBroken]);
  return (
    <TextArea
      {...field}
      rows={3}
      value={isTyped ? typed : jsonText(value)}
      error={isBroken ? NO_JSON : error}
      onInput={(text) => {
        setTyped(text);
        const sent = readIn(text);
        if (sent !== undefined) onInput(sent);
      }}
    />
  );
}

/** Undefined if it is no JSON. */
function readIn(text: string): unknown {
  try {
    return jsonIn(text);
  } catch {
    return undefined;
  }
}
