import { jsonPointer, Problem } from '../common/problem';
import { isStorable } from '../common/text';
import { findLoss, type Violation } from './lossy-json';

const MAX_DEPTH = 32;
/** The largest flow without branches has about 4,500; a branch may have 900. */
const MAX_VALUES = 5000;
const MAX_FIELDS = 100;
const MAX_KEY_LENGTH = 200;
/** Every decimal of up to 15 digits survives the round trip through a double (IEEE 754). */
const SAFE_DIGITS = 15;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The value of a JSON body (RFC 8259), or undefined for an empty one. Throws a 400 that points to:
 * - anything that could not be stored as sent: invalid UTF-8, a NUL character or unpaired surrogate, a number that a double
 *   would round, a duplicate key;
 * - a reserved key (`__proto__`, `constructor`);
 * - more than 5,000 values, 100 fields in one object, 200 characters in a key or 32 levels of nesting.
 */
export function parseJsonBody(body: Buffer): unknown {
  if (body.length === 0) return undefined;
  const text = decode(body);
  const size = measure(body);
  if (size.values > MAX_VALUES) throw invalid(violation(`has more than ${MAX_VALUES} values`));
  const value = parse(text);
  const seen = { fields: 0 };
  const found = findViolation(value, 0, seen);
  if (found) throw invalid(found);
  // More fields in the text than in the value: a duplicate key. The search is slower than parsing, so it runs only if needed.
  const loss = size.fields > seen.fields || size.hasLongNumber ? findLoss(text) : undefined;
  if (loss) throw invalid(loss);
  return value;
}

/** Keys that libraries drop silently, because every object inherits a property of that name. */
export function isReserved(key: string): boolean {
  return key in Object.prototype || key === 'prototype';
}

function invalid({ path, message }: Violation): Problem {
  return Problem.invalid([{ pointer: jsonPointer(...path.toReversed()), message }]);
}

function decode(body: Buffer): string {
  try {
    return utf8.decode(body);
  } catch {
    throw invalid(violation('is not valid UTF-8'));
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid(violation('is not valid JSON'));
  }
}

/** Measures JSON in one pass over its bytes. `values` is an upper bound; `fields` is exact if the JSON is valid. */
function measure(body: Buffer): { values: number; fields: number; hasLongNumber: boolean } {
  let values = 1;
  let fields = 0;
  let digits = 0;
  let hasLongNumber = false;
  for (let i = 0; i < body.length; i++) {
    const byte = body[i];
    if (byte >= 0x30 && byte <= 0x39) {
      if (++digits > SAFE_DIGITS) hasLongNumber = true;
      continue;
    }
    if (byte === 0x2e /* . */) continue;
    if (digits > 0 && (byte | 0x20) === 0x65 /* e */) hasLongNumber = true;
    digits = 0;
    if (byte === 0x22 /* " */) i = endOfString(body, i);
    else if (byte === 0x3a /* : */) fields++;
    else if (byte === 0x2c /* , */ || byte === 0x5b /* [ */ || byte === 0x7b /* { */) values++;
  }
  return { values, fields, hasLongNumber };
}

/** The index of the closing quote of the string that starts at `start`. */
function endOfString(body: Buffer, start: number): number {
  let i = start + 1;
  while (i < body.length && body[i] !== 0x22 /* " */) i += body[i] === 0x5c /* \ */ ? 2 : 1;
  return i;
}

function findViolation(value: unknown, depth: number, seen: { fields: number }): Violation | undefined {
  if (typeof value === 'string') {
    return isStorable(value) ? undefined : violation('must not contain a NUL character or an unpaired surrogate');
  }
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : violation('is a number out of range');
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth >= MAX_DEPTH) return violation(`is nested deeper than ${MAX_DEPTH} levels`);
  if (!Array.isArray(value)) {
    const keys = Object.keys(value);
    seen.fields += keys.length;
    if (keys.length > MAX_FIELDS) return violation(`has more than ${MAX_FIELDS} fields`);
    if (keys.some((key) => key.length > MAX_KEY_LENGTH))
      return violation(`has a key of more than ${MAX_KEY_LENGTH} characters`);
    if (!keys.every(isStorable)) return violation('has a key with a NUL character or an unpaired surrogate');
    const reserved = keys.find(isReserved);
    if (reserved !== undefined) return violation(`has the key ${reserved}, which is reserved`);
  }
  for (const key in value) {
    const found = findViolation((value as Record<string, unknown>)[key], depth + 1, seen);
    if (found) {
      found.path.push(key);
      return found;
    }
  }
  return undefined;
}

function violation(message: string): Violation {
  return { path: [], message };
}
