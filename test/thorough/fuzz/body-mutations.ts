import fc from 'fast-check';
import { JSON_VALUES, UNKNOWN_FIELDS } from './hostile-values';
import type { Bytes } from './raw-http';

export type BodyMutation = (body: Bytes) => Bytes;

const toBytes = (text: string): Bytes => Buffer.from(text).toString('latin1');
const toText = (bytes: Bytes): string => Buffer.from(bytes, 'latin1').toString();

/** The body with these fields; a field that is undefined is removed. */
export function withFields(body: Bytes, fields: object): Bytes {
  return toBytes(JSON.stringify({ ...(JSON.parse(toText(body)) as object), ...fields }));
}

const jsonValues: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...JSON_VALUES) },
  { weight: 1, arbitrary: fc.json({ stringUnit: 'binary' }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text)) },
);

/** Changes the JSON of a value; undefined removes it. */
type ValueMutation = (json: string) => string | undefined;

const valueMutations = fc.oneof<
  [
    fc.WeightedArbitrary<ValueMutation>,
    fc.WeightedArbitrary<ValueMutation>,
    fc.WeightedArbitrary<ValueMutation>,
    fc.WeightedArbitrary<ValueMutation>,
  ]
>(
  { weight: 4, arbitrary: jsonValues.map((json) => () => json) },
  { weight: 1, arbitrary: fc.constant(() => undefined) },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.constantFrom(...UNKNOWN_FIELDS), jsonValues).map(
      ([name, value]) =>
        (json) =>
          withField(json, name, value),
    ),
  },
  // A duplicate of the first field.
  {
    weight: 1,
    arbitrary: jsonValues.map((value) => (json) => withField(json, /^\{"(\w+)"/.exec(json)?.[1] ?? '', value)),
  },
);

/** Bodies in which one value, at any depth, is replaced, removed, or has one more field. */
export const bodyMutations: fc.Arbitrary<BodyMutation> = fc.tuple(fc.nat(), valueMutations).map(
  ([at, mutate]) =>
    (body) =>
      toBytes(mutateValue(toText(body), at, mutate)),
);

/** Bodies that may not be JSON, or are too large. */
export const malformedBodies: fc.Arbitrary<BodyMutation> = fc.oneof(
  fc
    .constantFrom('', ' ', '\0', '\xef\xbb\xbf', 'a=b&c=d', '<xml/>', ...JSON_VALUES.map(toBytes))
    .map((body) => () => body),
  fc.uint8Array({ maxLength: 64 }).map((bytes) => () => Buffer.from(bytes).toString('latin1')),
  fc.constantFrom<BodyMutation>(
    (body) => body + body,
    (body) => `\xef\xbb\xbf${body}`,
    (body) => Buffer.from(body, 'utf16le').toString('latin1'),
    (body) => body + ' '.repeat(300 * 1024),
    (body) => body.replace('{', () => `{"huge":"${'x'.repeat(200 * 1024)}",`),
  ),
  // Truncated, or with something in the middle.
  fc
    .tuple(
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.constantFrom('\xff', '\xc0\xaf', '\xed\xa0\xbd', '\0', '\\ud800', '"', ','),
      fc.boolean(),
    )
    .map(([share, inserted, isTruncated]): BodyMutation => (body) => {
      const at = Math.round(share * body.length);
      return isTruncated ? body.slice(0, at) : body.slice(0, at) + inserted + body.slice(at);
    }),
);

const PLACEHOLDER = 'the mutated value';

/**
 * Mutates one value of the JSON. The result is inserted as text, since 1e400 or a duplicate key is no JavaScript value.
 */
function mutateValue(json: string, at: number, mutate: ValueMutation): string {
  const root: Record<string, unknown> = { body: JSON.parse(json) };
  const places = placesIn(root);
  const { holder, key } = places[at % places.length];
  const mutant = mutate(JSON.stringify(holder[key]));
  if (mutant === undefined) delete holder[key];
  else holder[key] = PLACEHOLDER;
  return (JSON.stringify(root.body) ?? '').replace(JSON.stringify(PLACEHOLDER), () => mutant ?? '');
}

function placesIn(holder: Record<string, unknown>): { holder: Record<string, unknown>; key: string }[] {
  return Object.entries(holder).flatMap(([key, value]) => [
    { holder, key },
    ...(typeof value === 'object' && value !== null ? placesIn(value as Record<string, unknown>) : []),
  ]);
}

/** The JSON of an object with a field before its first one. Any other value is replaced by an object with the field. */
function withField(json: string, name: string, value: string): string {
  const field = `${JSON.stringify(name)}:${value}`;
  return json.startsWith('{"') ? json.replace('{', () => `{${field},`) : `{${field}}`;
}
