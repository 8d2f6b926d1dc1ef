import type { FieldError } from '@retention-flow/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { counted } from '../../ui/format';
import { FlowGraph } from '../graph/flow-graph';
import { CodeArea, reveal } from './code-area';
import { pretty, type ReadText } from './definition-text';
import type { ChosenOffer } from './offer-order';
import { nodeAt, offsetOf, offsetOfNode, positionOf } from './pointer-lines';
import { useSettled } from './settled';

interface DefinitionEditorProps {
  read: ReadText;
  offers: Map<string, ChosenOffer>;
  /** What the service found wrong, with pointers into the definition. */
  faults: FieldError[];
  onInput: (text: string) => void;
}

/** The graph of an advanced flow as text, and as a picture beside it. */
export function DefinitionEditor({ read, offers, faults, onInput }: DefinitionEditorProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const [cursor, setCursor] = useState(0);
  const { text, tree, fault, value } = read;
  const placed = faults.map(({ pointer, message }) => {
    const offset = offsetOf(tree, pointer);
    return { offset, message, ...positionOf(text, offset) };
  });
  const shown = fault ? [{ ...fault, ...positionOf(text, fault.offset) }] : placed;
  const isRefused = faults.length > 0;

  useEffect(() => {
    if (isRefused) reveal(area.current!, placed[0].offset);
  }, [faults]);

  const select = (key: string) => {
    const offset = offsetOfNode(tree, key);
    if (offset === undefined) return;
    reveal(area.current!, offset);
    setCursor(offset);
  };
  const drawn = useSettled(value);
  return (
    <div class="drawn">
      <div class="definition">
        <div class="card-head">
          <label for="definition">Definition</label>
          <button
            type="button"
            class="quiet small"
            disabled={fault !== undefined}
            onClick={() => onInput(pretty(value))}
          >
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
          onCursor={setCursor}
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
      <div class="drawing">
        <FlowGraph
          definition={drawn}
          offers={offers}
          faults={new Set(faults.map(({ pointer }) => keyAt(value, pointer)))}
          selected={nodeAt(tree, cursor)}
          onSelect={select}
        />
      </div>
    </div>
  );
}

function summaryOf(isBroken: boolean, faults: number): string {
  if (isBroken) return 'The definition is not JSON yet.';
  if (faults > 0) return `Not saved. The service found ${counted(faults, 'fault')}:`;
  return 'The service checks the graph when you save.';
}

/** The key of the node that a pointer such as /nodes/3/next leads into. */
function keyAt(value: unknown, pointer: string): string {
  const { nodes } = (value ?? {}) as { nodes?: { key?: unknown }[] };
  return String(nodes?.[Number(pointer.split('/')[2])]?.key);
}
