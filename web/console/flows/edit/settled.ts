import { useEffect, useState } from 'preact/hooks';

const PAUSE_MS = 150;

/** A value once it has not changed for a moment, for what takes too long to be done with each key that is pressed. */
export function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(() => value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(() => value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
