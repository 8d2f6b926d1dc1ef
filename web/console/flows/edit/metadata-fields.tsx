import { useEffect, useRef } from 'preact/hooks';

type Row = [name: string, text: string];

interface MetadataProps {
  rows: Row[];
  error: string | undefined;
  onChange: (rows: Row[]) => void;
}

const MAX_ROWS = 20;

/** Names and texts of the workspace's own. */
export function MetadataFields({ rows, error, onChange }: MetadataProps) {
  const group = useRef<HTMLFieldSetElement>(null);
  /** What gets the focus once it is there. */
  const next = useRef<string>(undefined);
  useEffect(() => {
    if (next.current) group.current!.querySelector<HTMLElement>(next.current)?.focus();
    next.current = undefined;
  }, [rows.length]);
  const set = (index: number, row: Row) => onChange(rows.with(index, row));
  const add = () => {
    next.current = 'li:last-child input';
    onChange([...rows, ['', '']]);
  };
  const remove = (index: number) => {
    next.current = '.metadata-add';
    onChange(rows.toSpliced(index, 1));
  };
  return (
    <fieldset ref={group} class="metadata" aria-describedby="metadata-about">
      <legend>Metadata</legend>
      {rows.length > 0 && (
        <ul>
          {rows.map(([name, text], index) => (
            <li key={index}>
              <input
                id={index === 0 ? 'metadata' : undefined}
                aria-label={`Name ${index + 1}`}
                aria-invalid={error !== undefined}
                placeholder="Name"
                autocomplete="off"
                maxLength={40}
                value={name}
                onInput={(event) => set(index, [event.currentTarget.value, text])}
              />
              <input
                aria-label={`Text ${index + 1}`}
                placeholder="Text"
                autocomplete="off"
                value={text}
                onInput={(event) => set(index, [name, event.currentTarget.value])}
              />
              <button
                type="button"
                class="quiet icon"
                aria-label={`Remove ${name || `row ${index + 1}`}`}
                onClick={() => remove(index)}
              >
                ✕
              </button>
            </li>
          ))}
        </ul>
      )}
      {rows.length < MAX_ROWS && (
        <button type="button" class="quiet small metadata-add" onClick={add}>
          Add metadata
        </button>
      )}
      <div id="metadata-about" class="about">
        {error !== undefined && <span class="wrong">{error}</span>}
        <span class="hint">
          Your own names and texts, such as the product in your billing system. Events have them.
        </span>
      </div>
    </fieldset>
  );
}
