import { useLayoutEffect, useRef } from 'preact/hooks';
import type { MetadataRows } from './metadata';

const MOST_ROWS = 20;

interface MetadataFieldProps {
  rows: MetadataRows;
  /** What it is for. */
  hint: string;
  error?: string | undefined;
  onInput: (rows: MetadataRows) => void;
}

/** The workspace's own names and texts, a row for each. */
export function MetadataField({ rows, hint, error, onInput }: MetadataFieldProps) {
  const fieldset = useRef<HTMLFieldSetElement>(null);
  const known = useRef(rows.length);
  // A new row gets the focus; after one is gone, the button below does.
  useLayoutEffect(() => {
    const names = fieldset.current!.querySelectorAll<HTMLElement>('.metadata-row input:first-of-type');
    if (rows.length > known.current) names[rows.length - 1].focus();
    if (rows.length < known.current) fieldset.current!.querySelector<HTMLElement>('.metadata-add')?.focus();
    known.current = rows.length;
  }, [rows.length]);

  const change = (index: number, part: Partial<MetadataRows[number]>) =>
    onInput(rows.map((row, at) => (at === index ? { ...row, ...part } : row)));
  return (
    <fieldset id="metadata" ref={fieldset} tabIndex={-1} aria-describedby="metadata-about">
      <legend>Metadata</legend>
      {rows.map(({ name, value }, index) => (
        <div key={index} class="metadata-row">
          <input
            aria-label={`Name ${index + 1}`}
            placeholder="stripe_coupon"
            autocomplete="off"
            spellcheck={false}
            maxLength={40}
            value={name}
            aria-invalid={error !== undefined}
            onInput={(event) => change(index, { name: event.currentTarget.value })}
          />
          <input
            aria-label={`Value ${index + 1}`}
            placeholder="stay-30"
            autocomplete="off"
            maxLength={500}
            value={value}
            aria-invalid={error !== undefined}
            onInput={(event) => change(index, { value: event.currentTarget.value })}
          />
          <button
            type="button"
            class="quiet"
            aria-label={`Remove ${name || `row ${index + 1}`}`}
            onClick={() => onInput(rows.filter((_, at) => at !== index))}
          >
            ✕
          </button>
        </div>
      ))}
      {rows.length < MOST_ROWS && (
        <button
          type="button"
          class="quiet small metadata-add"
          onClick={() => onInput([...rows, { name: '', value: '' }])}
        >
          Add metadata
        </button>
      )}
      <div id="metadata-about" class="about">
        {error !== undefined && <span class="wrong">Metadata {error}</span>}
        <span class="hint">{hint}</span>
      </div>
    </fieldset>
  );
}
