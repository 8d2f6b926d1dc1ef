import { inkOn } from '../../../client/dialog/color.ts';

/** A button as the widget draws it in a colour. Nothing for what is no colour yet. */
export function Swatch({ color }: { color: string }) {
  if (!isColor(color)) return null;
  return (
    <span class="swatch" aria-hidden="true" style={{ background: color, color: inkOn(color) }}>
      Sample
    </span>
  );
}

export function isColor(text: string): boolean {
  return /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.test(text);
}
