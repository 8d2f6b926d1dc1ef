import { useEffect, useState } from 'preact/hooks';

const SHOWN_MS = 5000;

let listener: ((text: string) => void) | undefined;

/** Says at the top, and to screen readers, that something was done. */
export function toast(text: string): void {
  listener?.(text);
}

export function Toasts() {
  const [shown, setShown] = useState<{ text: string }>();
  useEffect(() => {
    listener = (text) => setShown({ text });
    return () => (listener = undefined);
  }, []);
  useEffect(() => {
    if (!shown) return undefined;
    const timer = setTimeout(() => setShown(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [shown]);
  return (
    <div class="toasts" role="status">
      {shown && <p class="toast">{shown.text}</p>}
    </div>
  );
}
