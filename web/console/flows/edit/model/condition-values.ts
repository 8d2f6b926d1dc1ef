type Value = string | number | boolean | null;

/** The values that customers had, by attribute. */
export type SeenAttributes = ReadonlyMap<string, readonly Value[]>;

/** A condition to begin with: of what customers had, the plan if there is one. */
export function firstCondition(seen: SeenAttributes): { attribute: string; is: '='; value: Value } {
  const known = [...seen].filter(([, values]) => values.length > 0);
  const [attribute, [value]] = known.find(([name]) => name === 'plan') ?? known.at(0) ?? ['plan', ['pro']];
  return { attribute, is: '=', value };
}

/** The frequent values of an attribute, if none of a condition's is among them. */
export function unseenValues(
  seen: SeenAttributes,
  attribute: string,
  value: Value | Value[] | undefined,
): readonly Value[] {
  const known = seen.get(attribute) ?? [];
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
