import { isDeepStrictEqual } from 'node:util';
import { isPlainObject } from '../platform/common/json';
import { jsonPointer } from '../platform/api/problems/json-pointer';

/** A value of a document that differs from what is stored. */
export interface Difference {
  /** JSON Pointer (RFC 6901) into the document; of what is gone, to where it was, or to the list that it was in. */
  pointer: string;
  /** null where there was nothing. */
  old: unknown;
  /** null where there is nothing any more. */
  new: unknown;
}

type Path = readonly (string | number)[];

/**
 * What differs between two values at a place of a document, as small as it can be said. Items of lists are known by
 * their keys.
 */
export function differences(before: unknown, after: unknown, path: Path): Difference[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (isPlainObject(before) && isPlainObject(after)) {
    const names = new Set([...Object.keys(after), ...Object.keys(before)]);
    return [...names].flatMap((name) => differences(before[name], after[name], [...path, name]));
  }
  if (areNamed(before) && areNamed(after)) return ofNamed(before, after, path);
  return [{ pointer: jsonPointer(...path), old: before ?? null, new: after ?? null }];
}

function ofNamed(before: unknown[], after: unknown[], path: Path): Difference[] {
  const old = new Map(before.map((item) => [nameOf(item), item]));
  const names = new Set(after.map(nameOf));
  const list = jsonPointer(...path);
  const gone = before
    .filter((item) => !names.has(nameOf(item)))
    .map((item) => ({ pointer: list, old: item, new: null }));
  const changed = after.flatMap((item, index) => differences(old.get(nameOf(item)), item, [...path, index]));
  const was = before.map(nameOf).filter((name) => names.has(name));
  const is = after.map(nameOf).filter((name) => old.has(name));
  const moved = isDeepStrictEqual(was, is) ? [] : [{ pointer: list, old: was, new: is }];
  return [...gone, ...changed, ...moved];
}

/** A node of a graph or an arm of a split has a `key`, an option of a question a `value` and a label. */
function nameOf(item: unknown): unknown {
  if (!isPlainObject(item)) return undefined;
  return item.key ?? ('label' in item ? item.value : undefined);
}

function areNamed(value: unknown): value is unknown[] {
  if (!Array.isArray(value)) return false;
  const names = value.map(nameOf);
  return names.every((name) => typeof name === 'string') && new Set(names).size === names.length;
}
