/**
 * Ends a switch over all values of a type. The compiler names the switch when the type gets another value; at run time,
 * only a value that a newer version has stored comes here.
 */
export function unknownValue(value: never): never {
  throw new Error(`This version of the service does not know ${String(value)}`);
}
