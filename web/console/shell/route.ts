import { useLayoutEffect, useState } from 'preact/hooks';

/** The part of the address behind #, such as `/flows/019a…?status=published`: what is shown, and never a key. */
export interface Route {
  path: string;
  query: URLSearchParams;
}

export function routeOf(hash: string): Route {
  const [path, query] = hash.replace(/^#/, '').split(/\?(.*)/s);
  return { path: path || '/', query: new URLSearchParams(query) };
}

/** Asks before the page is left; gets what leaves it. */
type Guard = (go: () => void) => void;

let guard: Guard | undefined;

/** From now on, nobody leaves the page without being asked; `undefined` lets them go again. */
export function guardPage(next: Guard | undefined): void {
  guard = next;
}

/** Leaves the page, unless it asks first. */
export function leavePage(go: () => void): void {
  if (guard) guard(go);
  else go();
}

export function useRoute(): Route {
  const [hash, setHash] = useState(location.hash);
  // Not after the next frame: a quick hand has gone on by then.
  useLayoutEffect(() => {
    const follow = ({ oldURL }: HashChangeEvent) => {
      if (guard) {
        const target = location.hash;
        history.pushState(null, '', oldURL);
        guard(() => (location.hash = target));
      } else {
        setHash(location.hash);
      }
    };
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return routeOf(hash);
}

/** The address of a page, for links. Parameters that are empty are left out. */
export function href(path: string, query: Record<string, string | undefined> = {}): string {
  const parameters = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => (value ? [[name, value]] : [])),
  ).toString();
  return `#${path}${parameters && `?${parameters}`}`;
}

export function navigate(path: string, query?: Record<string, string | undefined>): void {
  location.hash = href(path, query);
}

/** Changes the address of the page that is shown, such as by its filters. "Back" leads to the page before. */
export function replace(path: string, query?: Record<string, string | undefined>): void {
  history.replaceState(null, '', href(path, query));
  dispatchEvent(new HashChangeEvent('hashchange'));
}

/** The parameters of a path that fits a pattern such as `/flows/:id`; undefined for one that does not. */
export function match(pattern: string, path: string): Record<string, string> | undefined {
  const names: string[] = [];
  const source = pattern.replaceAll(/:(\w+)/g, (_, name: string) => {
    names.push(name);
    return '([^/]+)';
  });
  const found = new RegExp(`^${source}$`).exec(path);
  if (!found) return undefined;
  return Object.fromEntries(names.map((name, index) => [name, decoded(found[index + 1])]));
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
