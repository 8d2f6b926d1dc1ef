import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { placeAt } from './move';

interface Drag {
  from: number;
  to: number;
  startY: number;
  /** How far the pointer has gone. */
  by: number;
}

/** Rows that are dragged by mouse, pen or finger. No row changes its place before the pointer lets go. */
export function useDrag(list: RefObject<HTMLElement | null>, onMove: (from: number, to: number) => void) {
  const [drag, setDrag] = useState<Drag>();
  // Not after the next frame: a quick hand has let go by then.
  useLayoutEffect(() => {
    if (!drag) return undefined;
    const { from, startY } = drag;
    const place = (y: number) => {
      const rows = [...list.current!.children].map((row) => row.getBoundingClientRect());
      return placeAt(
        y,
        rows.map(({ top, height }) => top + height / 2),
        from,
      );
    };
    const follow = ({ clientY }: PointerEvent) => setDrag({ from, startY, by: clientY - startY, to: place(clientY) });
    const drop = ({ clientY }: PointerEvent) => {
      setDrag(undefined);
      onMove(from, place(clientY));
    };
    const giveUp = () => setDrag(undefined);
    const escape = ({ key }: KeyboardEvent) => key === 'Escape' && giveUp();
    addEventListener('pointermove', follow);
    addEventListener('pointerup', drop);
    addEventListener('pointercancel', giveUp);
    addEventListener('keydown', escape);
    return () => {
      removeEventListener('pointermove', follow);
      removeEventListener('pointerup', drop);
      removeEventListener('pointercancel', giveUp);
      removeEventListener('keydown', escape);
    };
  }, [drag?.from]);
  return {
    begin: (event: PointerEvent, from: number) => {
      if (event.button !== 0) return;
      event.preventDefault();
      setDrag({ from, to: from, by: 0, startY: event.clientY });
    },
    /** How the row at an index looks meanwhile. */
    rowAt: (index: number) => {
      if (index === drag?.from) return { class: 'dragged', style: { transform: `translateY(${drag.by}px)` } };
      if (index !== drag?.to) return {};
      return { class: drag.to < drag.from ? 'drop-before' : 'drop-after' };
    },
  };
}
