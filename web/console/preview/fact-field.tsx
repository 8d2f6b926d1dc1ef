import type { Offer } from '@retention-flow/client';
import type { Fact } from '../../../src/conditions/facts';
import { choicesFor, factLabel } from '../flows/fact-words';
import { Select, TextField } from '../ui/field';

interface FactFieldProps {
  fact: Fact;
  /** What conditions compare it with. */
  known: (string | number | boolean | null)[];
  /** Those of the flow. */
  offers: Offer[];
  value: string;
  onInput: (value: string) => void;
}

/** A fact to walk with. What is left empty is as of the subscription, or unknown. */
export function FactField({ fact, known, offers, value, onInput }: FactFieldProps) {
  const label = factLabel(fact);
  const name = `fact-${fact}`;
  const choices = choicesFor(fact, offers);
  if (choices) {
    return (
      <Select name={name} label={label} options={[['', 'Not given'], ...choices]} value={value} onInput={onInput} />
    );
  }
  const placeholder = known.length > 0 ? `such as ${known.join(', ')}` : undefined;
  return <TextField name={name} label={label} placeholder={placeholder} value={value} onInput={onInput} />;
}
