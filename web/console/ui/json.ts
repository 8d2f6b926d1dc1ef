/** JSON as it is shown in a field; '' for none. */
export const jsonText = (value: unknown): string =>
  value === undefined || value === null ? '' : JSON.stringify(value, null, 2);

/** What is typed as JSON; null if nothing is. Throws a SyntaxError for anything else. */
export function jsonIn(text: string): unknown {
  return text.trim() === '' ? null : (JSON.parse(text) as unknown);
}
