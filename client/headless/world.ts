import type { World } from './walk.ts';

/** The browser, for a walk. */
export function world(): World {
  return {
    fetch: (...request) => fetch(...request),
    now: () => performance.now(),
    after(milliseconds, callback) {
      const timer = setTimeout(callback, milliseconds);
      return () => clearTimeout(timer);
    },
    get storage() {
      return sessionStorage;
    },
    randomKey: () => crypto.getRandomValues(new Uint32Array(4)).join('-'),
  };
}
