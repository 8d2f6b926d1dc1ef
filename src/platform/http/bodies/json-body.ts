import { setImmediate as turn } from 'node:timers/promises';
import { jsonPointer } from '../../api/problems/json-pointer';
import { Problem } from '../../api/problems/problem';
import { isStorable } from '../../api/fields/text';

const MAX_DEPTH = 32;
/** Unless the route takes more, by `LargeBody`. */
const MAX_VALUES = 5000;
const MAX_FIELDS = 100;
const MAX_KEY_LENGTH = 200;

/** A body of more characters is parsed in steps, between which other requests have their turn. */
const LARGE = 256 * 1024;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** A rule that a body breaks, and where. */
interface Violation {
  /**
   * The keys that lead to the place, innermost first: they are pushed on the way back up, so valid bodies cost nothing.
   */
  path: string[];
  message: string;
}

/**
 * The value of a JSON body (RFC 8259), or undefined for an empty one. Throws a 400 that points to:
 * - anything that could not be stored as sent: invalid UTF-8, a NUL character or unpaired surrogate, a number that a
 *   double
 *   would round, a duplicate key;
 * - a reserved key (`__proto__`, `constructor`);
 * - more than 5,000 values, or what a route takes, 100 fields in one object, 200 characters in a key or 32 levels of
 *   nesting.
 */
export function parseJsonBody(body: Buffer, maxValues = MAX_VALUES): unknown {
  const steps = parseInSteps(body, maxValues);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Whether a body is so large that it is better parsed by `parseLargeJsonBody`. */
export function isLarge(body: Buffer): boolean {
  return body.length > LARGE;
}

/** The same for a large body, which takes half a second: other requests have their turn in between. */
export async function parseLargeJsonBody(body: Buffer, maxValues?: number): Promise<unknown> {
  const steps = parseInSteps(body, maxValues);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await turn();
  }
}

function* parseInSteps(body: Buffer, maxValues = MAX_VALUES): Generator<void, unknown> {
  if (body.length === 0) return undefined;
  const text = decode(body);
  yield;
  const marks = marksOf(text, maxValues);
  yield;
  const value = parse(text);
  yield;
  const seen = { fields: 0 };
  const found = findViolation(value, 0, seen);
  if (found) throw invalid(found);
  yield;
  // More fields in the text than in the value: a duplicate key.
  const loss = marks.fields > seen.fields || !hasExactNumbers(text, marks) ? findLoss(text) : undefined;
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

/** Marks of a JSON text outside of its strings. */
interface Marks {
  fields: number;
  /**
   * Where there may be numbers that a double rounds: those with a long exponent, or with more than 15 digits (IEEE
   * 754).
   */
  longNumbers: number[];
}

/**
 * Counts before anything is parsed: parsing 100,000 lists in each other takes a tenth of a second. Throws a 400 for
 * more values than a body may have, or more numbers that are long.
 */
function marksOf(text: string, maxValues: number): Marks {
  const marks: Marks = { fields: 0, longNumbers: [] };
  // An upper bound: an empty list counts as two.
  let values = 1;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === COMMA || code === LIST || code === OBJECT) {
      if (++values > maxValues) throw invalid(violation(`has more than ${maxValues} values`));
    } else if (code === COLON) marks.fields++;
    else if (isDigit(code)) {
      const end = endOfNumber(text, at);
      if (end - at > 15 || hasLongExponent(text, at, end)) marks.longNumbers.push(at);
      at = end - 1;
    }
  }
  return marks;
}

const [QUOTE, BACKSLASH, COMMA, COLON, LIST, OBJECT, END_OF_LIST, END_OF_OBJECT] = [...'"\\,:[{]}'].map((mark) =>
  mark.charCodeAt(0),
);
const [ZERO, NINE, MINUS, PLUS, POINT, SMALL_E, LARGE_E] = [...'09-+.eE'].map((mark) => mark.charCodeAt(0));

const isDigit = (code: number) => code >= ZERO && code <= NINE;

/** Where the string ends that begins at a quotation mark: at the other one, or with the text. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let first = end;
    while (text.charCodeAt(first - 1) === BACKSLASH) first--;
    // Behind an even number of backslashes, which are escaped themselves.
    if ((end - first) % 2 === 0) return end;
  }
  return text.length;
}

/** The place behind the last character of a number. */
function endOfNumber(text: string, start: number): number {
  let end = start + 1;
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end);
    const isOfNumber = isDigit(code) || code === POINT || code === SMALL_E || code === LARGE_E;
    if (!isOfNumber && code !== PLUS && code !== MINUS) break;
  }
  return end;
}

/** Whether the exponent of a number has more than two characters. With fewer, a double has room for 15 digits. */
function hasLongExponent(text: string, start: number, end: number): boolean {
  for (let at = start; at < end - 3; at++) {
    const code = text.charCodeAt(at);
    if (code === SMALL_E || code === LARGE_E) return true;
  }
  return false;
}

function hasExactNumbers(text: string, { longNumbers }: Marks): boolean {
  return longNumbers.every((start) => isExact(text.slice(start, endOfNumber(text, start))));
}

/**
 * The first place in valid JSON that `JSON.parse` would change silently: a duplicate key, of which it keeps the last,
 * or a number that it rounds to the nearest double.
 */
function findLoss(text: string): Violation | undefined {
  /**
   * The lists and objects around the place, outermost first: where each is now, and the keys that an object has had.
   */
  const around: { key: string | number; keys?: Set<string> }[] = [];
  const at = (message: string) => ({ path: around.map(({ key }) => String(key)).toReversed(), message });
  for (let start = 0; start < text.length; start++) {
    const code = text.charCodeAt(start);
    const within = around.at(-1);
    if (code === QUOTE) {
      const end = endOfString(text, start);
      if (within?.keys && isKey(text, end)) {
        within.key = JSON.parse(text.slice(start, end + 1)) as string;
        if (within.keys.has(within.key)) return at('is given twice');
        within.keys.add(within.key);
      }
      start = end;
    } else if (code === LIST) around.push({ key: 0 });
    else if (code === OBJECT) around.push({ key: '', keys: new Set() });
    else if (code === END_OF_LIST || code === END_OF_OBJECT) around.pop();
    else if (code === COMMA && typeof within!.key === 'number') within!.key++;
    else if (isDigit(code)) {
      const end = endOfNumber(text, start);
      const number = (text[start - 1] === '-' ? '-' : '') + text.slice(start, end);
      if (!isExact(number)) return at(`can't be stored exactly: it would become ${Number(number)}`);
      start = end - 1;
    }
  }
  return undefined;
}

/** Whether a colon is behind a string. */
function isKey(text: string, end: number): boolean {
  let next = end + 1;
  while (text.charCodeAt(next) <= SPACE) next++;
  return text.charCodeAt(next) === COLON;
}

const SPACE = 0x20;

/** Whether a number survives the round trip through a double; the notation (`1.0`, `1e0`) doesn't matter. */
function isExact(number: string): boolean {
  const value = Number(number);
  // Out of range: the value that JSON.parse keeps may be another one of the same key.
  if (!Number.isFinite(value)) return false;
  const double = String(value);
  return double === number || decimalOf(number) === decimalOf(double);
}

/** A number as its significant digits and a power of ten: the same for `1200`, `1.2e3` and `1200.0`. */
function decimalOf(number: string): string {
  const [, sign, whole, fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number)!;
  const digits = whole + fraction;
  let [first, end] = [0, digits.length];
  while (digits.charCodeAt(first) === ZERO) first++;
  // Not by a regular expression: it would try at each zero.
  while (end > first && digits.charCodeAt(end - 1) === ZERO) end--;
  if (first === digits.length) return '0';
  return `${sign}${digits.slice(first, end)}e${Number(exponent) + whole.length - first}`;
}
