import { type Fact, ORDERED } from '../../../../../src/conditions/facts';
import { factWords } from '../../fact-words';

type Value = string | number | boolean | null;

/** The values that customers had, by name. */
type SeenValues = ReadonlyMap<string, readonly Value[]>;

/** What customers had: attributes, and facts that were known of them. */
export interface Seen {
  attributes: SeenValues;
  facts: SeenValues;
}

export const NONE_SEEN: Seen = { attributes: new Map(), facts: new Map() };

type FirstCondition = { fact: Fact; is: '=' | '>='; value: Value } | { attribute: string; is: '='; value: Value };

/** A condition to begin with: the plan, as the service knows it or customers had it, or what else they had. */
export function firstCondition({ attributes, facts }: Seen): FirstCondition {
  if (facts.get('plan')?.length) return conditionOn('plan', facts);
  const known = [...attributes].filter(([, values]) => values.length > 0);
  const [attribute, [value]] = known.find(([name]) => name === 'plan') ?? known.at(0) ?? ['plan', ['pro']];
  return { attribute, is: '=', value };
}

/**
 * A condition on a fact to begin with.
 *
 * @param offer the id of one
 */
export function conditionOn(
  fact: Fact,
  seen: SeenValues,
  offer?: string,
): { fact: Fact; is: '=' | '>='; value: Value } {
  const first = fact === 'last_offer' && offer !== undefined ? offer : factWords(fact).first;
  const value = seen.get(fact)?.at(0) ?? first;
  return { fact, is: typeof value === 'number' ? '>=' : '=', value };
}

/** The frequent values of an attribute or a fact, if none of a condition's is among them. */
export function unseenValues(seen: SeenValues, name: string, value: Value | Value[] | undefined): readonly Value[] {
  const known = seen.get(name) ?? [];
  const wanted = Array.isArray(value) ? value : [value];
  return wanted.some((one) => one === undefined || known.includes(one)) ? [] : known;
}

/**
 * A value of a condition as it is written into a field: `pro`, `10`, `true`; a text that looks like another value is in
 * quotes.
 */
export function writtenValue(value: Value | Value[] | undefined): string {
  if (value === undefined) return '';
  if (Array.isArray(value)) return value.map(writtenItem).join(', ');
  return writtenItem(value);
}

function writtenItem(value: Value): string {
  if (typeof value !== 'string') return String(value);
  return /^$|^\s|\s$|[",]/.test(value) || readItem(value) !== value ? JSON.stringify(value) : value;
}

/**
 * What is written into a field as one value. Numbers, `true`, `false` and `null` are what they are, unless they are in
 * quotes.
 */
export function readValue(text: string): Value {
  return readItem(text.trim());
}

/** Values with commas between them. */
export function readValues(text: string): Value[] {
  const items = text.match(/\s*"(?:[^"\\]|\\.)*"\s*(?=,|$)|[^,]+/g) ?? [];
  return items.map((item) => item.trim()).flatMap((item) => (item === '' ? [] : [readItem(item)]));
}

function readItem(text: string): Value {
  if (/^-?(0|[1-9]\d*)(\.\d+)?$/.test(text) && Number.isFinite(Number(text))) return Number(text);
  if (text === 'true' || text === 'false') return text === 'true';
  if (text === 'null') return null;
  if (!/^".*"$/s.test(text)) return text;
  try {
    return JSON.parse(text) as string;
  } catch {
    return text;
  }
}

/** What is written, as a comparison takes it; undefined if it does not. */
export function valueFor(is: string, text: string): Value | Value[] | undefined {
  if (is === 'in' || is === 'not_in') {
    const values = readValues(text);
    return values.length > 0 ? values : undefined;
  }
  const value = readValue(text);
  if (ORDERED.includes(is)) return typeof value === 'number' ? value : undefined;
  return text.trim() === '' ? undefined : value;
}
