import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { useRecovery } from '../shell/service-status';
import { Problem } from './problem';

/** Something that is read from the service. While it is read again, what was read before stays. */
export interface Loading<T> {
  value: T | undefined;
  error: unknown;
  isLoading: boolean;
  /** Resolves when it is read again: what is changed next has the new ETag. */
  reload: () => Promise<void>;
}

/** Reads something, and again whenever `inputs` change. What a page asks for ends with the page. */
export function useLoading<T>(load: (signal: AbortSignal) => Promise<T>, inputs: unknown[]): Loading<T> {
  const [state, setState] = useState<{ value?: T; error?: unknown; isLoading: boolean }>({ isLoading: true });
  const [round, setRound] = useState(0);
  /** What the value was read for. */
  const known = useRef(inputs);
  /** Those who wait for the next answer. */
  const waiting = useRef<(() => void)[]>([]);
  useEffect(() => {
    const leaving = new AbortController();
    setState(({ value }) => ({ value, isLoading: true }));
    const settled = () => {
      for (const go of waiting.current.splice(0)) go();
    };
    load(leaving.signal).then(
      (value) => {
        if (leaving.signal.aborted) return;
        known.current = inputs;
        setState({ value, isLoading: false });
        settled();
      },
      (error: unknown) => {
        if (leaving.signal.aborted) return;
        // What was read for something else says nothing of this.
        const isOfThis = inputs.every((input, index) => input === known.current[index]);
        setState(({ value }) => ({ value: isOfThis ? value : undefined, error, isLoading: false }));
        settled();
      },
    );
    return () => leaving.abort();
  }, [...inputs, round]);
  const reload = useCallback(
    () =>
      new Promise<void>((resolve) => {
        waiting.current.push(resolve);
        setRound((round) => round + 1);
      }),
    [],
  );
  useRecovery(state.error !== undefined, reload);
  return { value: state.value, error: state.error, isLoading: state.isLoading, reload };
}

/** How long it takes until somebody wonders, in seconds. */
const LONG = 2;

/** Says that something is read, after a while for how long already. What is read again says so only then. */
export function Waiting({ isAgain = false }: { isAgain?: boolean }) {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds((seconds) => seconds + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  if (isAgain && seconds < LONG) return null;
  return (
    <p class="waiting">
      <span class="spinner" />
      Loading …{seconds >= LONG && <span aria-hidden="true"> {seconds} s</span>}
    </p>
  );
}

/** Shows what was read, or why it was not. */
export function Loaded<T>({ loading, children }: { loading: Loading<T>; children: (value: T) => ComponentChildren }) {
  const { value, error, isLoading, reload } = loading;
  return (
    <div class={isLoading && value !== undefined ? 'loading' : 'loaded'} aria-busy={isLoading}>
      {error !== undefined && <Problem error={error} onRetry={reload} />}
      {isLoading && <Waiting isAgain={value !== undefined} />}
      {value !== undefined && children(value)}
    </div>
  );
}
