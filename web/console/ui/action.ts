import { useState } from 'preact/hooks';

/** Something that a button does, once at a time. */
export interface Action<Input extends unknown[]> {
  run: (...input: Input) => void;
  isBusy: boolean;
  /** Why it failed last. */
  error: unknown;
}

export function useAction<Input extends unknown[]>(work: (...input: Input) => Promise<void>): Action<Input> {
  const [state, setState] = useState<{ isBusy: boolean; error?: unknown }>({ isBusy: false });
  const run = (...input: Input) => {
    if (state.isBusy) return;
    setState({ isBusy: true });
    work(...input).then(
      () => setState({ isBusy: false }),
      (error: unknown) => setState({ isBusy: false, error }),
    );
  };
  return { run, isBusy: state.isBusy, error: state.error };
}
