import type { BodyError } from '@retention-flow/client';
import { useRef } from 'preact/hooks';
import { counted } from '../../ui/format';
import { CodeArea, reveal } from './code-area';
import type { ReadText } from './definition-text';
import { pretty } from './pretty';
import { offsetOf, positionOf } from './pointer-lines';

interface JsonEditorProps {
  read: ReadText;
  /** What is wrong with it, with pointers into the definition. */
  faults: BodyError[];
  onInput: (text: string) => void;
}

/** The graph as text. */
export function JsonEditor({ read, faults, onInput }: JsonEditorProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const { text, tree, fault, value } = read;
  const placed = faults.map(({ pointer, message }) => {
    const offset = offsetOf(tree, pointer);
    return { offset, message, ...positionOf(text, offset) };
  });
  const shown = fault ? [{ ...fault, ...positionOf(text, fault.offset) }] : placed;
  return (
    <div class="definition">
      <div class="card-head">
        <label for="definition">Definition</label>
        <button type="button" class="quiet small" disabled={fault !== undefined} onClick={() => onInput(pretty(value))}>
          Format
        </button>
      </div>
      <CodeArea
        id="definition"
        area={area}
        text={text}
        marks={new Set(shown.map(({ line }) => line))}
        describedBy="definition-about"
        onInput={onInput}
      />
      <div id="definition-about" class="about">
        <p role="status" class={shown.length > 0 ? 'wrong' : 'hint'}>
          {summaryOf(fault !== undefined, placed.length)}
        </p>
        {shown.length > 0 && (
          <ul class="code-faults">
            {shown.map(({ offset, line, message }) => (
              <li key={`${offset} ${message}`}>
                <button type="button" class="link" onClick={() => reveal(area.current!, offset)}>
                  Line {line}
                </button>
                : {message}
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}

function summaryOf(isBroken: boolean, faults: number): string {
  if (isBroken) return 'The definition is not JSON yet.';
  return faults > 0 ? `${counted(faults, 'fault')}:` : 'No fault is known.';
}
