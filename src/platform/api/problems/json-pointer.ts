/** Builds a JSON Pointer. Without parts it is '', the whole body. */
export function jsonPointer(...parts: (string | number)[]): string {
  return parts.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
