/** A JSON value. What is in it is not said: TypeORM's types have no end with one that contains itself. */
export type Json = string | number | boolean | object | null;

/** Whether a value of JSON is an object, and no list. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
