import fc from 'fast-check';
import { HINTS } from './hints';
import { deref, type Schema } from './operations';

const URLS = [
  'https://acme.example/cancel',
  'http://localhost:8080/?a=%00#b',
  'https://xn--mnchen-3ya.example/%F0%9F%92%B8',
];
const EMAILS = ['ada@example.com', `${'x'.repeat(64)}@example.com`, 'a.b+c@sub.example.co'];
const FUTURE = new Date('2100-01-01');
const END_OF_TIME = new Date('9999-12-31');
const UNKNOWN_ID = '019a9f3c-8b44-7f10-9a4e-5c6d7e8f9a0b';

/** Values that a schema allows; where its words leave a rule unsaid, those of the hints. */
export function valuesOf(schema: Schema, schemas: Record<string, Schema>, name = ''): fc.Arbitrary<unknown> {
  if (HINTS[name]) return HINTS[name];
  if (schema.$ref) return valuesOf(deref(schema, schemas), schemas);
  if (schema.allOf) return valuesOf(schema.allOf[0], schemas);
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices) return fc.oneof(...choices.map((choice) => valuesOf(choice, schemas)));
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (Array.isArray(schema.type)) {
    return fc.oneof(...schema.type.map((type) => valuesOf({ ...schema, type }, schemas)));
  }
  switch (schema.type) {
    case 'string':
      return fc.oneof(...(typeof schema.example === 'string' ? [fc.constant(schema.example)] : []), texts(schema));
    case 'integer':
      return fc.integer({ min: schema.minimum, max: schema.maximum });
    case 'number':
      return amounts(schema);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return lists(schema, schemas);
    case 'object':
      return objects(schema, schemas);
    default:
      throw new Error(`No values are known for ${JSON.stringify(schema)}`);
  }
}

function texts({ format, pattern, minLength = 0, maxLength = 100 }: Schema): fc.Arbitrary<string> {
  if (format === 'uuid') return fc.constant(UNKNOWN_ID);
  if (format === 'uri') return fc.constantFrom(...URLS);
  if (format === 'email') return fc.constantFrom(...EMAILS);
  if (format === 'date-time')
    return fc.date({ min: FUTURE, max: END_OF_TIME, noInvalidDate: true }).map((date) => date.toISOString());
  const matching = pattern && pattern !== '\\S' && fc.stringMatching(new RegExp(pattern));
  if (matching) return matching.filter((text) => text.length <= maxLength);
  const length = { minLength, maxLength: Math.min(maxLength, 40) };
  return fc
    .oneof(
      fc.string({ unit: 'grapheme', ...length }),
      fc.constantFrom('x', '💸').map((character) => character.repeat(maxLength)),
    )
    .filter((text) => [...text].length <= maxLength && (!pattern || text.trim() !== ''));
}

/** Amounts of money. A number without bounds may be any that JSON can carry. */
function amounts({ minimum, maximum }: Schema): fc.Arbitrary<number> {
  if (minimum === undefined || maximum === undefined) return fc.double({ noNaN: true, noDefaultInfinity: true });
  return fc.integer({ min: minimum * 100, max: Math.round(maximum * 100) }).map((cents) => cents / 100);
}

function lists({ items = {}, minItems, maxItems = 5, uniqueItems }: Schema, schemas: Record<string, Schema>) {
  const values = valuesOf(items, schemas);
  const length = { minLength: minItems, maxLength: Math.min(maxItems, 5) };
  return uniqueItems ? fc.uniqueArray(values, length) : fc.array(values, length);
}

function objects(schema: Schema, schemas: Record<string, Schema>): fc.Arbitrary<Record<string, unknown>> {
  const { properties = {}, required = [], additionalProperties } = schema;
  if (typeof additionalProperties === 'object') {
    const { maxLength } = additionalProperties;
    return fc.dictionary(
      fc.stringMatching(/^[a-z][a-z _-]{0,8}$/),
      valuesOf({ ...additionalProperties, maxLength }, schemas),
    );
  }
  const fields = Object.entries(properties).map(([name, field]) => [name, valuesOf(field, schemas, name)]);
  return fc.record(Object.fromEntries(fields), { requiredKeys: required, noNullPrototype: true });
}

/** Values that a schema just doesn't allow. */
export function slipsOf({ type, minLength, maxLength, minimum, maximum, maxItems, ...schema }: Schema): unknown[] {
  return [
    type === 'string' ? 1 : '1',
    ...(maxLength === undefined ? [] : ['x', '💸'].map((character) => character.repeat(maxLength + 1))),
    ...(minLength === undefined ? [] : ['', ' ']),
    ...(minimum === undefined ? [] : [minimum - 1, minimum + 0.001]),
    ...(maximum === undefined ? [] : [maximum + 1]),
    ...(maxItems === undefined ? [] : [Array.from({ length: maxItems + 1 }, (_, n) => `https://site-${n}.example`)]),
    ...(schema.enum === undefined ? [] : ['none', schema.enum]),
    ...(schema.format === undefined && schema.pattern === undefined ? [] : ['-', 'http://-', '\n']),
  ];
}
