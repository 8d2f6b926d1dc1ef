import { jsonPointer } from '../../src/platform/api/problems/json-pointer.ts';
import { isObject } from './document.ts';

/** Every value in a document, with the name of its field and a JSON Pointer to it. */
export function* valuesIn(
  value: unknown,
  path: (string | number)[] = [],
): Generator<{ value: unknown; field: string | number | undefined; pointer: string }> {
  yield { value, field: path.at(-1), pointer: jsonPointer(...path) };
  const parts = Array.isArray(value) ? value.entries() : isObject(value) ? Object.entries(value) : [];
  for (const [name, part] of parts) yield* valuesIn(part, [...path, name]);
}
