import fc from 'fast-check';
import { UNKNOWN_FIELDS, WRONG } from './junk';

/** Bytes, one a character (latin1), as they are written to the wire. */
export type Bytes = string;

export function toBytes(text: string): Bytes {
  return Buffer.from(text).toString('latin1');
}

function toText(bytes: Bytes): string {
  return Buffer.from(bytes, 'latin1').toString();
}

/** A body in which some fields are others; undefined takes one away. */
export function withFields(body: Bytes, fields: object): Bytes {
  return toBytes(JSON.stringify({ ...(JSON.parse(toText(body)) as object), ...fields }));
}

/** What becomes of a body. */
export type Damage = (body: Bytes) => Bytes;

const wrong: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...WRONG) },
  { weight: 1, arbitrary: fc.json({ stringUnit: 'binary' }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text)) },
);

/** One part of the JSON, however deep, is another, is gone, is there twice, or has company. */
export const slightDamage: fc.Arbitrary<Damage> = fc
  .tuple(
    fc.nat(),
    fc.oneof(
      { weight: 4, arbitrary: wrong.map((json) => () => json) },
      { weight: 1, arbitrary: fc.constant(() => undefined) },
      { weight: 2, arbitrary: fc.tuple(fc.constantFrom(...UNKNOWN_FIELDS), wrong).map((field) => withField(...field)) },
      { weight: 1, arbitrary: wrong.map((json) => (part: string) => withField(firstField(part), json)(part)) },
    ),
  )
  .map(
    ([at, change]) =>
      (body) =>
        toBytes(changePart(toText(body), at, change)),
  );

/** It may never have been JSON, or is too much of it. */
export const grossDamage: fc.Arbitrary<Damage> = fc.oneof(
  fc.constantFrom('', ' ', '\0', '\xef\xbb\xbf', '"text"', 'a=b&c=d', '<xml/>', '{}').map((body) => () => body),
  fc.constantFrom(...WRONG).map((json) => () => toBytes(json)),
  fc.uint8Array({ maxLength: 64 }).map((bytes) => () => Buffer.from(bytes).toString('latin1')),
  fc.constantFrom<Damage>(
    (body) => body + body,
    (body) => `${body},`,
    (body) => `\xef\xbb\xbf${body}`,
    (body) => Buffer.from(body, 'utf16le').toString('latin1'),
    (body) => body + ' '.repeat(300 * 1024),
    (body) => body.replace('{', () => `{"huge":"${'x'.repeat(200 * 1024)}",`),
  ),
  fc.nat().map(
    (at): Damage =>
      (body) =>
        body.slice(0, at % (body.length + 1)),
  ),
  fc.tuple(fc.nat(), fc.constantFrom('\xff', '\xc0\xaf', '\xed\xa0\xbd', '\xf4\x90\x80\x80', '\0', '\\ud800', '"')).map(
    ([at, junk]): Damage =>
      (body) =>
        body.slice(0, at % (body.length + 1)) + junk + body.slice(at % (body.length + 1)),
  ),
);

/** The JSON with one part replaced by what the change makes of its JSON; undefined takes the part away. */
function changePart(json: string, at: number, change: (part: string) => string | undefined): string {
  const root = { '': JSON.parse(json) as unknown };
  const places = placesIn(root);
  const { holder, key } = places[at % places.length];
  const changed = change(JSON.stringify(holder[key]));
  if (changed === undefined) delete holder[key];
  else holder[key] = HERE;
  // Some JSON is no value of JavaScript's (1e400, a field twice), so it is put in as text.
  return (JSON.stringify(root['']) ?? '').replace(JSON.stringify(HERE), () => changed ?? '');
}

const HERE = 'where the change goes';

interface Place {
  holder: Record<string, unknown>;
  key: string;
}

function placesIn(holder: object): Place[] {
  return Object.entries(holder).flatMap(([key, value]: [string, unknown]) => [
    { holder: holder as Place['holder'], key },
    ...(typeof value === 'object' && value !== null ? placesIn(value) : []),
  ]);
}

/** Puts a field in front of those of an object; anything else is replaced. */
function withField(name: string, value: string): (part: string) => string {
  const field = `${JSON.stringify(name)}:${value}`;
  return (part) => (part.startsWith('{"') ? part.replace('{', () => `{${field},`) : `{${field}}`);
}

function firstField(part: string): string {
  return /^\{"(\w+)"/.exec(part)?.[1] ?? 'name';
}
