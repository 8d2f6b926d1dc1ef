/** What was, what is, and what was undone. */
export interface History<T> {
  past: T[];
  now: T;
  future: T[];
  /**
   * What the last change was made to. Changes to the same thing, such as keys pressed in a field, are undone as one.
   */
  subject?: string | undefined;
}

export function beginning<T>(now: T): History<T> {
  return { past: [], now, future: [] };
}

export function changed<T>({ past, now, subject: last }: History<T>, next: T, subject?: string): History<T> {
  const isSame = subject !== undefined && subject === last;
  return { past: isSame ? past : [...past, now], now: next, future: [], subject };
}

export function undone<T>(history: History<T>): History<T> {
  const { past, now, future } = history;
  if (past.length === 0) return history;
  return { past: past.slice(0, -1), now: past.at(-1)!, future: [now, ...future] };
}

export function redone<T>(history: History<T>): History<T> {
  const { past, now, future } = history;
  if (future.length === 0) return history;
  return { past: [...past, now], now: future[0], future: future.slice(1) };
}
