import type { World } from './walk';

/** The browser, for a walk. */
export function world(): World {
  return {
    fetch: (...request) => fetch(...request),
    now: () => performance.now(),
    after(milliseconds, callback) {
      const timer = setTimeout(callback, milliseconds);
      return () => clearTimeout(timer);
    },
    storage: tabStorage(),
    randomKey: () => crypto.getRandomValues(new Uint32Array(4)).join('-'),
  };
}

/** Browsers may forbid it, such as to a page in a sandbox. */
function tabStorage(): Storage | undefined {
  try {
    return sessionStorage;
  } catch {
    return undefined;
  }
}
