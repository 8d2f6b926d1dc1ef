import { FieldError, jsonPointer, Problem } from '../common/problem';
import { isStorable } from '../common/text';

const MAX_DEPTH = 32;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The value of a JSON body (RFC 8259), or undefined for an empty one.
 * Throws a 400 that names the place for anything that could not be stored as it was sent: invalid UTF-8, a NUL
 * character or an unpaired surrogate, a number out of range, nesting deeper than 32, a key that every object has a member
 * of (`__proto__`, `constructor`).
 */
export function parseJsonBody(body: Buffer): unknown {
  if (body.length === 0) return undefined;
  const value = parse(body);
  const error = findFault(value, []);
  if (error) throw Problem.invalid([error]);
  return value;
}

/** Keys that libraries drop without a word, because every object has a member of that name. */
export function isReserved(key: string): boolean {
  return key in Object.prototype || key === 'prototype';
}

function parse(body: Buffer): unknown {
  let text: string;
  try {
    text = utf8.decode(body);
  } catch {
    throw Problem.invalid([{ pointer: '', message: 'is not valid UTF-8' }]);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw Problem.invalid([{ pointer: '', message: 'is not valid JSON' }]);
  }
}

function findFault(value: unknown, path: string[]): FieldError | undefined {
  const fault = (message: string): FieldError => ({ pointer: jsonPointer(...path), message });
  if (typeof value === 'string') {
    return isStorable(value) ? undefined : fault('must not contain a NUL character or an unpaired surrogate');
  }
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : fault('is a number out of range');
  if (typeof value !== 'object' || value === null) return undefined;
  if (path.length >= MAX_DEPTH) return fault(`is nested deeper than ${MAX_DEPTH} levels`);
  for (const key of Object.keys(value)) {
    if (!isStorable(key) || isReserved(key)) return fault('has a key that is not allowed');
    const found = findFault((value as Record<string, unknown>)[key], [...path, key]);
    if (found) return found;
  }
  return undefined;
}
