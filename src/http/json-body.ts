import { jsonPointer } from '../common/json-pointer';
import { Problem } from '../common/problem';
import { isStorable } from '../common/text';

const MAX_DEPTH = 32;
/** Unless the route takes more, by `LargeBody`. */
const MAX_VALUES = 5000;
const MAX_FIELDS = 100;
const MAX_KEY_LENGTH = 200;

/** Every string, up to the end of the text if it is not closed. Outside of them, JSON has only marks, numbers and words. */
const STRINGS = /"[^"\\]*(?:\\.[^"\\]*)*"?/g;
/** Has an exponent, or more than 15 digits: every shorter decimal survives the round trip through a double (IEEE 754). */
const LONG_NUMBER = /[\d.]{16}|\de/i;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** A rule that a body breaks, and where. */
interface Violation {
  /** The keys that lead to the place, innermost first: they are pushed on the way back up, so valid bodies cost nothing. */
  path: string[];
  message: string;
}

/**
 * The value of a JSON body (RFC 8259), or undefined for an empty one. Throws a 400 that points to:
 * - anything that could not be stored as sent: invalid UTF-8, a NUL character or unpaired surrogate, a number that a double
 *   would round, a duplicate key;
 * - a reserved key (`__proto__`, `constructor`);
 * - more than 5,000 values, or what a route takes, 100 fields in one object, 200 characters in a key or 32 levels of nesting.
 */
export function parseJsonBody(body: Buffer, maxValues = MAX_VALUES): unknown {
  if (body.length === 0) return undefined;
  const text = decode(body);
  const bare = text.replace(STRINGS, '');
  const count = (mark: RegExp) => bare.match(mark)?.length ?? 0;
  // An upper bound. Counted first, because parsing 100,000 lists in each other takes a tenth of a second.
  if (1 + count(/[,[{]/g) > maxValues) throw invalid(violation(`has more than ${maxValues} values`));
  const value = parse(text);
  const seen = { fields: 0 };
  const found = findViolation(value, 0, seen);
  if (found) throw invalid(found);
  // More fields in the text than in the value: a duplicate key. The search is slower than parsing, so it runs only if needed.
  const loss = count(/:/g) > seen.fields || LONG_NUMBER.test(bare) ? findLoss(text) : undefined;
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

function violation(message: string): Violation {
  return { path: [], message };
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

/** A string, with the colon behind it if it is a key; or a number. */
const TOKEN = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|-?\d[\d.eE+-]*/g;

/**
 * The first place in valid JSON that `JSON.parse` would change silently: a duplicate key, of which it keeps the last, or a
 * number that it rounds to the nearest double.
 *
 * Parses the text again with markers in it: keys get a unique number in front, and numbers become strings.
 */
function findLoss(text: string): Violation | undefined {
  let keys = 0;
  const marked = text.replace(TOKEN, (token, string?: string, colon?: string) => {
    if (string === undefined) return `"n${token}"`;
    return colon === undefined ? `"s${string.slice(1)}` : `"${keys++} ${string.slice(1)}:`;
  });
  return findLossIn(JSON.parse(marked));
}

function findLossIn(value: unknown): Violation | undefined {
  if (typeof value === 'string') {
    const number = value.slice(1);
    return value[0] === 's' || isExact(number)
      ? undefined
      : violation(`can't be stored exactly: it would become ${Number(number)}`);
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const seen = new Set<string>();
  for (const [marked, child] of Object.entries(value)) {
    const key = Array.isArray(value) ? marked : marked.slice(marked.indexOf(' ') + 1);
    const found = seen.has(key) ? violation('is given twice') : findLossIn(child);
    if (found) {
      found.path.push(key);
      return found;
    }
    seen.add(key);
  }
  return undefined;
}

/** Whether a number survives the round trip through a double; the notation (`1.0`, `1e0`) doesn't matter. */
function isExact(number: string): boolean {
  return decimalOf(number) === decimalOf(String(Number(number)));
}

/** A number as its significant digits and a power of ten: the same for `1200`, `1.2e3` and `1200.0`. */
function decimalOf(number: string): string {
  const [, sign, whole, fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number)!;
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  return `${sign}${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}
