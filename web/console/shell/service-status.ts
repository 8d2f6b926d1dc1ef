import { useEffect, useState } from 'preact/hooks';

/**
 * How the service answered last: `refused`: nobody is signed in any more (401); `limited`: somebody asks too often
 * (429); `busy`: it could not answer now (5xx); `away`: there was no answer. Of the last three the client tries again
 * by itself; people are told meanwhile.
 */
export type ServiceStatus = 'well' | 'refused' | 'limited' | 'busy' | 'away';

/** Whether the service is as it should be, whoever asks. */
export const isUp = (status: ServiceStatus): status is 'well' | 'refused' => status === 'well' || status === 'refused';

/** The pause before the console asks again whether the service is well. */
const PAUSE_MS = 3000;

let status: ServiceStatus = 'well';
const listeners = new Set<(status: ServiceStatus) => void>();

function set(next: ServiceStatus): void {
  if (next === status) return;
  status = next;
  for (const listener of listeners) listener(next);
}

export function useServiceStatus(): ServiceStatus {
  const [current, setCurrent] = useState(status);
  useEffect(() => {
    setCurrent(status);
    listeners.add(setCurrent);
    return () => void listeners.delete(setCurrent);
  }, []);
  return current;
}

/**
 * Asks the service again and again while it is not well: the client gives up on a request, a page that is open does
 * not.
 */
export function useAskingAgain(isWell: boolean, ask: (signal: AbortSignal) => Promise<unknown>): void {
  useEffect(() => {
    if (isWell) return undefined;
    const over = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    const wait = () => {
      if (!over.signal.aborted)
        timer = setTimeout(
          () =>
            void ask(over.signal)
              .catch(() => {})
              .then(wait),
          PAUSE_MS,
        );
    };
    wait();
    return () => {
      clearTimeout(timer);
      over.abort();
    };
  }, [isWell]);
}

/** Does something that failed once more, each time that the service is well again. */
export function useRecovery(hasFailed: boolean, repeat: () => unknown): void {
  const isWell = useServiceStatus() === 'well';
  useEffect(() => {
    if (isWell && hasFailed) repeat();
  }, [isWell]);
}

/** A fetch that notes how the service answers, before the answer is used. */
export function observed(watch?: (response: Response) => Promise<void>): typeof fetch {
  return async (resource, init) => {
    try {
      const response = await fetch(resource, init);
      await watch?.(response);
      set(statusOf(response));
      return response;
    } catch (error) {
      // A page that was left ends its requests, which says nothing of the service.
      if ((error as Error).name !== 'AbortError') set('away');
      throw error;
    }
  };
}

function statusOf({ status }: Response): ServiceStatus {
  if (status === 401) return 'refused';
  if (status === 429) return 'limited';
  return status >= 500 ? 'busy' : 'well';
}
