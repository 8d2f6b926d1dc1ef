import { useState } from 'preact/hooks';
import { TextArea } from './field';
import { jsonIn, jsonText } from './json';

interface JsonAreaProps {
  name: string;
  label: string;
  hint: string;
  error?: string | undefined;
  /** What it begins with: what somebody types stays. */
  value: unknown;
  /** Called with what is typed, null for nothing. What is no JSON is said, and nobody is called. */
  onInput: (value: unknown) => void;
}

/** A field for JSON of any kind. */
export function JsonArea({ value, error, onInput, ...field }: JsonAreaProps) {
  const [text, setText] = useState(() => jsonText(value));
  const [isJson, setIsJson] = useState(true);
  const type = (typed: string) => {
    setText(typed);
    try {
      onInput(jsonIn(typed));
      setIsJson(true);
    } catch {
      setIsJson(false);
    }
  };
  return (
    <TextArea
      {...field}
      rows={3}
      value={text}
      error={isJson ? error : 'This is no JSON, such as {"seats": 3}.'}
      onInput={type}
    />
  );
}
