// @ts-check
import { Ajv2020 } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';

/**
 * The source of a module with a function for each JSON Schema, which says whether a value has that shape. Compiled at
 * the build: a page with a Content-Security-Policy forbids it.
 *
 * @param {Record<string, object>} schemas by the names of the functions
 */
export function compiled(schemas) {
  const code = { source: true, esm: true };
  const options = { allErrors: true, discriminator: true, strict: false, validateFormats: false, inlineRefs: false };
  const ajv = new Ajv2020({ ...options, code });
  for (const [name, schema] of Object.entries(schemas)) ajv.addSchema(withObjects(schema), name);
  return standalone.default(ajv, Object.fromEntries(Object.keys(schemas).map((name) => [name, name])));
}

/**
 * A schema in which what is told apart by a field is an object: Ajv's `discriminator` takes anything else.
 *
 * @template T
 * @param {T} schema
 * @returns {T}
 */
function withObjects(schema) {
  if (Array.isArray(schema)) return /** @type {T} */ (schema.map(withObjects));
  if (typeof schema !== 'object' || schema === null) return schema;
  const parts = Object.entries(schema).map(([name, part]) => [name, withObjects(part)]);
  return /** @type {T} */ ({ ...('discriminator' in schema && { type: 'object' }), ...Object.fromEntries(parts) });
}
