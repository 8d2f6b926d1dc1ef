import { useEffect, useState } from 'preact/hooks';

/**
 * How the service answered last: `limited`: the key asks too often (429); `busy`: it could not answer now (5xx);
 * `away`: there was no answer. The client tries again by itself; people are told meanwhile.
 */
export type ServiceStatus = 'well' | 'limited' | 'busy' | 'away';

let status: ServiceStatus = 'well';
const listeners = new Set<(status: ServiceStatus) => void>();

function set(next: ServiceStatus): void {
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

/** A fetch that notes how the service answers. */
export function observed(onUnauthorized: () => void): typeof fetch {
  return async (resource, init) => {
    try {
      const response = await fetch(resource, init);
      if (response.status === 401) onUnauthorized();
      set(response.status === 429 ? 'limited' : response.status >= 500 ? 'busy' : 'well');
      return response;
    } catch (error) {
      // A page that was left ends its requests, which says nothing of the service.
      if ((error as Error).name !== 'AbortError') set('away');
      throw error;
    }
  };
}
