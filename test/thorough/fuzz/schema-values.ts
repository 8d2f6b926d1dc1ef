import fc from 'fast-check';
import { FIELD_VALUES } from './domain-values';
import type { Schema } from './operations';

const URLS = [
  'https://acme.example/cancel',
  'http://localhost:8080/?a=%00#b',
  'https://xn--mnchen-3ya.example/%F0%9F%92%B8',
];
const EMAILS = ['ada@example.com', `${'x'.repeat(64)}@example.com`, 'a.b+c@sub.example.co'];
const DATES = fc.date({ min: new Date('2100-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });
const UNKNOWN_ID = '019a9f3c-8b44-7f10-9a4e-5c6d7e8f9a0b';

const ANY_JSON = fc.constantFrom(null, true, 7, 'a', [1], { a: null });

/** Values that a schema allows, or those in FIELD_VALUES for a field of this name. */
export function validValues(schema: Schema, name = ''): fc.Arbitrary<unknown> {
  // That of a declaration is a text, not conditions.
  const isText = name === 'when' && schema.type === 'string';
  if (FIELD_VALUES[name] && !isText) return FIELD_VALUES[name];
  if (schema.allOf) return validValues(schema.allOf[0]);
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices) return fc.oneof(...choices.map((choice) => validValues(choice)));
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (Array.isArray(schema.type)) return fc.oneof(...schema.type.map((type) => validValues({ ...schema, type })));
  if (Object.keys(schema).length === 0) return ANY_JSON;
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
      return lists(schema);
    case 'object':
      return objects(schema);
    default:
      throw new Error(`No values for the schema ${JSON.stringify(schema)}`);
  }
}

function texts({ format, pattern, minLength = 0, maxLength = 100 }: Schema): fc.Arbitrary<string> {
  if (format === 'uuid') return fc.constant(UNKNOWN_ID);
  if (format === 'uri') return fc.constantFrom(...URLS);
  if (format === 'email') return fc.constantFrom(...EMAILS);
  if (format === 'date-time') return DATES.map((date) => date.toISOString());
  if (pattern && pattern !== '\\S') {
    const wanted = new RegExp(pattern);
    // fast-check knows no lookaheads.
    const made = new RegExp(pattern.replaceAll(/\(\?=[^)]*\)/g, ''));
    return fc.stringMatching(made).filter((text) => text.length <= maxLength && wanted.test(text));
  }
  const short = fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, 40) });
  const longest = fc.constantFrom('x', '💸').map((character) => character.repeat(maxLength));
  return fc.oneof(short, longest).filter((text) => [...text].length <= maxLength && (!pattern || text.trim() !== ''));
}

/** Amounts of money. A number without bounds may be any that JSON can carry. */
function amounts({ minimum, maximum }: Schema): fc.Arbitrary<number> {
  if (minimum === undefined || maximum === undefined) return fc.double({ noNaN: true, noDefaultInfinity: true });
  return fc.integer({ min: minimum * 100, max: Math.round(maximum * 100) }).map((cents) => cents / 100);
}

function lists({ items = {}, minItems, maxItems = 5, uniqueItems }: Schema): fc.Arbitrary<unknown[]> {
  const length = { minLength: minItems, maxLength: Math.min(maxItems, 5) };
  return uniqueItems ? fc.uniqueArray(validValues(items), length) : fc.array(validValues(items), length);
}

function objects({ properties = {}, required = [], additionalProperties }: Schema): fc.Arbitrary<object> {
  if (typeof additionalProperties === 'object') {
    return fc.dictionary(fc.stringMatching(/^[a-z][a-z _-]{0,8}$/), validValues(additionalProperties));
  }
  const fields = Object.entries(properties).map(([name, field]) => [name, validValues(field, name)] as const);
  return fc.record<Record<string, unknown>>(Object.fromEntries(fields), {
    requiredKeys: required,
    noNullPrototype: true,
  });
}

/** Values just outside what a schema allows. */
export function invalidValues({
  type,
  minLength,
  maxLength,
  minimum,
  maximum,
  maxItems,
  ...schema
}: Schema): unknown[] {
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
