import schemas from 'interface-schemas';
import * as z from 'zod';

/**
 * Some fields of a schema of the service's interface, each of them optional. What else is wrong with them, the service
 * says, with a pointer.
 */
export function fieldsOf(name: string, fields: readonly string[]): z.ZodType<Record<string, unknown>> {
  const { properties } = schemas[name];
  const picked = Object.fromEntries(fields.map((field) => [field, properties[field]]));
  const schema = { type: 'object', properties: picked, additionalProperties: false, $defs: schemas } as const;
  return z.fromJSONSchema(schema as never) as z.ZodType<Record<string, unknown>>;
}
