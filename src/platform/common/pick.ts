/** The named fields of an object. */
export function pick<T, Field extends keyof T>(object: T, fields: readonly Field[]): Pick<T, Field> {
  return Object.fromEntries(fields.map((field) => [field, object[field]])) as Pick<T, Field>;
}
