import type { RefObject } from 'preact';

interface CodeAreaProps {
  id: string;
  area: RefObject<HTMLTextAreaElement | null>;
  text: string;
  /** Lines that are at fault. */
  marks: Set<number>;
  describedBy: string;
  onInput: (text: string) => void;
}

/** Text with the numbers of its lines. What is around the text scrolls; the text itself is as large as its lines. */
export function CodeArea({ id, area, text, marks, describedBy, onInput }: CodeAreaProps) {
  const lines = text.split('\n');
  const numbers = lines.map((_, index) => index + 1).join('\n');
  const longest = Math.max(...lines.map(({ length }) => length));
  return (
    <div class="code">
      <pre class="gutter" aria-hidden="true">
        {numbers}
      </pre>
      {[...marks].map((line) => (
        <div key={line} class="mark" style={{ '--line-number': line - 1 }} />
      ))}
      <textarea
        ref={area}
        id={id}
        value={text}
        rows={lines.length}
        style={{ width: `calc(${longest + 2}ch + 1.5rem)` }}
        wrap="off"
        spellcheck={false}
        autocapitalize="off"
        autocomplete="off"
        aria-describedby={describedBy}
        aria-invalid={marks.size > 0}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </div>
  );
}

/** Puts the cursor at an offset and brings its line into sight. */
export function reveal(area: HTMLTextAreaElement, offset: number): void {
  const before = area.value.slice(0, offset).split('\n').length - 1;
  const height = area.clientHeight / area.rows;
  const around = area.closest('.code')!;
  area.focus({ preventScroll: true });
  area.setSelectionRange(offset, offset);
  around.scrollTo({ top: before * height - around.clientHeight / 3, left: 0 });
  around.scrollIntoView({ block: 'nearest' });
}
